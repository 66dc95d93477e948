// views/activity.hpp - how busy the scopes and tracks of a trace with intervals were.
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

/// Of some intervals, in ticks.
struct Busy {
    std::uint64_t intervals = 0;
    WideTick busy = 0;   ///< while at least one was under way
    WideTick total = 0;  ///< the sum of their durations
};

/// The intervals of a trace whose tracks share one time base.
struct Activity {
    struct OfScope {
        std::string name;
        Busy busy;
    };
    struct OfTrack {
        std::string scope, name;
        Busy busy;
    };
    std::vector<OfScope> scopes;  ///< those with intervals, as declared
    std::vector<OfTrack> tracks;  ///< those with intervals, as declared
    std::vector<OfTrack> types;   ///< sums over the tracks of one name, without scope, in order of first declaration
    WideTick span = 0;            ///< how long the trace lasts
    bool span_stated = false;     ///< the trace says so itself (conventions::trace_cycles); else last end - first begin
};

/// The value, or the nearest that 64 bits can say.
std::uint64_t saturated(WideTick value) noexcept;
/// `part` of `whole` in hundredths of a percent, to the nearest; none where `whole` is 0.
std::optional<std::uint64_t> share(WideTick part, WideTick whole) noexcept;

/// What is measured: of a part, how long the trace says that it is means nothing.
enum class Extent : std::uint8_t { whole, part };

/// Measures in one pass, with memory for the tracks only. That is exact while the intervals of each scope come in order
/// of their begins.
class ActivityMeter {
public:
    /// `schema` outlives the meter and may grow.
    explicit ActivityMeter(const Schema& schema, Extent extent = Extent::whole) : schema_(schema), extent_(extent) {}

    void add(const Batch& batch);
    /// Whether what was added came in order, so that the result is exact.
    bool in_order() const noexcept { return in_order_; }
    /// None where there are no intervals, or their tracks count time differently.
    std::optional<Activity> result() const;

private:
    struct Gauge {
        Busy busy;
        WideTick last_begin = 0, covered = 0;  // once busy.intervals != 0

        void add(WideTick begin, std::uint64_t duration) noexcept;
    };

    Gauge& scope_gauge(TrackId track);

    const Schema& schema_;
    Extent extent_;
    std::vector<Gauge> tracks_, scopes_;  // the last of the scopes: of tracks without one
    std::optional<WideTick> first_begin_, last_end_;
    bool in_order_ = true;
};

/// The same for intervals in any order: reads everything and sorts what does not fit into memory in `folder`.
std::optional<Activity> sorted_activity(Reader& reader, const std::string& folder, Extent extent = Extent::whole,
                                        const ProgressListener& progress = {});

}  // namespace hwtrace
