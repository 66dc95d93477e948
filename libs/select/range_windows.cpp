#include "select/range_windows.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "domain/picosecond_scale.hpp"
#include "io/error.hpp"

namespace hwtrace {

namespace {

constexpr WideTick beyond_all_ticks = WideTick{1} << 100;  // later than the start or end of any record

/// Throws Failure::usage, because the units of the range and of the track's time differ.
[[noreturn]] void refuse_unit(const Track& track) {
    const auto refuse = [&](std::string_view why) {
        std::string message = "--range: track '";
        message.append(track.name).append("' ").append(why);
        fail(Failure::usage, message);
    };
    switch (track.time.kind) {
        case TimeBase::Kind::seconds:
            refuse("counts time: use ps, ns, us, ms or s, such as 10us:20us");
            break;
        case TimeBase::Kind::cycles:
            refuse("counts cycles of an unknown clock: state it with --clock, or use cyc, such as 1000cyc:2000cyc");
            break;
        case TimeBase::Kind::ordinal:
            refuse("counts positions instead of time: use #, such as 100#:200#");
            break;
    }
    fail(Failure::usage, "--range: a track has no time; use positions such as 100#:200#");
}

}  // namespace

/// Returns value / den, at most beyond_all_ticks. `den` is not 0.
RangeWindows::TickBound RangeWindows::divide(UnsignedWide value, UnsignedWide den) noexcept {
    const UnsignedWide quotient = value / den;
    if (quotient >= static_cast<UnsignedWide>(beyond_all_ticks)) return {beyond_all_ticks, beyond_all_ticks};
    const WideTick floor = static_cast<WideTick>(quotient);
    return {floor, quotient * den == value ? floor : floor + 1};
}

/// Converts `ps` to ticks. Returns beyond_all_ticks if the result exceeds 128 bits.
RangeWindows::TickBound RangeWindows::ticks_of(UnsignedWide ps, const TimeBase& base) noexcept {
    UnsignedWide product = 0;
    if (__builtin_mul_overflow(ps, UnsignedWide{base.den}, &product)) return {beyond_all_ticks, beyond_all_ticks};
    return divide(product, UnsignedWide{base.num} * picoseconds_per_second);
}

RangeWindows::Window RangeWindows::window_of(TimeBase base) const noexcept {
    constexpr TickBound endless{beyond_all_ticks, beyond_all_ticks};
    if (period_ps_ && base.kind == TimeBase::Kind::cycles && !has_duration(base))
        base = {TimeBase::Kind::cycles, *period_ps_, picoseconds_per_second};
    switch (range_.unit) {
        case Range::Unit::record:
            return {true, {}, {}};
        case Range::Unit::cycle:
            if (base.kind == TimeBase::Kind::seconds) return window_of_cycles(base);
            if (base.kind != TimeBase::Kind::cycles) return {};
            return {true, divide(range_.begin, 1), range_.end ? divide(*range_.end, 1) : endless};
        case Range::Unit::time_ps:
            if (!has_duration(base)) return {};
            return {true, ticks_of(range_.begin, base), range_.end ? ticks_of(*range_.end, base) : endless};
    }
    return {};
}

/// Returns the window of a range in cycles, for a track that counts time.
RangeWindows::Window RangeWindows::window_of_cycles(const TimeBase& base) const noexcept {
    if (cycle_ps_ == 0) return {};
    constexpr TickBound endless{beyond_all_ticks, beyond_all_ticks};
    const auto ticks = [&](std::uint64_t cycles) { return ticks_of(UnsignedWide{cycles} * cycle_ps_, base); };
    return {true, ticks(range_.begin), range_.end ? ticks(*range_.end) : endless};
}

void RangeWindows::meet_tracks() {
    if (range_.unit == Range::Unit::cycle) cycle_ps_ = common_period(source_, "--range");
    while (windows_.size() < source_.tracks().size()) {
        const Track& track = source_.tracks()[windows_.size()];
        windows_.push_back(window_of(track.time));
        if (!windows_.back().comparable && track.kind != Track::Kind::native) refuse_unit(track);
    }
}

Place RangeWindows::place_of(const Batch& batch, const Record& record) const {
    const Window& window = windows_[record.track];
    if (!window.comparable) [[unlikely]]
        refuse_unit(source_.tracks()[record.track]);
    const WideTick begin = exact_begin(source_, batch, record);
    if (begin >= window.end.ceiling || range_.begin == range_.end) return Place::behind;
    if (begin >= window.begin.ceiling || range_.begin == 0) return Place::inside;
    // An interval that begins before the range overlaps it if its exclusive end is after the range's begin.
    const bool reaches = record.kind == Kind::interval && begin + WideTick{record.value} > window.begin.floor;
    return reaches ? Place::inside : Place::before;
}

Tick RangeWindows::begin_tick(TrackId track) const noexcept {
    return static_cast<Tick>(std::min<WideTick>(windows_[track].begin.ceiling, std::numeric_limits<Tick>::max()));
}

std::pair<WideTick, std::optional<WideTick>> RangeWindows::bounds(TrackId track) const noexcept {
    const Window& window = windows_[track];
    return {window.begin.ceiling, range_.end ? std::optional(window.end.ceiling) : std::nullopt};
}

std::pair<WideTick, WideTick> RangeWindows::clipped(TrackId track, WideTick begin, WideTick end) const noexcept {
    const Window& window = windows_[track];
    const auto inside = [&](WideTick time) {
        const WideTick late_enough = range_.begin == 0 ? time : std::max(time, window.begin.ceiling);
        return range_.end ? std::min(late_enough, window.end.ceiling) : late_enough;
    };
    return {inside(begin), inside(end)};
}

}  // namespace hwtrace
