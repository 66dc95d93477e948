// pipeline/position_count.hpp - the length of a trace in positions, as ranges count them.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/format.hpp"
#include "codec/reader.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "pipeline/plan.hpp"

namespace hwtrace {

/// Returns the kind of record that is a position of a trace (Range::Unit::record). It is an instruction if there is a
/// hart. It is an interval if there are only streams, relations between intervals, notes and native records. Otherwise
/// it is nullopt: every record counts. Records before an interval have its position. `kinds` are those that the
/// source's format can have; empty: unknown. A format of intervals and relations only counts intervals even before any
/// track is known.
std::optional<Kind> position_kind(const Schema& schema, Kinds kinds = {});

/// Reads `reader` to its end and counts the positions after the plan's stages, by position_kind() of the schema before
/// them. `plan` is for the reader's schema, `kinds` are those of its format.
std::uint64_t count_positions(Reader& reader, Plan& plan, Kinds kinds = {});

/// Returns the range of the last `count` positions of a trace with `positions`; all of them if it has fewer.
Range last_positions(std::uint64_t count, std::uint64_t positions) noexcept;

}  // namespace hwtrace
