// model/durations.hpp - which time bases say how long their tick is.
#pragma once

#include "model/time.hpp"

namespace hwtrace {

/// True when the base says how long its tick is.
constexpr bool has_duration(const TimeBase& base) noexcept {
    return base.kind != TimeBase::Kind::ordinal && base.den != 0 && base.num != 0;
}

}  // namespace hwtrace
