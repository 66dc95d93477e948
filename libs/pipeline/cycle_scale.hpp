// pipeline/cycle_scale.hpp - ticks of a track as cycles of its scope's clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "model/protocols.hpp"
#include "model/schema.hpp"
#include "pipeline/picosecond_scale.hpp"

namespace hwtrace {

/// Tracks in cycles, and those that only number their records, are taken as they are.
class CycleScale {
public:
    static constexpr std::uint64_t assumed_period_ps = 1000;

    CycleScale() : CycleScale(TimeBase{}, 0) {}
    CycleScale(const TimeBase& base, std::uint64_t period_ps) noexcept
        : picoseconds_(base, 1),
          period_(static_cast<Tick>(std::min(period_ps == 0 ? assumed_period_ps : period_ps, longest_period_ps))),
          divides_(base.kind == TimeBase::Kind::seconds),
          assumed_(divides_ && period_ps == 0) {}
    /// Of a track's times, by the clock of its scope.
    CycleScale(const Schema& schema, const Track& track) noexcept
        : CycleScale(track.time, period_of(schema, track.scope)) {}

    /// The cycle that `time` lies in; times before 0 are in cycles below 0.
    Tick cycle(Tick time) const noexcept {
        if (!divides_) return time;
        constexpr Tick last = std::numeric_limits<Tick>::max();
        const Tick distance = time >= 0 ? time : time < -last ? last : -time;
        const Tick ps = picoseconds_.ps(distance).value_or(last);
        return time >= 0 ? ps / period_ : -(ps / period_) - (ps % period_ == 0 ? 0 : 1);
    }
    /// Whether times are longer than cycles, so that both are worth showing.
    bool divides() const noexcept { return divides_; }
    /// Whether the length of a cycle is not known, and was taken to be assumed_period_ps.
    bool assumed() const noexcept { return assumed_; }

private:
    static constexpr std::uint64_t longest_period_ps = std::numeric_limits<Tick>::max();

    PicosecondScale picoseconds_;
    Tick period_;
    bool divides_, assumed_;
};

}  // namespace hwtrace
