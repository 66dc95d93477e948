// views/interval_statistics.hpp - statistics of intervals by scope and track: count, time span, durations, attributes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "domain/interval_time.hpp"
#include "domain/length_summary.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "views/by_track.hpp"

namespace hwtrace {

/// A summary of several intervals. Times are in ticks of their tracks.
struct IntervalSummary {
    WideTick first = 0, last = 0;  ///< earliest start and latest end; valid if there are durations
    LengthSummary durations;
};

struct IntervalStatistics {
    struct OfScope {
        std::string name;
        IntervalSummary summary;
    };
    struct Attribute {
        std::string name;
        Phase phase = Phase::unknown;
        Type type = Type::u64;
        std::uint64_t count = 0;  ///< number of occurrences
    };
    struct OfTrack {
        std::string scope, name;
        IntervalSummary summary;
        std::vector<Attribute> attributes;  ///< in order of declaration
    };
    std::vector<OfScope> scopes;  ///< scopes with interval tracks, in order of declaration
    std::vector<OfTrack> tracks;  ///< interval tracks, in order of declaration
};

/// Computes the statistics in one pass. Needs memory for tracks and lengths only.
class IntervalStatisticsMeter {
public:
    /// `schema` and `histograms` must outlive the meter. The schema may grow.
    IntervalStatisticsMeter(const Schema& schema, HistogramBudget& histograms)
        : schema_(schema), histograms_(histograms) {}

    void add(const Batch& batch);
    /// Appends the statistics of a shard.
    void save(StateOut& out) const;
    /// Adds the statistics of the next shard. The schema is that of the whole trace.
    void add(StateIn& in);
    /// Returns nullopt if there are no interval tracks.
    std::optional<IntervalStatistics> result() const;

private:
    struct Tally {
        WideTick first = 0, last = 0;
        LengthMeter durations;
        std::vector<std::uint64_t> attributes;  // indexed by field

        void merge(const Tally& other);
        IntervalSummary finished() const { return {first, last, durations.summary()}; }
    };

    const Schema& schema_;
    HistogramBudget& histograms_;
    ByTrack<Tally> tallies_;
};

}  // namespace hwtrace
