// Tests reading commit logs: the records of each line, and the lines of each simulator.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "codec/format.hpp"
#include "commitlog/line.hpp"
#include "convert/model_dump.hpp"
#include "domain/traps.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "io/text_output.hpp"

namespace commitlog_test {

using namespace hwtrace;
using hwtrace::commitlog::Dialect;
using hwtrace::commitlog::Line;
using hwtrace::commitlog::LineKind;
using hwtrace::commitlog::LineParser;

namespace {

using Lines = std::vector<std::string>;

const Format& format() {
    return *find_format(targets(), "commitlog");
}

std::span<const std::byte> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// The parts of an instruction as text, and its events.
struct Shown {
    std::string pc, target, registers, accesses, events;
};

/// Reads a whole log.
struct Reading {
    std::string text;
    Input input;
    Findings findings;
    Settings settings;
    std::unique_ptr<Reader> reader;
    std::vector<Shown> instructions;
    Lines rules;

    explicit Reading(std::string log, CheckLevel level = CheckLevel::semantic)
        : text(std::move(log)), input(Input::memory("log", bytes_of(text))) {
        settings.check = level;
        reader = format().open(input, settings, findings);
        Shown next;
        for (Batch batch; reader->read(batch); batch.clear())
            for (const Record& record : batch.records())
                take(batch, record, next);
        CHECK(next.events.empty());
        for (const Finding& finding : findings.kept())
            rules.emplace_back(finding.rule->id);
    }

    void take(const Batch& batch, const Record& record, Shown& next) {
        const std::string& name = reader->schema().tracks()[record.track].name;
        if (record.kind == Kind::event) {
            next.events += name;
            for (const std::uint64_t cell : batch.cells(record))
                next.events += " " + hexadecimal_text(cell);
            next.events += "; ";
            return;
        }
        const Instruction& instruction = batch.instruction(record);
        next.pc = hexadecimal_text(record.value);
        if (instruction.has_target) next.target = hexadecimal_text(instruction.target);
        for (const Operand& operand : batch.operands(instruction)) {
            CHECK(operand.role == OperandRole::destination);
            next.registers += std::string(name_of(operand.register_class)) + std::to_string(operand.number);
            const auto words = batch.cells(operand.words);
            if (operand.register_class != RegisterClass::vector)
                next.registers += "=" + hexadecimal_text(operand.value);
            for (const std::uint64_t word : words)
                next.registers += "," + hexadecimal_text(word);
            next.registers += " ";
        }
        for (const Access& access : batch.accesses(instruction)) {
            REQUIRE(access.data.count >= 1);
            next.accesses += std::string(name_of(access.type)) + std::to_string(access.size) + " " +
                             hexadecimal_text(access.address) + "=" + hexadecimal_text(batch.cells(access.data)[0]) +
                             " ";
        }
        instructions.push_back(std::exchange(next, {}));
    }
    const std::string* fact(std::string_view key) const { return reader->schema().metadata(key); }
};

constexpr std::string_view first = "core   0: 3 0x0000000080000000 (0x00000297) x5  0x0000000080000000\n";
constexpr std::string_view nop_at_8 = "core   0: 3 0x0000000080000008 (0x00000013)\n";

std::string line(std::string_view pc, std::string_view rest) {
    return std::string("core   0: 3 0x").append(pc).append(" (0x").append(rest).append("\n");
}

LineKind kind_of(std::string_view text, LineParser parser = {}) {
    Line parsed;
    parser.parse(text, parsed);
    return parsed.kind;
}

LineParser sail_parser() {
    LineParser parser;
    Line parsed;
    parser.parse("[0] [M]: 0x80000000 (0x00000297) auipc t0, 0x0", parsed);
    REQUIRE(parser.dialect() == Dialect::sail);
    return parser;
}

}  // namespace

TEST_CASE("each form of a line is recognised") {
    CHECK(kind_of("core   0: 0x80000000 (0x00000297) auipc   t0, 0x0") == LineKind::fetched);
    CHECK(kind_of("core   0: 3 0x80000000 (0x00000297) x5  0x80000000") == LineKind::committed);
    CHECK(kind_of("core  12: 3 0x80000000 (0x4501) x10 0x00000000") == LineKind::committed);
    CHECK(kind_of("3 0x80000000 (0x00000297) x 5 0x80000000") == LineKind::committed);
    CHECK(kind_of("0 3 0x80000000 (0x00000297) x 5 0x80000000") == LineKind::committed);
    CHECK(kind_of("3 0x80000000 (0x0000a503) x10 p10 0xXXXXXXXXXXXXXXXX") == LineKind::committed);
    CHECK(kind_of("core   0: exception trap_user_ecall, epc 0x80000000") == LineKind::trap);
    CHECK(kind_of("core   0: exception interrupt #7, epc 0x80000000") == LineKind::trap);
    CHECK(kind_of("core   0: exception trap #24, epc 0x80000000") == LineKind::trap);
    CHECK(kind_of("core   0:           tval 0x00000000") == LineKind::value);
    CHECK(kind_of("core   0: >>>>  _start") == LineKind::symbol);
    CHECK(kind_of("core   0: Executed 12 times") == LineKind::repeats);
    CHECK(kind_of("core   INTERRUPT 0: 0x80000000 (0x00000297) DASM(00000297)") == LineKind::fetched);
    CHECK(kind_of("LD_ACCESS_FAULT exception @ 0x80000000 (0x0002b283)") == LineKind::trap);
    CHECK(kind_of("") == LineKind::silent);
    for (const char* const text : {"Hello", "3 apples", "core dumped", "C is a language", "[ OK ] started",
                                   "4 0x80000000 (0x00000297)", "scored 5: 0x80000000", "x5 <- 0x1"})
        CHECK(kind_of(text) == LineKind::foreign);
    for (const char* const text :
         {"core   0: 5 0x80000000 (0x00000297)", "core   0: 3 0x80000000 (0x00000297", "core   0: hello",
          "core   0: 3 0x80000000 (0x00000297) x32 0x00000000", "core   0: 3 0x80000000 (0x00000297) x5 ",
          "core   0: 3 0x80000000 (0x00000297) c4096_x 0x00000000", "core   0: exception trap_nonsense, epc 0x80000000",
          "core   0: 3 0x80000000 (0x00000297) mem 0x8000000000000000000000000",
          "core   0: 3 0x80000000 (0x00000297) mem 0x80000000 0x12345678123456789",
          "3 0x80000000 (0x00000297) y 5 0x80000000", "core   0: exception trap #64, epc 0x80000000"})
        CHECK(kind_of(text) == LineKind::malformed);
}

TEST_CASE("the lines of the Sail model are recognised after its first instruction") {
    const LineParser parser = sail_parser();
    CHECK(kind_of("x5 <- 0x0000000080000000", parser) == LineKind::effect);
    CHECK(kind_of("f5 <- 0x0000000080000000", parser) == LineKind::effect);
    CHECK(kind_of("mem[R,0x80000000] -> 0x01", parser) == LineKind::effect);
    CHECK(kind_of("mem[0x80000000] <- 0x01", parser) == LineKind::effect);
    CHECK(kind_of("mem[X,0x80000000] -> 0x0297", parser) == LineKind::silent);
    CHECK(kind_of("CSR mtvec (0x305) <- 0x80000000", parser) == LineKind::effect);
    CHECK(kind_of("CSR mstatus <- 0x0000000A00000000 (input: 0x0000000000000000)", parser) == LineKind::silent);
    CHECK(kind_of("CSR mhartid -> 0x0000000000000000", parser) == LineKind::silent);
    CHECK(kind_of("trapping from M to M to handle u-call", parser) == LineKind::silent);
    CHECK(kind_of("handling exc#0x02 at priv M with tval 0x0000000000000000", parser) == LineKind::trap);
    CHECK(kind_of("handling int#0x07 at priv M", parser) == LineKind::trap);
    CHECK(kind_of("handling exc#nonsense at priv M", parser) == LineKind::malformed);
    CHECK(kind_of("x5 is a register", parser) == LineKind::foreign);
    CHECK(kind_of("mem[R,0x80000000] = 0x01", parser) == LineKind::malformed);
}

TEST_CASE("loads get the bytes that they read from the destination register") {
    const std::string log =
        std::string(first) +
        line("0000000080000004", "00028083) x1  0xffffffffffffff80 mem 0x0000000080000000") +  // lb
        line("0000000080000008", "0002d083) x1  0x0000000000001234 mem 0x0000000080000000") +  // lhu
        line("000000008000000c", "0002a083) x1  0xffffffff80000001 mem 0x0000000080000000") +  // lw
        line("0000000080000010", "0002a507) f10 0xffffffff3f800000 mem 0x0000000080000000") +  // flw
        line("0000000080000014", "0002b507) f10 0x3ff0000000000000 mem 0x0000000080000000") +  // fld
        line("0000000080000018", "00000013)");
    const Reading reading(log);
    CHECK(reading.rules == Lines{});
    REQUIRE(reading.instructions.size() == 7);
    CHECK(reading.instructions[1].accesses == "read1 0x80000000=0x80 ");
    CHECK(reading.instructions[2].accesses == "read2 0x80000000=0x1234 ");
    CHECK(reading.instructions[3].accesses == "read4 0x80000000=0x80000001 ");
    CHECK(reading.instructions[4].accesses == "read4 0x80000000=0x3f800000 ");
    CHECK(reading.instructions[5].accesses == "read8 0x80000000=0x3ff0000000000000 ");
    CHECK(reading.instructions[3].registers == "x1=0xffffffff80000001 ");
}

TEST_CASE("a misaligned load of an old Spike is the bytes of one load") {
    const Reading reading(std::string(first) +
                          line("0000000080000004",
                               "0002a083) x1  0x0000000004030201 mem 0x0000000080000001 mem "
                               "0x0000000080000002 mem 0x0000000080000003 mem 0x0000000080000004") +
                          std::string(nop_at_8));
    CHECK(reading.instructions[1].accesses ==
          "read1 0x80000001=0x1 read1 0x80000002=0x2 read1 0x80000003=0x3 read1 0x80000004=0x4 ");
}

TEST_CASE("the digits of a store state its size, which the encoding bounds") {
    const Reading reading(std::string(first) +
                          line("0000000080000004", "00628023) mem 0x0000000080000000 0x5") +   // sb of an old Spike
                          line("0000000080000008", "00628023) mem 0x0000000080000000 0x85") +  // sb
                          line("000000008000000c", "0062a023) mem 0x0000000080000000 0x00000001") +  // sw
                          line("0000000080000010", "0062a023) mem 0x0000000080000000 0xffffffff00000001") +
                          line("0000000080000014", "00000013)"));
    CHECK(reading.rules == Lines{});
    CHECK(reading.instructions[1].accesses == "write1 0x80000000=0x5 ");
    CHECK(reading.instructions[2].accesses == "write1 0x80000000=0x85 ");
    CHECK(reading.instructions[3].accesses == "write4 0x80000000=0x1 ");
    CHECK(reading.instructions[4].accesses == "write4 0x80000000=0x1 ");
}

TEST_CASE("a branch is taken if its target is the next pc of the same hart") {
    const std::string beq = line("0000000080000004", "00000463)");  // to 0x8000000c
    const Reading taken(std::string(first) + beq + line("000000008000000c", "00000013)"));
    CHECK(taken.instructions[1].target == "0x8000000c");
    CHECK(taken.rules == Lines{});
    const Reading passed(std::string(first) + beq + std::string(nop_at_8));
    CHECK(passed.instructions[1].target == "");
    CHECK(passed.rules == Lines{});
    const Reading gone(std::string(first) + beq + line("0000000080001000", "00000013)"));
    CHECK(gone.instructions[1].target == "");
    CHECK(gone.instructions[2].events == "stf.force_pc 0x80001000; ");
    CHECK(gone.rules == Lines{"CML013"});
    // Another hart does not count.
    std::string other = line("0000000080000100", "00000013)");
    other[7] = '1';
    const Reading both(std::string(first) + beq + other + line("000000008000000c", "00000013)"));
    CHECK(both.instructions.size() == 4);
    CHECK(both.rules == Lines{});
}

TEST_CASE("an exception belongs to the instruction that was listed, an interrupt to the one before") {
    const std::string log = std::string(first) + "core   0: 0x0000000080000004 (0x00028067) jr      t0\n" +
                            line("0000000080000004", "00028067)") +
                            "core   0: exception interrupt #3, epc 0x0000000080000000\n"
                            "core   0: 0x0000000080000100 (0x00000073) ecall\n"
                            "core   0: exception trap_machine_ecall, epc 0x0000000080000100\n"
                            "core   0: 0x0000000080000200 (0x00000013) nop\n" +
                            line("0000000080000200", "00000013)");
    const Reading reading(log);
    CHECK(reading.rules == Lines{});
    REQUIRE(reading.instructions.size() == 4);
    CHECK(reading.instructions[1].target == "0x80000000");
    CHECK(reading.instructions[1].events == "stf.event 0x8000000000000003 0x80000000; stf.event_target 0x80000100; ");
    CHECK(reading.instructions[2].events == "stf.event 0xb 0x80000100; stf.event_target 0x80000200; ");
    CHECK(reading.instructions[2].target == "");
}

TEST_CASE("an exception in the handler's first fetch follows the exception before it") {
    const Reading reading(std::string(first) +
                          "core   0: 0x0000000080000004 (0x00000073) ecall\n"
                          "core   0: exception trap_machine_ecall, epc 0x0000000080000004\n"
                          "core   0: exception trap_instruction_access_fault, epc 0x0000000000000000\n"
                          "core   0:           tval 0x0000000000000000\n"
                          "core   0: 0x0000000000001000 (0x00000013) nop\n" +
                          line("0000000000001000", "00000013)"));
    CHECK(reading.rules == Lines{});
    CHECK(reading.instructions[1].events ==
          "stf.event 0xb 0x80000004; stf.event_target 0x0; stf.event 0x1 0x0 0x0; stf.event_target 0x1000; ");
}

TEST_CASE("a vector load that faults after some elements has a commit and an exception") {
    const Reading reading(
        std::string(first) + "core   0: 0x0000000080000004 (0x0205d407) vle16.v v8, (a1)\n" +
        line("0000000080000004", "0205d407) e16 m1 l4 v8  0x0000000000000001 mem 0x0000000080000ffe") +
        "core   0: exception trap_load_page_fault, epc 0x0000000080000004\n"
        "core   0:           tval 0x0000000080001000\n" +
        line("0000000080000100", "00000013)"));
    REQUIRE(reading.instructions.size() == 3);
    CHECK(reading.instructions[1].events == "stf.event 0xd 0x80000004 0x80001000; stf.event_target 0x80000100; ");
    CHECK(reading.instructions[1].registers == "v8,0x1 ");
}

TEST_CASE("without commits, an interrupt in a loop of one instruction is not its fault") {
    const Reading reading(
        "core   0: 0x0000000080000000 (0x0000006f) j       pc + 0x0\n"
        "core   0: exception interrupt #7, epc 0x0000000080000000\n"
        "core   0: 0x0000000080000100 (0x00000013) nop\n"
        "core   0: 0x0000000080000104 (0x00000013) nop\n");
    REQUIRE(reading.instructions.size() == 3);
    CHECK(reading.instructions[0].target == "0x80000000");
    CHECK(reading.instructions[0].events == "stf.event 0x8000000000000007 0x80000000; stf.event_target 0x80000100; ");
    CHECK(reading.rules == Lines{"CML007"});
}

TEST_CASE("changes of the mode are events of the instruction before") {
    std::string user = line("0000000080000008", "00000013)");
    user[10] = '0';
    const Reading reading(std::string(first) + line("0000000080000004", "30200073)") + user);
    CHECK(reading.instructions[0].events == "");
    CHECK(reading.instructions[1].events == "stf.event 0x4000000000000000 0x0; ");
    CHECK(reading.instructions[1].target == "0x80000008");
    // The first instruction states its own mode if it is not the machine mode.
    const Reading begins(user + line("000000008000000c", "00000013)"));
    CHECK(begins.instructions[0].events == "stf.event 0x4000000000000000 0x0; stf.event 0x4000000000000000 0x3; ");
}

TEST_CASE("vector registers have the length that their digits state") {
    const Reading reading(
        std::string(first) +
        line("0000000080000004",
             "02840457) e16 m1 l4 v8  0x00000000000000010000000000000002000000000000000300000000000000"
             "04") +
        std::string(nop_at_8));
    CHECK(reading.instructions[1].registers == "v8,0x4,0x3,0x2,0x1 ");
    CHECK(*reading.fact("stf.vlen") == "256");
    CHECK(*reading.fact("stf.features") == "0x00000000000c002c");
}

TEST_CASE("strided, indexed and whole-register loads get their elements; segments do not") {
    const auto loads = [](std::string_view encoding, std::string_view results) {
        const Reading reading(std::string(first) +
                              line("0000000080000004", std::string(encoding).append(") ").append(results)) +
                              std::string(nop_at_8));
        return reading.instructions[1].accesses + (reading.rules.empty() ? "" : reading.rules[0]);
    };
    // vle32.v v8, (a1); vlse32.v v8, (a1), a2; vluxei8.v v8, (a1), v2; vl1re32.v v8, (a1); vlseg2e32.v v8, (a1)
    const std::string value = "v8  0x00000004000000030000000200000001 ";
    const std::string two = "e32 m1 l2 " + value + "mem 0x0000000000001000 mem 0x0000000000001004";
    CHECK(loads("0205e407", two) == "read4 0x1000=0x1 read4 0x1004=0x2 ");
    CHECK(loads("0ac5e407", two) == "read4 0x1000=0x1 read4 0x1004=0x2 ");
    CHECK(loads("06258407", two) == "read4 0x1000=0x1 read4 0x1004=0x2 ");
    CHECK(loads("0285e407", two) == "read4 0x1000=0x1 read4 0x1004=0x2 ");
    CHECK(loads("2205e407", two) == "read4 0x1000=0x0 read4 0x1004=0x0 CML011");
    // With a mask, not all elements are active.
    CHECK(loads("0005e407", "e32 m1 l4 " + value + "mem 0x0000000000001004") == "read4 0x1004=0x0 CML011");
}

TEST_CASE("the pending value of a Rocket commit log is left out") {
    const Reading reading(
        "3 0x0000000080000000 (0x0000a503) x10 p10 0xXXXXXXXXXXXXXXXX\n"
        "x10 p10 0x0000000000000001\n"
        "3 0x0000000080000004 (0x00000013)\n");
    CHECK(reading.instructions[0].registers == "");
    CHECK(reading.rules == Lines{"CML002"});
}

TEST_CASE("output of the program is left out, even within a line of the log") {
    const Reading reading("bbl loader\n" + std::string(first) + "Hi" + line("0000000080000004", "00000013)") + "\n" +
                          std::string(nop_at_8));
    CHECK(reading.instructions.size() == 3);
    CHECK(reading.rules == Lines{"CML002"});
    CHECK(reading.findings.kept()[0].got == "'bbl loader', the first of 2");
    CHECK(reading.findings.verdict() == Verdict::valid);
}

TEST_CASE("values of vector registers that are no vector registers are malformed") {
    for (const char* value : {"0x1", "0x00000001", "0x000000000000000100000000"}) {
        const Reading reading(std::string(first) +
                              line("0000000080000004", std::string("02840457) e8 m1 l4 v8  ") + value) +
                              line("0000000080000008", "00000013)"));
        CHECK(reading.rules.front() == "CML003");
        CHECK(reading.fact("stf.vlen") == nullptr);
    }
}

TEST_CASE("carriage returns at line ends are accepted") {
    std::string text = std::string(first) + line("0000000080000004", "00000013)");
    for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
        text.insert(at, "\r");
    CHECK(Reading(text).instructions.size() == 2);
    CHECK(Reading(text).rules == Lines{});
}

TEST_CASE("the width of the ISA follows from the pc, or from registers if the pc is padded") {
    CHECK(*Reading("core   0: 3 0x80000000 (0x00000013)\n").fact("stf.inst_iem") == "1");
    CHECK(*Reading(std::string(first)).fact("stf.inst_iem") == "2");
    CHECK(*Reading("core   0: 0x0000000080000000 (0x00000297) DASM(00000297)\n"
                   "3 0x0000000080000000 (0x00000297) x 5 0x80000000\n")
               .fact("stf.inst_iem") == "1");
}

TEST_CASE("what must be long is bounded: lines, harts, traps of an instruction") {
    std::string many(first);
    for (int i = 0; i < 100; ++i)
        many += "core   0: exception trap_instruction_access_fault, epc 0x0000000000000000\n";
    many += line("0000000080000008", "00000013)");
    CHECK(Reading(many).rules == Lines{"CML009"});

    std::string effects("[0] [M]: 0x0000000080000000 (0x00000297) auipc t0, 0x0\n");
    for (int i = 0; i < 100; ++i)
        effects += "x5 <- 0x0000000080000000\n";
    Input results = Input::memory("log", bytes_of(effects));
    Settings small;
    small.limits.record = 1000;
    Findings unheard;
    const auto read_results = [&] {
        const auto reader = format().open(results, small, unheard);
        for (Batch batch; reader->read(batch);)
            batch.clear();
    };
    CHECK_THROWS_AS(read_results(), Error);

    std::string harts;
    for (int i = 0; i < 100; ++i)
        harts += "core" + std::string(i < 10 ? "   " : "  ") + std::to_string(i) + ": 3 0x80000000 (0x00000013)\n";
    Findings findings;
    Settings settings;
    settings.limits.schema_objects = 200;
    Input input = Input::memory("log", bytes_of(harts));
    const auto read_all = [&] {
        const auto reader = format().open(input, settings, findings);
        for (Batch batch; reader->read(batch);)
            batch.clear();
    };
    CHECK_THROWS_AS(read_all(), Error);
}

TEST_CASE("sniffing claims text whose first lines have an instruction, and nothing else") {
    const auto claims = [](std::string_view text) { return format().sniff(bytes_of(text)); };
    CHECK(claims(first));
    CHECK(claims("warning: no symbols\n" + std::string(first)));
    CHECK(claims("3 0x0000000080000000 (0x00000297) x 5 0x0000000080000000\n"));
    CHECK(
        claims("C0:         10 [1] pc=[0000000000010040] W[r10=0000000000000000][1] R[r 0=0000000000000000] "
               "R[r 0=0000000000000000] inst=[f1402573] csrr    a0, mhartid\n"));
    CHECK_FALSE(claims("core   0: >>>>  _start\n"));
    CHECK_FALSE(claims("Kanata\t0004\n" + std::string(first)));
    CHECK_FALSE(claims("{\"schema\":\"x\"}\n" + std::string(first)));
    CHECK_FALSE(claims("$comment\n" + std::string(first)));
    CHECK_FALSE(claims(std::string("\x01STF\n") + std::string(first)));
    CHECK_FALSE(claims(first.substr(0, first.size() - 1)));  // an incomplete line may be anything
    // Text with hexadecimal numbers, and text that quotes a log.
    CHECK_FALSE(claims("panic\n0 0x00007ffd18 (0x1234)\n1 0x00007ffd28 (0x1244)\n"));
    CHECK_FALSE(claims("CPU core 0: 0xffffffff81000000 (0x00000013) idle\n"));
    CHECK_FALSE(claims("core 0: 0x10 (0x20),1,2\n"));
    CHECK_FALSE(claims("core 0: 0x00001000 (0x13) mapped\n"));
    CHECK_FALSE(claims("Spike prints::\n\n    " + std::string(first) + "\n"));
    CHECK_FALSE(claims("const char* log =\n    \"core   0: 0x0000000080000000 (0x00000297) auipc t0, 0x0\\n\"\n"));
    CHECK_FALSE(claims("<pre>\ncore   0: 0x0000000080000000 (0x00000297) auipc t0, 0x0\n</pre>\n"));
    CHECK_FALSE(claims(std::string(first) + "is a line of Spike.\n"));
    CHECK(claims(std::string(first) + "Hello\nx" + line("0000000080000004", "00000013)")));
}

}  // namespace commitlog_test
