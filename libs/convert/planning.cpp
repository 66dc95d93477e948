#include "convert/planning.hpp"

#include <algorithm>

#include "convert/time_sort.hpp"
#include "domain/durations.hpp"
#include "domain/tick_ratio.hpp"
#include "io/counted.hpp"

namespace hwtrace {

bool Planning::has(Shape shape) const noexcept {
    return std::ranges::any_of(here().tracks(), [&](const Track& track) { return track.kind == shape; });
}

bool Planning::has_one_base() const noexcept {
    const auto& tracks = here().tracks();
    return std::ranges::all_of(tracks, [&](const Track& track) { return track.time == tracks.front().time; });
}

void Planning::step(std::string name, std::vector<Mapping> becomes) {
    std::string what;
    for (const Mapping& one : becomes)
        what.append(what.empty() ? "" : "; ").append(one.fact).append(" becomes ").append(one.becomes);
    step(std::move(name), std::move(what), std::move(becomes));
}

void Planning::sort() {
    step("sort", "records sorted by time; equal times keep their order",
         {{"the order of records", "time order; records of equal time keep their order"}});
    auto stage = std::make_unique<TimeSort>(here(), folder());
    if (const auto late = known_lateness()) stage->expect_lateness(*late);
    plan.stages.push_back(std::move(stage));
    time_ordered = true;
}

std::optional<std::uint64_t> Planning::known_lateness() const noexcept {
    return lateness_stages == plan.stages.size() && has_one_base() ? lateness : std::nullopt;
}

void Planning::keep_lateness(std::optional<std::uint64_t> before, const TimeBase& base) noexcept {
    if (!before || here().tracks().empty()) return;
    const std::optional<Ratio> ticks = ticks_in(base, here().tracks().front().time);
    if (!ticks || ticks->den != 1) return;
    std::uint64_t scaled = 0;
    lateness = __builtin_mul_overflow(*before, ticks->num, &scaled) ? ~std::uint64_t{0} : scaled;
    lateness_stages = plan.stages.size();
}

void Planning::keep_part_of(const Schema& whole) {
    if (!plan.part) plan.part.emplace(losses);
    plan.part->follow(whole, here(), plan.stages.size());
}

Loss loss_of(Shape shape) noexcept {
    return shape == Shape::native          ? Loss::native_dropped
           : shape == Shape::relation_type ? Loss::relation_dropped
                                           : Loss::kind_dropped;
}

std::string_view name_of_records(Shape shape) noexcept {
    switch (shape) {
        case Shape::event_type:
            return "an event";
        case Shape::storage:
            return "an operation on a table";
        case Shape::signal:
            return "a change of a signal";
        case Shape::stream:
            return "an interval";
        case Shape::relation_type:
            return "a relation";
        case Shape::hart:
            return "an instruction";
        case Shape::notes:
            return "a note";
        case Shape::native:
            break;
    }
    return "a native record";
}

std::string no_place(const Target& to, const Track& track) {
    return std::string(to.format.name) + " has no place for " + std::string(name_of(track.kind)) + " records";
}

std::string assumed_ticks(const Schema& schema, std::uint64_t period_ps, std::string_view what,
                          const std::function<bool(const Track&)>& takes) {
    const Track* first = nullptr;
    std::size_t timeless = 0;
    bool timed = false;
    for (const Track& track : schema.tracks()) {
        if (!takes(track)) continue;
        timed = timed || has_duration(track.time);
        if (has_duration(track.time)) continue;
        if (timeless++ == 0) first = &track;
    }
    const std::string length = std::to_string(period_ps) + " ps";
    if (!timed || first == nullptr)
        return std::string("the trace does not state the length of a cycle: assumed ").append(length).append(what) +
               " (--clock changes it)";
    std::string text = "track '" + first->name + "'";
    if (timeless > 1) text.append(" and ").append(counted(timeless - 1, "other"));
    return text.append(timeless > 1 ? " do not count" : " does not count")
        .append(" time: assumed ")
        .append(length)
        .append(" per tick, because other tracks count time (--clock changes it)");
}

}  // namespace hwtrace
