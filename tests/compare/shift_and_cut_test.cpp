// Traces that differ by a constant offset of their times, and traces that end early.
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "compare/comparison.hpp"
#include "domain/conventions.hpp"
#include "formats.hpp"

namespace shift_and_cut_test {

using namespace hwtrace;

namespace {

struct Transaction {
    bool writes = false;
    std::uint64_t begin = 0, duration = 0, address = 0;
};

std::vector<Transaction> random_run(std::uint64_t seed, std::size_t count) {
    std::mt19937_64 random(seed);
    std::vector<Transaction> run;
    std::uint64_t time = 0;
    for (std::size_t i = 0; i < count; ++i) {
        time += random() % 20;
        run.push_back({random() % 3 == 0, time, random() % 30, random() % 8});
    }
    return run;
}

/// Returns a transaction log with times in ns. Everything begins `shift` ns later. Ids count from `first_id`.
std::vector<std::byte> log_of(const std::vector<Transaction>& run, std::uint64_t shift = 0, std::size_t first_id = 1) {
    std::string text =
        "scv_tr_stream (ID 1, name \"bus\", kind \"TRANSACTOR\")\n"
        "scv_tr_generator (ID 1, name \"read\", scv_tr_stream 1,\n"
        "begin_attribute (ID 0, name \"address\", type \"UNSIGNED\")\n)\n"
        "scv_tr_generator (ID 2, name \"write\", scv_tr_stream 1,\n"
        "begin_attribute (ID 0, name \"address\", type \"UNSIGNED\")\n)\n";
    for (std::size_t i = 0; i < run.size(); ++i) {
        const std::string id = std::to_string(i + first_id) + (run[i].writes ? " 2 " : " 1 ");
        text += "tx_begin " + id + std::to_string(run[i].begin + shift) + " ns\na " + std::to_string(run[i].address) +
                "\ntx_end " + id + std::to_string(run[i].begin + run[i].duration + shift) + " ns\n";
    }
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

Comparison compared(const std::vector<std::byte>& first, const std::vector<std::byte>& second, bool by_shift,
                    bool with_ids = true) {
    Input a = Input::memory("a", first), b = Input::memory("b", second);
    Findings findings_of_a, findings_of_b;
    const Choices choices;
    const Format& format = *find_format(formats(), "txlog");
    ComparisonOptions options;
    options.by_shift = by_shift;
    if (!with_ids) options.ignored.fields = {std::string(conventions::interval_id)};
    return compare({ComparedTrace{a, format, choices, findings_of_a}, ComparedTrace{b, format, choices, findings_of_b}},
                   options);
}

}  // namespace

TEST_CASE("a constant offset is found and removed, and other differences remain") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        std::vector<Transaction> run = random_run(seed, 200);
        const std::uint64_t shift = 1 + random() % 1'000'000;
        const auto first = log_of(run);
        CHECK(compared(first, log_of(run, shift), false).totals().equal == 0);
        const Comparison same = compared(first, log_of(run, shift), true);
        CHECK(same.equal());
        CHECK(same.totals().equal == 200);
        REQUIRE(same.shifts.size() == 1);
        const auto ticks = static_cast<std::uint64_t>(same.shifts[0].ticks);
        CHECK(ticks * same.shifts[0].base.num * 1'000'000'000 == shift * same.shifts[0].base.den);
        run[random() % 200].duration += 1;
        const Comparison changed = compared(first, log_of(run, shift), true);
        CHECK(changed.totals().equal == 199);
        CHECK(changed.totals().different == 1);
        CHECK(changed.shifts.size() == 1);
    }
    const auto run = log_of(random_run(1, 50));
    CHECK(compared(run, run, true).shifts.empty());
}

TEST_CASE("missing records do not change the offset that is found") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        std::vector<Transaction> run = random_run(seed, 400);
        const bool all_equal = seed % 2 == 0;
        for (Transaction& one : run)
            if (all_equal) one = {false, one.begin + random() % 10, 1, 0};
        const std::uint64_t shift = seed % 3 == 0 ? 0 : 1 + random() % 1000;
        const auto gone = static_cast<std::ptrdiff_t>(1 + random() % 100);
        const auto first = log_of(run);
        const auto second = log_of({run.begin() + gone, run.end()}, shift, static_cast<std::size_t>(gone) + 1);
        const Comparison found = compared(first, second, true, !all_equal);
        CHECK(found.has_offset == true);
        CHECK(found.totals().equal == 400 - static_cast<std::uint64_t>(gone));
        CHECK(found.shifts.size() == (shift == 0 ? 0 : 1));
        const Comparison back = compared(second, first, true, !all_equal);
        CHECK(back.totals().equal == 400 - static_cast<std::uint64_t>(gone));
    }
}

TEST_CASE("an offset is found although more than a thousand records are missing at the begin") {
    std::vector<Transaction> run = random_run(1, 4000);
    for (Transaction& one : run)
        one = {false, one.begin, 1, 0};
    const auto first = log_of(run), second = log_of({run.begin() + 1500, run.end()}, 777, 1501);
    CHECK(compared(first, second, true, false).totals().equal == 2500);
    CHECK(compared(second, first, true, false).totals().equal == 2500);
}

TEST_CASE("an offset that explains less than half of the records is none") {
    std::vector<Transaction> run;
    for (std::uint64_t i = 0; i < 100; ++i)
        run.push_back({false, 1000 * i, 5, i});
    std::vector<Transaction> late = run;
    for (std::size_t i = 0; i < late.size(); ++i)
        late[i].begin += i < 40 ? 7 : 100 + i;
    const Comparison none = compared(log_of(run), log_of(late), true);
    CHECK(none.has_offset == false);
    CHECK(none.shifts.empty());
    for (std::size_t i = 0; i < 50; ++i)
        late[i].begin = run[i].begin + 7;
    const Comparison half = compared(log_of(run), log_of(late), true);
    CHECK(half.has_offset == true);
    CHECK(half.shifts.size() == 1);
    CHECK(half.totals().equal == 50);
    CHECK_FALSE(compared(log_of(run), log_of(late), false).has_offset);
    // Durations are part of the contents: the traces have no pair of the offset 7.
    for (std::size_t i = 0; i < late.size(); ++i)
        late[i] = {false, run[i].begin + 7, 6, run[i].address};
    run[0].duration = late[0].duration = 6;
    late[0].begin = run[0].begin + 9;
    const Comparison other = compared(log_of(run), log_of(late), true);
    REQUIRE(other.shifts.size() == 1);
    CHECK(other.totals().equal == 1);
}

TEST_CASE("a trace that lacks only its end is recognised, and one that lacks anything else is not") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        std::mt19937_64 random(seed);
        std::vector<Transaction> run = random_run(seed, 200);
        for (std::size_t i = 0; i < run.size(); ++i)
            run[i].begin += i;  // no two begin at the same time
        const std::size_t kept = 1 + static_cast<std::size_t>(random() % 199);
        const auto whole = log_of(run);
        const auto cut = log_of({run.begin(), run.begin() + static_cast<std::ptrdiff_t>(kept)});
        const Comparison second = compared(whole, cut, false);
        CHECK(second.ends_early == 1);
        CHECK(second.totals().equal == kept);
        CHECK(second.totals().only[0] == 200 - kept);
        CHECK(compared(cut, whole, false).ends_early == 0);
        CHECK_FALSE(compared(whole, whole, false).ends_early);
        std::vector<Transaction> holes = run;
        holes.erase(holes.begin() + static_cast<std::ptrdiff_t>(random() % 100));
        holes.pop_back();
        CHECK_FALSE(compared(whole, log_of(holes), false).ends_early);
    }
}

}  // namespace shift_and_cut_test
