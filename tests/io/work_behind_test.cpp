#include "io/work_behind.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace work_behind_test {

using namespace hwtrace;

TEST_CASE("work behind another thread is done on all items, in order") {
    for (const bool stays : {false, true}) {
        CAPTURE(stays);
        std::vector<int> done;
        std::thread::id worker;
        WorkBehind<int> behind(100, [&](int& item) {
            done.push_back(item);
            worker = std::this_thread::get_id();
        });
        if (stays) behind.stay_in_caller();
        for (int i = 0; i < 1000; ++i) {
            int item = i;
            behind.give(item, static_cast<std::size_t>(i) % 70);
        }
        behind.finish();
        REQUIRE(done.size() == 1000);
        for (int i = 0; i < 1000; ++i)
            REQUIRE(done[static_cast<std::size_t>(i)] == i);
        CHECK((worker == std::this_thread::get_id()) == stays);
    }
}

TEST_CASE("an error of work behind another thread reaches the caller") {
    const auto fail_at = [](int bad) {
        return [bad](int& item) {
            if (item == bad) throw std::runtime_error("item " + std::to_string(item));
        };
    };
    SUBCASE("when it gives the next item") {
        WorkBehind<int> behind(10, fail_at(3));
        const auto give_all = [&] {
            for (int i = 0; i < 1000; ++i) {
                int item = i;
                behind.give(item, 5);
            }
        };
        CHECK_THROWS_WITH_AS(give_all(), "item 3", std::runtime_error);
        CHECK_THROWS_WITH_AS(give_all(), "item 3", std::runtime_error);
        CHECK_THROWS_WITH_AS(behind.finish(), "item 3", std::runtime_error);
    }
    SUBCASE("when it finishes") {
        WorkBehind<int> behind(1000, fail_at(1));
        for (int i = 0; i < 2; ++i) {
            int item = i;
            behind.give(item, 5);
        }
        CHECK_THROWS_WITH_AS(behind.finish(), "item 1", std::runtime_error);
        CHECK_THROWS_WITH_AS(behind.finish(), "item 1", std::runtime_error);
    }
}

}  // namespace work_behind_test
