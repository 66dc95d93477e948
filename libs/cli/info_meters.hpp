// cli/info_meters.hpp - the statistics of hwtrace-info: measured in one pass over a trace, or joined from its shards.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/info_report.hpp"
#include "codec/settings.hpp"
#include "io/appender.hpp"
#include "io/saved_state.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "select/range.hpp"
#include "views/activity.hpp"
#include "views/arrivals.hpp"
#include "views/function_profile.hpp"
#include "views/instruction_profile.hpp"
#include "views/instruction_statistics.hpp"
#include "views/interval_statistics.hpp"
#include "views/named_intervals.hpp"
#include "views/relation_latencies.hpp"
#include "views/signal_statistics.hpp"
#include "views/statistics.hpp"

namespace hwtrace::cli {

/// The statistics that options ask for, besides the usual ones.
struct ExtraMeasures {
    std::uint64_t interval = 0;  ///< instructions per row of counters; 0: no rows
    ReuseMode reuse = ReuseMode::skipped;
    std::shared_ptr<const Symbols> symbols = nullptr;
};

/// The activity and the arrivals of intervals, which need the intervals in order.
struct OrderedMeters {
    OrderedMeters(const Schema& schema, HistogramBudget& histograms, const std::optional<Range>& range)
        : activity(schema, range), arrivals(schema, histograms) {}

    void add(const Batch& batch) {
        activity.add(batch);
        arrivals.add(batch);
    }
    void begin_shard() noexcept {
        activity.begin_shard();
        arrivals.begin_shard();
    }
    ActivityMeter activity;
    ArrivalMeter arrivals;
};

/// All meters. In a shard, they also measure what save() appends.
class Meters {
public:
    /// `schema` must outlive the meters and may grow. `range`: see ActivityMeter.
    Meters(const Schema& schema, const Limits& limits, const std::optional<Range>& range,
           const ExtraMeasures& extra = {});
    Meters(const Meters&) = delete;
    Meters& operator=(const Meters&) = delete;

    /// Prepares the meters for a shard. Call it before add().
    void begin_shard();
    void add(const Batch& batch);
    const Schema& schema() const noexcept { return schema_; }
    /// Sets the results that do not depend on the order of intervals. Call it once.
    void finish(FileInfo& info);

    /// Returns the partial statistics of a shard. Those of its intervals in order are in `ordered`.
    std::vector<SavedSection> save(const OrderedMeters& ordered) const;
    /// Adds the partial statistics of the next shard. `schema` is that of the meters, and gets texts. Throws
    /// Failure::input if the bytes cannot be such statistics.
    void add(const SavedSection& section, const Limits& limits, Schema& schema);
    /// Sets the results of the whole trace, and lists those that shards do not give. Call it once.
    void finish_reduced(FileInfo& info);

private:
    /// Calls `visit(name, meter)` for each part of partial statistics.
    static void each_section(auto& self, auto& ordered, auto&& visit) {
        visit("activity", ordered.activity);
        visit("intervals", self.intervals_);
        visit("arrivals", ordered.arrivals);
        visit("relations", self.relations_);
        visit("names", self.names_);
        visit("signals", self.signals_);
        visit("instructions", self.instructions_);
        visit("profile", self.profile_);
        visit("statistics", self.statistics_);
    }

    HistogramBudget histograms_;

public:
    OrderedMeters ordered;

private:
    const Schema& schema_;
    IntervalStatisticsMeter intervals_;
    RelationLatencyMeter relations_;
    NamedIntervalMeter names_;
    SignalStatisticsMeter signals_;
    StatisticsMeter statistics_;
    InstructionMeter instructions_;
    InstructionProfileMeter profile_;
    std::optional<FunctionProfileMeter> functions_;
};

/// Returns the time unit of all tracks: "ps", "cycles", "instructions", or "ticks" if they differ.
std::string time_unit(const Schema& schema);

}  // namespace hwtrace::cli
