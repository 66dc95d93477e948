// views/drawn_intervals.hpp - collects the intervals of a trace in rows over time: lanes of tracks, or scopes.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "domain/lanes.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "select/range.hpp"
#include "select/range_windows.hpp"
#include "views/activity.hpp"
#include "views/by_track.hpp"
#include "views/drawn_rows.hpp"
#include "views/interval_order.hpp"

namespace hwtrace {

/// Collects intervals in one pass and in bounded memory.
class DrawnIntervals {
public:
    static constexpr std::size_t most_rows = 256;  ///< rows that are collected
    static constexpr std::size_t most_lanes = 8;   ///< lanes of a track that are collected

    /// The intervals that share a row.
    enum class By : std::uint8_t {
        lane,   ///< a row for each lane of a track; see domain/lanes.hpp
        scope,  ///< a row for each scope: the time in which at least one interval is in progress, host calls aside
    };
    /// `schema` must outlive this object and may grow. `range`: the range to which the trace was reduced, if any; the
    /// parts of intervals outside a range of time or cycles are cut off.
    DrawnIntervals(const Schema& schema, By by, const std::optional<Range>& range);

    void add(const Batch& batch);
    void finish();

    /// Returns the rows in order of scopes (parents first), tracks and lanes.
    std::vector<DrawnRow> take_rows();
    std::uint64_t intervals() const noexcept { return intervals_; }
    /// Returns remarks about intervals that the rows do not show exactly.
    std::vector<std::string> notes() const;

private:
    struct Collected {
        DrawnRow row;
        ScopeId scope = none;
        Tick covered = std::numeric_limits<Tick>::min();  // scope: everything before is accounted for
    };
    struct OfTrack {
        Lanes lanes;
        std::vector<std::uint32_t> rows;  // by lane
    };

    /// Remembers that an interval lasts `ticks` beyond the last Tick, where its row is cut off.
    void note_beyond(const TimeBase& base, WideTick ticks);
    /// Returns the time to which the shares of rows refer; it ends where rows are cut off.
    WideTick span(const TimeBase& base) const;
    void place(const IntervalOrder::Interval& interval);
    void place_in_lane(const IntervalOrder::Interval& interval);
    void place_in_scope(const IntervalOrder::Interval& interval);
    std::uint32_t add_row(std::string name, const Track& track, TrackId id, std::size_t lane);

    const Schema& schema_;
    By by_;
    std::optional<RangeWindows> windows_;
    IntervalOrder order_;
    ByTrack<OfTrack> tracks_;
    std::vector<std::pair<ScopeId, std::uint32_t>> scope_rows_;  // sorted by scope; `none` for a row beyond most_rows
    std::vector<Collected> rows_;
    ActivityMeter meter_;                                // for the time to which the shares refer
    std::vector<std::pair<TimeBase, WideTick>> beyond_;  // the longest time that is cut off
    std::size_t met_tracks_ = 0;
    std::uint64_t intervals_ = 0, not_collected_ = 0;
};

/// Returns the position of every scope if each scope is followed by its children, in order of declaration.
std::vector<std::size_t> hierarchy_order(const Schema& schema);

}  // namespace hwtrace
