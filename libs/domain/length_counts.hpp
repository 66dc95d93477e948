// domain/length_counts.hpp - a histogram of lengths: percentiles of durations in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/hash.hpp"

namespace hwtrace {

/// A histogram of lengths. Up to 4096 different lengths are counted exactly. If there are more, the histogram counts
/// classes of nearly equal lengths.
class LengthCounts {
public:
    /// A length and how often it occurs. If exact() is false, the length is the smallest one of its class.
    struct Entry {
        std::uint64_t length = 0, times = 0;
    };

    void add(std::uint64_t length) { add(length, 1); }
    void add(std::uint64_t length, std::uint64_t times);
    void add(const LengthCounts& other);
    std::uint64_t count() const noexcept { return count_; }
    bool exact() const noexcept { return classes_.empty(); }
    /// Returns the lower median, rounded down to the start of its class; 0 if empty.
    std::uint64_t median() const;
    /// Returns all lengths that occur, in ascending order.
    std::vector<Entry> entries() const;

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

/// Returns the smallest length that is not exceeded by `per_cent` per cent of the lengths (1 to 100), such as 50 for
/// the lower median. `entries` are those of a LengthCounts. Returns 0 if there are none.
std::uint64_t percentile(const std::vector<LengthCounts::Entry>& entries, unsigned per_cent) noexcept;

}  // namespace hwtrace
