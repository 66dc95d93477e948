// select/range_windows.hpp - the position of records relative to a range: before, inside or behind it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "domain/interval_time.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "select/range.hpp"

namespace hwtrace {

enum class Place : std::uint8_t { before, inside, behind };

inline Place place_of_position(const Range& range, std::uint64_t position) noexcept {
    if (position < range.begin) return Place::before;
    return range.end && position >= *range.end ? Place::behind : Place::inside;
}

/// Converts a range exactly to ticks of every track of a schema.
class RangeWindows {
public:
    /// Call meet_tracks() before the other functions. `source` must outlive this object and may grow. `period_ps` is
    /// the cycle length for tracks that do not state it.
    RangeWindows(const Schema& source, const Range& range, std::optional<std::uint64_t> period_ps)
        : source_(source), range_(range), period_ps_(period_ps) {}

    /// Adds the tracks declared since the last call. Throws Failure::usage if a track's time cannot be compared with
    /// the range, unless the track is native, because native tracks may have no records.
    void meet_tracks();
    bool is_comparable(TrackId track) const noexcept { return windows_[track].comparable; }
    /// Compares the record's time with the range, which must not count positions. An interval that overlaps the range
    /// is inside. Throws Failure::usage if the track's time cannot be compared.
    Place place_of(const Batch& batch, const Record& record) const;
    /// Returns the first tick of the track that is inside the range.
    Tick begin_tick(TrackId track) const noexcept;

    /// Returns the first tick of the track inside the range and the first behind it; none if the range has no end.
    std::pair<WideTick, std::optional<WideTick>> bounds(TrackId track) const noexcept;
    /// Returns the part of [begin, end) inside the range; it is empty, at one of the range's bounds, if there is none.
    std::pair<WideTick, WideTick> clipped(TrackId track, WideTick begin, WideTick end) const noexcept;

private:
    __extension__ using UnsignedWide = unsigned __int128;
    /// A bound of the range in ticks of a track. If the bound is between two ticks, `floor` and `ceiling` differ.
    struct TickBound {
        WideTick floor = 0;
        WideTick ceiling = 0;
    };
    struct Window {
        bool comparable = false;
        TickBound begin, end;
    };

    static TickBound divide(UnsignedWide value, UnsignedWide den) noexcept;
    static TickBound ticks_of(UnsignedWide ps, const TimeBase& base) noexcept;
    Window window_of(TimeBase base) const noexcept;
    Window window_of_cycles(const TimeBase& base) const noexcept;

    const Schema& source_;
    Range range_;
    std::optional<std::uint64_t> period_ps_;
    std::vector<Window> windows_;  // by track
    std::uint64_t cycle_ps_ = 0;   // cycle length of all clocks, if the trace counts time
};

}  // namespace hwtrace
