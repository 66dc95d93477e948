// formats/ftr/timescale.hpp - the exponent of a file, and the conversion of ticks between tracks and file.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "model/schema.hpp"

namespace hwtrace::ftr {

/// An integer for the sum of a start time and a duration, and for times of a trace in ticks of a file.
__extension__ using Wide = unsigned __int128;

/// The assumed length, in picoseconds, of ticks of unknown length.
inline constexpr std::uint64_t assumed_period_ps = 1000;

/// Returns the time base with ticks of 10^exponent seconds, or nothing if it does not fit 64 bits.
std::optional<TimeBase> base_of(std::int64_t exponent) noexcept;
/// Returns the exponent of a tick of 10^exponent seconds, or nothing for other ticks.
std::optional<int> exponent_of(const TimeBase& base) noexcept;
/// Returns the length of the base's tick in ticks of 10^exponent seconds, or nothing if it does not fit 64 bits.
std::optional<Ratio> ticks_in(const TimeBase& base, int exponent) noexcept;
/// Converts a time of `tick` ticks, each lasting `ticks` ticks of the file, to whole ticks of the file. The result is
/// at most `most`. Clears `comes_back` if first_tick_at() of the result can differ from `tick`. It never differs if a
/// tick lasts at least one tick of the file.
std::uint64_t whole_ticks(Wide tick, Ratio ticks, std::uint64_t most, bool& comes_back) noexcept;
/// Returns the first tick at or after `time`, clamped to `most`. `time` and `ticks`, the length of a tick, are in ticks
/// of the file.
std::uint64_t first_tick_at(std::uint64_t time, Ratio ticks, std::uint64_t most) noexcept;
/// Returns true if every tick of the base can be restored from whole ticks of 10^exponent seconds.
bool comes_back(const TimeBase& base, int exponent) noexcept;

/// Returns true if SCViewer shows wrong times for this exponent: it counts femtoseconds in 63 bits.
constexpr bool is_misread(std::int64_t exponent) noexcept {
    return exponent < -15 || exponent > 0;
}

/// Returns the exponent for a file with these tracks. If the ticks of all tracks are powers of ten of a second, the
/// smallest exponent is returned. Otherwise returns the first of -12, -15 and -18 that makes every tick a whole number,
/// or -12 if none does. All viewers show -12 correctly.
int choose_exponent(const std::deque<Track>& tracks) noexcept;

}  // namespace hwtrace::ftr
