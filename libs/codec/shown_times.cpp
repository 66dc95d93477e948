#include "codec/shown_times.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace hwtrace {

namespace {

constexpr Tick latest = std::numeric_limits<Tick>::max();

}  // namespace

ShownTimes::ShownTimes(const Schema& schema, std::vector<Ratio> units_in_tick, const ShownRange& range,
                       std::string_view unit, Losses& losses)
    : schema_(schema), ratios_(std::move(units_in_tick)), range_(range), unit_(unit), losses_(losses) {}

ShownTimes::Shown ShownTimes::limited(TrackId track, Tick time) const noexcept {
    const Ratio ratio = ratios_[track];
    Scaled scaled = scale(time, ratio);
    // More units in a tick than 64 bits can count: every time is beyond the ends.
    if (ratio.den == 0) scaled.value = time < 0 ? std::numeric_limits<Tick>::min() : latest;
    const Tick shown = std::clamp(scaled.value, range_.least, range_.latest);
    return {shown, scaled.exact && !scaled.saturated && scaled.value == shown && shown <= range_.exact};
}

/// Returns the words that state where a time is shown.
std::string ShownTimes::place(Tick shown) const {
    const bool is_known = shown <= range_.exact || shown == range_.latest;
    return (is_known ? " is shown at " : " is shown at about ") + std::to_string(shown).append(unit_);
}

Tick ShownTimes::slowly(TrackId track, Tick time) {
    if (time == 0) return 0;
    const Shown shown = limited(track, time);
    if (!shown.is_exact)
        losses_.count(Loss::time_rounded, schema_.tracks()[track].name,
                      [&] { return "tick " + std::to_string(time) + place(shown.time); });
    return shown.time;
}

Tick ShownTimes::end(TrackId track, Tick begin, std::uint64_t duration) {
    Tick end = 0;
    if (duration <= static_cast<std::uint64_t>(latest) &&
        !__builtin_add_overflow(begin, static_cast<Tick>(duration), &end))
        return at(track, end);
    const Shown shown = limited(track, latest);
    losses_.count(Loss::time_rounded, schema_.tracks()[track].name,
                  [&] { return "an end after 2^63 - 1 ticks" + place(shown.time); });
    return shown.time;
}

}  // namespace hwtrace
