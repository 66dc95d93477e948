// views/activity.hpp - the utilisation of scopes and tracks that have intervals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/reader.hpp"
#include "model/record.hpp"
#include "pipeline/convert.hpp"
#include "pipeline/interval_time.hpp"

namespace hwtrace {

/// The combined load of several intervals, in ticks.
struct Busy {
    std::uint64_t intervals = 0;
    WideTick busy = 0;   ///< time in which at least one interval was active
    WideTick total = 0;  ///< the sum of the durations
};

/// The activity of a trace whose interval tracks share one time base.
struct Activity {
    struct OfScope {
        std::string name;
        Busy busy;
    };
    struct OfTrack {
        std::string scope, name;
        Busy busy;
    };
    std::vector<OfScope> scopes;  ///< scopes with intervals, in order of declaration
    std::vector<OfTrack> tracks;  ///< tracks with intervals, in order of declaration
    std::vector<OfTrack> types;   ///< sums over tracks with the same name; no scope; in order of first declaration
    WideTick span = 0;            ///< duration of the trace
    bool span_stated = false;     ///< true: from conventions::trace_cycles; false: last end - first start
};

/// Returns the value, clamped to 64 bits.
std::uint64_t saturated(WideTick value) noexcept;
/// Returns the share of `part` in `whole` in hundredths of a percent, rounded to nearest. None if `whole` is 0.
std::optional<std::uint64_t> share(WideTick part, WideTick whole) noexcept;

/// The measured extent: a whole trace or a slice. For a slice, the duration that the trace states is ignored.
enum class Extent : std::uint8_t { whole, part };

/// Measures the activity in one pass; needs memory for tracks only. The result is exact if the intervals of each scope
/// are sorted by start.
class ActivityMeter {
public:
    /// `schema` must outlive the meter and may grow.
    explicit ActivityMeter(const Schema& schema, Extent extent = Extent::whole) : schema_(schema), extent_(extent) {}

    void add(const Batch& batch);
    /// Returns true if all intervals were in order, so that the result is exact.
    bool in_order() const noexcept { return in_order_; }
    /// Returns none if there are no intervals, or if their tracks have different time bases.
    std::optional<Activity> result() const;

private:
    struct Gauge {
        Busy busy;
        WideTick last_begin = 0, covered = 0;  // valid if busy.intervals != 0

        void add(WideTick begin, std::uint64_t duration) noexcept;
    };

    Gauge& scope_gauge(TrackId track);

    const Schema& schema_;
    Extent extent_;
    std::vector<Gauge> tracks_, scopes_;  // the last scope is for tracks without a scope
    std::optional<WideTick> first_begin_, last_end_;
    bool in_order_ = true;
};

/// Measures intervals in any order. Reads the whole trace and sorts it, with temporary files in `folder` if memory does
/// not suffice.
std::optional<Activity> sorted_activity(Reader& reader, const std::string& folder, Extent extent = Extent::whole,
                                        const ProgressListener& progress = {});

}  // namespace hwtrace
