// views/statistics.hpp - statistics of tables, events, counters and cores.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/occupancy.hpp"
#include "domain/occupancy_touches.hpp"
#include "domain/timeline.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "views/by_track.hpp"
#include "views/lifetime_statistics.hpp"

namespace hwtrace {

/// The statistics of a trace with tables or events.
struct Statistics {
    /// The operations on a storage.
    struct Table {
        std::string scope, name;
        std::uint64_t sets = 0, clears = 0, adds = 0, property_sets = 0;
        std::uint64_t out_of_range = 0;  ///< operations on slots or fields that do not exist
        std::uint32_t slots = 0;
        std::uint32_t slots_used = 0;         ///< number of slots that were ever used
        std::uint32_t highest_occupancy = 0;  ///< largest number of slots occupied at once; see Occupancy
    };
    struct Event {
        std::string scope, name;
        std::uint64_t count = 0;
        Tick first = 0, last = 0;  ///< smallest and largest time; valid if count is not 0
    };
    struct Counter {
        std::string scope, name;
        std::uint64_t value = 0;  ///< value at the end of the trace
    };
    /// The lifetimes of a `cpu` or `noc` scope.
    struct Unit {
        std::string scope;
        Catalogue::Protocol protocol = Catalogue::Protocol::cpu;
        LifetimeCounts lives;
        std::optional<Tick> first_cycle, last_cycle;  ///< cycle of the first start; cycle of the last end
        bool assumed_period = false;                  ///< the length of a cycle is unknown
        StageLatencies latencies;                     ///< empty if they were not measured

        /// Returns the number of cycles from the first start up to but excluding the cycle of the last end, at least 1.
        /// If a lifetime is still open, counts up to and including the last record of the trace. Returns 0 if there are
        /// no lifetimes.
        std::uint64_t cycles() const noexcept;
        /// Returns retired lifetimes per cycle (IPC) in thousandths, rounded to nearest. Returns nullopt if there are
        /// no cycles.
        std::optional<std::uint64_t> milli_ipc() const noexcept;
    };
    std::vector<Table> tables;      ///< in order of declaration
    std::vector<Event> events;      ///< in order of declaration
    std::vector<Counter> counters;  ///< in order of declaration
    std::vector<Unit> units;
};

/// Computes the statistics in one pass. State from before a slice is remembered but not counted. Needs memory for
/// tracks, used slots and open lifetimes.
class StatisticsMeter {
public:
    /// `schema` must outlive the meter and may grow. Latencies are measured only with `histograms`, which must outlive
    /// the meter, too.
    explicit StatisticsMeter(const Schema& schema, HistogramBudget* histograms = nullptr)
        : schema_(schema), lives_(schema, histograms != nullptr ? Timeline::Detail::whole : Timeline::Detail::counts) {
        if (histograms != nullptr) latencies_.emplace(schema, *histograms);
    }

    void add(const Batch& batch);
    /// Prepares the meter for a shard, whose statistics save() appends. Call it before add().
    void begin_shard();
    /// Appends the statistics of a shard, and the entities that are in flight at its end.
    void save(StateOut& out) const;
    /// Adds the statistics of the next shard. The schema is that of the whole trace.
    void add(StateIn& in);
    /// Returns why the statistics of shards do not give those of the trace; empty if they do.
    std::string_view not_reduced() const noexcept;
    /// Returns the result, or nullopt if there are neither tables nor events. Call it once, after the last batch.
    std::optional<Statistics> result();

private:
    struct Tally {
        std::uint64_t sets = 0, clears = 0, adds = 0, property_sets = 0, out_of_range = 0, events = 0;
        std::uint64_t value = 0;  // for a counter
        Tick first = 0, last = 0;
        Occupancy occupancy;
        std::unique_ptr<OccupancyTouches> touches;  // null, but for a storage of a shard
        std::uint16_t fields = 0, properties = 0;
        bool is_new = true;
        bool is_absolute = false;  // of a shard: `value` does not depend on the value before

        /// Marks the slot of a set or add record as occupied. Returns false if the slot or field does not exist.
        bool reaches(const Record& record) {
            if (!occupancy.has(record.ref) || record.field >= fields) {
                ++out_of_range;
                return false;
            }
            if (touches)
                touches->fill(record.ref);
            else
                occupancy.fill(record.ref);
            return true;
        }
        void free(std::uint32_t slot) {
            if (touches)
                touches->free(slot);
            else
                occupancy.free(slot);
            value = 0;
            is_absolute = true;
        }
    };

    Tally& tally_of(TrackId id);
    LifetimeListener listener();

    const Schema& schema_;
    Timeline lives_;
    std::optional<LifetimeStatistics> latencies_;
    ByTrack<Tally> tallies_;
    bool is_shard_ = false;
};

}  // namespace hwtrace
