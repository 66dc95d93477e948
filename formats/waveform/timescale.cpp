#include "timescale.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "domain/durations.hpp"
#include "domain/tick_ratio.hpp"

namespace hwtrace::waveform {
namespace {

constexpr int coarsest = 2, finest = -15, nanosecond = -9;

TimeBase base_of(int exponent) noexcept {
    TimeBase base{TimeBase::Kind::seconds, 1, 1};
    for (; exponent > 0; --exponent)
        base.num *= 10;
    for (; exponent < 0; ++exponent)
        base.den *= 10;
    return base;
}

/// Returns the number of ticks of the timescale in a tick of `base`; {0, 0} if it does not fit.
Ratio ratio_of(const TimeBase& base, int exponent) noexcept {
    const TimeBase known = has_duration(base) ? base : base_of(nanosecond);
    return ticks_in({TimeBase::Kind::seconds, known.num, known.den}, base_of(exponent)).value_or(Ratio{0, 0});
}

}  // namespace

std::string Timescale::note() const {
    return invents_ticks ? "1 ns for a tick of unknown length" : std::string();
}

Timescale choose_timescale(const Schema& schema) {
    const auto& tracks = schema.tracks();
    Timescale chosen;
    chosen.invents_ticks = std::ranges::any_of(tracks, [](const Track& track) { return !has_duration(track.time); });
    if (tracks.empty()) return chosen;
    for (chosen.exponent = coarsest; chosen.exponent > finest; --chosen.exponent)
        if (std::ranges::all_of(tracks,
                                [&](const Track& track) { return ratio_of(track.time, chosen.exponent).den == 1; }))
            break;
    return chosen;
}

std::string timescale_text(int exponent) {
    constexpr std::array units{"s", "ms", "us", "ns", "ps", "fs"};
    const int unit = exponent >= 0 ? 0 : (2 - exponent) / 3;
    const int zeros = exponent + 3 * unit;
    std::string text(1, '1');
    text.append(static_cast<std::size_t>(zeros), '0');
    return text.append(" ").append(units[static_cast<std::size_t>(unit)]);
}

ShownTimes shown_times(const Schema& schema, const Timescale& timescale, Losses& losses) {
    std::vector<Ratio> ratios;
    for (const Track& track : schema.tracks())
        ratios.push_back(ratio_of(track.time, timescale.exponent));
    return {schema, std::move(ratios), {}, "", losses};
}

}  // namespace hwtrace::waveform
