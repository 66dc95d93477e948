#include "timescale.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "domain/durations.hpp"

namespace hwtrace::ftr {

namespace {

constexpr int most_digits = 19;  ///< 10^19 fits 64 bits

constexpr std::uint64_t power_of_ten(int exponent) noexcept {
    std::uint64_t power = 1;
    for (; exponent > 0; --exponent)
        power *= 10;
    return power;
}

bool is_timed(const Track& track) noexcept {
    return track.kind == Track::Kind::stream || track.kind == Track::Kind::relation_type;
}

}  // namespace

std::optional<TimeBase> base_of(std::int64_t exponent) noexcept {
    if (exponent < -most_digits || exponent > most_digits) return std::nullopt;
    const auto digits = static_cast<int>(exponent);
    return digits < 0 ? TimeBase{TimeBase::Kind::seconds, 1, power_of_ten(-digits)}
                      : TimeBase{TimeBase::Kind::seconds, power_of_ten(digits), 1};
}

std::optional<int> exponent_of(const TimeBase& base) noexcept {
    if (base.kind != TimeBase::Kind::seconds) return std::nullopt;
    for (int exponent = -most_digits; exponent <= most_digits; ++exponent)
        if (base_of(exponent) == base) return exponent;
    return std::nullopt;
}

std::optional<Ratio> ticks_in(const TimeBase& base, int exponent) noexcept {
    const TimeBase known =
        has_duration(base) ? base : TimeBase{TimeBase::Kind::cycles, assumed_period_ps, picoseconds_per_second};
    constexpr Wide most = std::numeric_limits<std::uint64_t>::max();
    Wide num = Wide{known.num} * (exponent < 0 ? power_of_ten(-exponent) : 1);
    Wide den = Wide{known.den} * (exponent > 0 ? power_of_ten(exponent) : 1);
    Wide divisor = num, rest = den;
    while (rest != 0) {
        const Wide next = divisor % rest;
        divisor = rest;
        rest = next;
    }
    num /= divisor;
    den /= divisor;
    if (num > most || den > most) return std::nullopt;
    return Ratio{static_cast<std::uint64_t>(num), static_cast<std::uint64_t>(den)};
}

namespace {

/// Returns true if different ticks map to different whole ticks of the file.
bool keeps_numbers(Ratio ticks) noexcept {
    return ticks.num >= ticks.den;
}

Wide first_at(std::uint64_t time, Ratio ticks) noexcept {
    const Wide scaled = Wide{time} * ticks.den;
    return scaled / ticks.num + (scaled % ticks.num == 0 ? 0 : 1);
}

/// Returns true if whole ticks of the base are whole ticks of 10^exponent seconds.
bool is_exact(const TimeBase& base, int exponent) noexcept {
    const std::optional<Ratio> ticks = ticks_in(base, exponent);
    return ticks && ticks->den == 1;
}

}  // namespace

std::uint64_t whole_ticks(Wide tick, Ratio ticks, std::uint64_t most, bool& comes_back) noexcept {
    // A tick may have 65 bits (the sum of a start time and a duration), and the ratio 64 bits.
    if (ticks.num != 0 && tick > ~Wide{0} / ticks.num) {
        comes_back = false;
        return most;
    }
    const Wide scaled = tick * ticks.num;
    const Wide value = scaled / ticks.den;
    if (value > most) {
        comes_back = false;
        return most;
    }
    const auto time = static_cast<std::uint64_t>(value);
    comes_back = comes_back && (scaled % ticks.den == 0 || keeps_numbers(ticks) || first_at(time, ticks) == tick);
    return time;
}

std::uint64_t first_tick_at(std::uint64_t time, Ratio ticks, std::uint64_t most) noexcept {
    return static_cast<std::uint64_t>(std::min(first_at(time, ticks), Wide{most}));
}

bool comes_back(const TimeBase& base, int exponent) noexcept {
    const std::optional<Ratio> ticks = ticks_in(base, exponent);
    return ticks && keeps_numbers(*ticks);
}

int choose_exponent(const std::deque<Track>& tracks) noexcept {
    std::optional<int> finest;
    bool powers = true;
    for (const Track& track : tracks) {
        if (!is_timed(track)) continue;
        const std::optional<int> exponent = exponent_of(track.time);
        powers = powers && exponent.has_value();
        if (exponent) finest = std::min(finest.value_or(*exponent), *exponent);
    }
    constexpr std::array<int, 3> candidates{-12, -15, -18};
    if (powers) return finest.value_or(candidates.front());
    for (const int candidate : candidates)
        if (std::all_of(tracks.begin(), tracks.end(),
                        [&](const Track& track) { return !is_timed(track) || is_exact(track.time, candidate); }))
            return candidate;
    return candidates.front();
}

}  // namespace hwtrace::ftr
