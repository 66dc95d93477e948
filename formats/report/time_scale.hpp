// formats/report/time_scale.hpp - the unit of time of a report, and the conversion of ticks to it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/losses.hpp"
#include "codec/shown_times.hpp"
#include "model/schema.hpp"

namespace hwtrace::report {

/// Converts ticks of all tracks to one unit. The unit is the longest one in which all ticks of known length are whole
/// numbers, so that times are exact.
class TimeScale {
public:
    /// `losses` receives times that cannot be converted exactly. Both arguments must outlive this object.
    TimeScale(const Schema& schema, Losses& losses);

    /// Returns the length of a unit. If no track has ticks of known length, a unit is a tick.
    const TimeBase& unit() const noexcept { return unit_; }
    /// Returns the number of tracks with ticks of unknown length, if other tracks have a known one. Their ticks are
    /// drawn as units.
    std::size_t unknown_tracks() const noexcept { return unknown_; }

    /// See ShownTimes.
    bool may_round(TrackId track) const noexcept { return times_.may_round(track); }
    Tick at(TrackId track, Tick time) { return times_.at(track, time); }
    Tick end(TrackId track, Tick begin, std::uint64_t duration) { return times_.end(track, begin, duration); }

private:
    TimeBase unit_;
    std::size_t unknown_ = 0;
    ShownTimes times_;
};

}  // namespace hwtrace::report
