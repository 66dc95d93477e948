// views/lifetime_statistics.hpp - how long instructions and transactions take, by stage, and why they wait.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/length_summary.hpp"
#include "domain/timeline.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The latencies of a `cpu` or `noc` scope, in cycles.
struct StageLatencies {
    struct Stage {
        std::string name;
        LengthSummary cycles;
    };
    /// An event that delays work, by its reason.
    struct Reason {
        std::string_view what;  ///< "stall", "flush", "dependency", "retry" or "timeout"
        std::string name;       ///< label, or number
        std::uint64_t times = 0;
    };
    LengthSummary lifetimes;      ///< from the begin to the end of completed entities
    std::vector<Stage> stages;    ///< in order of their numbers; stages that nothing ended do not count
    std::vector<Reason> reasons;  ///< by kind, then by number
};

/// Collects the latencies of all scopes.
class LifetimeStatistics {
public:
    /// `schema` and `histograms` must outlive this object. The schema may grow.
    LifetimeStatistics(const Schema& schema, HistogramBudget& histograms) : schema_(schema), histograms_(histograms) {}

    /// Counts a lifetime that has ended.
    void add(const Lifetime& life, const Catalogue& catalogue);
    /// Counts stalls. Call it for every batch, with the catalogues of the trace.
    void add_stalls(const Batch& batch, const std::vector<Catalogue>& catalogues);
    /// Appends the latencies in a shard.
    void save(StateOut& out) const;
    /// Adds the latencies in the next shard. `catalogues`: by number of a catalogue in the shard, its number here.
    void add(StateIn& in, const std::vector<std::uint32_t>& catalogues);
    /// Returns why the latencies in shards do not give those of the trace; empty if they do.
    std::string_view not_reduced() const noexcept { return not_reduced_; }
    /// Returns the latencies of a scope. Decides about not_reduced().
    StageLatencies result(std::uint32_t catalogue_number, const Catalogue& catalogue);

private:
    static constexpr std::size_t most_stages = 256, most_reasons = 256;

    enum class Cause : std::uint8_t { stall, flush, dependency, retry, timeout };
    struct Tally {
        bool is_new = true;
        LengthMeter lifetimes;
        std::vector<LengthMeter> stages;  // by number
        std::map<std::pair<Cause, std::uint64_t>, std::uint64_t> reasons;
    };

    Tally& tally_of(std::uint32_t catalogue);
    void count(Tally& tally, Cause cause, std::uint64_t reason, std::uint64_t times = 1);

    const Schema& schema_;
    HistogramBudget& histograms_;
    std::vector<Tally> tallies_;         // by catalogue
    std::vector<std::uint32_t> stalls_;  // by track: the catalogue whose stalls it holds, or `none`
    bool is_reduced_ = false;
    std::string_view not_reduced_;
};

}  // namespace hwtrace
