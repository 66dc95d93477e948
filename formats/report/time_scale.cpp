#include "time_scale.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

#include "domain/durations.hpp"

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

/// Returns base / unit, or about that if its terms do not fit.
Ratio units_in_tick(const TimeBase& base, const TimeBase& unit) noexcept {
    const Ratio length = Ratio{base.num, base.den}.reduced();
    const Ratio first = Ratio{length.num, unit.num}.reduced(), second = Ratio{unit.den, length.den}.reduced();
    Ratio result;
    if (__builtin_mul_overflow(first.num, second.num, &result.num) ||
        __builtin_mul_overflow(first.den, second.den, &result.den))
        return nearest_ratio(static_cast<long double>(first.num) / static_cast<long double>(first.den) *
                             static_cast<long double>(second.num) / static_cast<long double>(second.den));
    return result.reduced();
}

}  // namespace

TimeScale::TimeScale(const Schema& schema, Losses& losses) : schema_(schema), losses_(losses) {
    choose_unit();
    for (const Track& track : schema.tracks()) {
        const bool is_converted = has_duration(track.time) && has_duration(unit_) && track.time != unit_;
        ratios_.push_back(is_converted ? units_in_tick(track.time, unit_) : Ratio{1, 1});
    }
}

void TimeScale::choose_unit() {
    const auto& tracks = schema_.tracks();
    if (tracks.empty()) return;
    const auto known = std::ranges::count_if(tracks, [](const Track& track) { return has_duration(track.time); });
    if (known == 0) {
        unit_ = tracks.front().time;
        return;
    }
    unknown_ = tracks.size() - static_cast<std::size_t>(known);
    std::optional<TimeBase> unit;
    for (const Track& track : tracks) {
        if (!has_duration(track.time) || track.time == unit) continue;
        unit = unit ? common_base(*unit, track.time) : track.time;
        if (!unit) break;
    }
    unit_ = unit.value_or(femtoseconds);
}

Tick TimeScale::slowly(TrackId track, Tick time) {
    const Scaled scaled = scale(time, ratios_[track]);
    if (!scaled.exact || scaled.saturated)
        losses_.count(Loss::time_rounded, schema_.tracks()[track].name,
                      [&] { return "tick " + std::to_string(time) + " is shown at " + std::to_string(scaled.value); });
    return scaled.value;
}

Tick TimeScale::end(TrackId track, Tick begin, std::uint64_t duration) {
    constexpr Tick last = std::numeric_limits<Tick>::max();
    Tick end = last;
    if (duration <= static_cast<std::uint64_t>(last) &&
        !__builtin_add_overflow(begin, static_cast<Tick>(duration), &end))
        return at(track, end);
    losses_.count(Loss::time_rounded, schema_.tracks()[track].name,
                  [] { return std::string("an end after 2^63 - 1 ticks is shown there"); });
    return at(track, last);
}

}  // namespace hwtrace::report
