#include "views/statistics.hpp"

#include <doctest/doctest.h>

#include "views/core_trace.hpp"

namespace statistics_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

Statistics statistics_of(const Core& core) {
    StatisticsMeter meter(core.schema);
    meter.add(core.batch);
    const auto result = meter.result();
    REQUIRE(result.has_value());
    return *result;
}

template <typename Row>
const Row& named(const std::vector<Row>& rows, const std::string& name) {
    const auto found = std::ranges::find(rows, name, &Row::name);
    REQUIRE(found != rows.end());
    return *found;
}

}  // namespace

TEST_CASE("statistics count operations per table, even on slots and fields that do not exist") {
    Core core;
    core.batch.set(core.rob, 0, 0, 0, 7);
    core.batch.set(core.rob, 0, 1, 0, 8);
    core.batch.clear_slot(core.rob, 500, 0);
    core.batch.set(core.rob, 500, 0, 0, 9);
    core.batch.set(core.rob, 500, 4, 0, 9);  // no such slot
    core.batch.set(core.rob, 500, 2, 7, 9);  // no such field
    core.batch.clear_slot(core.rob, 500, 9);
    core.batch.set_property(core.rob, 500, 1, 9);
    core.batch.set_property(core.rob, 500, 2, 9);  // no such property
    core.batch.add(core.committed, 500, 0, 0, 3);
    core.batch.add(core.committed, 700, 0, 0, 4);
    const Statistics statistics = statistics_of(core);
    const Statistics::Table& rob = named(statistics.tables, "rob");
    CHECK(rob.scope == "root/core0");
    CHECK(rob.sets == 5);
    CHECK(rob.clears == 2);
    CHECK(rob.adds == 0);
    CHECK(rob.property_sets == 2);
    CHECK(rob.out_of_range == 4);
    CHECK(rob.slots == 4);
    CHECK(rob.slots_used == 2);
    CHECK(rob.highest_occupancy == 2);
    CHECK(named(statistics.tables, "committed_insns").adds == 2);
    REQUIRE(statistics.counters.size() == 1);
    CHECK(statistics.counters[0].value == 7);
}

TEST_CASE("statistics count events and state the times of the first and the last") {
    Core core;
    core.say(core.stage, 500, {1, 0});
    core.say(core.stage, 1500, {1, 1});
    const Statistics statistics = statistics_of(core);
    const Statistics::Event& stage = named(statistics.events, "stage_transition");
    CHECK(stage.count == 2);
    CHECK(stage.first == 500);
    CHECK(stage.last == 1500);
    CHECK(named(statistics.events, "flush").count == 0);
}

TEST_CASE("statistics of a core have the numbers of retired, flushed and open instructions, and the IPC") {
    Core core;
    for (std::uint32_t i = 0; i < 3; ++i)
        core.create(1000, i, i);
    core.batch.clear_slot(core.entities, 1500, 0);
    core.say(core.flush, 1500, {1, 0});
    core.batch.clear_slot(core.entities, 2500, 2);
    core.create(2500, 3, 3);
    core.say(core.stage, 3000, {3, 0});
    const Statistics statistics = statistics_of(core);
    REQUIRE(statistics.units.size() == 1);
    const Statistics::Unit& unit = statistics.units[0];
    CHECK(unit.scope == "root/core0");
    CHECK(unit.lives.created == 4);
    CHECK(unit.lives.retired == 2);
    CHECK(unit.lives.flushed == 1);
    CHECK(unit.lives.in_flight == 1);
    CHECK(unit.first_cycle == 2);
    CHECK(unit.last_cycle == 6);  // the end of the trace, because an instruction is still in flight
    CHECK(unit.cycles() == 5);
    CHECK(unit.milli_ipc() == 400);
}

TEST_CASE("the IPC refers to the cycles of lifetimes: one instruction per cycle gives 1") {
    Core core;
    for (std::uint32_t id = 0; id < 4; ++id) {
        if (id != 0) core.batch.clear_slot(core.entities, 500 * id, id - 1);
        core.create(500 * id, id, id);
    }
    core.batch.clear_slot(core.entities, 2000, 3);
    const Statistics::Unit unit = statistics_of(core).units.at(0);
    CHECK(unit.last_cycle == 4);
    CHECK(unit.cycles() == 4);
    CHECK(unit.milli_ipc() == 1000);

    Core brief;  // begins and ends in one cycle
    brief.create(1000, 0, 1);
    brief.create(1000, 1, 2);
    brief.batch.clear_slot(brief.entities, 1200, 0);
    brief.batch.clear_slot(brief.entities, 1200, 1);
    CHECK(statistics_of(brief).units.at(0).milli_ipc() == 2000);
}

TEST_CASE("an instruction whose slot was taken by another one is not in flight") {
    Core core;
    core.create(0, 0, 1);
    core.create(500, 0, 2);
    const LifetimeCounts lives = statistics_of(core).units.at(0).lives;
    CHECK(lives.created == 2);
    CHECK(lives.replaced == 1);
    CHECK(lives.in_flight == 1);
    CHECK(summary(Catalogue::Protocol::cpu, lives) == "2 instructions: 0 retired, 0 flushed, 1 replaced, 1 in flight");
}

TEST_CASE("a trace without tables and events has no statistics, and a core without instructions has no IPC") {
    Npu npu;
    npu.stream(0, "MAC");
    StatisticsMeter meter(npu.schema);
    CHECK_FALSE(meter.result().has_value());
    CHECK_FALSE(statistics_of(Core()).units.at(0).milli_ipc().has_value());
}

}  // namespace statistics_test
