// views/distribution.hpp - weighted values, their percentiles, and the buckets of a histogram.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "domain/length_counts.hpp"
#include "model/hash.hpp"

namespace hwtrace {

/// Values with weights, such as the time for which a signal has each value. Up to 4096 different values are exact. If
/// there are more, values are rounded towards 0 to 1/128 of their power of two; the least and the greatest stay exact.
class ValueWeights {
public:
    void add(double value, std::uint64_t weight);
    std::uint64_t total() const noexcept { return total_; }
    bool exact() const noexcept { return exact_; }
    /// Returns the values in ascending order with their weights.
    std::vector<std::pair<long double, std::uint64_t>> sorted() const;

private:
    static constexpr std::size_t most_values = 4096;

    HashMap<std::uint64_t, std::uint64_t> weights_;  // by the bits of the value
    std::uint64_t total_ = 0;
    bool exact_ = true;
};

/// A distribution, ready to be shown.
struct Distribution {
    enum class Sort : std::uint8_t { intervals, lifetimes, values };
    /// A bucket [from, to) with the sum of its weights; if both are equal, it holds that number.
    struct Bucket {
        long double from = 0, to = 0;
        std::uint64_t weight = 0;
    };

    Sort sort = Sort::intervals;  ///< what the values are
    std::string name;             ///< path; not escaped
    std::string unit;             ///< of durations; empty for values
    std::uint64_t count = 0;      ///< number of intervals, lifetimes or changes
    bool by_time = false;         ///< weights are ticks instead of counts
    bool exact = true;            ///< false: percentiles are up to 1 % too small
    bool whole_numbers = true;    ///< all values are integers
    long double least = 0, greatest = 0;
    long double median = 0, p90 = 0, p99 = 0;
    std::vector<Bucket> buckets;  ///< neighbours in ascending order, from `least` to `greatest`; may be empty ones
};
/// Returns "intervals", "lifetimes" or "values".
std::string_view name_of(Distribution::Sort sort) noexcept;

/// Sets the percentiles and buckets from values in ascending order, whose range is from `least` to `greatest`. Buckets
/// are of equal width, or grow by 1, 2, 5, 10 if the greatest value exceeds the least by far. There are at most 16.
void set_buckets(const std::vector<std::pair<long double, std::uint64_t>>& values, Distribution& distribution);
/// Sets `least`, `greatest`, percentiles and buckets from lengths of which the extremes are known.
void set_lengths(const LengthCounts& lengths, std::uint64_t shortest, std::uint64_t longest,
                 Distribution& distribution);

}  // namespace hwtrace
