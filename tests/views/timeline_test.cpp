#include "domain/timeline.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "select/range.hpp"
#include "select/selection.hpp"
#include "support/lines.hpp"
#include "views/core_trace.hpp"

namespace timeline_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// Returns each lifetime as "#id slot first-last status", in the order of their ends.
std::vector<std::string> lives(const Core& core, std::optional<std::uint64_t> only = {}) {
    std::vector<std::string> found;
    const auto listener = [&](const Lifetime& life) {
        found.push_back("#" + std::to_string(life.id) + " slot " + std::to_string(life.slot) + " " +
                        std::to_string(life.first) + "-" + std::to_string(life.last) + " " +
                        std::string(name_of(life.status)));
    };
    Timeline timeline(core.schema, Timeline::Detail::whole, only);
    timeline.add(core.batch, listener);
    timeline.finish(listener);
    return found;
}

LifetimeCounts counts(const Core& core) {
    Timeline timeline(core.schema, Timeline::Detail::counts);
    timeline.add(core.batch, {});
    timeline.finish({});
    REQUIRE(timeline.counts().size() == 1);
    return timeline.counts().front();
}

}  // namespace

TEST_CASE("a timeline shows the stages, fields and end of an instruction") {
    Core core;
    core.create(1000, 1, 17, 0x8000'0004);
    core.batch.set(core.entities, 1000, 1, 2, 0x13);
    core.say(core.stage, 1000, {17, 0});
    core.note(1000, 17, "80000004: addi x0, x0, 0");
    core.note(1500, 17, "a \"note\"");
    core.say(core.stage, 1500, {17, 1});
    core.say(core.dependency, 1500, {16, 17, 1});
    core.say(core.stage, 2000, {17, 7});
    core.batch.clear_slot(core.entities, 3000, 1);
    CHECK(show(core.schema, core.batch, "timeline").text ==
          "root/core0 #17 slot 1 pc 0x80000004 inst_bits 0x13 \"80000004: addi x0, x0, 0\" cycles 2-6 (1000-3000 ps) "
          "retired\n"
          "    F 2-3 | D 3-4 | 7 4-6\n"
          "    3 note \"a \\\"note\\\"\"\n"
          "    3 needs #16 war\n"
          "# root/core0: 1 instruction: 1 retired, 0 flushed, 0 in flight\n");
    CHECK(show(core.schema, core.batch, "timeline", TextForm::csv).text ==
          "scope,id,slot,born_before,first_cycle,last_cycle,first_time,last_time,status,flush_reason,retire_id,"
          "retire_type,beats,beat_bytes,disasm,stages,dependencies,retries,timeouts,notes,tooltip,fields\n"
          "root/core0,17,1,false,2,6,1000,3000,retired,,,,,,\"80000004: addi x0, x0, 0\",F 2-3 | D 3-4 | 7 4-6,"
          "3 16 war,,,\"3 0 \"\"a \\\"\"note\\\"\"\"\"\",\"a \"\"note\"\"\","
          "\"{\"\"pc\"\":2147483652,\"\"inst_bits\"\":19}\"\n");
    CHECK(show(core.schema, core.batch, "timeline", TextForm::jsonl).text ==
          "{\"schema\":\"hwtrace-timeline/1\",\"tool\":\"hwtrace\",\"version\":\"\"}\n"
          "{\"type\":\"life\",\"scope\":\"root/core0\",\"entity_id\":17,\"slot\":1,\"fields\":{\"pc\":2147483652,"
          "\"inst_bits\":19},\"disasm\":\"80000004: addi x0, x0, 0\",\"first_cycle\":2,\"last_cycle\":6,"
          "\"first_time\":1000,\"last_time\":3000,\"retire_status\":\"retired\",\"stages\":["
          "{\"name\":\"F\",\"start_cycle\":2,\"end_cycle\":3,\"start_time\":1000,\"end_time\":1500},"
          "{\"name\":\"D\",\"start_cycle\":3,\"end_cycle\":4,\"start_time\":1500,\"end_time\":2000},"
          "{\"name\":\"7\",\"start_cycle\":4,\"end_cycle\":6,\"start_time\":2000,\"end_time\":3000}],"
          "\"remarks\":[{\"cycle\":2,\"time\":1000,\"annotation\":\"80000004: addi x0, x0, 0\"},"
          "{\"cycle\":3,\"time\":1500,\"annotation\":\"a \\\"note\\\"\"},"
          "{\"cycle\":3,\"time\":1500,\"depends_on\":16,\"dependency\":\"war\"}],\"tooltip\":\"a \\\"note\\\"\"}\n"
          "{\"type\":\"scope\",\"scope\":\"root/"
          "core0\",\"protocol\":\"cpu\",\"created\":1,\"retired\":1,\"flushed\":0,\"replaced\":0,"
          "\"in_flight\":0,\"unattached_events\":0}\n");
}

TEST_CASE("a flush ends an instruction; the clear of its slot comes later and ends nothing") {
    Core core;
    core.create(0, 3, 19);
    core.create(0, 4, 3);  // id 3 equals 19 modulo 16, the number of slots
    core.say(core.flush, 1000, {19, 1});
    core.batch.clear_slot(core.entities, 1500, 4);
    core.batch.clear_slot(core.entities, 2000, 3);
    CHECK(lives(core) == std::vector<std::string>{"#19 slot 3 0-1000 flushed", "#3 slot 4 0-1500 retired"});
    CHECK(show(core.schema, core.batch, "timeline").text.find("0-1000 ps) flushed (exception)") != std::string::npos);
}

TEST_CASE("a flush and a clear in one frame are a flush, whichever comes first") {
    Core core;
    core.create(0, 0, 1);
    core.create(0, 1, 2);
    core.say(core.flush, 1000, {1, 0});
    core.batch.clear_slot(core.entities, 1000, 0);
    core.batch.clear_slot(core.entities, 1000, 1);  // frames of version 0.1 have events after operations
    core.say(core.flush, 1000, {2, 0});
    CHECK(lives(core) == std::vector<std::string>{"#1 slot 0 0-1000 flushed", "#2 slot 1 0-1000 flushed"});
    CHECK(counts(core).flushed == 2);
    CHECK(counts(core).retired == 0);
}

TEST_CASE("fields set after a flush in the same frame belong to the flushed instruction, later ones do not") {
    Core core;
    core.create(0, 0, 1);
    core.say(core.flush, 500, {1, 0});
    core.batch.set(core.entities, 500, 0, 1, 0x1004);
    core.batch.set(core.entities, 1000, 0, 1, 0x1008);
    CHECK(show(core.schema, core.batch, "timeline").text ==
          "root/core0 #1 slot 0 pc 0x1004 cycles 0-1 (0-500 ps) flushed (mispredict)\n"
          "# root/core0: 1 instruction: 0 retired, 1 flushed, 0 in flight\n");
}

TEST_CASE("an ended instruction still gets missing fields in its last frame, but no others") {
    Core core;
    core.create(0, 0, 1);
    core.batch.set(core.entities, 0, 0, 1, 0);
    core.create(0, 1, 2, 0x2000);
    core.batch.clear_slot(core.entities, 500, 0);  // in version 0.1, the clear of a flush precedes a late pc
    core.batch.set(core.entities, 500, 0, 1, 0x1004);
    core.say(core.flush, 500, {1, 0});
    core.batch.clear_slot(core.entities, 500, 1);
    core.batch.set(core.entities, 500, 1, 1, 0x3000);  // this pc belongs to the next entity, whose id follows
    core.create(500, 1, 3);
    CHECK(show(core.schema, core.batch, "timeline").text ==
          "root/core0 #1 slot 0 pc 0x1004 cycles 0-1 (0-500 ps) flushed (mispredict)\n"
          "root/core0 #2 slot 1 pc 0x2000 cycles 0-1 (0-500 ps) retired\n"
          "root/core0 #3 slot 1 pc 0x3000 cycles 1-1 (500-500 ps) in_flight\n"
          "# root/core0: 3 instructions: 1 retired, 1 flushed, 1 in flight\n");
}

TEST_CASE("remarks in the frame in which an instruction ends belong to it") {
    Core core;
    core.create(0, 0, 1);
    core.batch.clear_slot(core.entities, 500, 0);
    core.say(core.stage, 500, {1, 2});
    core.note(500, 1, "late");
    core.note(1000, 1, "too late");
    core.create(1000, 0, 2);
    const ShownView view = show(core.schema, core.batch, "timeline");
    CHECK(view.text ==
          "root/core0 #1 slot 0 cycles 0-1 (0-500 ps) retired\n"
          "    X 1-1\n"
          "    1 note \"late\"\n"
          "root/core0 #2 slot 0 cycles 2-2 (1000-1000 ps) in_flight\n"
          "# root/core0: 2 instructions: 1 retired, 0 flushed, 1 in flight\n");
    CHECK(view.notes == std::vector<std::string>{"root/core0: 1 event names an id that is not in flight at that time"});
}

TEST_CASE("slots beyond the table are followed, and lifetimes whose slot is taken by another entity are not retired") {
    Core core;
    core.create(0, 4000, 4000);
    core.create(500, 4000, 4001);
    core.batch.clear_slot(core.entities, 1000, 4000);
    core.create(1500, 2, 2);
    core.say(core.stage, 1500, {2, 0});
    core.create(2000, 3, 3);
    CHECK(lives(core) == std::vector<std::string>{"#4000 slot 4000 0-500 replaced", "#4001 slot 4000 500-1000 retired",
                                                  "#2 slot 2 1500-2000 in_flight", "#3 slot 3 2000-2000 in_flight"});
    CHECK(lives(core, 4001) == std::vector<std::string>{"#4001 slot 4000 500-1000 retired"});
    // An open stage lasts beyond the last cycle.
    CHECK(show(core.schema, core.batch, "timeline").text.find("    F 3-\n") != std::string::npos);
    CHECK(show(core.schema, core.batch, "timeline", TextForm::json)
              .text.find("\"end_cycle\":5,\"start_time\":1500,\"open\":true") != std::string::npos);
}

TEST_CASE("lanes, ends of stages, types of labels and retirement are shown") {
    Core core;
    core.create(0, 0, 1);
    core.say(core.stage, 0, {1, 0});
    core.say(core.lane_stage, 500, {1, 1, 2});
    core.say(core.stage_end, 1000, {1, 0, 0});
    core.say(core.label_type, 1000, {1, 2});
    core.note(1000, 1, "typed");
    core.note(1000, 1, "plain");
    core.say(core.lane_stage, 1500, {1, 1, 1});
    core.say(core.retire, 2000, {1, 42, 3});
    core.batch.clear_slot(core.entities, 2000, 0);
    CHECK(show(core.schema, core.batch, "timeline").text ==
          "root/core0 #1 slot 0 cycles 0-4 (0-2000 ps) retired as 42 of type 3\n"
          "    F 0-2 | lane 1 X 1-3 | lane 1 D 3-4\n"
          "    2 note of type 2 \"typed\"\n"
          "    2 note \"plain\"\n"
          "# root/core0: 1 instruction: 1 retired, 0 flushed, 0 in flight\n");
    CHECK(show(core.schema, core.batch, "timeline", TextForm::csv)
              .text.find(",retired,,42,3,,,,F 0-2 | lane 1 X 1-3 | lane 1 D 3-4,,,,\"2 2 \"\"typed\"\" | 2 0 "
                         "\"\"plain\"\"\",\"typed\nplain\",") != std::string::npos);
}

TEST_CASE("a CSV row has the same data as the text, such as reasons and dependencies, in order") {
    Core core;
    core.create(0, 0, 1);
    core.say(core.dependency, 500, {7, 1, 0});
    core.say(core.dependency, 1000, {8, 1, 1});
    core.say(core.flush, 1000, {1, 1});
    CHECK(show(core.schema, core.batch, "timeline", TextForm::csv)
              .text.find(",flushed,exception,,,,,,,1 7 raw | 2 8 war,,,,,{}\n") != std::string::npos);
}

TEST_CASE("fields set before the id in the same frame belong to the lifetime") {
    Core core;
    core.batch.set(core.entities, 0, 3, 1, 0x1000);
    core.batch.set(core.entities, 0, 3, 2, 0x13);
    core.batch.set(core.entities, 0, 3, 0, 1);
    core.batch.set(core.entities, 500, 4, 1, 0xbad);  // the entity with this pc never gets an id
    core.batch.clear_slot(core.entities, 500, 4);
    core.create(500, 4, 2);
    // The retired instruction has no encoding, because values after the clear belong to the next instruction.
    core.create(1000, 5, 3, 0x3000);
    core.batch.clear_slot(core.entities, 1500, 5);
    core.batch.set(core.entities, 1500, 5, 2, 0x93);
    core.batch.set(core.entities, 1500, 5, 1, 0x4000);
    core.create(1500, 5, 4);
    core.batch.set(core.entities, 2000, 6, 1, 0xbad);
    core.create(2500, 6, 5);  // the id follows in another frame
    const std::string text = show(core.schema, core.batch, "timeline").text;
    CHECK(text ==
          "root/core0 #3 slot 5 pc 0x3000 cycles 2-3 (1000-1500 ps) retired\n"
          "root/core0 #1 slot 3 pc 0x1000 inst_bits 0x13 cycles 0-5 (0-2500 ps) in_flight\n"
          "root/core0 #2 slot 4 cycles 1-5 (500-2500 ps) in_flight\n"
          "root/core0 #4 slot 5 pc 0x4000 inst_bits 0x93 cycles 3-5 (1500-2500 ps) in_flight\n"
          "root/core0 #5 slot 6 cycles 5-5 (2500-2500 ps) in_flight\n"
          "# root/core0: 5 instructions: 1 retired, 0 flushed, 4 in flight\n");
    ViewOptions options;
    options.entity = 4;
    CHECK(show(core.schema, core.batch, "timeline", TextForm::text, options)
              .text.starts_with("root/core0 #4 slot 5 pc 0x4000 inst_bits 0x93 cycles 3-5"));
}

TEST_CASE("lifetimes from before a range are marked and keep their fields") {
    Core core;
    core.batch.set(core.entities, 0, 3, 1, 0x1000);
    core.batch.set(core.entities, 0, 3, 0, 1);
    core.create(2000, 4, 2, 0x2000);
    core.batch.clear_slot(core.entities, 3000, 3);
    const auto selection = make_selection(core.schema, parse_range("2cyc:"));
    Batch part;
    selection->apply(core.batch, part);
    CHECK(show(core.schema, part, "timeline").text ==
          "root/core0 #1 slot 3 pc 0x1000 inst_bits 0x0 cycles before 2-6 (1000-3000 ps) retired\n"
          "root/core0 #2 slot 4 pc 0x2000 cycles 4-6 (2000-3000 ps) in_flight\n"
          "# root/core0: 2 instructions: 1 retired, 0 flushed, 1 in flight; 1 born before\n");
    CHECK(show(core.schema, part, "timeline", TextForm::csv).text.find("root/core0,1,3,true,2,6,") !=
          std::string::npos);
    CHECK(show(core.schema, part, "timeline", TextForm::jsonl).text.find("\"born_before\":true,\"first_cycle\":2") !=
          std::string::npos);
}

TEST_CASE("an unknown id is reported") {
    Core core;
    core.create(0, 0, 1);
    ViewOptions options;
    options.entity = 7;
    CHECK(show(core.schema, core.batch, "timeline", TextForm::text, options).notes ==
          std::vector<std::string>{"no instruction, transaction or interval has the id 7"});
    options.entity = 1;
    CHECK(show(core.schema, core.batch, "timeline", TextForm::text, options).notes.empty());
}

TEST_CASE("names with control characters are quoted in every view, and scopes follow their parents") {
    Core core;
    const ScopeId socket = core.schema.declare(Scope{"socket\n1", none, {}, 0});
    core.scope = core.schema.declare(Scope{"core0", socket, "cpu", 0});
    const EnumId reasons = core.schema.declare(Enum{"reason", {{0, "mis\x1b[1m"}}});
    const TrackId table = core.storage("entities", 4, {{"entity_id", Type::u32}, {"p\tc", Type::u64}});
    const TrackId flush = core.event("flush", {{"entity_id", Type::u32}, {"reason", Type::enumeration, reasons}});
    core.storage("committed\rinsns", 1, {{"count", Type::u64}}, false);
    core.batch.set(table, 0, 1, 0, 1);
    core.batch.set(table, 0, 1, 1, 5);
    core.say(flush, 500, {1, 0});
    CHECK(show(core.schema, core.batch, "timeline").text ==
          "\"socket\\n1/core0\" #1 slot 1 \"p\\tc\" 5 cycles 0-1 (0-500 ps) flushed (\"mis\\x1b[1m\")\n"
          "# root/core0: 0 instructions: 0 retired, 0 flushed, 0 in flight\n"
          "# \"socket\\n1/core0\": 1 instruction: 0 retired, 1 flushed, 0 in flight\n");
    CHECK(show(core.schema, core.batch, "buffers").text.find("cycle 0  \"socket\\n1/core0/entities\"  1 of 4") !=
          std::string::npos);
    CHECK(show(core.schema, core.batch, "counters").text.find("# \"socket\\n1/core0/committed\\x0dinsns\": 0") !=
          std::string::npos);
    for (const std::string_view view : {"model", "schema", "timeline", "counters", "buffers"}) {
        CAPTURE(view);
        const std::string text = show(core.schema, core.batch, view).text;
        CHECK(text.find_first_of("\t\r\x1b") == std::string::npos);
    }
}

TEST_CASE("many open lifetimes are found by id; if several share an id, the newest is found") {
    Core core;
    constexpr std::uint32_t many = 5000;
    for (std::uint32_t i = 0; i < many; ++i)
        core.create(0, i, std::uint64_t{i} * 65536);
    core.create(0, many, 65536);
    core.say(core.flush, 500, {65536, 0});  // the entity in slot `many`
    for (std::uint32_t i = 2; i < many; ++i)
        core.say(core.flush, 500 + i, {std::uint64_t{i} * 65536, 0});
    core.batch.clear_slot(core.entities, 6000, 1);
    const std::vector<std::string> all = lives(core);
    REQUIRE(all.size() == many + 1);
    CHECK(all.front() == "#65536 slot 5000 0-500 flushed");
    CHECK(all[many - 1] == "#65536 slot 1 0-6000 retired");
    CHECK(all.back() == "#0 slot 0 0-6000 in_flight");
    CHECK(counts(core).flushed == many - 1);
}

TEST_CASE("a hostile slot or a flood of stages needs bounded memory, and is reported") {
    Core core;
    core.create(0, std::numeric_limits<std::uint32_t>::max(), 1);
    core.create(0, 0, 2);
    for (std::uint64_t lane = 1; lane < 200; ++lane)
        core.say(core.lane_stage, 500, {2, lane, 0});
    Timeline timeline(core.schema);
    std::size_t stages = 0;
    timeline.add(core.batch, [](const Lifetime&) {});
    timeline.finish([&](const Lifetime& life) { stages = life.stages.size(); });
    CHECK(stages == 64);
    CHECK(timeline.counts()[0].created == 2);
    CHECK(timeline.counts()[0].not_followed == 1 + (199 - 64));
    CHECK(
        show(core.schema, core.batch, "timeline").notes ==
        std::vector<std::string>{
            "root/core0: too many lifetimes are in progress at once; 136 lifetimes, stages and remarks are not shown"});
}

TEST_CASE("transactions of a network have lifetimes too") {
    Core core;
    core.scope = core.schema.declare(Scope{"mesh", 0, "noc", 0});
    const EnumId opcodes = core.schema.declare(Enum{"opcode", {{0, "read"}, {1, "write"}}});
    const EnumId reasons = core.schema.declare(Enum{"retry_reason", {{0, "target_busy"}, {1, "no_credits"}}});
    const TrackId table = core.storage(
        "transactions", 8, {{"txn_id", Type::u32}, {"opcode", Type::enumeration, opcodes}, {"addr", Type::u64}});
    const TrackId beat =
        core.event("beat", {{"txn_id", Type::u32}, {"beat_num", Type::u16}, {"data_bytes", Type::u16}});
    const TrackId retry = core.event("retry", {{"txn_id", Type::u32}, {"reason", Type::enumeration, reasons}});
    const TrackId timeout = core.event("timeout", {{"txn_id", Type::u32}, {"threshold_cycles", Type::u32}});
    core.batch.set(table, 1000, 5, 0, 5);
    core.batch.set(table, 1000, 5, 1, 1);
    core.batch.set(table, 1000, 5, 2, 64);
    core.say(beat, 1500, {5, 0, 32});
    core.say(beat, 2000, {5, 1, 16});
    core.say(retry, 2500, {5, 1});
    core.say(timeout, 2500, {5, 100});
    core.batch.clear_slot(table, 3000, 5);
    CHECK(show(core.schema, core.batch, "timeline").text ==
          "root/mesh #5 slot 5 opcode write addr 0x40 cycles 2-6 (1000-3000 ps) retired\n"
          "    2 beats, 48 bytes\n"
          "    5 retry no_credits\n"
          "    5 timeout of 100 cycles\n"
          "# root/core0: 0 instructions: 0 retired, 0 flushed, 0 in flight\n"
          "# root/mesh: 1 transaction: 1 retired, 0 flushed, 0 in flight\n");
    const std::string csv = show(core.schema, core.batch, "timeline", TextForm::csv).text;
    CHECK(csv.find(",retired,,,,2,48,,,,5 no_credits,5 100,,,") != std::string::npos);
}

TEST_CASE("a trace without the protocols causes a note, and so does an assumed clock") {
    Npu npu;
    Batch nothing;
    CHECK(show(npu.schema, nothing, "timeline").notes ==
          std::vector<std::string>{
              "the trace has no intervals, and no scope has the protocol cpu with a table of entities, or noc with a "
              "table of transactions"});
    CHECK(show(npu.schema, nothing, "pipeline").notes ==
          std::vector<std::string>{
              "no scope has the protocol cpu with a table of entities, or noc with a table of transactions"});
    Core core(0);
    core.create(2000, 0, 1);
    core.batch.clear_slot(core.entities, 5999, 0);
    const ShownView view = show(core.schema, core.batch, "timeline");
    CHECK(view.text.starts_with("root/core0 #1 slot 0 cycles 2-5 (2000-5999 ps) retired\n"));
    CHECK(view.notes == std::vector<std::string>{"root/core0: the length of a cycle is unknown; assumed 1000 ps"});
}

TEST_CASE("an annotation is treated as disassembly if its first word is the pc in hexadecimal") {
    Core core;
    const Catalogue catalogue = catalogues_of(core.schema).at(0);
    const auto found = [&](std::uint64_t pc, std::string_view text) {
        Lifetime life;
        life.cells = {1, pc, 0};
        life.known = {true, true, false};
        life.remarks.push_back({Lifetime::Remark::Kind::annotation, 0, core.schema.intern(text), 0});
        return disassembly_of(core.schema, catalogue, life) != nullptr;
    };
    CHECK(found(0x1000, "00001000: jal"));
    CHECK(found(0x1000, "0x1000 jal"));
    CHECK(found(0x1000, "1000"));
    CHECK_FALSE(found(0x1000, "1004 jal"));
    CHECK_FALSE(found(0x100, "100 jal"));  // the number is too short for an address
    CHECK_FALSE(found(0, "0000 jal"));     // the pc is 0
    CHECK_FALSE(found(0x1000, "1000x jal"));
    CHECK_FALSE(found(0xbeef, ""));
}

TEST_CASE("if lifetimes share an id, events refer to the youngest, and ending them in any order is fast") {
    Core core;
    constexpr std::uint32_t many = 60'000;
    for (std::uint32_t slot = 0; slot < many; ++slot)
        core.batch.set(core.entities, 0, slot, 0, 7);
    core.batch.event(core.stage, 0, std::vector<std::uint64_t>{7, 1});
    for (std::uint32_t slot = 0; slot < many; ++slot)
        core.batch.clear_slot(core.entities, 500, slot);
    Timeline timeline(core.schema);
    std::uint64_t ended = 0, with_stage = 0;
    const auto count = [&](const Lifetime& life) {
        ++ended;
        with_stage += life.stages.size();
        if (!life.stages.empty()) CHECK(life.slot == many - 1);
    };
    timeline.add(core.batch, count);
    timeline.finish(count);
    CHECK(ended == many);
    CHECK(with_stage == 1);
    CHECK(timeline.counts().front().retired == many);
}

TEST_CASE("an id is truncated to the type of its field") {
    Core core;
    core.batch.set(core.entities, 0, 3, 0, (std::uint64_t{1} << 32) + 5);
    core.batch.event(core.stage, 0, std::vector<std::uint64_t>{5, 1});
    core.batch.clear_slot(core.entities, 500, 3);
    Timeline timeline(core.schema);
    std::vector<std::uint64_t> ids;
    std::size_t stages = 0;
    const auto note = [&](const Lifetime& life) {
        ids.push_back(life.id);
        stages += life.stages.size();
    };
    timeline.add(core.batch, note);
    timeline.finish(note);
    CHECK(ids == std::vector<std::uint64_t>{5});
    CHECK(stages == 1);
    CHECK(timeline.counts().front().unattached == 0);
}

TEST_CASE("lifetimes with very many stages show all of them") {
    Core core;
    Timeline timeline(core.schema);
    std::uint64_t stages = 0;
    const auto count = [&](const Lifetime& life) { stages += life.stages.size(); };
    constexpr std::uint64_t each = 100'000;
    for (std::uint32_t life = 0; life < 8; ++life) {
        core.batch.clear();
        const Tick begin = life * 1000;
        core.batch.set(core.entities, begin, life, 0, life);
        for (std::uint64_t i = 0; i < each; ++i)
            core.batch.event(core.stage, begin, std::vector<std::uint64_t>{life, i % 3});
        core.batch.clear_slot(core.entities, begin + 500, life);
        timeline.add(core.batch, count);
    }
    timeline.finish(count);
    CHECK(stages == 8 * each);
    CHECK(timeline.in_flight() == 0);
}

TEST_CASE("fields of a lifetime are truncated to the types of its slot") {
    Core core;
    core.batch.set(core.entities, 0, 0, 2, 0x5'0000'0013);  // this value precedes the id
    core.batch.set(core.entities, 0, 0, 0, 5);
    core.batch.set(core.entities, 500, 0, 2, 0x1'0000'0093);
    core.batch.clear_slot(core.entities, 1000, 0);
    std::vector<std::uint64_t> seen;
    Timeline timeline(core.schema);
    const auto see = [&](const Lifetime& life) { seen.push_back(life.cells[2]); };
    timeline.add(core.batch, see);
    timeline.finish(see);
    CHECK(seen == std::vector<std::uint64_t>{0x93});
}

}  // namespace timeline_test
