#include "domain/length_summary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace length_summary_test {

using namespace hwtrace;

namespace {

constexpr std::uint64_t seeds = 20;

/// Returns the smallest length that at least `per_cent` per cent of the lengths do not exceed.
std::uint64_t plain_percentile(std::vector<std::uint64_t> lengths, std::uint64_t per_cent) {
    std::ranges::sort(lengths);
    std::size_t rank = 1;
    while (rank * 100 < lengths.size() * per_cent)
        ++rank;
    return lengths[rank - 1];
}

/// Checks that a percentile is not too great, and at most 1 % too small.
void check_within(std::uint64_t estimate, std::uint64_t exact) {
    CHECK(estimate <= exact);
    CHECK(static_cast<long double>(exact - estimate) <= static_cast<long double>(exact) / 100);
}

void check(const LengthSummary& summary, const std::vector<std::uint64_t>& lengths) {
    REQUIRE(summary.count == lengths.size());
    CHECK(summary.least == *std::ranges::min_element(lengths));
    CHECK(summary.greatest == *std::ranges::max_element(lengths));
    WideSum total = 0;
    long double mean = 0;
    for (const std::uint64_t length : lengths) {
        total += length;
        mean += static_cast<long double>(length) / static_cast<long double>(lengths.size());
    }
    CHECK((summary.total == total));
    const auto made = static_cast<long double>(*summary.milli_mean()) / 1000;
    CHECK(std::fabs(made - mean) <= 0.0006L + mean * 1e-12L);
    const bool is_exact = summary.precision == Precision::exact;
    for (const auto& [estimate, per_cent] : {std::pair{summary.median, 50u}, {summary.p90, 90u}, {summary.p99, 99u}}) {
        const std::uint64_t exact = plain_percentile(lengths, per_cent);
        if (is_exact)
            CHECK(estimate == exact);
        else
            check_within(estimate, exact);
    }
}

}  // namespace

TEST_CASE("percentiles, means and totals are those of a plain list, exactly or within 1 %") {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        // Few different lengths, many near ones, and lengths of all magnitudes.
        const std::uint64_t range = seed % 3 == 0 ? 50 : seed % 3 == 1 ? 4000 : 1'000'000;
        const bool all_magnitudes = seed % 5 == 0;
        std::vector<std::uint64_t> lengths, others;
        LengthMeter meter, other;
        for (std::size_t i = 0; i < 20'000; ++i) {
            const std::uint64_t length = all_magnitudes ? random() >> (random() % 64) : random() % range;
            lengths.push_back(length);
            meter.add(length);
            if (i % 3 == 0) {
                others.push_back(length / 2);
                other.add(length / 2);
            }
        }
        CHECK((meter.summary().precision == Precision::exact) == (!all_magnitudes && range < 4096));
        check(meter.summary(), lengths);
        // A sum of two meters is the meter of both lists.
        meter.add(other);
        lengths.insert(lengths.end(), others.begin(), others.end());
        check(meter.summary(), lengths);
    }
}

TEST_CASE("every class of lengths is narrower than 1 % of its lengths") {
    LengthCounts classes;
    for (std::uint64_t length = 0; length < 5000; ++length)
        classes.add(length << 40);  // more than 4096 lengths
    REQUIRE_FALSE(classes.exact());
    std::mt19937_64 random(7);
    for (std::size_t i = 0; i < 200; ++i) {
        LengthCounts one = classes;
        const std::uint64_t length = random() >> (random() % 64);
        one.add(length);
        const auto entries = one.entries();
        std::uint64_t begin = 0;
        for (const LengthCounts::Entry& entry : entries)
            if (entry.length <= length) begin = entry.length;
        check_within(begin, length);
    }
}

TEST_CASE("lengths beyond the budget of histograms have no percentiles, but everything else") {
    HistogramBudget budget;
    std::vector<LengthMeter> meters;
    for (std::size_t i = 0; i < 402; ++i) {
        LengthMeter& meter = meters.emplace_back(&budget);
        meter.add(5);
        if (i != 401) meter.add(7);
    }
    CHECK(meters[399].summary().p90 == 7);
    const LengthSummary beyond = meters[400].summary();
    CHECK(beyond.precision == Precision::unknown);
    CHECK_FALSE(beyond.has_percentiles());
    CHECK(beyond.count == 2);
    CHECK((beyond.total == 12));
    CHECK(meters[401].summary().median == 5);  // a single length needs no histogram
    LengthMeter sum;
    sum.add(meters[0]);
    sum.add(meters[400]);
    CHECK(sum.count() == 4);
    CHECK(sum.summary().precision == Precision::unknown);
}

TEST_CASE("no lengths have no mean and no percentiles") {
    const LengthSummary nothing = LengthMeter().summary();
    CHECK(nothing.count == 0);
    CHECK_FALSE(nothing.has_percentiles());
    CHECK_FALSE(nothing.milli_mean());
}

}  // namespace length_summary_test
