// Tests that the retired instructions of a core model become an instruction trace.
#include <doctest/doctest.h>

#include "convert/model_dump.hpp"
#include "convert/transforms/retired_instructions.hpp"
#include "domain/conventions.hpp"
#include "formats.hpp"
#include "io/text_output.hpp"
#include "support/interval_support.hpp"
#include "support/lines.hpp"

namespace retired_instructions_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

namespace names = conventions;

/// A core with a table of entities and their events.
struct Core {
    IntervalTrace trace = {};
    ScopeId scope = none;
    TrackId entities = none, flush = none, stage = none;

    explicit Core(std::string isa = "RV64GC") {
        Schema& schema = trace.schema;
        schema.describe(std::string(names::cpu_isa), std::move(isa));
        const ClockId clock = schema.declare(Clock{"clk", 1000});
        scope = schema.declare(Scope{"core0", none, std::string(names::cpu_protocol), clock});
        Track table = make_track(Track::Kind::storage, scope, names::entities, picoseconds,
                                 {Field{std::string(names::entity_id), Type::u32}, Field{std::string(names::pc)},
                                  Field{std::string(names::inst_bits), Type::u32}});
        table.slots = 8;
        table.sparse = true;
        entities = schema.declare(std::move(table));
        const Field entity{std::string(names::entity_id), Type::u32};
        flush = schema.declare(
            make_track(Track::Kind::event_type, scope, names::flush, picoseconds, {entity, Field{"reason", Type::u8}}));
        stage = schema.declare(make_track(Track::Kind::event_type, scope, names::stage_transition, picoseconds,
                                          {entity, Field{"stage", Type::u8}}));
    }
    void fetch(Tick time, std::uint32_t id, std::uint64_t pc, std::uint64_t bits) {
        trace.batch().set(entities, time, id % 8, 0, id);
        trace.batch().set(entities, time, id % 8, 1, pc);
        trace.batch().set(entities, time, id % 8, 2, bits);
        const std::uint64_t cells[] = {id, 0};
        trace.batch().event(stage, time, cells);
    }
    void retire(Tick time, std::uint32_t id) { trace.batch().clear_slot(entities, time, id % 8); }
    void throw_away(Tick time, std::uint32_t id) {
        const std::uint64_t cells[] = {id, 0};
        trace.batch().event(flush, time, cells);
        retire(time, id);
    }
    std::vector<std::string> instructions(Losses& losses) {
        Plan plan;
        plan.stages.push_back(std::make_unique<RetiredInstructions>(trace.schema, losses));
        return records_behind(trace, plan);
    }
};

constexpr std::uint64_t add = 0x00b60733, jump_far = 0x0200006f, branch_back = 0xfe000ee3;
constexpr std::uint64_t compressed = 0x4501;

}  // namespace

TEST_CASE("retired entities become instructions in order of retirement; flushed or unfinished ones do not") {
    Core core;
    core.fetch(0, 0, 0x1000, add);
    core.fetch(0, 1, 0x1004, compressed);
    core.fetch(1000, 2, 0x1006, jump_far);
    core.fetch(1000, 3, 0x100a, add);  // this instruction is on the wrong path
    core.fetch(2000, 4, 0x1026, branch_back);
    core.fetch(2000, 5, 0x1022, add);
    core.fetch(2000, 6, 0x1026, add);  // this instruction never retires
    core.retire(3000, 1);              // retires at the same time as the previous one, so program order decides
    core.retire(3000, 0);
    core.throw_away(4000, 3);
    core.retire(5000, 2);
    core.retire(6000, 4);
    core.retire(7000, 5);
    Losses losses;
    CHECK(core.instructions(losses) ==
          std::vector<std::string>{
              "0 instruction core0/core0 pc=0x1000 encoding=0xb60733 size=4",
              "1 instruction core0/core0 pc=0x1004 encoding=0x4501 size=2",
              "2 instruction core0/core0 pc=0x1006 encoding=0x200006f size=4 target=0x1026",
              "3 instruction core0/core0 pc=0x1026 encoding=0xfe000ee3 size=4 target=0x1022",
              "4 instruction core0/core0 pc=0x1022 encoding=0xb60733 size=4",
          });
    CHECK(losses.entries().at({Loss::type_changed, "entities"}).count == 7);
    CHECK(losses.entries().at({Loss::kind_dropped, "stage_transition"}).count == 7);
    CHECK(losses.entries().at({Loss::kind_dropped, "flush"}).count == 1);
    std::vector<ExpectedLoss> foretold;
    RetiredInstructions::foretell(core.trace.schema, foretold);
    CHECK(foretold.size() == 3);
}

TEST_CASE("a core that is not selected counts no losses; flushed entities of a selected core are losses") {
    Core core;
    Schema& schema = core.trace.schema;
    const ScopeId other = schema.declare(Scope{"core1", none, std::string(names::cpu_protocol), 0});
    Track table = schema.tracks()[core.entities];
    table.scope = other;
    const TrackId entities = schema.declare(std::move(table));
    core.fetch(0, 0, 0x1000, add);
    core.fetch(0, 1, 0x1004, add);
    core.trace.batch().set(entities, 0, 0, 0, 0);
    core.trace.batch().set(entities, 0, 0, 1, 0x8000);
    core.trace.batch().set(entities, 0, 0, 2, add);
    core.throw_away(1000, 1);
    core.retire(1000, 0);
    core.trace.batch().clear_slot(entities, 2000, 0);
    Losses losses;
    Choices choices;
    choices.criteria = parse_criteria("scope=core0,kind=instruction");
    Format tables{};
    tables.name = "tables";
    Plan plan = make_plan(schema, tables, *find_format(formats(), "stf"), choices, losses);
    CHECK(records_behind(core.trace, plan) ==
          std::vector<std::string>{"0 instruction core0/core0 pc=0x1000 encoding=0xb60733 size=4"});
    CHECK(losses.entries().at({Loss::type_changed, "entities"}).count == 2);
    CHECK(losses.entries().at({Loss::kind_dropped, "flush"}).count == 1);
}

TEST_CASE("an encoding of 0 is unknown to the model; a table without pc or encoding has no instructions") {
    Core core;
    core.fetch(0, 0, 0x1000, 0);
    core.fetch(0, 1, 0x1004, add);
    core.retire(1000, 0);
    core.retire(1000, 1);
    Losses losses;
    CHECK(core.instructions(losses).size() == 1);
    CHECK(losses.entries().at({Loss::type_changed, "entities"}).first.find("not known") != std::string::npos);

    Schema bare;
    const ScopeId scope = bare.declare(Scope{"core0", none, std::string(names::cpu_protocol), none});
    Track table = make_track(Track::Kind::storage, scope, names::entities, picoseconds,
                             {Field{std::string(names::entity_id), Type::u32}});
    table.slots = 8;
    table.sparse = true;
    bare.declare(std::move(table));
    CHECK_FALSE(RetiredInstructions::is_possible(bare));
    CHECK(RetiredInstructions::is_possible(core.trace.schema));
}

}  // namespace retired_instructions_test
