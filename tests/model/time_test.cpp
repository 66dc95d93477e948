#include "model/time.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace time_test {

using namespace hwtrace;

namespace {

constexpr Tick highest = std::numeric_limits<Tick>::max();
constexpr Tick lowest = std::numeric_limits<Tick>::min();

}  // namespace

TEST_CASE("scaling is exact if the division has no remainder") {
    const Scaled scaled = scale(6, {3, 2});
    CHECK(scaled.value == 9);
    CHECK(scaled.exact);
    CHECK_FALSE(scaled.saturated);
}

TEST_CASE("scaling rounds down, also below zero") {
    CHECK(scale(7, {1, 2}).value == 3);
    CHECK_FALSE(scale(7, {1, 2}).exact);
    CHECK(scale(-7, {1, 2}).value == -4);
    CHECK_FALSE(scale(-7, {1, 2}).exact);
    CHECK(scale(-8, {1, 2}).value == -4);
    CHECK(scale(-8, {1, 2}).exact);
    CHECK(scale(-1, {1, 1'000'000}).value == -1);
    CHECK(scale(0, {1, 1'000'000}).exact);
}

TEST_CASE("intermediate products beyond 64 bits are exact") {
    const Scaled scaled = scale(highest, {1'000'000'007, 1'000'000'007});
    CHECK(scaled.value == highest);
    CHECK(scaled.exact);
    CHECK(scale(lowest, {1'000, 1'000}).value == lowest);
    CHECK(scale(highest, {2, 4}).value == highest / 2);
}

TEST_CASE("a result that does not fit is the nearest tick and marked as saturated") {
    const Scaled high = scale(highest, {2, 1});
    CHECK(high.value == highest);
    CHECK(high.saturated);
    CHECK_FALSE(high.exact);
    const Scaled low = scale(lowest, {std::numeric_limits<std::uint64_t>::max(), 1});
    CHECK(low.value == lowest);
    CHECK(low.saturated);
    CHECK(scale(5, {1, 0}).saturated);
}

TEST_CASE("ratios reduce to lowest terms") {
    CHECK(Ratio{6, 4}.reduced() == Ratio{3, 2});
    CHECK(Ratio{0, 4}.reduced() == Ratio{0, 1});
    CHECK(Ratio{0, 0}.reduced() == Ratio{0, 0});
    CHECK(Ratio{7, 1}.reduced() == Ratio{7, 1});
}

}  // namespace time_test
