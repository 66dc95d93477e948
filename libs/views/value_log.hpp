// views/value_log.hpp - values that change over time, as they are at the end of each cycle, or of each so many.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/schema.hpp"
#include "pipeline/cycle_scale.hpp"

namespace hwtrace {

/// Holds numbered values and tells those that changed (or started) in a step, a number of cycles of their own clock,
/// once the step is over: in order of the steps' ends, within a step in order of the first change.
class ValueLog {
public:
    struct Change {
        std::uint32_t value_id = 0;
        Tick step = 0;              ///< the cycle divided by the interval, rounded down
        Tick time = 0;              ///< of the last change in the step
        std::uint64_t before = 0;   ///< before the step
        std::uint64_t value = 0;    ///< after it
        std::uint64_t highest = 0;  ///< at the end of any moment in it
        bool starts = false;        ///< `before` is what start() said; it is told though nothing may have changed
    };
    using Listener = std::function<void(const Change&)>;

    explicit ValueLog(Tick interval = 1) : interval_(interval) {}

    /// A value that is 0 and changes at times of `track`; ids count from 0.
    std::uint32_t declare(const Schema& schema, const Track& track);
    /// What comes next happens at `time`.
    void advance(Tick time, const Listener& changed) {
        if (now_ && *now_ == time) return;
        if (!touched_.empty()) settle();
        now_ = time;
        if (pending_ != 0) report_finished(time, changed);
    }
    void set(std::uint32_t id, std::uint64_t value) {
        Value& entry = values_[id];
        entry.value = value;
        if (entry.touched) return;
        entry.touched = true;
        touched_.push_back(id);
    }
    /// What the value is since before the trace: no change of this step.
    void start(std::uint32_t id, std::uint64_t value) {
        set(id, value);
        values_[id].told = value;
        values_[id].starts = true;
    }
    std::uint64_t value(std::uint32_t id) const noexcept { return values_[id].value; }
    /// Tells what the last steps have changed.
    void finish(const Listener& changed);

    /// Steps are twice as long from now on, also the one under way.
    void double_interval();
    Tick interval() const noexcept { return interval_; }
    /// The scale of a value's times.
    const CycleScale& cycles(std::uint32_t id) const noexcept { return groups_[values_[id].group].cycles; }
    std::size_t size() const noexcept { return values_.size(); }

private:
    struct Value {
        std::uint32_t group = 0;
        bool touched = false, pending = false, starts = false;
        Tick time = 0;
        std::uint64_t value = 0, told = 0, highest = 0;
    };
    /// Values that share a clock.
    struct Group {
        TimeBase base;
        std::uint64_t period = 0;
        CycleScale cycles;
        Tick step = 0;
        std::vector<std::uint32_t> changed;
    };

    Tick step_of(const Group& group, Tick time) const noexcept;
    void settle();
    void report_finished(Tick time, const Listener& changed);
    void report(Group& group, const Listener& changed);

    Tick interval_;
    std::vector<Value> values_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> touched_;  // at this moment
    std::size_t pending_ = 0;
    std::optional<Tick> now_;
};

}  // namespace hwtrace
