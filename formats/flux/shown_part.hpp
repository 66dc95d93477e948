// formats/flux/shown_part.hpp - a part of a stream, entry by entry, for the views.
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

/// Where an entry stands.
struct Place {
    bool is_packed = false;
    std::uint64_t block = 0;   ///< of one in a block: where that begins
    std::uint64_t offset = 0;  ///< in the block, or in the stream
};

/// Reads what Settings::part, which is set, leaves of a stream, and calls `put` for each entry that a record of it is
/// made of, in their order.
void show_part(Input& input, const Settings& settings, Findings& findings,
               const std::function<void(const Place&, const Entry&)>& put);

}  // namespace hwtrace::flux
