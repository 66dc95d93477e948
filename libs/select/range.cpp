#include "select/range.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "codec/settings.hpp"
#include "domain/picosecond_scale.hpp"
#include "domain/protocols.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

namespace {

using Bound = std::pair<Range::Unit, std::uint64_t>;

std::optional<Bound> parse_bound(std::string_view text) noexcept {
    constexpr std::string_view cycles = "cyc";
    if (text.starts_with('#') || text.ends_with('#')) {
        const std::string_view digits = text.starts_with('#') ? text.substr(1) : text.substr(0, text.size() - 1);
        if (const auto position = parse_digits(digits)) return Bound{Range::Unit::record, *position};
    } else if (text.ends_with(cycles)) {
        if (const auto cycle = parse_digits(text.substr(0, text.size() - cycles.size())))
            return Bound{Range::Unit::cycle, *cycle};
    } else if (const auto time = parse_time_ps(text)) {
        return Bound{Range::Unit::time_ps, *time};
    }
    return std::nullopt;
}

[[noreturn]] void reject_range(std::string_view text, std::string_view why) {
    std::string message = "--range ";
    message.append(text).append(": ").append(why);
    fail(Failure::usage, message);
}

Bound bound(std::string_view side, std::string_view whole) {
    if (const auto parsed = parse_bound(side)) return *parsed;
    reject_range(whole,
                 "expected A:B with units, A or B optional: 100#:200# (positions), 1000cyc:2000cyc, 10us:2ms, :500ns");
}

}  // namespace

Range parse_range(std::string_view text) {
    const std::size_t colon = text.find(':');
    const bool has_colon = colon != std::string_view::npos;
    const std::string_view first = text.substr(0, colon);
    const std::string_view second = has_colon ? text.substr(colon + 1) : std::string_view();
    if (!has_colon || (first.empty() && second.empty())) bound({}, text);  // reports the accepted syntax
    Range range;
    if (!first.empty()) std::tie(range.unit, range.begin) = bound(first, text);
    if (second.empty()) return range;
    const auto [unit, end] = bound(second, text);
    if (!first.empty() && unit != range.unit) reject_range(text, "both sides must be records, cycles or times");
    if (end < range.begin) reject_range(text, "it ends before it begins");
    range.unit = unit;
    range.end = end;
    return range;
}

Moment parse_moment(std::string_view text, std::string_view option) {
    const std::optional<Bound> parsed = parse_bound(text);
    if (parsed && parsed->first != Range::Unit::record) return {parsed->first, parsed->second};
    std::string message(option);
    message.append(" ").append(text).append(": expected a time such as 500ns, 10us or 1000cyc");
    fail(Failure::usage, message);
}

std::uint64_t common_period(const Schema& schema, std::string_view option) {
    std::uint64_t common = 0;
    const auto meet = [&](std::uint64_t period) {
        if (common != 0 && period != 0 && period != common) {
            std::string message(option);
            message.append(": the clocks of this trace have cycles of ").append(std::to_string(common));
            message.append(" and ").append(std::to_string(period)).append(" ps; use ps, ns, us, ms or s");
            fail(Failure::usage, message);
        }
        if (period != 0) common = period;
    };
    for (const Track& track : schema.tracks())
        if (track.kind != Track::Kind::native) meet(period_of(schema, track.scope));
    if (common == 0)
        for (const Clock& clock : schema.clocks())
            meet(clock.period_ps);
    return common;
}

Tick tick_of(const Moment& moment, const Schema& schema, std::string_view option) {
    __extension__ using Wide = unsigned __int128;
    constexpr Wide last = static_cast<Wide>(std::numeric_limits<Tick>::max());
    const auto refuse = [&](std::string_view why) {
        std::string message(option);
        message.append(": ").append(why);
        fail(Failure::usage, message);
    };
    std::optional<TimeBase> base;
    for (const Track& track : schema.tracks()) {
        if (track.kind != Track::Kind::storage) continue;
        if (base && *base != track.time) refuse("the storages of this trace have different time bases");
        base = track.time;
    }
    if (!base) refuse("the trace has no storages, so there is no state to show");
    Wide ticks = moment.value;
    if (moment.unit == Range::Unit::cycle && base->kind != TimeBase::Kind::cycles) {
        if (!has_duration(*base)) refuse("the storages of this trace do not count cycles");
        const std::uint64_t period = common_period(schema, option);
        if (period == 0) refuse("the trace does not state the length of a cycle; use ps, ns, us, ms or s");
        ticks = Wide{moment.value} * period;
    }
    const bool is_time = moment.unit == Range::Unit::time_ps || base->kind != TimeBase::Kind::cycles;
    if (is_time) {
        if (!has_duration(*base)) refuse("the storages of this trace do not count time");
        if (ticks > last) return std::numeric_limits<Tick>::max();
        ticks = ticks * base->den / (Wide{base->num} * picoseconds_per_second);
    }
    return static_cast<Tick>(std::min(ticks, last));
}

}  // namespace hwtrace
