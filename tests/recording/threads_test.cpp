#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "call_log.hpp"
#include "hwtrace/recording.hpp"

namespace threads_test {

using namespace hwtrace::recording;
using hwtrace::test::CallLog;

namespace {

/// A back end that begins a transaction in another database when a transaction begins in its own database. It first
/// waits until the other thread has reached the same point.
class Mirror final : public BackEnd {
public:
    Mirror(std::latch& both, Database& other, std::atomic<int>& begun) : both_(both), other_(other), begun_(begun) {}
    void transaction(const TransactionFacts& facts) override {
        if (facts.end || mirrored_) return;
        mirrored_ = true;
        both_.arrive_and_wait();
        CHECK(other_.misuses(Misuse::ended) == 0);
        Transaction mirrored = generator.begin(1);
        if (mirrored.id() != 0) ++begun_;
        mirrored.end();
    }
    Generator<> generator;

private:
    std::latch& both_;
    Database& other_;
    std::atomic<int>& begun_;
    bool mirrored_ = false;
};

}  // namespace

TEST_CASE("if two threads end one transaction, one end is recorded with its value and the other is reported") {
    constexpr int count = 4000;
    const auto log = std::make_shared<CallLog>();
    Database db(Options{.back_ends = {log}});
    const auto generator = db.stream("s").generator<void, int>("g", "", "end");
    std::vector<TransactionEnding<int>> open;
    for (int i = 0; i < count; ++i)
        open.push_back(generator.begin());
    std::latch both(2);
    const auto end_all = [&](int value) {
        both.arrive_and_wait();
        for (TransactionEnding<int>& transaction : open)
            transaction.end(value);
    };
    std::thread first(end_all, 1), second(end_all, 2);
    first.join();
    second.join();
    CHECK(db.misuses(Misuse::ended) == count);
    CHECK(std::ranges::count_if(log->lines, [](const std::string& line) {
              return line.find(" end end INTEGER ") != line.npos;
          }) == count);
}

TEST_CASE("the parts of a begin, an event and an end stay together, whatever other threads record") {
    constexpr int threads = 4, each = 1000;
    const auto log = std::make_shared<CallLog>();
    Database db(Options{.back_ends = {log}});
    const auto generator = db.stream("s").generator<int, int>("g", "begin", "end", Events::yes);
    std::vector<std::thread> workers;
    for (int number = 0; number < threads; ++number)
        workers.emplace_back([&, number] {
            for (int i = 0; i < each; ++i) {
                auto transaction = generator.begin(number);
                transaction.event("tick", "i", i, "j", i).end(i);
            }
        });
    for (std::thread& worker : workers)
        worker.join();
    int apart = 0, events = 0;
    for (std::size_t i = 0; i + 1 < log->lines.size(); ++i) {
        const std::string& line = log->lines[i];
        const std::string& next = log->lines[i + 1];
        const std::string id =
            line.starts_with("begin ") ? line.substr(6, line.find(' ', 6) - 6) : line.substr(0, line.find(' '));
        const auto follows = [&](const std::string& what) { apart += next.starts_with(what) ? 0 : 1; };
        if (line.starts_with("begin ")) follows(id + " begin ");
        if (line.find(" begin name ") != line.npos) follows("relation parent_of ");
        if (line.find(" record i ") != line.npos) follows(id + " record j ");
        if (line.find(" record j ") != line.npos) follows("end " + id), ++events;
        if (line.find(" end end ") != line.npos) follows("end " + id);
    }
    CHECK(apart == 0);
    CHECK(events == threads * each);
}

TEST_CASE("databases whose back ends record into each other do not deadlock") {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(60);  // ends the test if it hangs
        std::latch both(2);
        std::atomic<int> mirrored{0}, told{0};
        const auto listener = [&](const MisuseReport& report) { told += report.misuse == Misuse::nested ? 1 : 100; };
        Database one{Options{}}, two{Options{}};
        const auto into_one = std::make_shared<Mirror>(both, one, mirrored);
        const auto into_two = std::make_shared<Mirror>(both, two, mirrored);
        one = Database(Options{.on_misuse = listener, .back_ends = {into_two}});
        two = Database(Options{.on_misuse = listener, .back_ends = {into_one}});
        const auto of_one = one.stream("s").generator("g"), of_two = two.stream("s").generator("g");
        into_one->generator = of_one;
        into_two->generator = of_two;
        std::array<std::thread, 2> threads{std::thread([&] { of_one.begin().end(); }),
                                           std::thread([&] { of_two.begin().end(); })};
        for (std::thread& thread : threads)
            thread.join();
        const bool sound = mirrored == 1 && told == 1 && one.misuses(Misuse::nested) + two.misuses(Misuse::nested) == 1;
        _exit(sound ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
}

}  // namespace threads_test
