// formats/waveform/interval_variables.hpp - shows intervals as lanes: a scope with a busy bit and the attributes.
#pragma once

#include <cstdint>
#include <map>
#include <queue>
#include <vector>

#include "domain/lanes.hpp"
#include "field_variables.hpp"

namespace hwtrace::waveform {

/// Overlapping intervals of a track get lanes of their own. Intervals must come sorted by begin. The ends of intervals
/// wait in memory until the trace reaches them.
class IntervalVariables {
public:
    explicit IntervalVariables(Canvas& to) : to_(to), writer_(to), tracks_(to.schema.tracks().size()) {}

    /// Shows the ends of all intervals that end at `time` or earlier. Moves the log to these ends.
    void end_until(Tick time) {
        while (!ends_.empty() && ends_.top().time <= time)
            [[unlikely]] end_first();
    }
    /// Shows the begin of an interval at the time of the log.
    void begin(const Batch& batch, const Record& interval);
    /// Shows the ends of all intervals.
    void finish();

private:
    struct Lane {
        ScopeNo scope = root_scope;
        VariableNo busy = 0;
        VariableNo begin = 0;                   ///< an event; it shows intervals that touch or have no length
        std::vector<VariableNo> by_field = {};  ///< no_number: the field has not occurred yet
        std::vector<VariableNo> in_use = {};    ///< variables that have a value
    };
    struct Lines {
        ScopeNo scope = no_number;
        Lanes places = {};
        std::vector<Lane> lanes = {};
    };
    struct End {
        Tick time;
        std::uint64_t order;
        TrackId track;
        std::uint32_t lane;
        bool operator>(const End& other) const noexcept {
            return time != other.time ? time > other.time : order > other.order;
        }
    };

    Lane& lane_of(TrackId track, std::size_t number);
    void set(Lane& lane, const Track& track, std::span<const Attribute> attributes);
    void end_first();

    Canvas& to_;
    ValueWriter writer_;
    std::vector<Lines> tracks_;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
    std::uint64_t order_ = 0;
    std::vector<std::uint64_t> list_;
};

}  // namespace hwtrace::waveform
