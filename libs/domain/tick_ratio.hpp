// domain/tick_ratio.hpp - the ratio between ticks of two time bases.
#pragma once

#include <optional>

#include "model/time.hpp"

namespace hwtrace {

/// Returns the length of a tick of `from` in ticks of `to`, or 1 if either length is unknown. Returns nullopt if the
/// ratio does not fit in 64 bits.
inline std::optional<Ratio> ticks_in(const TimeBase& from, const TimeBase& to) noexcept {
    const bool timed = from.kind != TimeBase::Kind::ordinal && to.kind != TimeBase::Kind::ordinal;
    if (!timed || from.den == 0 || to.den == 0) return Ratio{1, 1};
    const Ratio tick = Ratio{from.num, from.den}.reduced(), unit = Ratio{to.num, to.den}.reduced();
    const Ratio a = Ratio{tick.num, unit.num}.reduced(), b = Ratio{unit.den, tick.den}.reduced();
    Ratio ratio{1, 1};
    if (__builtin_mul_overflow(a.num, b.num, &ratio.num) || __builtin_mul_overflow(a.den, b.den, &ratio.den))
        return std::nullopt;
    return ratio.reduced();
}

}  // namespace hwtrace
