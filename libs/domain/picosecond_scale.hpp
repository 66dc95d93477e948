// domain/picosecond_scale.hpp - converts ticks of any time base to whole picoseconds and back, fast and exactly.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "domain/durations.hpp"
#include "model/time.hpp"

namespace hwtrace {

/// The length of one tick, as whole picoseconds and a fraction.
class PicosecondScale {
public:
    /// Converts ticks of `base`. If `base` does not state their length, a tick lasts `unknown_ps`.
    PicosecondScale(const TimeBase& base, std::uint64_t unknown_ps) noexcept {
        const bool known = has_duration(base);
        const Wide length = known ? Wide{base.num} * picoseconds_per_second : Wide{unknown_ps};
        const Wide divisor = known ? Wide{base.den} : Wide{1};
        constexpr Wide most = std::numeric_limits<std::uint64_t>::max();
        const Wide whole = length / divisor;
        whole_ = static_cast<std::uint64_t>(whole < most ? whole : most);  // 2^63 ps contain at most one such tick
        const Ratio fraction =
            Ratio{static_cast<std::uint64_t>(length % divisor), static_cast<std::uint64_t>(divisor)}.reduced();
        num_ = fraction.num;
        den_ = fraction.den;
    }

    /// Returns the start of `tick` (>= 0) in picoseconds, rounded down. Returns nullopt if the start exceeds 2^63 - 1.
    std::optional<Tick> ps(Tick tick) const noexcept {
        const auto ticks = static_cast<std::uint64_t>(tick);
        std::uint64_t time = 0;
        if (__builtin_mul_overflow(ticks, whole_, &time)) return std::nullopt;
        if (num_ != 0 && __builtin_add_overflow(time, fraction_of(ticks), &time)) return std::nullopt;
        if (time > static_cast<std::uint64_t>(std::numeric_limits<Tick>::max())) return std::nullopt;
        return static_cast<Tick>(time);
    }
    /// Returns the first tick that ps() maps to `time` (>= 0) or later, or the last Tick if no tick does. This function
    /// is the inverse of ps() for ticks of at least 1 ps.
    Tick tick(Tick time) const noexcept;
    /// Returns the length of a tick in picoseconds, rounded down, but at least 1.
    std::uint64_t period_ps() const noexcept { return whole_ == 0 ? 1 : whole_; }

private:
    __extension__ using Wide = unsigned __int128;

    std::uint64_t fraction_of(std::uint64_t ticks) const noexcept {
        const Wide product = Wide{ticks} * num_;
        const auto low = static_cast<std::uint64_t>(product);
        return product == low ? low / den_ : static_cast<std::uint64_t>(product / den_);  // 64-bit division is faster
    }

    std::uint64_t whole_ = 0;
    std::uint64_t num_ = 0, den_ = 1;  // num_ / den_ is below 1
};

inline Tick PicosecondScale::tick(Tick time) const noexcept {
    // The result is ceil(time * den / (whole * den + num)). The divisor has up to 128 bits, and the product up to 127.
    const Wide divisor = Wide{whole_} * den_ + num_;
    const Wide product = Wide{static_cast<std::uint64_t>(time)} * den_;
    constexpr Wide last = static_cast<Wide>(std::numeric_limits<Tick>::max());
    if (divisor == 0) return 0;
    const Wide quotient = product / divisor + (product % divisor != 0 ? 1 : 0);
    return static_cast<Tick>(quotient < last ? quotient : last);
}

}  // namespace hwtrace
