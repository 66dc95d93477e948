// domain/reuse_distances.hpp - the histogram of reuse distances of cache lines, in bounded memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/hash.hpp"

namespace hwtrace {

/// Measures reuse distances: the number of different other lines that were referenced since the previous reference to
/// the same line. An LRU cache of N lines hits if the distance is below N. Exact for up to 65,536 different lines. If
/// there are more, one line in two, in four, ... is sampled, and counts and distances are multiplied accordingly.
class ReuseDistances {
public:
    /// Bucket 0 is distance 0; bucket i is the distances from 2^(i-1) up to but excluding 2^i.
    static constexpr std::size_t buckets = 65;

    /// `most_lines`: the number of different lines that are followed at once; at least 2.
    explicit ReuseDistances(std::size_t most_lines = std::size_t{1} << 16);

    /// Counts a reference to a line.
    void add(std::uint64_t line);

    std::uint64_t references() const noexcept { return references_; }  ///< all of them
    std::uint64_t first_uses() const noexcept { return first_uses_; }  ///< of lines that were not referenced before
    const std::array<std::uint64_t, buckets>& counts() const noexcept { return counts_; }
    /// Returns N if one line in N is sampled at the end of the trace; 1: the result is exact.
    std::uint64_t sampled() const noexcept { return std::uint64_t{1} << level_; }

private:
    bool is_sampled(std::uint64_t line) const noexcept;
    void mark(std::size_t time, std::uint32_t change) noexcept;
    std::uint32_t marks_up_to(std::size_t time) const noexcept;
    void compact();
    void sample_half();

    std::size_t most_lines_;
    std::uint64_t references_ = 0, first_uses_ = 0;
    std::array<std::uint64_t, buckets> counts_{};
    unsigned level_ = 0;
    // Each followed line has a mark at the time of its latest reference. A Fenwick tree counts marks.
    HashMap<std::uint64_t, std::uint32_t> latest_;  // by line
    std::vector<std::uint64_t> lines_;              // by time
    std::vector<std::uint32_t> tree_;
    std::size_t now_ = 0;
};

}  // namespace hwtrace
