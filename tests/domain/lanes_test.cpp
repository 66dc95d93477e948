#include "domain/lanes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace lanes_test {

using namespace hwtrace;

TEST_CASE("lanes: an interval that begins when another one ends takes its lane") {
    Lanes lanes;
    CHECK(lanes.place(0, 10) == 0);
    CHECK(lanes.place(5, 7) == 1);
    CHECK(lanes.place(7, 7) == 1);
    CHECK(lanes.place(8, 12) == 1);
    CHECK(lanes.place(9, 30) == 2);
    CHECK(lanes.place(10, 11) == 0);
    CHECK(lanes.place(-5, -4) == 3);
}

TEST_CASE("lanes: each interval gets the lowest free lane, and sorted intervals need no more lanes than overlap") {
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        std::vector<Tick> ends;
        Lanes lanes;
        Tick begin = -50;
        for (int i = 0; i < 300; ++i) {
            begin += random() % 4;
            const Tick end = begin + static_cast<Tick>(random() % 60);
            const auto free = std::ranges::find_if(ends, [&](Tick last) { return last <= begin; });
            const auto expected = static_cast<std::size_t>(free - ends.begin());
            REQUIRE(lanes.place(begin, end) == expected);
            if (free == ends.end())
                ends.push_back(end);
            else
                *free = end;
        }
    }
}

}  // namespace lanes_test
