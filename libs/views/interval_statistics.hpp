// views/interval_statistics.hpp - statistics of intervals by scope and track: count, time span, durations, attributes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/hash.hpp"
#include "model/record.hpp"
#include "model/schema.hpp"
#include "select/interval_time.hpp"
#include "views/by_track.hpp"

namespace hwtrace {

/// A summary of several intervals. Times are in ticks of their tracks.
struct IntervalSummary {
    std::uint64_t count = 0;
    WideTick first = 0, last = 0;  ///< earliest start and latest end; valid if count is not 0
    std::uint64_t shortest = 0, median = 0, longest = 0;
    bool exact_median = true;  ///< false: `median` is up to 1/64 too small
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

/// A histogram of lengths. Up to 4096 different lengths are counted exactly. If there are more, the histogram counts
/// classes of nearly equal lengths.
class LengthCounts {
public:
    void add(std::uint64_t length) { add(length, 1); }
    void add(const LengthCounts& other);
    std::uint64_t count() const noexcept { return count_; }
    bool exact() const noexcept { return classes_.empty(); }
    /// Returns the lower median, rounded down to the start of its class; 0 if empty.
    std::uint64_t median() const { return at_rank((count_ + 1) / 2); }
    /// Returns the length of this rank, from 1 to count(), in ascending order; rounded down to the start of its class.
    std::uint64_t at_rank(std::uint64_t rank) const;
    /// Returns the least length that at least `percent` percent of all lengths do not exceed, rounded likewise.
    std::uint64_t percentile(unsigned percent) const;
    /// Returns each length, or the start of each class, with its count; in ascending order.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted() const;

    void add(std::uint64_t length, std::uint64_t times);

private:
    static constexpr std::size_t most_lengths = 4096;

    /// Returns true while all lengths are equal. Many tracks have a single length, which needs no table.
    bool has_one() const noexcept { return lengths_.empty() && classes_.empty(); }
    void use_classes();

    std::uint64_t count_ = 0;
    std::uint64_t only_ = 0;  // the common length while has_one()
    HashMap<std::uint64_t, std::uint64_t> lengths_;
    std::vector<std::uint64_t> classes_;
};

/// Computes the statistics in one pass. Needs memory for tracks and lengths only.
class IntervalStatisticsMeter {
public:
    /// `schema` must outlive the meter and may grow.
    explicit IntervalStatisticsMeter(const Schema& schema) : schema_(schema) {}

    void add(const Batch& batch);
    /// Returns nullopt if there are no interval tracks.
    std::optional<IntervalStatistics> result() const;

private:
    struct Tally {
        IntervalSummary summary;
        LengthCounts lengths;
        std::vector<std::uint64_t> attributes;  // indexed by field

        void merge(const Tally& other);
        IntervalSummary finished() const;
    };

    const Schema& schema_;
    ByTrack<Tally> tallies_;
};

}  // namespace hwtrace
