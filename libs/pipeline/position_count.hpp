// pipeline/position_count.hpp - how long a trace is, in the positions that ranges count.
#pragma once

#include <cstdint>

#include "codec/reader.hpp"
#include "pipeline/plan.hpp"

namespace hwtrace {

/// Reads `reader` to its end and counts what comes out of the plan's stages as Range::Unit::record does: instructions
/// where there is a hart, else records. `plan` is of the reader's schema.
std::uint64_t count_positions(Reader& reader, Plan& plan);

/// The last `count` positions of a trace that has `positions`: all of one that has fewer.
Range last_positions(std::uint64_t count, std::uint64_t positions) noexcept;

}  // namespace hwtrace
