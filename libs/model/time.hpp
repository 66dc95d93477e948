// model/time.hpp - exact time: integer ticks of a time base and rational conversion, without floating point.
#pragma once

#include <cstdint>
#include <numeric>

namespace hwtrace {

/// A moment or a duration in ticks of a TimeBase. Signed, so that differences need no second type.
using Tick = std::int64_t;

/// The meaning of one tick of a track.
struct TimeBase {
    enum class Kind : std::uint8_t {
        seconds,  ///< a tick lasts num/den seconds; picoseconds are {seconds, 1, 10^12}
        cycles,   ///< a tick is a clock cycle of num/den seconds; den 0: the period is unknown
        ordinal,  ///< a tick is a position in the stream, such as an instruction's index, and has no duration
    };
    Kind kind = Kind::ordinal;
    std::uint64_t num = 1;
    std::uint64_t den = 1;

    friend bool operator==(const TimeBase&, const TimeBase&) = default;
};

constexpr std::uint64_t picoseconds_per_second = 1'000'000'000'000;
constexpr TimeBase picoseconds{TimeBase::Kind::seconds, 1, picoseconds_per_second};
constexpr TimeBase ordinals{TimeBase::Kind::ordinal, 1, 1};

/// A positive rational number: instructions per cycle, clock ratios.
struct Ratio {
    std::uint64_t num = 1;
    std::uint64_t den = 1;

    /// Returns the ratio in lowest terms; {0, 0} for {0, 0}.
    constexpr Ratio reduced() const noexcept {
        const std::uint64_t divisor = std::gcd(num, den);
        return divisor == 0 ? *this : Ratio{num / divisor, den / divisor};
    }
    friend bool operator==(const Ratio&, const Ratio&) = default;
};

/// The result of scale(). `exact` is false if a remainder was discarded, or if the result is saturated. `saturated` is
/// true if the exact result does not fit into a Tick; `value` is then the nearest Tick.
struct Scaled {
    Tick value = 0;
    bool exact = true;
    bool saturated = false;
};
/// Returns floor(value * ratio.num / ratio.den), computed in 128-bit arithmetic. For a zero denominator, returns 0 with
/// `saturated` set.
Scaled scale(Tick value, Ratio ratio) noexcept;

/// Returns the number of ticks from `begin` to `end`; 0 if `end` is earlier.
constexpr std::uint64_t ticks_between(Tick begin, Tick end) noexcept {
    return end < begin ? 0 : static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin);
}

}  // namespace hwtrace
