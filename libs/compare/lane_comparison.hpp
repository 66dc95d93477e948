// compare/lane_comparison.hpp - compares two sequences of records in order and resynchronises after differences.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compare/comparable_records.hpp"
#include "compare/correspondence.hpp"

namespace hwtrace {

/// A difference between two traces: a pair of corresponding records that differ, or a record that one trace lacks.
struct Difference {
    std::uint32_t track = 0;  ///< index of the track in the Correspondence
    /// The position of the record in each trace, or the position where the record is missing. Nullopt: unknown.
    std::array<std::optional<std::uint64_t>, 2> position{};
    std::optional<std::size_t> missing{};  ///< the trace that lacks the record
    std::vector<std::string> parts{};      ///< the parts that differ, if both traces have the record
};

/// The result for one track.
struct TrackCounts {
    std::uint64_t equal = 0;      ///< records that are equal in both traces
    std::uint64_t different = 0;  ///< pairs of corresponding records that differ
    std::array<std::uint64_t, 2> only{};
    /// The records of `only` for which the other trace has no record left, of this lane or track.
    std::array<std::uint64_t, 2> after_end{};

    bool same() const noexcept { return different == 0 && only[0] == 0 && only[1] == 0; }
};

/// Counts equal and different records. Keeps the first differences in the order of the first trace.
class ComparisonLedger {
public:
    ComparisonLedger(const Correspondence& correspondence, std::size_t keep)
        : correspondence_(correspondence), keep_(keep) {}

    /// Why a trace lacks a record of the other one.
    enum class Lack : std::uint8_t {
        between,    ///< it has later records that the other one has, too, or may have them
        after_end,  ///< it has no record left, or no such track
    };

    void equal(const ComparableRecord& first, const ComparableRecord& second) {
        ++counts(first.track).equal;
        meet(first, second);
    }
    void different(const ComparableRecord& first, const ComparableRecord& second);
    /// Counts a record that only trace `side` has. `other` is the position where the other trace lacks the record, or
    /// nullopt if the position is unknown.
    void only(std::size_t side, const ComparableRecord& record, std::optional<std::uint64_t> other, Lack lack);
    /// Returns true if every record that only trace `side` has follows all records that both traces have.
    bool is_behind(std::size_t side) const noexcept { return first_only_[side] > last_common_[side]; }

    const std::vector<TrackCounts>& counts() const noexcept { return counts_; }
    std::vector<Difference> differences() const;

private:
    using Place = std::pair<std::uint64_t, std::uint64_t>;

    TrackCounts& counts(std::uint32_t track) {
        if (track >= counts_.size()) [[unlikely]]
            counts_.resize(track + std::size_t{1});
        return counts_[track];
    }
    bool is_wanted(Place place) const { return kept_.size() < keep_ || (keep_ != 0 && place < kept_.rbegin()->first); }
    void keep(Place place, Difference difference);
    void meet(const ComparableRecord& first, const ComparableRecord& second) noexcept {
        last_common_[0] = std::max(last_common_[0], first.position);
        last_common_[1] = std::max(last_common_[1], second.position);
    }

    const Correspondence& correspondence_;
    std::size_t keep_;
    std::array<std::uint64_t, 2> last_common_{};  // by side: positions
    std::array<std::uint64_t, 2> first_only_{~std::uint64_t{0}, ~std::uint64_t{0}};
    std::vector<TrackCounts> counts_;  // by track
    std::multimap<Place, Difference> kept_;
};

/// Compares the nth record of one sequence with the nth record of the other. After a difference, searches for the
/// nearest place from which both sequences agree again. The records before that place count as changed, missing or
/// added. The result does not depend on which sequence arrives earlier.
class LaneComparison {
public:
    struct Options {
        /// Maximum distance of the search after a difference, in records of each sequence.
        std::size_t window = 4096;
        bool any_order = false;  ///< consecutive records of the same time may be in any order
    };

    /// All arguments must outlive this object.
    LaneComparison(const Correspondence& correspondence, ComparisonLedger& ledger, const Options& options)
        : correspondence_(correspondence), ledger_(ledger), options_(options) {}

    void add(std::size_t side, const ComparableRecord& record);
    /// Marks the end of a sequence. May be called repeatedly.
    void end(std::size_t side);
    /// Starts again with new sequences. Call it after the previous sequences have ended.
    void restart();

    /// Returns the number of records of a sequence that have not been compared yet.
    std::size_t waiting(std::size_t side) const noexcept { return held_[side].size(); }
    /// Returns the memory for the records of both sequences, in bytes.
    std::size_t bytes() const noexcept { return held_[0].bytes() + held_[1].bytes(); }

private:
    /// A queue of waiting records.
    class Held {
    public:
        void add(const ComparableRecord& record);
        std::size_t size() const noexcept { return entries_.size() - first_; }
        ComparableRecord at(std::size_t index) const noexcept;
        void drop(std::size_t count);
        /// Sorts the records from `index` on by their contents only.
        void sort_from(std::size_t index);
        std::size_t bytes() const noexcept { return bytes_.size() + entries_.size() * sizeof(Entry); }
        void clear() noexcept;

    private:
        struct Entry {
            std::size_t offset;
            std::uint32_t size, track;
            WideTick time;
            std::uint64_t duration, position;
        };
        std::vector<Entry> entries_;
        std::vector<std::byte> bytes_;
        std::size_t first_ = 0;
    };

    bool equal(const ComparableRecord& first, const ComparableRecord& second) const noexcept;
    std::uint64_t hash(std::size_t side, const ComparableRecord& record, WideTick& bucket) const;
    /// Returns how many records of `side` can be compared now.
    std::size_t ready(std::size_t side) const noexcept { return held_[side].size() - open_[side]; }
    void compare();
    /// Handles a difference between the two first records.
    void resynchronise();
    std::optional<std::pair<std::size_t, std::size_t>> nearest_agreement(std::size_t first, std::size_t second);
    /// Counts and drops the first `first` records of side 0 and the first `second` records of side 1. If there are few
    /// enough records, first searches for equal pairs among them.
    void settle(std::size_t first, std::size_t second);
    /// Does the same without a search for equal pairs. Two records of the same track count as one changed record; the
    /// other records count as missing or added.
    void settle_unequal(std::size_t first, std::size_t second);
    void only(std::size_t side, const ComparableRecord& record, ComparisonLedger::Lack lack);
    void drop(std::size_t side, std::size_t count);

    const Correspondence& correspondence_;
    ComparisonLedger& ledger_;
    const Options& options_;
    std::array<Held, 2> held_;
    std::array<std::size_t, 2> open_{};  // by side: records at the latest time, where more may follow (any_order)
    std::array<bool, 2> ended_{};
    std::array<std::optional<std::uint64_t>, 2> behind_;  // by side: the position after the last compared record
    std::size_t hopeless_ = 0;  // number of pairs to compare without a new search, because the last search failed
    struct Indexed {
        std::uint64_t hash;
        std::size_t index;
    };
    std::vector<Indexed> index_;                               // reused
    std::vector<std::pair<std::uint32_t, std::size_t>> left_;  // reused
};

}  // namespace hwtrace
