// formats/report/time_scale.hpp - the unit of time of a report, and the conversion of ticks to it.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/losses.hpp"
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

    /// Returns true if ticks of the track are not units, so that a time may be rounded.
    bool may_round(TrackId track) const noexcept { return ratios_[track] != Ratio{1, 1}; }

    /// Returns a time in units, rounded down and limited to the range of Tick.
    Tick at(TrackId track, Tick time) {
        const Ratio ratio = ratios_[track];
        std::int64_t product = 0;
        if (ratio.den == 1 && !__builtin_mul_overflow(time, ratio.num, &product)) [[likely]]
            return product;
        return slowly(track, time);
    }
    /// Returns the end of something that lasts `duration` ticks.
    Tick end(TrackId track, Tick begin, std::uint64_t duration);

private:
    void choose_unit();
    Tick slowly(TrackId track, Tick time);

    const Schema& schema_;
    Losses& losses_;
    TimeBase unit_;
    std::size_t unknown_ = 0;
    std::vector<Ratio> ratios_;  ///< by track: units a tick
};

}  // namespace hwtrace::report
