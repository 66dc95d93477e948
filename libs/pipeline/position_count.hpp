// pipeline/position_count.hpp - how long a trace is, in the positions that ranges count.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "pipeline/plan.hpp"

namespace hwtrace {

/// What a position of a trace is (Range::Unit::record): an instruction where there is a hart; an interval where there
/// are streams and relations between their intervals, and besides nothing but notes and native records; else any
/// record, which is `nullopt`. The records before an interval have its position then. `kinds`: all that the source's
/// format can have, empty where that is not known; what is nothing but intervals and relations counts intervals, though
/// no track be known yet.
std::optional<Kind> position_kind(const Schema& schema, Kinds kinds = {});

/// Reads `reader` to its end and counts the positions of what comes out of the plan's stages, as position_kind() says
/// of the schema that they have before. `plan` is of the reader's schema, `kinds` those of its format.
std::uint64_t count_positions(Reader& reader, Plan& plan, Kinds kinds = {});

/// The last `count` positions of a trace that has `positions`: all of one that has fewer.
Range last_positions(std::uint64_t count, std::uint64_t positions) noexcept;

}  // namespace hwtrace
