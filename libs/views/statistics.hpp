// views/statistics.hpp - what was done to each table, how often each event happened, how each core did.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/occupancy.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "pipeline/timeline.hpp"
#include "views/by_track.hpp"

namespace hwtrace {

/// Of a trace with tables or events.
struct Statistics {
    /// Of a storage.
    struct Table {
        std::string scope, name;
        std::uint64_t sets = 0, clears = 0, adds = 0, property_sets = 0;
        std::uint64_t out_of_range = 0;  ///< of these, those of slots or fields that the storage does not have
        std::uint32_t slots = 0;
        std::uint32_t slots_used = 0;         ///< at any time
        std::uint32_t highest_occupancy = 0;  ///< slots at once; see Occupancy
    };
    struct Event {
        std::string scope, name;
        std::uint64_t count = 0;
        Tick first = 0, last = 0;  ///< the least and the greatest time, where count is not 0
    };
    struct Counter {
        std::string scope, name;
        std::uint64_t value = 0;  ///< at the end
    };
    /// A `cpu` or `noc` scope, whose lives these are.
    struct Unit {
        std::string scope;
        Catalogue::Protocol protocol = Catalogue::Protocol::cpu;
        LifetimeCounts lives;
        std::optional<Tick> first_cycle, last_cycle;  ///< of the first life's begin, of the last one's end
        bool assumed_period = false;                  ///< the length of a cycle is not known

        /// Cycles that had lives, or could have: from that of the first one's begin up to but without that in which
        /// the last one ended, at least one; where one is in flight, to that of the trace's last record, included. 0
        /// without lives.
        std::uint64_t cycles() const noexcept;
        /// Thousandths of lives retired a cycle, to the nearest; none without cycles.
        std::optional<std::uint64_t> milli_ipc() const noexcept;
    };
    std::vector<Table> tables;      ///< as declared
    std::vector<Event> events;      ///< as declared
    std::vector<Counter> counters;  ///< as declared
    std::vector<Unit> units;
};

/// Counts in one pass; what a part of a trace states again is known, and not counted. Memory for tracks, slots that are
/// used, and lives that are in flight.
class StatisticsMeter {
public:
    /// `schema` outlives the meter and may grow.
    explicit StatisticsMeter(const Schema& schema) : schema_(schema), lives_(schema, Timeline::Detail::counts) {}

    void add(const Batch& batch);
    /// After the last batch, once. None where there are neither tables nor events.
    std::optional<Statistics> result();

private:
    struct Tally {
        std::uint64_t sets = 0, clears = 0, adds = 0, property_sets = 0, out_of_range = 0, events = 0;
        std::uint64_t value = 0;  // of a counter
        Tick first = 0, last = 0;
        Occupancy occupancy;
        std::uint16_t fields = 0, properties = 0;
        bool is_new = true;

        /// Takes the slot of a set or an add; false where there is no such slot or field.
        bool reaches(const Record& record) {
            if (!occupancy.has(record.ref) || record.field >= fields) {
                ++out_of_range;
                return false;
            }
            occupancy.fill(record.ref);
            return true;
        }
    };

    Tally& tally_of(TrackId id);

    const Schema& schema_;
    Timeline lives_;
    ByTrack<Tally> tallies_;
};

}  // namespace hwtrace
