// select/positions.hpp - the positions of a trace, which are the units of ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/record_kinds.hpp"
#include "model/schema.hpp"
#include "select/range.hpp"

namespace hwtrace {

/// Returns the kind of record that counts as a position of a trace (Range::Unit::record). It is an instruction if there
/// is a hart. It is an interval if there are only streams, relations between intervals, notes and native records.
/// Otherwise it is nullopt: every record counts. A record before an interval has the position of that interval.
/// `shapes` are the shapes that the source's format can contain. They are empty if the format is unknown. In a format
/// that contains only intervals and relations, intervals count even before a track is declared, unless the trace was
/// raised to something else.
std::optional<Kind> position_kind(const Schema& schema, Shapes shapes = {});

/// Returns the range of the last `count` of `positions` positions. Returns the whole trace if it has fewer than
/// `count`.
Range last_positions(std::uint64_t count, std::uint64_t positions) noexcept;

/// One of `count` shards, which divide a trace into balanced ranges of positions.
struct Shard {
    std::uint64_t number = 1;  ///< from 1 to `count`
    std::uint64_t count = 1;

    friend bool operator==(const Shard&, const Shard&) = default;
};
/// Parses "3/8". Throws Failure::usage for anything else.
Shard parse_shard(std::string_view text);
/// Returns the range of a shard of a trace that has `positions` positions. The sizes of two shards differ by at most
/// one position. The last shard has an open end, because records may follow the last position. If there are fewer
/// positions than shards, some shards are empty.
Range range_of(const Shard& shard, std::uint64_t positions) noexcept;

}  // namespace hwtrace
