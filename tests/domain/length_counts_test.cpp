#include "domain/length_counts.hpp"

#include <doctest/doctest.h>

namespace length_counts_test {

using namespace hwtrace;

TEST_CASE("the median of many lengths is at most 1 % too small") {
    LengthCounts counts, half;
    std::uint64_t length = 1;
    for (int i = 0; i < 100'001; ++i) {
        length = length * 6364136223846793005u + 1442695040888963407u;
        counts.add(i % 2 == 0 ? 1'000'000u + static_cast<std::uint64_t>(i) : length >> 1);
        if (i % 2 == 0) half.add(1'000'000u + static_cast<std::uint64_t>(i));
    }
    CHECK_FALSE(counts.exact());
    CHECK(counts.count() == 100'001);
    // The median is the 50,001st of 100,001 lengths, which is the largest small length.
    CHECK(counts.median() <= 1'100'000);
    CHECK(counts.median() >= 1'100'000 - 1'100'000 / 128 - 1);
    LengthCounts sum;
    sum.add(7);
    sum.add(half);
    CHECK(sum.count() == half.count() + 1);
    CHECK(sum.median() <= 1'050'000);
    CHECK(sum.median() >= 1'050'000 - 1'050'000 / 128 - 1);
    LengthCounts few;
    for (const std::uint64_t value : {5u, 1u, 9u, 5u})
        few.add(value);
    CHECK(few.exact());
    CHECK(few.median() == 5);
    LengthCounts extremes;
    for (std::uint64_t i = 0; i < 5000; ++i)
        extremes.add(~std::uint64_t{0} - i);
    CHECK(extremes.median() >= (~std::uint64_t{0} >> 6) * 63);
}

TEST_CASE("statistics of lengths work for a single length and for sums of histograms") {
    LengthCounts none_yet, one, two, many;
    CHECK(none_yet.median() == 0);
    for (int i = 0; i < 5; ++i)
        one.add(40);
    for (const std::uint64_t value : {0u, 0u, 7u, 7u, 7u, 0u, 0u})
        two.add(value);
    for (std::uint64_t value = 0; value < 5001; ++value)
        many.add(value);
    CHECK(one.count() == 5);
    CHECK(one.median() == 40);
    CHECK(two.median() == 0);
    CHECK_FALSE(many.exact());

    LengthCounts sum;
    sum.add(none_yet);
    sum.add(one);
    CHECK(sum.median() == 40);
    sum.add(two);
    CHECK(sum.count() == 12);
    CHECK(sum.median() == 7);  // the sixth length of 0 0 0 0 7 [7] 7 40 40 40 40 40
    CHECK(sum.exact());
    LengthCounts of_classes;
    of_classes.add(one);
    of_classes.add(many);
    CHECK(of_classes.count() == 5006);
    CHECK_FALSE(of_classes.exact());
    many.add(one);
    CHECK(many.count() == 5006);
    CHECK(many.median() == of_classes.median());
}

TEST_CASE("percentiles are the smallest lengths that so many lengths do not exceed") {
    LengthCounts counts;
    CHECK(percentile(counts.entries(), 99) == 0);
    for (std::uint64_t length = 200; length > 0; --length)
        counts.add(length);
    const auto entries = counts.entries();
    REQUIRE(entries.size() == 200);
    CHECK(entries.front().length == 1);
    CHECK(entries.front().times == 1);
    CHECK(percentile(entries, 1) == 2);
    CHECK(percentile(entries, 50) == 100);
    CHECK(percentile(entries, 90) == 180);
    CHECK(percentile(entries, 99) == 198);
    CHECK(percentile(entries, 100) == 200);
    LengthCounts three;
    for (const std::uint64_t length : {10u, 20u, 30u})
        three.add(length);
    CHECK(percentile(three.entries(), 50) == 20);
    CHECK(percentile(three.entries(), 66) == 20);
    CHECK(percentile(three.entries(), 67) == 30);
    LengthCounts many;  // counted by classes
    for (std::uint64_t length = 1; length <= 10'000; ++length)
        many.add(length);
    CHECK_FALSE(many.exact());
    CHECK(percentile(many.entries(), 90) <= 9000);
    CHECK(percentile(many.entries(), 90) >= 9000 - 9000 / 128);
}

}  // namespace length_counts_test
