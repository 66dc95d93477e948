// operate/position_count.hpp - counts the positions of a trace, which are the units of ranges.
#pragma once

#include <cstdint>

#include "codec/reader.hpp"
#include "convert/plan.hpp"
#include "model/record_kinds.hpp"
#include "select/range.hpp"

namespace hwtrace {

/// Reads `reader` to its end and counts the positions after the plan's stages. position_kind() of the schema before the
/// stages decides what counts. `plan` is for the reader's schema, and `shapes` are the shapes of its format.
std::uint64_t count_positions(Reader& reader, Plan& plan, Shapes shapes = {});

/// Returns the range of the last `count` positions of `input`, a trace in the format `from`. Reads the trace once to
/// count and rewinds it. A pipe is spooled.
Range last_range(std::uint64_t count, Input& input, const Format& from, const Settings& settings);
/// Does the same for a conversion to `to`. Counts the positions of the raised trace.
Range last_range(std::uint64_t count, Input& input, const Format& from, const Format& to, const Choices& choices);

}  // namespace hwtrace
