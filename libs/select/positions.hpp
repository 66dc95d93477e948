// select/positions.hpp - the positions of a trace, which are the units of ranges.
#pragma once

#include <cstdint>
#include <optional>

#include "model/record_kinds.hpp"
#include "model/schema.hpp"
#include "select/range.hpp"

namespace hwtrace {

/// Returns the kind of record that counts as a position of a trace (Range::Unit::record). It is an instruction if there
/// is a hart. It is an interval if there are only streams, relations between intervals, notes and native records.
/// Otherwise it is nullopt: every record counts. A record before an interval has the position of that interval.
/// `shapes` are the shapes that the source's format can contain. They are empty if the format is unknown. In a format
/// that contains only intervals and relations, intervals count even before a track is declared.
std::optional<Kind> position_kind(const Schema& schema, Shapes shapes = {});

/// Returns the range of the last `count` of `positions` positions. Returns the whole trace if it has fewer than
/// `count`.
Range last_positions(std::uint64_t count, std::uint64_t positions) noexcept;

}  // namespace hwtrace
