// select/positions.hpp - the positions of a trace, which are the units of ranges.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/record.hpp"
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

/// Counts the positions of a trace while it is read.
class PositionCounter {
public:
    /// `kind`: see position_kind().
    explicit PositionCounter(std::optional<Kind> kind) noexcept : kind_(kind) {}

    /// Takes the next record, which is of `track`. Returns its position, or nullopt if it does not count.
    std::optional<std::uint64_t> add(const Record& record, const Track& track) noexcept {
        if (kind_ && record.kind != *kind_) return std::nullopt;
        // Instructions keep their positions if instructions before them were lost.
        const bool is_numbered = record.kind == Kind::instruction && track.time == ordinals;
        const std::uint64_t position = is_numbered ? static_cast<std::uint64_t>(record.time) : positions_;
        positions_ = position + 1;
        return position;
    }
    /// States that this many positions were lost before the next record.
    void lose(std::uint64_t count) noexcept { positions_ += count; }
    std::uint64_t positions() const noexcept { return positions_; }

private:
    std::optional<Kind> kind_;
    std::uint64_t positions_ = 0;
};

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
/// Returns "3/8".
std::string name_of(const Shard& shard);
/// Returns the range of a shard of a trace that has `positions` positions. The sizes of two shards differ by at most
/// one position. The last shard has an open end, because records may follow the last position. If there are fewer
/// positions than shards, some shards are empty.
Range range_of(const Shard& shard, std::uint64_t positions) noexcept;

}  // namespace hwtrace
