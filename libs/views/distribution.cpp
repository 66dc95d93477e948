#include "views/distribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hwtrace {

namespace {

constexpr std::size_t most_buckets = 16, usual_buckets = 12;

/// Rounds up to 1, 2 or 5 times a power of ten.
long double nice_step(long double least) {
    const long double power = std::pow(10.0L, std::floor(std::log10(least)));
    for (const int digit : {1, 2, 5})
        if (power * static_cast<long double>(digit) >= least) return power * static_cast<long double>(digit);
    return power * 10;
}

std::vector<long double> linear_edges(const Distribution& distribution) {
    const long double span = distribution.greatest - distribution.least;
    if (!(span > 0) || !std::isfinite(span))
        return {distribution.least, distribution.greatest + (distribution.whole_numbers ? 1 : 0)};
    long double step = nice_step(span / static_cast<long double>(usual_buckets));
    if (distribution.whole_numbers) step = std::max(step, 1.0L);
    const long double first = std::floor(distribution.least / step);
    std::vector<long double> edges;
    for (std::size_t i = 0; edges.size() <= most_buckets; ++i) {
        edges.push_back((first + static_cast<long double>(i)) * step);
        if (edges.back() > distribution.greatest) break;
    }
    return edges;
}

/// Returns 0, 1, 2, 5, 10, ... around the values, or only the powers of ten, or of a thousand, if there are too many.
std::vector<long double> growing_edges(const Distribution& distribution) {
    for (const int digits : {3, 1, 0}) {
        std::vector<long double> edges{0};
        int decade = 0;
        for (long double power = 1; edges.back() <= distribution.greatest && std::isfinite(power); power *= 10) {
            for (const int digit : {1, 2, 5})
                if (digit == 1 ? digits != 0 || decade % 3 == 0 : digits == 3)
                    if (edges.back() <= distribution.greatest) edges.push_back(power * static_cast<long double>(digit));
            ++decade;
        }
        while (edges.size() > 2 && edges[1] <= distribution.least)
            edges.erase(edges.begin());
        if (edges.size() <= most_buckets + 1 || digits == 0) return edges;
    }
    return {};
}

}  // namespace

std::string_view name_of(Distribution::Sort sort) noexcept {
    switch (sort) {
        case Distribution::Sort::intervals:
            return "intervals";
        case Distribution::Sort::lifetimes:
            return "lifetimes";
        case Distribution::Sort::values:
            break;
    }
    return "values";
}

void ValueWeights::add(double value, std::uint64_t weight) {
    constexpr std::uint64_t kept = ~((std::uint64_t{1} << 45) - 1);  // sign, exponent and 7 bits
    if (value == 0) value = 0;                                       // not -0
    const auto bits = std::bit_cast<std::uint64_t>(value);
    weights_[exact_ ? bits : bits & kept] += weight;
    total_ += weight;
    if (!exact_ || weights_.size() <= most_values) return;
    exact_ = false;
    HashMap<std::uint64_t, std::uint64_t> rounded;
    for (const auto& [other, times] : weights_)
        rounded[other & kept] += times;
    weights_.swap(rounded);
}

std::vector<std::pair<long double, std::uint64_t>> ValueWeights::sorted() const {
    std::vector<std::pair<long double, std::uint64_t>> result;
    for (const auto& [bits, weight] : weights_)
        result.emplace_back(static_cast<long double>(std::bit_cast<double>(bits)), weight);
    std::ranges::sort(result);
    return result;
}

void set_buckets(const std::vector<std::pair<long double, std::uint64_t>>& values, Distribution& distribution) {
    __extension__ using Wide = unsigned __int128;
    Wide total = 0;
    for (const auto& [value, weight] : values)
        total += weight;
    const auto percentile = [&](unsigned percent) {
        const Wide rank = std::max<Wide>(1, (total * percent + 99) / 100);
        Wide passed = 0;
        for (const auto& [value, weight] : values)
            if ((passed += weight) >= rank) return std::max(value, distribution.least);
        return distribution.greatest;
    };
    distribution.median = percentile(50);
    distribution.p90 = percentile(90);
    distribution.p99 = percentile(99);

    const bool grows = distribution.whole_numbers && distribution.least >= 0 &&
                       distribution.greatest >= 20 * std::max(distribution.least, 1.0L);
    const std::vector<long double> edges = grows ? growing_edges(distribution) : linear_edges(distribution);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i)
        distribution.buckets.push_back({edges[i], edges[i + 1], 0});
    for (const auto& [value, weight] : values) {
        // A rounded value may be below the first bucket, and the greatest one may be the end of the last.
        auto bucket = std::ranges::upper_bound(distribution.buckets, value, {}, &Distribution::Bucket::from);
        if (bucket != distribution.buckets.begin()) --bucket;
        if (bucket != distribution.buckets.end()) bucket->weight += weight;
    }
}

void set_lengths(const LengthCounts& lengths, std::uint64_t shortest, std::uint64_t longest,
                 Distribution& distribution) {
    distribution.count = lengths.count();
    distribution.exact = lengths.exact();
    distribution.least = static_cast<long double>(shortest);
    distribution.greatest = static_cast<long double>(longest);
    std::vector<std::pair<long double, std::uint64_t>> values;
    for (const auto& [length, times] : lengths.entries())
        values.emplace_back(static_cast<long double>(length), times);
    set_buckets(values, distribution);
}

}  // namespace hwtrace
