// views/relation_latencies.hpp - the time from the begin of an interval to the end of a related one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/interval_ids.hpp"
#include "domain/length_summary.hpp"
#include "domain/recent_intervals.hpp"
#include "io/saved_state.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace {

struct RelationLatencies {
    /// The relations of a name between two tracks of intervals.
    struct OfPair {
        std::string relation;
        std::string from_scope, from, to_scope, to;
        LengthSummary latency;        ///< from the begin of the first interval to the end of the second one, in ticks
        std::uint64_t backwards = 0;  ///< relations whose second interval ends before the first one begins; no latency
    };
    std::vector<OfPair> pairs;      ///< in order of their first relation
    std::uint64_t unmatched = 0;    ///< relations to an interval that is missing, or too far away
    std::uint64_t other_units = 0;  ///< relations between tracks of different time bases
    std::uint64_t omitted = 0;      ///< relations of pairs beyond the first 256
};

/// Measures the latencies in one pass and in bounded memory. A relation is matched if fewer than half a million
/// intervals lie between it and its intervals.
class RelationLatencyMeter {
public:
    /// `schema` and `histograms` must outlive the meter. The schema may grow.
    RelationLatencyMeter(const Schema& schema, HistogramBudget& histograms)
        : schema_(schema), histograms_(histograms), ids_(schema) {}

    void add(const Batch& batch);
    /// Prepares the meter for a shard, whose statistics save() appends. Call it before add().
    void begin_shard() noexcept { is_shard_ = true; }
    /// Appends the statistics of a shard, and what other shards need to know: its latest intervals, and the relations
    /// to intervals that it lacks.
    void save(StateOut& out) const;
    /// Adds the statistics of the next shard. The schema is that of the whole trace.
    void add(StateIn& in);
    /// Returns why the statistics of shards do not give those of the trace; empty if they do. Call it after result().
    std::string_view not_reduced() const noexcept { return not_reduced_; }
    /// Returns the result, or nullopt if there are no relations. Call it once, after the last batch.
    std::optional<RelationLatencies> result();

private:
    static constexpr std::size_t most_pairs = 256, most_waiting = std::size_t{1} << 16;
    static constexpr unsigned recent_bits = 10;

    struct Relation {
        TrackId track;
        std::uint64_t from, to;
    };
    struct Tally {
        LengthMeter latency;
        std::uint64_t backwards = 0;
        std::uint64_t first = 0;  // of a shard: the number of its first relation
    };
    struct Key {
        TrackId relation, from, to;
    };
    struct Recent {
        std::uint64_t packed = std::numeric_limits<std::uint64_t>::max();  // no key
        std::size_t place = 0;
    };
    /// An interval of a shard.
    struct Interval {
        std::uint64_t id = 0;
        Tick begin = 0;
        std::uint64_t duration = 0;
        TrackId track = none;

        static auto members(auto& self) { return std::tie(self.id, self.begin, self.duration, self.track); }
    };
    /// A relation of a shard that lacks one of its intervals.
    struct Open {
        std::uint64_t number = 0;     // of the relation
        std::uint64_t intervals = 0;  // number of intervals of the shard before it
        Relation relation{};
        std::optional<Interval> from{}, to{};

        static auto members(auto& self) {
            return std::tie(self.number, self.intervals, self.relation.track, self.relation.from, self.relation.to,
                            self.from, self.to);
        }
    };

    void add_intervals();
    /// Counts the relation if both of its intervals are known. Returns false if not.
    bool match(const Relation& relation);
    /// Counts the relation of two intervals.
    template <typename Ends>
    void count(const Relation& relation, const Ends& from, const Ends& to);
    void keep_open(const Relation& relation);
    void resolve(const Open& open);
    void check(const Interval& interval) const;
    /// Notes if an interval is so far away that a whole trace may have forgotten it.
    void check_distance(const RecentIntervals::Entry& interval, std::uint64_t since) noexcept;
    void match_waiting();
    Tally* tally_of(const Key& key);
    std::size_t place_of(std::uint64_t packed, const Key& key);

    const Schema& schema_;
    HistogramBudget& histograms_;
    IntervalIds ids_;
    RecentIntervals intervals_;
    std::vector<RecentIntervals::Entry> added_;   // intervals that intervals_ lacks, while a batch is read
    std::vector<Relation> waiting_;               // relations whose intervals are not known yet
    HashMap<std::uint64_t, std::size_t> places_;  // in tallies_, by the three ids of a key
    std::array<Recent, std::size_t{1} << recent_bits> recent_{};  // some of places_, and keys without a tally
    std::vector<std::pair<Key, Tally>> tallies_;
    std::uint64_t relations_ = 0, unmatched_ = 0, other_units_ = 0, omitted_ = 0;
    // Only for shards:
    bool is_shard_ = false, is_reduced_ = false, has_forgotten_ = false;
    std::vector<Interval> latest_;
    std::vector<Open> open_;
    std::string_view not_reduced_;
};

}  // namespace hwtrace
