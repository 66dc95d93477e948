// domain/cycle_scale.hpp - converts ticks of a track to cycles of its scope's clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "domain/picosecond_scale.hpp"
#include "domain/protocols.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Converts ticks to cycles. Ticks that already are cycles or positions stay unchanged.
class CycleScale {
public:
    static constexpr std::uint64_t assumed_period_ps = 1000;

    CycleScale() : CycleScale(TimeBase{}, 0) {}
    CycleScale(const TimeBase& base, std::uint64_t period_ps) noexcept
        : picoseconds_(base, 1),
          period_(static_cast<Tick>(std::min(period_ps == 0 ? assumed_period_ps : period_ps, longest_period_ps))),
          divides_(base.kind == TimeBase::Kind::seconds),
          assumed_(divides_ && period_ps == 0) {}
    /// Uses the track's time base and the clock of its scope.
    CycleScale(const Schema& schema, const Track& track) noexcept
        : CycleScale(track.time, period_of(schema, track.scope)) {}

    /// Returns the cycle that contains `time`, rounding down.
    Tick cycle(Tick time) const noexcept {
        if (!divides_) return time;
        constexpr Tick last = std::numeric_limits<Tick>::max();
        const Tick distance = time >= 0 ? time : time < -last ? last : -time;
        const Tick ps = picoseconds_.ps(distance).value_or(last);
        return time >= 0 ? ps / period_ : -(ps / period_) - (ps % period_ == 0 ? 0 : 1);
    }
    /// Returns true if ticks differ from cycles, so that showing both is useful.
    bool divides() const noexcept { return divides_; }
    /// Returns true if the cycle length is unknown and assumed_period_ps was assumed.
    bool assumed() const noexcept { return assumed_; }

private:
    static constexpr std::uint64_t longest_period_ps = std::numeric_limits<Tick>::max();

    PicosecondScale picoseconds_;
    Tick period_;
    bool divides_, assumed_;
};

}  // namespace hwtrace
