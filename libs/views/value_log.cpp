#include "views/value_log.hpp"

#include <algorithm>

namespace hwtrace {

namespace {

Tick floor_divided(Tick value, Tick by) noexcept {
    return value / by - (value % by < 0 ? 1 : 0);
}

}  // namespace

std::uint32_t ValueLog::declare(const Schema& schema, const Track& track) {
    const std::uint64_t period = period_of(schema, track.scope);
    auto group =
        std::ranges::find_if(groups_, [&](const Group& g) { return g.base == track.time && g.period == period; });
    if (group == groups_.end()) group = groups_.insert(group, Group{track.time, period, {track.time, period}, 0, {}});
    Value value;
    value.group = static_cast<std::uint32_t>(group - groups_.begin());
    values_.push_back(value);
    return static_cast<std::uint32_t>(values_.size() - 1);
}

Tick ValueLog::step_of(const Group& group, Tick time) const noexcept {
    return floor_divided(group.cycles.cycle(time), interval_);
}

/// Adds the changes at the current time to the steps of their clocks.
void ValueLog::settle() {
    for (const std::uint32_t id : touched_) {
        Value& value = values_[id];
        value.touched = false;
        Group& group = groups_[value.group];
        if (group.changed.empty()) group.step = step_of(group, *now_);
        if (!value.pending) {
            value.pending = true;
            value.highest = std::max(value.reported, value.value);
            group.changed.push_back(id);
            ++pending_;
        }
        value.highest = std::max(value.highest, value.value);
        value.time = *now_;
    }
    touched_.clear();
}

void ValueLog::report_finished(Tick time, const Listener& changed) {
    for (Group& group : groups_)
        if (!group.changed.empty() && step_of(group, time) != group.step) report(group, changed);
}

void ValueLog::report(Group& group, const Listener& changed) {
    std::vector<std::uint32_t> ids;
    ids.swap(group.changed);
    pending_ -= ids.size();
    for (const std::uint32_t id : ids) {
        Value& value = values_[id];
        value.pending = false;
        // The listener may double the interval, and with it the step.
        const Change change{id, group.step, value.time, value.reported, value.value, value.highest, value.starts};
        value.reported = value.value;
        value.starts = false;
        if (change.value != change.before || change.highest != change.value || change.starts) changed(change);
    }
    ids.clear();
    if (group.changed.empty()) group.changed.swap(ids);  // reuses the memory
}

void ValueLog::finish(const Listener& changed) {
    if (!touched_.empty()) settle();
    for (Group& group : groups_)
        report(group, changed);
}

void ValueLog::double_interval() {
    interval_ *= 2;
    for (Group& group : groups_)
        group.step = floor_divided(group.step, 2);
}

}  // namespace hwtrace
