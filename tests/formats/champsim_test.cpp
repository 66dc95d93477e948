// Tests ChampSim traces: slots of registers and addresses, losses, the choice of a hart. tests/cli/champsim.sh reads
// whole traces by ChampSim's rules.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "champsim/codec.hpp"
#include "codec/format.hpp"
#include "domain/conventions.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "io/little_endian.hpp"
#include "model/time.hpp"
#include "support/corpus.hpp"

namespace champsim_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Bytes = std::vector<std::byte>;
using Text = std::vector<std::pair<std::string, std::string>>;  // keys and values of options

const Format& champsim_target() {
    return *find_format(targets(), "champsim");
}

/// A trace with one hart or more, and the tracks of STF that state hart and width.
struct Trace {
    Schema schema;
    Batch batch;
    TrackId process = none, mode = none;
    std::vector<TrackId> harts;
    Losses losses;

    explicit Trace(unsigned cores = 1, const Text& facts = {}) {
        const ScopeId root = schema.declare(Scope{"/", none, {}, none});
        for (unsigned core = 0; core < cores; ++core) {
            const std::string name = "core" + std::to_string(core);
            const ScopeId scope = schema.declare(Scope{name, root, {}, none});
            harts.push_back(schema.declare(make_track(Track::Kind::hart, scope, name, ordinals)));
        }
        const auto field = [](std::string_view name) {
            Field one;
            one.name = name;
            one.type = Type::u32;
            return one;
        };
        process = schema.declare(make_track(Track::Kind::event_type, root, conventions::process_id, ordinals,
                                            {field("hw_thread"), field("pid"), field("tid")}));
        mode = schema.declare(make_track(Track::Kind::event_type, root, "stf.inst_iem", ordinals, {field("mode")}));
        for (const auto& [key, value] : facts)
            schema.describe(key, value);
    }

    Tick next = 0;
    /// Appends an instruction, after its operands and accesses.
    void instruction(std::uint32_t encoding, bool taken = false, unsigned hart = 0) {
        Instruction& one = batch.instruction(harts[hart], next, 0x1000 + 4 * static_cast<std::uint64_t>(next));
        ++next;
        one.encoding = encoding;
        one.size = (encoding & 3) == 3 ? 4 : 2;
        one.has_target = taken;
    }
    void run_on(std::uint64_t hart) {
        const std::uint64_t cells[] = {hart, 1, 1};
        batch.event(process, next, cells);
    }

    Bytes written(const Text& options = {}) {
        Bytes bytes;
        Settings settings;
        for (const auto& [key, value] : options)
            for (const Option& option : champsim_target().options)
                if (option.key == key) settings.set(option, value);
        const auto output = open_memory_output("x.champsim", [&](Bytes all) { bytes = std::move(all); });
        losses = Losses();
        const auto writer = champsim_target().create(*output, schema, settings, losses);
        writer->write(batch);
        writer->finish();
        output->commit();
        return bytes;
    }
    std::uint64_t lost(Loss loss, const std::string& subject) const {
        const auto found = losses.entries().find({loss, subject});
        return found == losses.entries().end() ? 0 : found->second.count;
    }
};

/// Describes the head of a record: "branch taken 26 6 = 26 6 42".
std::string head(const Bytes& bytes, std::size_t record = 0, std::size_t destinations = 2) {
    const std::byte* const at = bytes.data() + record * (destinations == 2 ? 64 : 96);
    const auto number = [&](std::size_t offset) { return std::to_integer<int>(at[offset]); };
    std::string text = number(8) != 0 ? "branch " : "";
    if (number(9) != 0) text += "taken ";
    for (std::size_t slot = 0; slot < destinations; ++slot)
        if (number(10 + slot) != 0) text += std::to_string(number(10 + slot)) + " ";
    text += "=";
    for (std::size_t slot = 0; slot < 4; ++slot)
        if (number(10 + destinations + slot) != 0) text += " " + std::to_string(number(10 + destinations + slot));
    return text;
}

std::string head_of(std::uint32_t encoding, const Text& options = {}, bool taken = false) {
    Trace trace;
    trace.instruction(encoding, taken);
    return head(trace.written(options));
}

Failure failure_of(const std::function<void()>& work, std::string* message = nullptr) {
    try {
        work();
    } catch (const Error& error) {
        if (message != nullptr) *message = error.what();
        return error.failure();
    }
    return Failure::internal;
}

}  // namespace

TEST_CASE("ChampSim: registers of branches state their type") {
    const Text by_flags{{"champsim-branches", "flags"}};
    CHECK(head_of(0x0100006f) == "branch taken 26 = 26");         // j
    CHECK(head_of(0x010001ef) == "branch taken 26 35 = 26");      // jal gp: links, but is no call
    CHECK(head_of(0x00050067) == "branch taken 26 = 42");         // jr a0
    CHECK(head_of(0x00400067) == "branch taken 26 = 26");         // jr 4(zero): direct
    CHECK(head_of(0x010000ef) == "branch taken 26 6 = 26 6");     // jal ra
    CHECK(head_of(0x000500e7) == "branch taken 26 6 = 26 6 42");  // jalr a0
    CHECK(head_of(0x000082e7) == "branch taken 26 6 = 26 6 33");  // jalr t0,ra: a call
    CHECK(head_of(0x00008067) == "branch taken 26 6 = 6 33");     // ret
    CHECK(head_of(0x8082) == "branch taken 26 6 = 6 33");         // c.jr ra
    CHECK(head_of(0x00b50863) == "branch 26 = 26 42 43");         // beq a0,a1
    CHECK(head_of(0x00b50863, {}, true) == "branch taken 26 = 26 42 43");
    CHECK(head_of(0x00b50863, by_flags) == "branch 26 = 26 25");
    CHECK(head_of(0x00000863) == "branch 26 = 26 25");  // beq zero,zero: no other register
    CHECK(head_of(0x00000073) == "=");                  // ecall is no branch
    CHECK(head_of(0x30200073, {}, true) == "=");        // nor is mret
}

TEST_CASE("ChampSim: no register of an instruction is mistaken for a special one") {
    CHECK(head_of(0x00610133) == "34 = 34 38");  // add sp,sp,t1
    CHECK(head_of(0x01ac8cb3) == "57 = 57 58");  // add s9,s9,s10
    CHECK(head_of(0x62c5f543) == "74 = 75 76");  // fmadd.d fa0,fa1,fa2,fa2: once each
    CHECK(head_of(0x00000013) == "=");           // nop
}

TEST_CASE("ChampSim: what exceeds the slots is counted") {
    Trace trace;
    trace.instruction(0x010000ef);  // jal ra: the link register
    trace.instruction(0x28c7c52f);  // amocas.q: five sources
    for (unsigned access = 0; access < 5; ++access)
        trace.batch.access(0x8000 + access, 1, 0, AccessType::read);
    for (unsigned access = 0; access < 3; ++access)
        trace.batch.access(0x9000 + access, 1, 0, AccessType::write);
    trace.batch.access(0, 1, 0, AccessType::write);
    trace.batch.access(0x9100, 1, 0, AccessType::invalid);
    trace.batch.operand(10, RegisterClass::integer, OperandRole::source, 1);
    trace.batch.operand(3105, RegisterClass::csr, OperandRole::source, 1);  // vtype
    trace.instruction(0x02056107);                                          // vle32.v v2,(a0)
    trace.instruction(0x30529073);                                          // csrw mtvec,t0
    const Bytes bytes = trace.written();
    REQUIRE(bytes.size() == 4 * 64);
    CHECK(head(bytes, 1) == "42 43 = 47 44 45 42");
    CHECK(head(bytes, 2) == "= 42");
    const auto address = [&](std::size_t slot) {
        return load_le<std::uint64_t>(bytes.data() + 2 * 64 + 16 + 8 * slot);
    };
    CHECK(address(0) == 0x9000);
    CHECK(address(1) == 0x9001);
    for (std::size_t slot = 0; slot < 4; ++slot)
        CHECK(address(2 + slot) == 0x8000 + slot);
    CHECK(trace.lost(Loss::part_dropped, "destination registers") == 1);
    CHECK(trace.lost(Loss::part_dropped, "source registers") == 1);
    CHECK(trace.lost(Loss::part_dropped, "read addresses") == 1);
    CHECK(trace.lost(Loss::part_dropped, "written addresses") == 1);
    CHECK(trace.lost(Loss::part_dropped, "accesses at address 0") == 1);
    CHECK(trace.lost(Loss::part_dropped, "accesses that neither read nor write") == 1);
    CHECK(trace.lost(Loss::part_dropped, "control registers") == 2);
    CHECK(trace.lost(Loss::part_dropped, "unknown registers") == 0);
    CHECK(trace.lost(Loss::field_dropped, "instruction encodings") == 4);
    CHECK(trace.lost(Loss::field_dropped, "register values") == 2);
    CHECK(trace.lost(Loss::field_dropped, "access sizes and data") == 10);
    std::vector<ExpectedLoss> expected;
    champsim_target().writes.foresee(trace.schema, Settings(), expected);
    for (const auto& actual : trace.losses.entries())
        CHECK(std::ranges::any_of(expected, [&](const ExpectedLoss& one) {
            return one.loss == actual.first.first && one.subject == actual.first.second &&
                   one.is_general == actual.second.is_general;
        }));
}

TEST_CASE("ChampSim: CloudSuite's records have four destinations and an address space") {
    Trace trace;
    trace.run_on(3);
    trace.instruction(0x010000ef);
    for (unsigned access = 0; access < 3; ++access)
        trace.batch.access(0x9000 + access, 1, 0, AccessType::write);
    trace.instruction(0x02056127);  // vse32.v v2,(a0), without register values
    const Bytes bytes = trace.written({{"champsim-layout", "cloudsuite"}});
    REQUIRE(bytes.size() == 2 * 96);
    CHECK(head(bytes, 0, 4) == "branch taken 26 6 33 = 26 6");
    CHECK(load_le<std::uint64_t>(bytes.data() + 96 + 24 + 16) == 0x9002);
    CHECK(load_le<std::uint16_t>(bytes.data() + 88) == 0x0303);
    CHECK(trace.lost(Loss::part_dropped, "destination registers") == 0);
    CHECK(trace.lost(Loss::part_dropped, "written addresses") == 0);
    CHECK(trace.lost(Loss::part_dropped, "unknown registers") == 1);
    CHECK(trace.lost(Loss::part_dropped, "hart and process ids") == 1);
}

TEST_CASE("ChampSim: instructions of another set have the registers and targets that the trace states") {
    Trace trace(1, {{std::string(conventions::isa), "2"}});
    trace.batch.operand(3, RegisterClass::integer, OperandRole::source, 1);
    trace.batch.operand(4, RegisterClass::integer, OperandRole::destination, 1);
    trace.batch.operand(9, RegisterClass::integer, OperandRole::state, 1);
    trace.instruction(0x00008067);  // a return of RISC-V
    trace.instruction(0x00008067, true);
    const Bytes bytes = trace.written();
    CHECK(head(bytes, 0) == "36 = 35");
    CHECK(head(bytes, 1) == "branch taken 26 = 26");
}

TEST_CASE("ChampSim: the width of registers follows the trace") {
    Trace trace(1, {{std::string(conventions::instruction_mode), "1"}});
    trace.instruction(0x2001);  // c.jal on RV32
    const std::uint64_t wide[] = {2};
    trace.batch.event(trace.mode, trace.next, wide);
    trace.instruction(0x2005);  // c.addiw x0, which is reserved on RV64
    trace.instruction(0x2505);  // c.addiw a0,1
    const Bytes bytes = trace.written();
    CHECK(head(bytes, 0) == "branch taken 26 6 = 26 6");
    CHECK(head(bytes, 1) == "=");
    CHECK(head(bytes, 2) == "42 = 42");
}

TEST_CASE("ChampSim: a trace of several harts needs a choice") {
    Trace trace;
    trace.instruction(0x00000013);
    trace.run_on(7);
    trace.instruction(0x00b60733);
    trace.run_on(0);
    trace.instruction(0x00000013);
    std::string message;
    CHECK(failure_of([&] { trace.written(); }, &message) == Failure::input);
    CHECK(message.find("instruction 1 runs on hart 7") != std::string::npos);
    CHECK(message.find("--champsim-hart") != std::string::npos);
    CHECK(trace.written({{"champsim-hart", "0"}}).size() == 2 * 64);
    CHECK(trace.lost(Loss::kind_dropped, "instructions of other harts") == 1);
    CHECK(head(trace.written({{"champsim-hart", "7"}})) == "46 = 44 43");
    CHECK(failure_of([&] { trace.written({{"champsim-hart", "2"}}); }, &message) == Failure::input);
    CHECK(message == "no instruction runs on hart 2; this trace has harts 0, 7");
}

TEST_CASE("ChampSim: a track of instructions is a hart") {
    Trace trace(3);
    trace.instruction(0x00000013, false, 0);
    trace.instruction(0x00b60733, false, 2);
    std::string message;
    CHECK(failure_of([&] { trace.written(); }, &message) == Failure::input);
    CHECK(message.find("has 3: 0 (/core0), 1 (/core1), 2 (/core2)") != std::string::npos);
    CHECK(head(trace.written({{"champsim-hart", "2"}})) == "46 = 44 43");
    CHECK(failure_of([&] { trace.written({{"champsim-hart", "3"}}); }) == Failure::input);
    CHECK(failure_of([&] { Trace(0).written(); }, &message) == Failure::input);
    CHECK(message.find("it has no instructions") != std::string::npos);
}

TEST_CASE("ChampSim: only the last extension decides the compression") {
    const auto format_of = [](std::string_view name) {
        const Format* const found = format_by_extension(targets(), name);
        return found != nullptr ? found->name : std::string_view();
    };
    for (const std::string_view name : {"a.champsim", "a.champsim.xz", "a.champsim.gz", "a.champsimtrace",
                                        "600.perlbench_s-210B.champsimtrace.xz", "a.champsimtrace.gz"})
        CHECK(format_of(name) == "champsim");
    CHECK(format_of("a.trace.xz").empty());
    CHECK(format_of("a.trace.json") == "chrome");
}

TEST_CASE("ChampSim: the page lists the options") {
    const std::string page = read_text(source_file("formats/champsim/README.md"));
    for (const Option& option : champsim_target().options) {
        std::string row = "| `" + std::string(option.key) + "` | ";
        for (const char c : option.values)
            row.append(c == '|' ? "\\|" : std::string(1, c));
        row.append(" | ").append(option.fallback).append(" | ").append(option.help).append(" |");
        CHECK_MESSAGE(page.find(row) != std::string::npos, row);
    }
}

}  // namespace champsim_test
