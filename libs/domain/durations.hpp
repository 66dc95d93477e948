// domain/durations.hpp - checks whether the ticks of a time base have a known length.
#pragma once

#include "model/time.hpp"

namespace hwtrace {

/// Returns true if the length of the base's tick is known.
constexpr bool has_duration(const TimeBase& base) noexcept {
    return base.kind != TimeBase::Kind::ordinal && base.den != 0 && base.num != 0;
}

}  // namespace hwtrace
