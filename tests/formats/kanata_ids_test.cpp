// tests/formats/kanata_ids_test.cpp - tests that the ids of instructions that left are forgotten.
#include <doctest/doctest.h>

#include <algorithm>

#include "kanata/log_ids.hpp"

namespace kanata_ids_test {

using namespace hwtrace::kanata;

TEST_CASE("Kanata: ids of instructions in flight and of the latest ones are known") {
    constexpr std::uint32_t in_flight_at_once = 100, all = 1'000'000;
    hwtrace::InFlight in_flight(128, 1024);
    LogIds ids;
    bool evicts = false;
    std::size_t most = 0;
    in_flight.take(all, evicts);  // this one never leaves
    ids.set(all, 7);
    ids.leave(all, in_flight);
    for (std::uint32_t entity = 0; entity < all; ++entity) {
        in_flight.take(entity, evicts);
        ids.set(entity, 2 * entity);
        most = std::max(most, ids.size());
        if (entity < in_flight_at_once) continue;
        const std::uint32_t leaver = entity - in_flight_at_once;
        ids.leave(leaver, in_flight);
        in_flight.release(in_flight.find(leaver));
        REQUIRE(ids.find(leaver) == 2 * leaver);
    }
    CHECK(most <= LogIds::most_left + in_flight_at_once + 2);
    CHECK(ids.find(all) == 7);
    CHECK(ids.find(all - 1) == 2 * (all - 1));
    CHECK(ids.find(all - LogIds::most_left) == 2 * (all - static_cast<std::uint32_t>(LogIds::most_left)));
    CHECK_FALSE(ids.find(0).has_value());
}

TEST_CASE("Kanata: an id that was assigned anew is not forgotten") {
    hwtrace::InFlight in_flight(128, 1024);
    LogIds ids;
    ids.set(5, 1);
    ids.leave(5, in_flight);
    ids.set(5, 2);  // begins again and leaves without a record
    for (std::uint32_t entity = 10; entity < 10 + LogIds::most_left; ++entity) {
        ids.set(entity, entity);
        ids.leave(entity, in_flight);
    }
    CHECK(ids.find(5) == 2);
    CHECK(ids.size() == LogIds::most_left + 1);
}

}  // namespace kanata_ids_test
