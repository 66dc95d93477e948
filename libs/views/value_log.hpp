// views/value_log.hpp - samples changing values at the end of each cycle or interval of cycles.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "domain/cycle_scale.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// A set of values, each with an id. Divides time into steps; a step is a fixed number of cycles of a value's clock. At
/// the end of a step, reports the values that changed or started in it. Reports are sorted by the end of the step, then
/// by the first change.
class ValueLog {
public:
    struct Change {
        std::uint32_t value_id = 0;
        Tick step = 0;              ///< cycle / interval, rounded down
        Tick time = 0;              ///< time of the last change in the step
        std::uint64_t before = 0;   ///< value before the step
        std::uint64_t value = 0;    ///< value after the step
        std::uint64_t highest = 0;  ///< highest value in the step; changes at one time count as one
        bool starts = false;        ///< `before` is from start(); reported even without a change
    };
    using Listener = std::function<void(const Change&)>;

    explicit ValueLog(Tick interval = 1) : interval_(interval) {}

    /// Adds a value that is initially 0 and changes in the time base of `track`. Returns its id; ids count from 0.
    std::uint32_t declare(const Schema& schema, const Track& track);
    /// Moves to `time`, the time of the next changes. Reports steps that have ended.
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
    /// Sets the value that was valid before the trace began. This does not count as a change.
    void start(std::uint32_t id, std::uint64_t value) {
        set(id, value);
        values_[id].reported = value;
        values_[id].starts = true;
    }
    std::uint64_t value(std::uint32_t id) const noexcept { return values_[id].value; }
    /// Reports the changes in the last steps.
    void finish(const Listener& changed);

    /// Doubles the length of steps, including the current one.
    void double_interval();
    Tick interval() const noexcept { return interval_; }
    /// Returns the conversion from ticks to cycles for a value.
    const CycleScale& cycles(std::uint32_t id) const noexcept { return groups_[values_[id].group].cycles; }
    std::size_t size() const noexcept { return values_.size(); }

private:
    struct Value {
        std::uint32_t group = 0;
        bool touched = false, pending = false, starts = false;
        Tick time = 0;
        std::uint64_t value = 0, reported = 0, highest = 0;
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
    std::vector<std::uint32_t> touched_;  // changed at the current time
    std::size_t pending_ = 0;
    std::optional<Tick> now_;
};

}  // namespace hwtrace
