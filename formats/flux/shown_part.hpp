// formats/flux/shown_part.hpp - the entries of a slice of a stream, for the views.
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

/// The place of an entry.
struct Place {
    bool is_packed = false;
    std::uint64_t block = 0;   ///< offset of the block around a packed entry
    std::uint64_t offset = 0;  ///< in the unpacked block, or in the stream
};

/// Reads the slice of a stream that Settings::part defines (it must be set). Calls `put` for each entry from which a
/// record of the slice was made, in order.
void show_part(Input& input, const Settings& settings, Findings& findings,
               const std::function<void(const Place&, const Entry&)>& put);

}  // namespace hwtrace::flux
