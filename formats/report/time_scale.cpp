#include "time_scale.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "domain/durations.hpp"
#include "domain/tick_ratio.hpp"

namespace hwtrace::report {
namespace {

constexpr TimeBase femtoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000'000'000};

/// Returns the longest base in which the ticks of both are whole numbers; nullopt if its terms do not fit.
std::optional<TimeBase> common_base(const TimeBase& left, const TimeBase& right) {
    const Ratio a = Ratio{left.num, left.den}.reduced(), b = Ratio{right.num, right.den}.reduced();
    std::uint64_t den = 0;
    if (__builtin_mul_overflow(a.den / std::gcd(a.den, b.den), b.den, &den)) return std::nullopt;
    return TimeBase{left.kind == right.kind ? left.kind : TimeBase::Kind::seconds, std::gcd(a.num, b.num), den};
}

/// Returns the ratio of 64-bit terms that is next to a positive quotient, or is the greatest one. It is not 0, so that
/// times are rounded, which is a loss.
Ratio nearest_ratio(long double quotient) noexcept {
    constexpr std::uint64_t half = std::uint64_t{1} << 63;
    std::uint64_t den = 1;
    for (; quotient < static_cast<long double>(half) && den < half; quotient *= 2)
        den *= 2;
    const bool fits = quotient < static_cast<long double>(half) * 2;
    const auto num = fits ? static_cast<std::uint64_t>(quotient) : std::numeric_limits<std::uint64_t>::max();
    return {std::max(num, std::uint64_t{1}), den};
}

/// Returns the number of units in a tick of `base`, or about that if it does not fit.
Ratio units_in_tick(const TimeBase& base, const TimeBase& unit) noexcept {
    if (const auto exact = ticks_in(base, unit)) return *exact;
    return nearest_ratio(static_cast<long double>(base.num) / static_cast<long double>(base.den) *
                         static_cast<long double>(unit.den) / static_cast<long double>(unit.num));
}

/// Returns the longest base in which the ticks of all tracks of known length are whole numbers.
TimeBase common_unit(const std::deque<Track>& tracks) {
    std::optional<TimeBase> unit;
    for (const Track& track : tracks) {
        if (!has_duration(track.time) || track.time == unit) continue;
        unit = unit ? common_base(*unit, track.time) : track.time;
        if (!unit) return femtoseconds;
    }
    if (unit) return *unit;
    return tracks.empty() ? TimeBase{} : tracks.front().time;
}

std::vector<Ratio> ratios_of(const std::deque<Track>& tracks, const TimeBase& unit) {
    std::vector<Ratio> ratios;
    for (const Track& track : tracks) {
        const bool is_converted = has_duration(track.time) && has_duration(unit) && track.time != unit;
        ratios.push_back(is_converted ? units_in_tick(track.time, unit) : Ratio{1, 1});
    }
    return ratios;
}

}  // namespace

TimeScale::TimeScale(const Schema& schema, Losses& losses)
    : unit_(common_unit(schema.tracks())),
      times_(schema, ratios_of(schema.tracks(), unit_), {.least = std::numeric_limits<Tick>::min()}, "", losses) {
    const auto& tracks = schema.tracks();
    const auto has_unknown = [](const Track& track) { return !has_duration(track.time); };
    if (has_duration(unit_)) unknown_ = static_cast<std::size_t>(std::ranges::count_if(tracks, has_unknown));
}

}  // namespace hwtrace::report
