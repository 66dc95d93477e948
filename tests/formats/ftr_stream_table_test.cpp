// tests/formats/ftr_stream_table_test.cpp - tests the table of transactions and their streams.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>

#include "ftr/stream_table.hpp"
#include "io/error.hpp"

namespace ftr_stream_table_test {

using namespace hwtrace;
using ftr::StreamTable;

namespace {

constexpr std::uint64_t far = std::uint64_t{1} << 48;

/// Returns the bytes per id of a table with `count` ids that are `step` apart.
double cost_of(std::uint64_t count, std::uint64_t step, std::uint64_t first) {
    StreamTable table{Limits()};
    for (std::uint64_t i = 0; i < count; ++i)
        table.set(first + i * step, static_cast<std::uint32_t>(i * 7919 % 100));
    for (std::uint64_t i = 0; i < count; i += 97)
        REQUIRE(table.find(first + i * step) == i * 7919 % 100);
    return static_cast<double>(table.bytes()) / static_cast<double>(count);
}

}  // namespace

TEST_CASE("FTR: the table of streams is small for dense and for sparse ids") {
    for (const std::uint64_t count : {10'000u, 70'000u, 100'000u, 131'073u})
        for (const std::uint64_t first : {std::uint64_t{0}, far}) {
            CAPTURE(count);
            CHECK(cost_of(count, 1, first) <= 9);
            CHECK(cost_of(count, 10, first) <= 32);
            CHECK(cost_of(count, 1'000'003, first) <= 72);
        }
}

TEST_CASE("FTR: the table of streams has the latest stream of each id") {
    StreamTable table{Limits()};
    std::map<std::uint64_t, std::uint32_t> expected;
    std::mt19937_64 random(1);
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t id = random() % 3 == 0 ? random() : far + random() % 20'000;
        const auto stream = static_cast<std::uint32_t>(random() % 1000);
        table.set(id, stream);
        expected[id] = stream;
    }
    for (const auto& [id, stream] : expected)
        REQUIRE(table.find(id) == stream);
    for (int i = 0; i < 100'000; ++i)
        if (const std::uint64_t id = far + random() % 40'000; !expected.contains(id)) REQUIRE(table.find(id) == none);
}

TEST_CASE("FTR: the table of streams keeps its limit") {
    Limits limits;
    limits.block = 100'000;
    StreamTable table(limits);
    CHECK(table.find(7) == none);
    table.set(7, 1);
    CHECK_NOTHROW(table.check_complete());
    for (std::uint64_t id = 0; id < 1'000'000; ++id)
        table.set(far + id * 1000, 2);
    CHECK(table.bytes() <= limits.block);
    CHECK(table.find(7) == 1);
    CHECK(table.find(far) == 2);
    CHECK_THROWS_AS(table.check_complete(), Error);
}

}  // namespace ftr_stream_table_test
