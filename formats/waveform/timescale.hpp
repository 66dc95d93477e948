// formats/waveform/timescale.hpp - the timescale of a waveform, and the conversion of ticks to it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "model/schema.hpp"

namespace hwtrace::waveform {

/// The timescale of a waveform: a tick lasts 10^exponent seconds.
struct Timescale {
    int exponent = -9;
    bool invents_ticks = false;  ///< ticks of unknown length are shown as nanoseconds

    /// Returns an assumption such as "1 ns for a tick of unknown length", or an empty string.
    std::string note() const;
};

/// Returns the coarsest timescale, from 100 s to 1 fs, in which every tick of a track is a whole number. Returns 1 fs
/// if there is none.
Timescale choose_timescale(const Schema& schema);
/// Returns a timescale as VCD writes it: "100 ps".
std::string timescale_text(int exponent);

/// Converts ticks of the tracks of a schema to a timescale. Counts times that cannot be converted exactly as losses.
class Times {
public:
    Times(const Schema& schema, const Timescale& timescale, Losses& losses);

    /// Returns the time: rounded down, and limited to the range from 0 to 2^63 - 1.
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
    std::vector<Ratio> ratios_;  ///< by track: ticks of the timescale a tick
};

}  // namespace hwtrace::waveform
