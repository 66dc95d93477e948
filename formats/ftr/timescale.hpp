// formats/ftr/timescale.hpp - the one exponent of a file's times, and ticks of a trace's tracks in it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "model/schema.hpp"

namespace hwtrace::ftr {

/// Of a begin and a duration the sum, and times of a trace in ticks of a file.
__extension__ using Wide = unsigned __int128;

/// Taken for a tick whose length nobody states.
inline constexpr std::uint64_t assumed_period_ps = 1000;

/// The base of ticks of 10^exponent seconds; none where 64 bits cannot state it.
std::optional<TimeBase> base_of(std::int64_t exponent) noexcept;
/// The exponent of a base of seconds that is a power of ten.
std::optional<int> exponent_of(const TimeBase& base) noexcept;
/// Ticks of 10^exponent seconds that a tick of the base lasts; none where 64 bits cannot state it.
std::optional<Ratio> ticks_in(const TimeBase& base, int exponent) noexcept;
/// `tick` in whole ticks of the file, of which one lasts `ticks`: at most `most`, to which larger ones are cut.
/// `comes_back` becomes false where first_tick_at() of that can be another one: what lasts a tick of the file or longer
/// keeps its number.
std::uint64_t whole_ticks(Wide tick, Ratio ticks, std::uint64_t most, bool& comes_back) noexcept;
/// The first tick of that length that is not before `time`, in ticks of the file; at most `most`.
std::uint64_t first_tick_at(std::uint64_t time, Ratio ticks, std::uint64_t most) noexcept;
/// Whether every tick of the base comes back from whole ticks of 10^exponent seconds.
bool comes_back(const TimeBase& base, int exponent) noexcept;

/// The exponent for these tracks: where all count in powers of ten of a second, the finest of theirs; else the first of
/// -12, -15, -18 in which every tick is whole, and -12 where none is. -12 is the one that every viewer shows rightly.
int choose_exponent(const std::deque<Track>& tracks) noexcept;

}  // namespace hwtrace::ftr
