// formats/ftr/timescale.hpp - the exponent of a file, and the conversion of ticks between tracks and file.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Holds the sum of a begin and a duration, and times of a trace in ticks of a file.
__extension__ using Wide = unsigned __int128;

/// The assumed length of a tick of unknown length.
inline constexpr std::uint64_t assumed_period_ps = 1000;

/// Returns the base of ticks of 10^exponent seconds, or nothing if it does not fit 64 bits.
std::optional<TimeBase> base_of(std::int64_t exponent) noexcept;
/// Returns the exponent of a base that is a power of ten of a second.
std::optional<int> exponent_of(const TimeBase& base) noexcept;
/// Returns how many ticks of 10^exponent seconds a tick of the base lasts, or nothing if it does not fit 64 bits.
std::optional<Ratio> ticks_in(const TimeBase& base, int exponent) noexcept;
/// Converts `tick` to whole ticks of the file; one tick lasts `ticks` of them. Clamps to `most`. Clears `comes_back` if
/// first_tick_at() of the result can differ from `tick`. A tick that is at least as long as a tick of the file is
/// always restored exactly.
std::uint64_t whole_ticks(Wide tick, Ratio ticks, std::uint64_t most, bool& comes_back) noexcept;
/// Returns the first tick of that length at or after `time`, at most `most`. `time` is in ticks of the file.
std::uint64_t first_tick_at(std::uint64_t time, Ratio ticks, std::uint64_t most) noexcept;
/// Returns true if every tick of the base is restored from whole ticks of 10^exponent seconds.
bool comes_back(const TimeBase& base, int exponent) noexcept;

/// Chooses the exponent for these tracks. If all tracks count powers of ten of a second: the finest of them. Otherwise:
/// the first of -12, -15, -18 in which every tick is a whole number, or -12 if there is none. All viewers show -12
/// correctly.
int choose_exponent(const std::deque<Track>& tracks) noexcept;

}  // namespace hwtrace::ftr
