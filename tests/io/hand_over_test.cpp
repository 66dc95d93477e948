#include "io/hand_over.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace hand_over_test {

using namespace hwtrace;

TEST_CASE("items that two threads hand over arrive in order, whatever their size") {
    for (const std::size_t most_bytes : {std::size_t{1}, std::size_t{100}, std::size_t{100'000}}) {
        CAPTURE(most_bytes);
        HandOver<int> queue(most_bytes);
        std::thread giver([&] {
            for (int i = 0; i < 10'000; ++i) {
                int item = i;
                if (!queue.give(item, static_cast<std::size_t>(i) % 200)) return;
            }
            queue.end();
        });
        int next = 0;
        for (int item = 0; queue.take(item); ++next)
            if (item != next) break;
        CHECK(next == 10'000);
        queue.close();
        giver.join();
    }
}

TEST_CASE("the items of a hand-over between threads are reused") {
    HandOver<std::string> queue(1000);
    std::string given(500, 'x');
    const char* const memory = given.data();
    REQUIRE(queue.give(given, 500));
    std::string taken;
    REQUIRE(queue.take(taken));
    CHECK(taken.data() == memory);
    CHECK(taken == std::string(500, 'x'));
}

TEST_CASE("a closed hand-over between threads takes no item, but gives those that it has") {
    HandOver<int> queue(1);
    int item = 7;
    REQUIRE(queue.give(item, 5));
    std::thread giver([&] {
        int second = 8;
        CHECK_FALSE(queue.give(second, 5));  // waits for room until the queue is closed
        CHECK(second == 8);
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    queue.close();
    giver.join();
    REQUIRE(queue.take(item));
    CHECK(item == 7);
    CHECK_FALSE(queue.take(item));
}

}  // namespace hand_over_test
