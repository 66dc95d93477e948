// operate/position_count.hpp - counts the positions of a trace, which are the units of ranges.
#pragma once

#include <cstdint>

#include "codec/reader.hpp"
#include "convert/plan.hpp"
#include "model/record_kinds.hpp"

namespace hwtrace {

/// Reads `reader` to its end and counts the positions after the plan's stages. position_kind() of the schema before the
/// stages decides what counts. `plan` is for the reader's schema, and `shapes` are the shapes of its format.
std::uint64_t count_positions(Reader& reader, Plan& plan, Shapes shapes = {});

}  // namespace hwtrace
