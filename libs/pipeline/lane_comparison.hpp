// pipeline/lane_comparison.hpp - compares two sequences of records in order, and finds where they agree again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/comparable_records.hpp"
#include "pipeline/correspondence.hpp"

namespace hwtrace {

/// Where two traces differ: a record of each that should be the same, or one that the other has not.
struct Difference {
    std::uint32_t track = 0;                                 ///< of the Correspondence
    std::array<std::optional<std::uint64_t>, 2> position{};  ///< where it stands, or would stand; none: nowhere
    std::optional<std::size_t> missing{};                    ///< in this trace
    std::vector<std::string> parts{};                        ///< which parts of the two differ, where both have it
};

/// What was compared of a track.
struct TrackCounts {
    std::uint64_t equal = 0;      ///< records that both have
    std::uint64_t different = 0;  ///< pairs
    std::array<std::uint64_t, 2> only{};

    bool same() const noexcept { return different == 0 && only[0] == 0 && only[1] == 0; }
};

/// Counts, and keeps the first differences in the order of the first trace.
class ComparisonLedger {
public:
    ComparisonLedger(const Correspondence& correspondence, std::size_t keep)
        : correspondence_(correspondence), keep_(keep) {}

    void equal(std::uint32_t track) { ++counts(track).equal; }
    void different(const ComparableRecord& first, const ComparableRecord& second);
    /// `other`: where the other trace would have it; none: nowhere.
    void only(std::size_t side, const ComparableRecord& record, std::optional<std::uint64_t> other);

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

    const Correspondence& correspondence_;
    std::size_t keep_;
    std::vector<TrackCounts> counts_;  // by track
    std::multimap<Place, Difference> kept_;
};

/// Two sequences of records that should be the same, the nth of one with the nth of the other. Where they are not, the
/// nearest place is looked for from which on they agree again; what lies before it are changed, missing and added
/// records. The result does not depend on which sequence is known earlier.
class LaneComparison {
public:
    struct Options {
        std::size_t window = 4096;  ///< how far behind a difference an agreement is looked for, in records of each
        bool any_order = false;     ///< records of one time, one after the other, may stand in any order
    };

    /// All outlive this object.
    LaneComparison(const Correspondence& correspondence, ComparisonLedger& ledger, const Options& options)
        : correspondence_(correspondence), ledger_(ledger), options_(options) {}

    void add(std::size_t side, const ComparableRecord& record);
    /// That sequence has no more records; may be said again.
    void end(std::size_t side);
    /// Begins again, with other sequences; the last ones have ended.
    void restart();

    /// Records of that sequence that have not been compared yet.
    std::size_t waiting(std::size_t side) const noexcept { return held_[side].size(); }
    /// Memory for them all.
    std::size_t bytes() const noexcept { return held_[0].bytes() + held_[1].bytes(); }

private:
    /// Records that wait, first in first out.
    class Held {
    public:
        void add(const ComparableRecord& record);
        std::size_t size() const noexcept { return entries_.size() - first_; }
        ComparableRecord at(std::size_t index) const noexcept;
        void drop(std::size_t count);
        /// Those from `index` on, in an order that only what they say decides.
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
    /// How many of `side` may be compared.
    std::size_t ready(std::size_t side) const noexcept { return held_[side].size() - open_[side]; }
    void compare();
    /// Handles a difference between the two first records, which agree no more.
    void resynchronise();
    std::optional<std::pair<std::size_t, std::size_t>> nearest_agreement(std::size_t first, std::size_t second);
    /// So many of each, between two places of agreement.
    void settle(std::size_t first, std::size_t second);
    /// So many that are not equal: those of one track are the same record, changed.
    void settle_unequal(std::size_t first, std::size_t second);
    void only(std::size_t side, const ComparableRecord& record);
    void drop(std::size_t side, std::size_t count);

    const Correspondence& correspondence_;
    ComparisonLedger& ledger_;
    const Options& options_;
    std::array<Held, 2> held_;
    std::array<std::size_t, 2> open_{};  // those of the last time, to which more may come (any_order)
    std::array<bool, 2> ended_{};
    std::array<std::optional<std::uint64_t>, 2> behind_;  // the last record that was compared
    std::size_t hopeless_ = 0;                            // pairs behind which no agreement was found
    struct Indexed {
        std::uint64_t hash;
        std::size_t index;
    };
    std::vector<Indexed> index_;                               // reused
    std::vector<std::pair<std::uint32_t, std::size_t>> left_;  // reused
};

}  // namespace hwtrace
