// views/value_durations.hpp - sums up for how long numeric signals and occupancies hold each value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/occupancy.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "select/range.hpp"
#include "select/range_windows.hpp"
#include "views/distribution.hpp"

namespace hwtrace {

/// Collects the values of numeric signals and the occupancy of buffers in one pass. Follows at most most_values.
class ValueDurations {
public:
    static constexpr std::size_t most_values = 256;

    /// `schema` must outlive this object and may grow. `range`: the range to which the trace was reduced, if any.
    explicit ValueDurations(const Schema& schema, const std::optional<Range>& range = {});

    void add(const Batch& batch);
    /// Returns the distributions in order of declaration. Each last value is held until the last record or end of an
    /// interval of the same time base, inside the range. If no time passes, the weights are the numbers of changes.
    std::vector<Distribution> result();
    /// Returns the number of values that were not followed.
    std::uint64_t not_followed() const noexcept { return not_followed_; }
    /// Returns the number of NaNs and infinities, which no histogram has.
    std::uint64_t not_finite() const noexcept { return not_finite_; }

private:
    struct Held {
        std::string name;
        std::size_t clock = 0;
        bool known = false, whole_numbers = true;
        long double value = 0, least = 0, greatest = 0;
        Tick since = 0;
        std::uint64_t changes = 0;
        ValueWeights by_time, by_change;
    };
    struct Clock {
        TimeBase base;
        Tick last = 0;
        bool known = false;
    };
    struct OfTrack {
        bool met = false;
        std::size_t clock = 0;
        std::uint32_t buffer = none;  // index of the occupancy
        Occupancy occupancy;
        std::vector<std::uint32_t> field;  // signal: by field
    };

    void meet(TrackId id);
    void meet_members(OfTrack& met, const Track& track);
    std::uint32_t follow(std::string name, std::size_t clock);
    std::size_t clock_of(const TimeBase& base);
    void hold(Held& held, Tick until);
    void pass(const Batch& batch, const Record& record);
    void add_change(OfTrack& track, const Batch& batch, const Record& change);
    void take(std::uint32_t held, Tick time, long double value, bool counted);

    const Schema& schema_;
    std::optional<RangeWindows> windows_;  // none if the range counts positions
    std::vector<OfTrack> tracks_;
    std::vector<Held> held_;
    std::vector<Clock> clocks_;
    std::uint64_t not_followed_ = 0, not_finite_ = 0;
};

}  // namespace hwtrace
