#include "domain/cycle_scale.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace cycle_scale_test {

using namespace hwtrace;

TEST_CASE("times become cycles of the scope's clock, rounded down, even below 0") {
    const CycleScale scale(picoseconds, 500);
    CHECK(scale.divides());
    CHECK_FALSE(scale.assumed());
    CHECK(scale.cycle(0) == 0);
    CHECK(scale.cycle(499) == 0);
    CHECK(scale.cycle(500) == 1);
    CHECK(scale.cycle(-1) == -1);
    CHECK(scale.cycle(-500) == -1);
    CHECK(scale.cycle(-501) == -2);
    const CycleScale nanoseconds({TimeBase::Kind::seconds, 1, 1'000'000'000}, 2000);
    CHECK(nanoseconds.cycle(7) == 3);
    CHECK(nanoseconds.cycle(-7) == -4);
}

TEST_CASE("without a period a cycle is assumed to last 1000 ps; cycles and positions are unchanged") {
    CHECK(CycleScale(picoseconds, 0).assumed());
    CHECK(CycleScale(picoseconds, 0).cycle(2999) == 2);
    const CycleScale cycles({TimeBase::Kind::cycles, 1, 0}, 0);
    CHECK_FALSE(cycles.assumed());
    CHECK_FALSE(cycles.divides());
    CHECK(cycles.cycle(2999) == 2999);
    CHECK(CycleScale(ordinals, 0).cycle(-3) == -3);
}

TEST_CASE("conversions of the longest times and periods do not overflow") {
    constexpr Tick last = std::numeric_limits<Tick>::max();
    constexpr Tick first = std::numeric_limits<Tick>::min();
    CHECK(CycleScale(picoseconds, 1).cycle(last) == last);
    CHECK(CycleScale(picoseconds, 1).cycle(first) == -last);
    CHECK(CycleScale(picoseconds, std::numeric_limits<std::uint64_t>::max()).cycle(last) == 1);
    CHECK(CycleScale(picoseconds, std::numeric_limits<std::uint64_t>::max()).cycle(first) == -1);
    const CycleScale days({TimeBase::Kind::seconds, 86400, 1}, 1);
    CHECK(days.cycle(last) == last);  // the time in ps exceeds 64 bits
}

}  // namespace cycle_scale_test
