#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "convert/plan.hpp"
#include "convert/transforms/instruction_lowering.hpp"
#include "domain/conventions.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "support/instruction_support.hpp"

namespace lowering_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

void push(Batch& batch, const Trace& trace, Tick index, std::uint64_t pc, std::uint64_t encoding = 0x13,
          std::uint8_t size = 4) {
    Instruction& instruction = batch.instruction(trace.hart, index, pc);
    instruction.encoding = encoding;
    instruction.size = size;
}

Lines lowered(const Trace& trace, const Batch& batch, Ratio per_cycle = {1, 1}, std::uint64_t period = 1000) {
    Losses losses;
    InstructionLowering stage(trace.schema, trace.hart, period, per_cycle, losses);
    const Lines lines = lines_after(stage, {&batch});
    CHECK(losses.none());
    return lines;
}

}  // namespace

TEST_CASE("an instruction becomes an entity with a stage, increments the counter, and retires in the next cycle") {
    const Trace trace;
    Batch batch;
    push(batch, trace, 0, 0x1000);
    push(batch, trace, 1, 0x1004, 0x4501, 2);
    CHECK(lowered(trace, batch) == Lines{
                                       "0 * set core0/entities[0].entity_id=0",
                                       "0 set core0/entities[0].pc=0x1000",
                                       "0 set core0/entities[0].inst_bits=0x13",
                                       "0 event core0/stage_transition entity_id=0 stage=commit",
                                       "0 add core0/committed_insns[0].count+=1",
                                       "1000 * clear core0/entities[0]",
                                       "1000 set core0/entities[1].entity_id=1",
                                       "1000 set core0/entities[1].pc=0x1004",
                                       "1000 set core0/entities[1].inst_bits=0x4501",
                                       "1000 event core0/stage_transition entity_id=1 stage=commit",
                                       "1000 add core0/committed_insns[0].count+=1",
                                       "2000 * clear core0/entities[1]",
                                   });
}

TEST_CASE("a hart without a scope gets a scope with its name") {
    Schema schema;
    Track hart;
    hart.kind = Track::Kind::hart;
    hart.name = "core0";
    hart.time = ordinals;
    const TrackId id = schema.declare(std::move(hart));
    for (const std::string_view name : {"uscope", "kanata", "flux", "jsonl"}) {
        CAPTURE(name);
        Losses losses;
        const Plan plan =
            make_plan(schema, *find_format(formats(), "jsonl"), *find_format(formats(), name), {}, losses);
        CHECK(plan.refusal.empty());
    }
    Losses losses;
    InstructionLowering stage(schema, id, 1000, {1, 1}, losses);
    REQUIRE(stage.schema().scopes().size() == 1);
    CHECK(stage.schema().scopes()[0].name == "core0");
    CHECK(stage.schema().scopes()[0].protocol == conventions::cpu_protocol);
    Batch batch;
    Instruction& instruction = batch.instruction(id, 0, 0x1000);
    instruction.encoding = 0x13;
    instruction.size = 4;
    Batch out;
    stage.apply(batch, out);
    CHECK(out.records().size() == 5);
}

TEST_CASE("the size is stated only if the encoding does not imply it") {
    const Trace trace;
    Batch batch;
    push(batch, trace, 0, 0x1000, 0x13, 4);
    push(batch, trace, 1, 0x1004, 0x4501, 2);
    push(batch, trace, 2, 0x1006, 0x4501, 4);
    push(batch, trace, 3, 0x100a, 0x13, 2);
    CHECK(with(lowered(trace, batch), ".size=") ==
          Lines{"2000 set core0/entities[2].size=4", "3000 set core0/entities[3].size=2"});
}

TEST_CASE("instructions of one cycle share a frame and retire together") {
    const Trace trace;
    Batch batch;
    for (Tick i = 0; i < 5; ++i)
        push(batch, trace, i, 0x1000 + static_cast<std::uint64_t>(i) * 4);
    const Lines lines = lowered(trace, batch, {2, 1});
    CHECK(with(lines, "entity_id=") == Lines{
                                           "0 * set core0/entities[0].entity_id=0",
                                           "0 event core0/stage_transition entity_id=0 stage=commit",
                                           "0 set core0/entities[1].entity_id=1",
                                           "0 event core0/stage_transition entity_id=1 stage=commit",
                                           "1000 set core0/entities[2].entity_id=2",
                                           "1000 event core0/stage_transition entity_id=2 stage=commit",
                                           "1000 set core0/entities[3].entity_id=3",
                                           "1000 event core0/stage_transition entity_id=3 stage=commit",
                                           "2000 set core0/entities[4].entity_id=4",
                                           "2000 event core0/stage_transition entity_id=4 stage=commit",
                                       });
    CHECK(with(lines, "clear") == Lines{"1000 * clear core0/entities[0]", "1000 clear core0/entities[1]",
                                        "2000 * clear core0/entities[2]", "2000 clear core0/entities[3]",
                                        "3000 * clear core0/entities[4]"});
}

TEST_CASE("fractional instructions per cycle fill cycles unevenly, and empty cycles have no frame") {
    const Trace trace;
    Batch batch;
    for (Tick i = 0; i < 4; ++i)
        push(batch, trace, i, 0x1000);
    CHECK(with(lowered(trace, batch, {3, 2}), ".pc=") ==
          Lines{"0 set core0/entities[0].pc=0x1000", "0 set core0/entities[1].pc=0x1000",
                "1000 set core0/entities[2].pc=0x1000", "2000 set core0/entities[3].pc=0x1000"});
    // With three cycles per instruction, each instruction retires one cycle after its start, before the next one
    // starts.
    CHECK(with(lowered(trace, batch, {1, 3}), "*") ==
          Lines{"0 * set core0/entities[0].entity_id=0", "1000 * clear core0/entities[0]",
                "3000 * set core0/entities[1].entity_id=1", "4000 * clear core0/entities[1]",
                "6000 * set core0/entities[2].entity_id=2", "7000 * clear core0/entities[2]",
                "9000 * set core0/entities[3].entity_id=3", "10000 * clear core0/entities[3]"});
}

TEST_CASE("slots are reused only after their instruction has retired") {
    const Trace trace;
    Batch batch;
    for (Tick i = 0; i < 200; ++i)
        push(batch, trace, i, 0x1000);
    for (const Ratio per_cycle : {Ratio{1, 1}, Ratio{7, 1}, Ratio{16, 1}, Ratio{33, 2}, Ratio{100, 1}}) {
        CAPTURE(per_cycle.num);
        std::vector<bool> live;
        bool twice = false;
        Losses losses;
        InstructionLowering stage(trace.schema, trace.hart, 1000, per_cycle, losses);
        Batch out;
        stage.apply(batch, out);
        stage.finish(out);
        const TrackId entities = stage.schema().find_track(Track::Kind::storage, "entities");
        live.resize(stage.schema().tracks()[entities].slots);
        for (const Record& record : out.records()) {
            if (record.track != entities) continue;
            REQUIRE(record.ref < live.size());
            if (record.kind == Kind::clear) live[record.ref] = false;
            if (record.kind == Kind::set && record.field == 0) {
                twice = twice || live[record.ref];
                live[record.ref] = true;
            }
        }
        CHECK_FALSE(twice);
        CHECK(std::find(live.begin(), live.end(), true) == live.end());
    }
}

TEST_CASE("a register's role is stated only when it changes") {
    const Trace trace;
    Batch batch;
    for (Tick i = 0; i < 3; ++i) {
        batch.operand(5, RegisterClass::integer, i == 2 ? OperandRole::destination : OperandRole::source,
                      static_cast<std::uint64_t>(i) + 0x10);
        batch.operand(0x300, RegisterClass::csr, OperandRole::state, 7);
        push(batch, trace, i, 0x1000);
    }
    const Lines lines = lowered(trace, batch);
    CHECK(with(lines, "/x[") == Lines{"0 set core0/x[5].role=source", "0 set core0/x[5].value=0x10",
                                      "1000 set core0/x[5].value=0x11", "2000 set core0/x[5].role=destination",
                                      "2000 set core0/x[5].value=0x12"});
    CHECK(with(lines, "/csr[") == Lines{"0 set core0/csr[768].value=0x7", "1000 set core0/csr[768].value=0x7",
                                        "2000 set core0/csr[768].value=0x7"});
}

TEST_CASE("vector registers are set word by word") {
    const Trace trace(192);
    Batch batch;
    const std::array<std::uint64_t, 3> words{0xA, 0xB, 0xC};
    batch.vector_operand(31, OperandRole::destination, words);
    push(batch, trace, 0, 0x1000);
    CHECK(with(lowered(trace, batch), "/v[") == Lines{"0 set core0/v[31].role=destination",
                                                      "0 set core0/v[31].word0=0xa", "0 set core0/v[31].word1=0xb",
                                                      "0 set core0/v[31].word2=0xc"});
}

TEST_CASE("registers that the tables cannot hold are counted as losses") {
    const Trace trace(0);
    Losses losses;
    InstructionLowering stage(trace.schema, trace.hart, 1000, {1, 1}, losses);
    Batch batch;
    const std::array<std::uint64_t, 1> words{1};
    batch.vector_operand(0, OperandRole::source, words);
    batch.operand(33, RegisterClass::integer, OperandRole::source, 1);
    batch.operand(32, RegisterClass::integer, OperandRole::source, 0x1000);  // the pc has a register number
    push(batch, trace, 0, 0x1000);
    const Lines lines = lines_after(stage, {&batch});
    CHECK(losses.entries().size() == 2);
    CHECK(losses.entries().contains({Loss::part_dropped, "v"}));
    CHECK(losses.entries().contains({Loss::part_dropped, "x"}));
    CHECK(with(lines, "/x[32].value=0x1000").size() == 1);
}

TEST_CASE("memory accesses carry their first word, and one event for each further word") {
    const Trace trace;
    Batch batch;
    batch.access(0x8000, 8, 3, AccessType::read);
    batch.access(0x9000, 24, 0, AccessType::write);
    for (const std::uint64_t word : {0x1u, 0x2u, 0x3u})
        batch.access_data(word);
    push(batch, trace, 0, 0x1000);
    const Lines lines = lowered(trace, batch);
    CHECK(
        with(lines, "memory_") ==
        Lines{"0 event core0/memory_access entity_id=0 type=read address=0x8000 size=8 attributes=0x3 words=0 data=0x0",
              "0 event core0/memory_access entity_id=0 type=write address=0x9000 size=24 attributes=0x0 words=3 "
              "data=0x1",
              "0 event core0/memory_data entity_id=0 data=0x2", "0 event core0/memory_data entity_id=0 data=0x3"});
    CHECK(with(lines, "loads").size() == 1);
    CHECK(with(lines, "stores").size() == 1);
}

TEST_CASE("a taken branch becomes an event and increments a counter") {
    const Trace trace;
    Batch batch;
    push(batch, trace, 0, 0x1000);
    Instruction& jump = batch.instruction(trace.hart, 1, 0x1004);
    jump.encoding = 0x6f;
    jump.size = 4;
    jump.has_target = true;
    jump.target = 0x2000;
    const Lines lines = lowered(trace, batch);
    CHECK(with(lines, "/branch ") == Lines{"1000 event core0/branch entity_id=1 target=0x2000"});
    CHECK(with(lines, "taken_branches") == Lines{"1000 add core0/taken_branches[0].count+=1"});
}

TEST_CASE("rows of an event follow it, and traps are counted with their instruction") {
    const Trace trace;
    Batch batch;
    const std::array<std::uint64_t, 3> trap{8, 0x11, 0x12};
    const std::array<std::uint64_t, 5> walk{0x5000, 1, 2, 3, 4};
    const std::array<std::uint64_t, 1> empty_walk{0x6000};
    batch.event(trace.event, 0, trap);
    batch.event(trace.walk, 0, walk);
    batch.event(trace.walk, 0, empty_walk);
    push(batch, trace, 0, 0x1000);
    const Lines lines = lowered(trace, batch);
    CHECK(with(lines, "stf.") == Lines{
                                     "0 * event core0/stf.event id=0x8 rows=2",
                                     "0 event core0/stf.event.row field=0x11",
                                     "0 event core0/stf.event.row field=0x12",
                                     "0 event core0/stf.page_table_walk address=0x5000 rows=2",
                                     "0 event core0/stf.page_table_walk.row pte_address=0x1 pte=0x2",
                                     "0 event core0/stf.page_table_walk.row pte_address=0x3 pte=0x4",
                                     "0 event core0/stf.page_table_walk address=0x6000 rows=0",
                                 });
    CHECK(with(lines, "/events[") == Lines{"0 add core0/events[0].count+=1"});
}

TEST_CASE("time beyond 63 bits is refused, not wrapped") {
    const Trace trace;
    Losses losses;
    InstructionLowering stage(trace.schema, trace.hart, 1'000'000, {1, 1}, losses);
    Batch batch;
    push(batch, trace, std::numeric_limits<Tick>::max() / 1000, 0x1000);
    Batch out;
    try {
        stage.apply(batch, out);
        FAIL("a time beyond 63 bits was accepted");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::input);
        CHECK(std::string(error.what()).find("--clock") != std::string::npos);
    }
}

TEST_CASE("the last instruction retires before the last Tick") {
    const Trace trace;
    Losses losses;
    InstructionLowering stage(trace.schema, trace.hart, 4'000'000'000, {1, 1}, losses);
    Batch batch;
    push(batch, trace, std::numeric_limits<Tick>::max() / 4'000'000'000, 0x1000);
    Batch out;
    CHECK_THROWS_AS((stage.apply(batch, out), stage.finish(out)), Error);
}

TEST_CASE("impossible clocks and rates are refused") {
    const Trace trace;
    Losses losses;
    const auto make = [&](std::uint64_t period, Ratio per_cycle) {
        InstructionLowering stage(trace.schema, trace.hart, period, per_cycle, losses);
    };
    CHECK_THROWS_AS(make(0, {1, 1}), Error);
    CHECK_THROWS_AS(make(InstructionLowering::max_period_ps + 1, {1, 1}), Error);
    CHECK_NOTHROW(make(InstructionLowering::max_period_ps, {1, 1}));
    CHECK_THROWS_AS(make(1000, {0, 1}), Error);
    CHECK_THROWS_AS(make(1000, {1, 0}), Error);
    CHECK_THROWS_AS(make(1000, {InstructionLowering::max_per_cycle + 1, 1}), Error);
    CHECK_NOTHROW(make(1000, {InstructionLowering::max_per_cycle, 1}));
}

TEST_CASE("the lowered schema has a mark and follows the cpu protocol") {
    const Trace trace;
    Losses losses;
    const InstructionLowering stage(trace.schema, trace.hart, 500, {1, 1}, losses);
    const Schema& schema = stage.schema();
    CHECK(InstructionRaising::is_lowered(schema));
    CHECK_FALSE(InstructionRaising::is_lowered(trace.schema));
    REQUIRE(schema.clocks().size() == 1);
    CHECK(schema.clocks()[0].period_ps == 500);
    CHECK(schema.scopes()[1].protocol == "cpu");
    CHECK(schema.scopes()[1].clock == 0);
    REQUIRE(schema.metadata("cpu.pipeline_stages") != nullptr);
    CHECK(*schema.metadata("cpu.pipeline_stages") == "commit");
    REQUIRE(schema.metadata("stf.version") != nullptr);
    for (const char* event : {"stage_transition", "annotate", "dependency", "flush"}) {
        CAPTURE(event);
        CHECK(schema.find_track(Track::Kind::event_type, event) != none);
    }
}

}  // namespace lowering_test
