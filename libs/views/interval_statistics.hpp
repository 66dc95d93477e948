// views/interval_statistics.hpp - how many intervals each scope and track of a trace has, when, how long, and what they
// say of themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "pipeline/interval_time.hpp"
#include "views/by_track.hpp"

namespace hwtrace {

/// Some intervals; times in ticks of their tracks.
struct IntervalSummary {
    std::uint64_t count = 0;
    WideTick first = 0, last = 0;  ///< the least begin and the greatest end, where count is not 0
    std::uint64_t shortest = 0, median = 0, longest = 0;
    bool exact_median = true;  ///< false: it is at most 1/64 less than that
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
        std::uint64_t count = 0;  ///< how often it occurs
    };
    struct OfTrack {
        std::string scope, name;
        IntervalSummary summary;
        std::vector<Attribute> attributes;  ///< as declared
    };
    std::vector<OfScope> scopes;  ///< those with streams, as declared
    std::vector<OfTrack> tracks;  ///< streams, as declared
};

/// How often each length occurs: exact for a few thousand different ones, else by classes of nearly equal ones.
class LengthCounts {
public:
    void add(std::uint64_t length) { add(length, 1); }
    void add(const LengthCounts& other);
    std::uint64_t count() const noexcept { return count_; }
    bool exact() const noexcept { return classes_.empty(); }
    /// The lower median, rounded down to its class; 0 where there is nothing.
    std::uint64_t median() const;

private:
    static constexpr std::size_t most_lengths = 4096;

    void add(std::uint64_t length, std::uint64_t times);
    /// Whether there are no two different ones yet: many tracks have but one, which takes no table.
    bool has_one() const noexcept { return lengths_.empty() && classes_.empty(); }
    void use_classes();

    std::uint64_t count_ = 0;
    std::uint64_t only_ = 0;  // while has_one(): of all counted
    HashMap<std::uint64_t, std::uint64_t> lengths_;
    std::vector<std::uint64_t> classes_;
};

/// Counts in one pass, with memory for tracks and lengths only.
class IntervalStatisticsMeter {
public:
    /// `schema` outlives the meter and may grow.
    explicit IntervalStatisticsMeter(const Schema& schema) : schema_(schema) {}

    void add(const Batch& batch);
    /// None where no track is a stream.
    std::optional<IntervalStatistics> result() const;

private:
    struct Tally {
        IntervalSummary summary;
        LengthCounts lengths;
        std::vector<std::uint64_t> attributes;  // by field

        void merge(const Tally& other);
        IntervalSummary finished() const;
    };

    const Schema& schema_;
    ByTrack<Tally> tallies_;
};

}  // namespace hwtrace
