#include "io/workers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace workers_test {

using namespace hwtrace;

TEST_CASE("workers return the result of each piece of work, and use no more threads than they may") {
    for (const unsigned most : {0U, 1U, 2U, 5U}) {
        CAPTURE(most);
        Workers workers(most);
        std::vector<std::future<std::thread::id>> results;
        for (int i = 0; i < 200; ++i)
            results.push_back(workers.start([] { return std::this_thread::get_id(); }));
        std::set<std::thread::id> threads;
        for (auto& result : results)
            threads.insert(result.get());
        CHECK(threads.size() <= std::max(most, 1U));
        CHECK(threads.count(std::this_thread::get_id()) == 0);
    }
}

TEST_CASE("a single worker keeps the order of the work") {
    Workers worker(1);
    std::vector<int> done;
    std::vector<std::future<void>> results;
    for (int i = 0; i < 100; ++i)
        results.push_back(worker.start([&done, i] { done.push_back(i); }));
    results.back().wait();
    REQUIRE(done.size() == 100);
    for (int i = 0; i < 100; ++i)
        CHECK(done[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("several workers do their work at the same time") {
    Workers workers(2);
    std::atomic<int> present = 0;
    const auto meet = [&] {
        ++present;
        while (present < 2)
            std::this_thread::yield();
    };
    std::future<void> first = workers.start(meet), second = workers.start(meet);
    first.get();
    second.get();
    CHECK(present == 2);
}

TEST_CASE("result() does work that no thread has begun") {
    std::atomic<bool> begun = false, ends = false;
    std::vector<int> done;
    Workers worker(1);
    auto busy = worker.start([&] {
        begun = true;
        while (!ends)
            std::this_thread::yield();
    });
    while (!begun)
        std::this_thread::yield();
    const auto work = [&](int number) {
        done.push_back(number);
        if (number == 2) throw std::runtime_error("two");
        return std::this_thread::get_id();
    };
    auto first = worker.start([&] { return work(1); });
    auto second = worker.start([&] { return work(2); });
    auto third = worker.start([&] { return work(3); });
    CHECK(worker.result(third) == std::this_thread::get_id());
    CHECK(done == std::vector{1, 2, 3});
    CHECK(worker.result(first) == std::this_thread::get_id());
    CHECK_THROWS_WITH_AS(worker.result(second), "two", std::runtime_error);
    ends = true;
    worker.result(busy);
}

TEST_CASE("an exception of a piece of work is rethrown where its result is taken, and the next piece is done") {
    Workers worker(1);
    auto bad = worker.start([]() -> int { throw std::runtime_error("bad"); });
    auto good = worker.start([] { return 7; });
    CHECK_THROWS_WITH_AS(bad.get(), "bad", std::runtime_error);
    CHECK(good.get() == 7);
}

TEST_CASE("workers that are given up finish what they have begun and drop the rest") {
    std::atomic<int> begun = 0, ended = 0;
    {
        Workers worker(1);
        for (int i = 0; i < 1000; ++i) {
            (void)worker.start([&] {
                ++begun;
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                ++ended;
            });
        }
    }
    CHECK(begun == ended);
    CHECK(ended < 1000);
}

}  // namespace workers_test
