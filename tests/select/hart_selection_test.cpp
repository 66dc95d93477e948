#include "select/hart_selection.hpp"

#include <doctest/doctest.h>

#include <array>
#include <map>

#include "codec/losses.hpp"
#include "io/error.hpp"
#include "select/record_selection.hpp"
#include "support/instruction_support.hpp"

namespace hart_selection_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;
using Cells = std::vector<std::uint64_t>;

constexpr std::uint64_t change_of_mode = std::uint64_t{1} << 62;
constexpr std::uint64_t user = 0, machine = 3;

/// Consecutive instructions of four bytes, with the records that precede them.
struct Program : Trace {
    using Trace::Trace;

    TrackId force_pc = event_track("stf.force_pc"), process = event_track("stf.process_id"),
            target = event_track("stf.event_target");
    Batch batch;
    std::uint64_t pc = 0x1000;
    Tick index = 0;

    TrackId event_track(std::string name) {
        Track track = schema.tracks()[event];
        track.name = std::move(name);
        track.fields = {{"value", Type::u64}};
        return schema.declare(std::move(track));
    }
    void happens(TrackId track, const Cells& cells) { batch.event(track, index, cells); }
    void becomes(std::uint64_t mode) { happens(event, {change_of_mode, mode}); }
    void wrote(std::uint16_t number, std::uint64_t value) {
        batch.operand(number, RegisterClass::integer, OperandRole::destination, value);
    }
    Instruction& step(std::uint64_t opcode = 0x13) {
        Instruction& instruction = batch.instruction(hart, index++, pc);
        instruction.encoding = opcode;
        instruction.size = 4;
        pc += 4;
        return instruction;
    }
};

Lines selected(const Program& program, const char* range, const char* criteria = nullptr,
               Earlier earlier = Earlier::restated) {
    SelectionOptions options;
    options.earlier = earlier;
    if (criteria != nullptr) options.instructions = parse_criteria(criteria).instructions;
    return lines_after(*make_selection(program.schema, parse_range(range), options), {&program.batch});
}

/// Returns the pcs of the instructions, in the order of the lines.
std::string pcs(const Lines& lines) {
    std::string text;
    for (const std::string& line : with(lines, " instruction "))
        text += line.substr(line.find("pc=") + 3, 6) + " ";
    return text;
}

std::string refusal(const Schema& schema, const SelectionOptions& options = {}) {
    try {
        make_selection(schema, parse_range("1#:"), options);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::usage);
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("records before an instruction move with it; trailing records move as if an instruction followed") {
    Program program;
    program.batch.note(program.notes, 0, "first");
    program.step();
    program.batch.note(program.notes, 1, "second");
    program.step();
    program.batch.note(program.notes, 2, "end");
    CHECK(with(selected(program, ":1#"), "note") == Lines{"0 note core0/stf.comment \"first\""});
    CHECK(with(selected(program, "1#:2#"), "note") == Lines{"0 note core0/stf.comment \"second\""});
    CHECK(selected(program, "2#:") == Lines{"0 note core0/stf.comment \"end\""});
    CHECK(selected(program, "3#:").empty());
    CHECK(selected(program, "1#:1#").empty());
    CHECK(with(selected(program, "0#:"), "stf.force_pc").empty());
}

TEST_CASE("a slice begins with the pc, process and mode in force, before the records of the slice") {
    Program program;
    program.happens(program.process, {1});
    program.step();
    program.happens(program.process, {2});
    program.becomes(machine);
    program.step();
    program.happens(program.event, {5});
    program.step();
    CHECK(selected(program, "2#:") ==
          Lines{"0 event core0/stf.process_id value=0x2", "0 event core0/stf.force_pc value=0x1008",
                "0 event core0/stf.event id=0x4000000000000000 field[0]=0x3", "0 event core0/stf.event id=0x5",
                "0 instruction core0/core0 pc=0x1008 encoding=0x13 size=4"});
    CHECK(selected(program, "2#:", nullptr, Earlier::left_out) ==
          Lines{"2 event core0/stf.event id=0x5", "2 instruction core0/core0 pc=0x1008 encoding=0x13 size=4"});
}

TEST_CASE("state that the group or the header already contains is not restated") {
    Program program;
    program.schema.describe("stf.process_id", "1");
    program.happens(program.process, {1});
    program.step();
    program.happens(program.force_pc, {program.pc});
    program.happens(program.process, {2});
    program.step();
    program.step();
    CHECK(selected(program, "1#:2#") == Lines{"0 event core0/stf.force_pc value=0x1004",
                                              "0 event core0/stf.process_id value=0x2",
                                              "0 instruction core0/core0 pc=0x1004 encoding=0x13 size=4"});
    CHECK(with(selected(program, "2#:"), "stf.process_id") == Lines{"0 event core0/stf.process_id value=0x2"});
    Program same;
    same.schema.describe("stf.process_id", "1");
    same.happens(same.process, {1});
    same.step();
    same.step();
    CHECK(with(selected(same, "1#:"), "stf.process_id").empty());
}

TEST_CASE(
    "the mode of a slice's first instruction is restated before the mode change in the slice, even if no event set "
    "it") {
    Program program;
    program.step();
    program.happens(program.event, {5});
    program.becomes(user);
    program.step(0x30200073);
    program.step();
    const Lines first = with(selected(program, "1#:"), "stf.event");
    CHECK(first == Lines{"0 event core0/stf.event id=0x4000000000000000 field[0]=0x3", "0 event core0/stf.event id=0x5",
                         "0 event core0/stf.event id=0x4000000000000000 field[0]=0x0"});
    CHECK(with(selected(program, "0#:"), "field[0]=0x3").empty());
    CHECK(with(selected(program, "2#:"), "field[0]").size() == 1);
}

TEST_CASE("restated records are in the canonical order of a group, even if the group has another order") {
    Program program;
    program.happens(program.process, {1});
    program.batch.operand(0x180, RegisterClass::csr, OperandRole::source, 7);
    program.happens(program.walk, {0x5000, 0, 0x1000, 1, 2});
    program.step();
    program.becomes(user);
    program.step();
    // The instruction gets an access, a register and a stated pc.
    program.batch.access(0x5008, 8, 0, AccessType::read);
    program.wrote(10, 3);
    program.happens(program.force_pc, {program.pc});
    const std::array order{Part::access, Part::operand, Part::record};
    program.batch.set_order(program.step(), order);
    Batch out;
    const auto stage = make_selection(program.schema, parse_range("2#:"));
    stage->apply(program.batch, out);
    const auto parts = out.order(out.instruction(out.records().back()));
    CHECK(std::vector(parts.begin(), parts.end()) == std::vector{Part::record, Part::operand, Part::record,
                                                                 Part::access, Part::operand, Part::record,
                                                                 Part::record});
    std::vector<TrackId> tracks;
    for (const Record& record : out.records())
        tracks.push_back(record.track);
    CHECK(tracks == std::vector{program.process, program.walk, program.force_pc, program.event, program.hart});
}

TEST_CASE("vector registers are kept only up to the limit of a group") {
    Program program(1u << 20);
    const std::vector<std::uint64_t> words(16'384, 1);
    for (std::uint16_t number = 0; number < 3; ++number) {
        program.batch.vector_operand(number, OperandRole::destination, words);
        program.step();
    }
    const auto part_within = [&](std::uint64_t limit) {
        SelectionOptions options;
        options.limits.record = limit;
        Batch out;
        make_selection(program.schema, parse_range("3#:"), options)->apply(program.batch, out);
    };
    part_within(3 * words.size() * 8);
    try {
        part_within(3 * words.size() * 8 - 1);
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::limit);
        CHECK(std::string(error.what()).find("--max-record") != std::string::npos);
    }
}

TEST_CASE("the last values of registers are restated, unless the first instruction contains them") {
    Program program;
    program.wrote(5, 1);
    program.wrote(6, 1);
    program.wrote(32, 0x1000);
    program.step();
    // The next instruction reads and writes x5, and states the write before the read.
    program.wrote(5, 9);
    program.batch.operand(5, RegisterClass::integer, OperandRole::source, 1);
    program.batch.operand(0x341, RegisterClass::csr, OperandRole::source, 7);
    program.batch.vector_operand(2, OperandRole::source, std::array<std::uint64_t, 2>{1, 2});
    program.step();
    program.batch.operand(6, RegisterClass::integer, OperandRole::state, 4);
    program.batch.access(0x80, 8, 0, AccessType::read);
    const std::array order{Part::access, Part::operand};
    program.batch.set_order(program.step(), order);
    const Lines lines = with(selected(program, "2#:"), "instruction");
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].find("x5") != std::string::npos);
    Batch out;
    const auto stage = make_selection(program.schema, parse_range("2#:"));
    stage->apply(program.batch, out);
    const Instruction& first = out.instruction(out.records().back());
    const auto operands = out.operands(first);
    REQUIRE(operands.size() == 4);
    CHECK(operands[0].number == 5);
    CHECK(operands[0].value == 9);
    CHECK(operands[1].register_class == RegisterClass::vector);
    CHECK(out.cells(operands[1].words)[1] == 2);
    CHECK(operands[2].number == 0x341);
    CHECK(operands[3].value == 4);
    CHECK(operands[2].role == OperandRole::state);
    // In the restated group, FORCE_PC is first, and registers precede the access.
    const auto parts = out.order(first);
    CHECK(std::vector(parts.begin(), parts.end()) ==
          std::vector{Part::record, Part::operand, Part::operand, Part::operand, Part::access, Part::operand});
}

TEST_CASE("the last walk of each page of the current address space is restated, in order") {
    Program program;
    const auto enters = [&](std::uint64_t space) {
        program.batch.operand(0x180, RegisterClass::csr, OperandRole::destination, space);
        program.step();
    };
    const auto walks = [&](std::uint64_t address, std::uint64_t entry) {
        program.happens(program.walk, {address, 1, 0x1000, entry, entry + 1});
        program.step();
    };
    enters(1);
    walks(0x5000, 1);
    walks(0x2000, 2);  // the instruction that states its pc also states the walks
    walks(0x5800, 3);  // walks the first page again
    enters(2);
    walks(0x2000, 4);
    enters(1);
    program.happens(program.walk, {0x9000, 1, 0x1000, 5, 6});
    program.step();
    const Lines lines = with(selected(program, "7#:"), "stf.page_table_walk");
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].find("address=0x2000") != std::string::npos);
    CHECK(lines[1].find("address=0x5800") != std::string::npos);
    CHECK(lines[2].find("address=0x9000") != std::string::npos);
    CHECK(with(selected(program, "6#:"), "address=0x2000").size() == 1);  // the walk of the second address space
}

TEST_CASE("positions continue after lost instructions, and their parts are not attributed to other instructions") {
    Program program;
    program.step();
    program.step();
    program.happens(program.process, {9});
    program.index = 4;  // instructions 2 and 3 are lost
    program.batch.note(program.notes, 4, "own");
    program.step();
    program.step();
    CHECK(pcs(selected(program, "4#:")) == "0x1008 0x100c ");
    CHECK(pcs(selected(program, "2#:4#")).empty());
    CHECK(pcs(selected(program, "5#:6#")) == "0x100c ");
    for (const char* range : {"1#:", "2#:", "4#:"}) {
        CAPTURE(range);
        const Lines part = selected(program, range);
        CHECK(with(part, "stf.process_id").empty());
        CHECK(with(part, "note").size() == 1);
    }
    // A view does not renumber records, so it shows the record in place.
    CHECK(with(selected(program, "1#:", nullptr, Earlier::left_out), "stf.process_id").size() == 1);
    CHECK(with(selected(program, "4#:", nullptr, Earlier::left_out), "stf.process_id").empty());
}

TEST_CASE("in a slice, records of a lost instruction beyond the limit are not attributed to other instructions") {
    for (const int of_next : {1, 70'000}) {
        Program program;
        program.step();
        for (int i = 0; i < 70'000; ++i)
            program.batch.note(program.notes, 1, "lost");
        Batch next;
        for (int i = 0; i < of_next; ++i)
            next.note(program.notes, 3, "own");
        next.instruction(program.hart, 3, 0x1010).size = 4;
        const auto stage = make_selection(program.schema, parse_range("0#:"));
        std::map<std::string, std::uint64_t> notes;  // by time and text
        Tick last = -1;
        for (Batch* const in : {&program.batch, &next}) {
            Batch out;
            stage->apply(*in, out);
            for (const Record& record : out.records()) {
                if (record.kind == Kind::note)
                    ++notes[std::to_string(record.time) + ' ' + std::string(out.text(record))];
                if (record.kind == Kind::instruction) last = record.time;
            }
        }
        CHECK(last == 2);  // the lost instruction keeps its number
        CHECK(notes == std::map<std::string, std::uint64_t>{{"1 lost", 65'536}, {"2 own", of_next}});
    }
}

TEST_CASE("groups that span batches stay complete, and very long runs are passed on in parts") {
    Program program;
    program.step();
    Batch middle, last;
    middle.note(program.notes, 1, "a");
    last.note(program.notes, 1, "b");
    last.instruction(program.hart, 1, 0x1004).size = 4;
    const auto stage = make_selection(program.schema, parse_range("1#:2#"));
    CHECK(lines_after(*stage, {&program.batch, &middle, &last}) ==
          Lines{"0 note core0/stf.comment \"a\"", "0 note core0/stf.comment \"b\"",
                "0 event core0/stf.force_pc value=0x1004", "0 instruction core0/core0 pc=0x1004 encoding=0x0 size=4"});
    Batch run, out;
    for (int i = 0; i < 65'536 + 3; ++i)
        run.note(program.notes, 1, "n");
    const auto all = make_selection(program.schema, parse_range("0#:"));
    all->apply(run, out);
    CHECK(out.records().size() == 65'536);
    all->finish(out);
    CHECK(out.records().size() == 65'539);
}

TEST_CASE("selecting one mode drops kernel instructions and mode changes, and restates the registers that they wrote") {
    Program program;
    program.step();  // machine mode, as before any mode change
    program.becomes(user);
    program.step(0x30200073);  // mret
    program.step();
    program.happens(program.event, {8});  // the ecall itself runs in user mode
    program.happens(program.target, {0x8000});
    program.becomes(machine);
    program.happens(program.target, {0x8000});
    const std::array order{Part::record, Part::record, Part::record, Part::record};
    program.batch.set_order(program.step(0x73), order);
    program.pc = 0x8000;
    program.wrote(10, 77);
    program.step();
    program.becomes(user);
    program.step(0x30200073);
    program.pc = 0x1010;
    program.step();
    const Lines lines = selected(program, "0#:", "mode=user");
    CHECK(pcs(lines) == "0x1008 0x100c 0x1010 ");
    CHECK(with(lines, "stf.event id=0x4000000000000000") ==
          Lines{"0 event core0/stf.event id=0x4000000000000000 field[0]=0x0"});
    CHECK(with(lines, "stf.force_pc") ==
          Lines{"0 event core0/stf.force_pc value=0x1008", "2 event core0/stf.force_pc value=0x1010"});
    CHECK(with(lines, "stf.event_target").size() == 1);
    CHECK(with(with(lines, "pc=0x1010"), "x10").size() == 1);
    CHECK(pcs(selected(program, "0#:", "mode=machine")) == "0x1000 0x1004 0x8000 0x8004 ");
    CHECK(pcs(selected(program, "3#:5#", "mode=user")) == "0x100c ");
    CHECK(pcs(selected(program, "0#:", "mode=supervisor")).empty());
    Batch out;
    SelectionOptions options;
    options.instructions = parse_criteria("mode=user").instructions;
    make_selection(program.schema, parse_range("0#:"), options)->apply(program.batch, out);
    for (const Record& record : out.records())
        if (record.kind == Kind::instruction && record.value == 0x100c)
            CHECK(out.order(out.instruction(record)).size() == 2);
}

TEST_CASE("regions extend from every start marker to the next end marker, both included") {
    Program program;
    for (const unsigned opcode : {0x13u, 0x4033u, 0x13u, 0x10c033u, 0x13u, 0x4033u, 0x4033u, 0x13u})
        program.step(opcode);
    CHECK(pcs(selected(program, "0#:", "from-opcode=0x00004033,to-opcode=0x0010c033")) ==
          "0x1004 0x1008 0x100c 0x1014 0x1018 0x101c ");
    CHECK(with(selected(program, "0#:", "from-opcode=0x4033,to-opcode=0x10c033"), "force_pc").size() == 2);
    CHECK(pcs(selected(program, "0#:", "to-pc=0x1008")) == "0x1000 0x1004 0x1008 ");
    CHECK(pcs(selected(program, "0#:", "from-pc=0x1018")) == "0x1018 0x101c ");
    CHECK(pcs(selected(program, "0#:", "from-pc=0x1008,to-opcode=0x4033")) == "0x1008 0x100c 0x1010 0x1014 ");
    CHECK(pcs(selected(program, "0#:", "from-pc=0x1004,to-pc=0x1004")) == "0x1004 ");
    CHECK(pcs(selected(program, "2#:6#", "from-opcode=0x4033,to-opcode=0x10c033")) == "0x1008 0x100c 0x1014 ");
}

TEST_CASE("a slice of a trace with register values has the feature for register state") {
    for (const auto& [features, expected] :
         {std::pair{"0x0000000000000025", "0x0000000000002025"}, std::pair{"0x0000000000000021", "0x0000000000000021"},
          std::pair{"odd", "odd"}}) {
        Program program;
        program.schema.describe("stf.features", features);
        CHECK(*make_selection(program.schema, parse_range("5#:"))->schema().metadata("stf.features") == expected);
        CHECK(*make_selection(program.schema, parse_range(":5#"))->schema().metadata("stf.features") == features);
    }
}

TEST_CASE("a trace that cannot be sliced is refused") {
    Program program;
    CHECK(refusal(program.schema) == "accepted");
    program.schema.declare(program.schema.tracks()[program.hart]);
    CHECK(refusal(program.schema).find("second hart") != std::string::npos);
    Schema none_there;
    SelectionOptions options;
    options.instructions.mode = user;
    CHECK(refusal(none_there, options).find("but this trace has none") != std::string::npos);
    Program timed;
    CHECK_THROWS_AS(make_selection(timed.schema, parse_range("1us:")), Error);
}

TEST_CASE("records are selected by kind, scope and track") {
    Program program;
    program.happens(program.event, {5});
    program.batch.note(program.notes, 0, "a");
    const std::array order{Part::record, Part::record, Part::target};
    Instruction& instruction = program.step();
    instruction.has_target = true;
    program.batch.set_order(instruction, order);
    const auto lines = [&](const char* criteria) {
        RecordSelection stage(program.schema, parse_criteria(criteria).records);
        return lines_after(stage, {&program.batch}).size();
    };
    CHECK(lines("kind=note") == 1);
    CHECK(lines("kind=note,kind=event") == 2);
    CHECK(lines("track=stf.*") == 2);
    CHECK(lines("track=core0/stf.comment") == 1);
    CHECK(lines("scope=core?") == 3);
    CHECK(lines("scope=/") == 3);
    CHECK(lines("scope=core0,kind=instruction") == 1);
    CHECK_THROWS_AS(lines("scope=core1"), Error);
    CHECK_THROWS_AS(lines("kind=interval"), Error);
    RecordSelection stage(program.schema, parse_criteria("kind=instruction,track=core0,track=stf.comment").records);
    CHECK(stage.schema().tracks().size() == 1);
    Batch out;
    stage.apply(program.batch, out);
    REQUIRE(out.records().size() == 1);
    CHECK(out.order(out.instruction(out.records()[0])).size() == 1);
}

TEST_CASE("criteria are parsed, and anything else is a usage error") {
    const Criteria all = parse_criteria(
        "kind=instruction,scope=core0*,track=a,track=b,mode=machine,from-opcode=0x4033,to-opcode=7,from-pc=1,to-pc="
        "0x2");
    CHECK(all.records.kinds == std::vector{Kind::instruction});
    CHECK(all.records.scopes == Lines{"core0*"});
    CHECK(all.records.tracks == Lines{"a", "b"});
    CHECK(all.instructions.mode == machine);
    CHECK(all.instructions.from_opcode == 0x4033);
    CHECK(all.instructions.to_opcode == 7);
    CHECK(all.instructions.from_pc == 1);
    CHECK(all.instructions.to_pc == 2);
    for (const char* wrong : {"", "kind", "kind=", "=note", "kind=x", "kind!=note", "mode>user", "mode=root",
                              "to-pc=12z", "to-pc=0x", "mode=user,mode=user", "kind=note,"})
        CHECK_THROWS_AS(parse_criteria(wrong), Error);
    CHECK(fits_pattern("core0/l1", "core*/l?"));
    CHECK(fits_pattern("abcabd", "*abd"));
    CHECK(fits_pattern("", "*"));
    CHECK_FALSE(fits_pattern("core0", "core"));
    CHECK_FALSE(fits_pattern("core", "core?"));
    CHECK_FALSE(fits_pattern("ab", "*c*"));
}

}  // namespace hart_selection_test
