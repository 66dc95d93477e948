// formats/flux/shown_part.hpp - reads the entries of a slice of a stream, for the views.
#pragma once

#include <cstdint>
#include <functional>

#include "codec/settings.hpp"
#include "entry.hpp"

namespace hwtrace {
class Findings;
class Input;
}  // namespace hwtrace

namespace hwtrace::flux {

/// The location of an entry in the file.
struct Place {
    bool is_packed = false;
    std::uint64_t block = 0;   ///< offset of the block around a packed entry
    std::uint64_t offset = 0;  ///< offset in the unpacked block, or in the stream
    std::uint64_t trace = 0;   ///< id of the trace of the entry
};

/// Reads the slice of a stream that is selected by Settings::part, which must be set. Calls `put`, in order, for each
/// entry that produced a record of the slice.
void show_part(Input& input, const Settings& settings, Findings& findings,
               const std::function<void(const Place&, const Entry&)>& put);

}  // namespace hwtrace::flux
