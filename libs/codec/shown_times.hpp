// codec/shown_times.hpp - converts ticks of all tracks to the one unit of time of a picture.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "codec/losses.hpp"
#include "model/schema.hpp"
#include "model/time.hpp"

namespace hwtrace {

/// The times that a picture shows, in its unit.
struct ShownRange {
    Tick least = 0;                                  ///< at most 0
    Tick latest = std::numeric_limits<Tick>::max();  ///< the last time
    Tick exact = latest;                             ///< readers of the picture may round later times
};

/// Converts ticks of the tracks of a schema to units. Counts times that cannot be converted exactly as losses.
class ShownTimes {
public:
    /// `units_in_tick` has the units in a tick of each track; {0, 0} if they do not fit. `unit` follows
    /// a time in the text of a loss, such as " ns". `schema` and `losses` must outlive this object.
    ShownTimes(const Schema& schema, std::vector<Ratio> units_in_tick, const ShownRange& range, std::string_view unit,
               Losses& losses);

    /// Returns true if ticks of the track are not units, so that a time may be rounded.
    bool may_round(TrackId track) const noexcept { return ratios_[track] != Ratio{1, 1}; }
    /// Returns a time in units: rounded down, and limited to the range.
    Tick at(TrackId track, Tick time) {
        const Ratio ratio = ratios_[track];
        Tick product = 0;
        if (ratio.den == 1 && !__builtin_mul_overflow(time, ratio.num, &product) && product >= range_.least &&
            product <= range_.exact) [[likely]]
            return product;
        return slowly(track, time);
    }
    /// Returns the same for a time that the trace does not state, which is therefore no loss.
    Tick about(TrackId track, Tick time) const noexcept { return limited(track, time).time; }
    /// Returns the end of something that lasts `duration` ticks.
    Tick end(TrackId track, Tick begin, std::uint64_t duration);

private:
    struct Shown {
        Tick time = 0;
        bool is_exact = false;
    };
    Shown limited(TrackId track, Tick time) const noexcept;
    std::string place(Tick shown) const;
    Tick slowly(TrackId track, Tick time);

    const Schema& schema_;
    std::vector<Ratio> ratios_;  ///< by track
    ShownRange range_;
    std::string_view unit_;
    Losses& losses_;
};

}  // namespace hwtrace
