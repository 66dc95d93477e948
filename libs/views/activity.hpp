// views/activity.hpp - the utilisation of scopes and tracks that have intervals.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/reader.hpp"
#include "convert/convert.hpp"
#include "domain/interval_time.hpp"
#include "domain/stretches.hpp"
#include "model/record.hpp"
#include "select/range.hpp"
#include "select/range_windows.hpp"

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
    /// The origin of `span`.
    enum class Span : std::uint8_t {
        stated,  ///< conventions::trace_cycles
        extent,  ///< last end - first begin
        window,  ///< the time window; its open end is the stated end of the trace or the last end
    };
    std::vector<OfScope> scopes;  ///< scopes with intervals, without host calls, in order of declaration
    std::vector<OfTrack> tracks;  ///< tracks with intervals, in order of declaration
    std::vector<OfTrack> types;   ///< sums over tracks with the same name; no scope; in order of first declaration
    WideTick span = 0;            ///< duration to which the utilisation refers
    Span span_from = Span::extent;
    std::uint64_t working_scopes = 1;  ///< scopes of the whole trace that declare other intervals than host calls
};

/// Returns the value, clamped to 64 bits.
std::uint64_t saturated(WideTick value) noexcept;
/// Returns the share of `part` in `whole` in hundredths of a percent, rounded to nearest. Returns nullopt if `whole` is
/// 0.
std::optional<std::uint64_t> share(WideTick part, WideTick whole) noexcept;

/// Measures the activity in one pass. Needs memory for tracks only. The result is exact if the intervals of each scope
/// are sorted by start. A scope does not work while the host calls it (conventions::host_call).
class ActivityMeter {
public:
    /// `schema` must outlive the meter and may grow. `range`: the range to which the trace was reduced, if any. A range
    /// of time or cycles cuts off the parts of intervals outside it.
    explicit ActivityMeter(const Schema& schema, const std::optional<Range>& range = {});

    void add(const Batch& batch);
    /// Prepares the meter for a shard, whose statistics save() appends. Call it before add().
    void begin_shard() noexcept { is_shard_ = true; }
    /// Appends the statistics of a shard.
    void save(StateOut& out) const;
    /// Adds the statistics of the next shard. The schema is that of the whole trace.
    void add(StateIn& in);
    /// Returns why the statistics of shards do not give those of the trace; empty if they do.
    std::string_view not_reduced() const noexcept { return not_reduced_; }
    /// Returns true if all intervals were in order, so that the result is exact.
    bool in_order() const noexcept { return in_order_; }
    /// Returns nullopt if there are no intervals, or if their tracks have different time bases.
    std::optional<Activity> result() const { return result(*this); }
    /// Returns the activity relative to another measurement: `whole` must have received all intervals of the range,
    /// and this meter some of them.
    std::optional<Activity> result(const ActivityMeter& whole) const;
    /// Returns the duration to which the utilisation of tracks with this time base refers; 0 without intervals.
    WideTick span(const TimeBase& base) const;

private:
    struct Gauge {
        Busy busy;
        WideTick first_begin = 0, last_begin = 0, last_end = 0;  // not cut off; valid if busy.intervals != 0
        WideTick covered = 0;
        Coverage coverage;  // of shards

        void add(WideTick begin, WideTick end) noexcept;
        void save(StateOut& out) const;
        void add(StateIn& in);
    };

    void meet();

    Gauge& scope_gauge(TrackId track);
    /// Sets the span, from the intervals of the given time base.
    void set_span(Activity& activity, const TimeBase& base) const;

    const Schema& schema_;
    std::optional<Range> range_;
    std::optional<RangeWindows> windows_;  // none if the range counts positions
    std::vector<Gauge> tracks_, scopes_;   // the last scope is for tracks without a scope
    bool in_order_ = true, is_shard_ = false;
    std::string_view not_reduced_;
};

/// Calls `measure` with all intervals of a trace, sorted by their begins. Reads the whole trace and sorts it, with
/// temporary files in `folder` if memory does not suffice.
void measure_sorted(Reader& reader, const std::string& folder, const std::function<void(const Batch&)>& measure,
                    const ProgressListener& progress = {});

}  // namespace hwtrace
