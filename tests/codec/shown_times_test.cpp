// Tests the conversion of ticks to the unit of a picture.
#include "codec/shown_times.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace shown_times_test {

using namespace hwtrace;

namespace {

constexpr Tick first = std::numeric_limits<Tick>::min(), last = std::numeric_limits<Tick>::max();

struct Shown {
    explicit Shown(Ratio ratio, const ShownRange& range = {}) {
        Track track;
        track.name = "t";
        schema.declare(track);
        times.emplace_back(schema, std::vector{ratio}, range, " ns", losses);
    }
    std::uint64_t rounded() const {
        const auto found = losses.entries().find({Loss::time_rounded, "t"});
        return found == losses.entries().end() ? 0 : found->second.count;
    }
    Tick at(Tick time) { return times.front().at(0, time); }
    Tick end(Tick begin, std::uint64_t duration) { return times.front().end(0, begin, duration); }

    Schema schema;
    Losses losses;
    std::vector<ShownTimes> times;
};

}  // namespace

TEST_CASE("shown times: whole units are exact, and others are rounded down and lost") {
    Shown whole({5, 1});
    CHECK(whole.at(3) == 15);
    CHECK(whole.end(2, 4) == 30);
    CHECK(whole.rounded() == 0);
    CHECK(whole.times.front().may_round(0));
    CHECK_FALSE(Shown({1, 1}).times.front().may_round(0));

    Shown part({5, 2});
    CHECK(part.at(4) == 10);
    CHECK(part.rounded() == 0);
    CHECK(part.at(3) == 7);
    CHECK(part.rounded() == 1);
}

TEST_CASE("shown times: times outside the range of a picture are shown at its ends, which is a loss") {
    Shown from_zero({1, 1});
    CHECK(from_zero.at(-1) == 0);
    CHECK(from_zero.rounded() == 1);
    Shown all({1, 1}, {.least = first});
    CHECK(all.at(first) == first);
    CHECK(all.rounded() == 0);
    CHECK(all.end(1, std::numeric_limits<std::uint64_t>::max()) == last);
    CHECK(all.rounded() == 1);
    Shown wide({1'000, 1}, {.least = first});
    CHECK(wide.at(last) == last);
    CHECK(wide.at(first) == first);
    CHECK(wide.rounded() == 2);
}

TEST_CASE("shown times: times that readers of a picture cannot hold are losses") {
    Shown narrow({10, 1}, {.least = 0, .latest = 1'000, .exact = 500});
    CHECK(narrow.at(50) == 500);
    CHECK(narrow.rounded() == 0);
    CHECK(narrow.at(51) == 510);
    CHECK(narrow.rounded() == 1);
    CHECK(narrow.at(101) == 1'000);
    CHECK(narrow.end(1, 200) == 1'000);
    CHECK(narrow.rounded() == 3);
}

TEST_CASE("shown times: ticks of more units than 64 bits can count are shown at the ends") {
    Shown huge({0, 0});
    CHECK(huge.at(0) == 0);
    CHECK(huge.at(1) == last);
    CHECK(huge.at(-1) == 0);
    CHECK(huge.rounded() == 2);
}

}  // namespace shown_times_test
