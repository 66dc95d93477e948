// formats/perfetto/nanoseconds.hpp - the unit of time of a timeline, and the conversion of ticks to it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "codec/losses.hpp"
#include "model/schema.hpp"

namespace hwtrace::perfetto {

/// The real time that one nanosecond of the timeline stands for.
struct Unit {
    std::uint64_t units_per_second = 1'000'000'000;
    bool counts_ticks = false;  ///< no track has ticks of known length: a nanosecond stands for a tick

    /// Returns a note such as "1 ns stands for 1 ps", or an empty string if time is shown as it is.
    std::string note() const;
};

/// Returns the coarsest of ns, ps and fs in which all ticks of known length are whole numbers, or fs. `choice` is
/// "auto", "ns", "ps" or "fs".
Unit choose_unit(const Schema& schema, std::string_view choice);

/// Converts ticks of the tracks of a schema to units. Counts times that cannot be converted exactly as losses.
class Nanoseconds {
public:
    Nanoseconds(const Schema& schema, const Unit& unit, Losses& losses);

    /// Returns the time in units: rounded down, and limited to the range from 0 to 2^63 - 1.
    Tick at(TrackId track, Tick time) {
        const Ratio ratio = ratios_[track];
        std::int64_t product = 0;
        if (ratio.den == 1 && time >= 0 && ratio.num <= most_factor &&
            !__builtin_mul_overflow(time, static_cast<std::int64_t>(ratio.num), &product)) [[likely]]
            return product;
        return slowly(track, time);
    }
    /// Returns the end of something that lasts `duration` ticks.
    Tick end(TrackId track, Tick begin, std::uint64_t duration);

private:
    static constexpr std::uint64_t most_factor = std::numeric_limits<std::int64_t>::max();

    Tick slowly(TrackId track, Tick time);

    const Schema& schema_;
    Losses& losses_;
    std::vector<Ratio> ratios_;  ///< by track: units a tick
};

}  // namespace hwtrace::perfetto
