// Tests that transactions of a core and a bus become a trace of instructions if they have the required attributes.
#include "convert/transforms/transaction_raising.hpp"

#include <doctest/doctest.h>

#include <array>

#include "domain/conventions.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "support/interval_support.hpp"

namespace transaction_raising_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

namespace names = conventions;

/// A core and a bus. The core's transactions have a pc, an encoding and a mark for flushed ones.
struct Soc : IntervalTrace {
    ScopeId core = schema.declare(Scope{"core0", none, "pipeline", none});
    ScopeId bus = schema.declare(Scope{"bus", none, "transactor", none});
    TrackId instruction =
        stream(core, "instruction", gigahertz,
               {Field{"id", Type::u64}, Field{"PC", Type::pointer}, Field{"instr", Type::u64}, Field{"size", Type::u64},
                Field{"flushed", Type::boolean}, Field{"label", Type::text}});
    EnumId commands =
        schema.declare(Enum{"command", {{0, "TLM_READ_COMMAND"}, {1, "TLM_WRITE_COMMAND"}, {2, "ignore"}}});
    TrackId transfer = stream(bus, "transfer", gigahertz,
                              {Field{"id", Type::u64}, Field{"address", Type::u64}, Field{"length", Type::u32},
                               Field{"command", Type::enumeration, commands}, Field{"initiator", Type::text},
                               Field{"index", Type::u8}, Field{"data", Type::u64}});
    Losses losses;

    void execute(Tick begin, std::uint64_t length, std::uint64_t id, std::uint64_t pc, std::uint64_t encoding,
                 bool flushed = false) {
        const std::array attributes{Attribute{0, id}, Attribute{1, pc}, Attribute{2, encoding}, Attribute{4, flushed}};
        batch().interval(instruction, begin, length, attributes);
    }
    void move(Tick begin, std::uint64_t length, std::uint64_t address, std::uint64_t command, std::string_view master) {
        const std::array attributes{
            Attribute{1, address}, Attribute{2, 16},   Attribute{3, command}, Attribute{4, schema.intern(master)},
            Attribute{5, 2},       Attribute{6, 0x55}, Attribute{6, 0x66}};
        batch().interval(transfer, begin, length, attributes);
    }
    std::vector<std::string> raised() {
        Plan plan;
        plan.stages.push_back(std::make_unique<TransactionRaising>(schema, "/tmp", losses));
        return records_behind(*this, plan);
    }
};

constexpr std::uint64_t add = 0x00b60733, jump_far = 0x0200006f, compressed = 0x4501;

}  // namespace

TEST_CASE("transactions with a pc and an encoding become instructions in order of their ends, except flushed ones") {
    Soc soc;
    soc.execute(0, 10, 1, 0x1000, add);
    soc.execute(1, 9, 3, 0x1006, jump_far);  // ends at the same time as the previous one, so the id decides the order
    soc.execute(2, 8, 2, 0x1004, compressed);
    soc.execute(3, 4, 4, 0x100a, add, true);
    soc.execute(4, 3, 5, 0x1000, 0);  // the model does not know the encoding
    soc.execute(5, 7, 6, 0x1026, add);
    CHECK(soc.raised() == std::vector<std::string>{
                              "0 instruction core0/core0 pc=0x1000 encoding=0xb60733 size=4",
                              "1 instruction core0/core0 pc=0x1004 encoding=0x4501 size=2",
                              "2 instruction core0/core0 pc=0x1006 encoding=0x200006f size=4 target=0x1026",
                              "3 instruction core0/core0 pc=0x1026 encoding=0xb60733 size=4",
                          });
    CHECK(soc.losses.entries().at({Loss::type_changed, "instruction"}).count == 6);
    std::vector<ExpectedLoss> foretold;
    TransactionRaising::foretell(soc.schema, foretold);
    CHECK(foretold.size() == 2);
}

TEST_CASE("accesses precede the instruction that ends after them") {
    Soc soc;
    soc.move(0, 1, 0x100, 0, "DMA");
    soc.execute(0, 5, 1, 0x1000, jump_far);
    soc.move(2, 4, 0x200, 1, "gpu");
    soc.move(2, 4, 0x300, 2, "gpu");  // this transfer neither reads nor writes
    soc.execute(3, 5, 2, 0x1020, add);
    soc.move(4, 20, 0x400, 1, "somebody");
    CHECK(soc.raised() ==
          std::vector<std::string>{
              "0 event core0/stf.bus_access address=0x100 size=16 master=3 index=2 attributes=0x0 type=1 data[0]=0x55 "
              "data[1]=0x66",
              "0 instruction core0/core0 pc=0x1000 encoding=0x200006f size=4 target=0x1020",
              "1 event core0/stf.bus_access address=0x200 size=16 master=2 index=2 attributes=0x0 type=2 data[0]=0x55 "
              "data[1]=0x66",
              "1 instruction core0/core0 pc=0x1020 encoding=0xb60733 size=4",
              "2 event core0/stf.bus_access address=0x400 size=16 master=6 index=2 attributes=0x0 type=2 data[0]=0x55 "
              "data[1]=0x66",
          });
    CHECK(soc.losses.entries().at({Loss::type_changed, "transfer"}).count == 4);
    CHECK(TransactionRaising::assumption(soc.schema).empty());
}

TEST_CASE("records that are not selected are left out before raising and are not losses") {
    Soc soc;
    const TrackId causes = soc.schema.declare(make_track(Track::Kind::relation_type, none, "causes", gigahertz,
                                                         {Field{"from", Type::u64}, Field{"to", Type::u64}}));
    const TrackId grant = soc.stream(soc.bus, "grant", gigahertz);
    soc.execute(0, 5, 1, 0x1000, add);
    soc.move(2, 4, 0x200, 1, "gpu");
    soc.batch().interval(grant, 2, 1);
    soc.batch().relation(causes, 2, std::array<std::uint64_t, 2>{0, 1});
    const auto losses_of = [&](std::string_view select) {
        Losses losses;
        Choices choices;
        choices.criteria = parse_criteria(select);
        Plan plan = make_plan(soc.schema, intervals_only, *find_format(formats(), "stf"), choices, losses);
        const std::size_t lines = records_behind(soc, plan).size();
        std::vector<std::string> told{std::to_string(lines)};
        for (const auto& [key, entry] : losses.entries()) {
            const auto& [code, subject] = key;
            told.push_back(std::string(name_of(code)) + ' ' + subject + ' ' + std::to_string(entry.count));
            bool foretold = false;
            for (const ExpectedLoss& loss : plan.losses)
                foretold = foretold || (loss.loss == code && (loss.subject == subject || loss.subject == "*"));
            CHECK(foretold);
        }
        return told;
    };
    // Accesses belong to the core whose instructions they precede.
    CHECK(losses_of("scope=core0") == std::vector<std::string>{"2", "type-changed instruction 1",
                                                               "type-changed transfer 1", "relation-dropped causes 1"});
    CHECK(losses_of("kind=instruction") == std::vector<std::string>{"1", "type-changed instruction 1"});
    CHECK(losses_of("kind=instruction,kind=event") ==
          std::vector<std::string>{"2", "type-changed instruction 1", "type-changed transfer 1"});
    CHECK(losses_of("scope=*").size() == 5);
    // A trace that has only accesses is not a trace of instructions. The accesses still belong to the core.
    CHECK_THROWS_WITH_AS(losses_of("scope=core0,kind=event"), doctest::Contains("can be written as stf"), Error);
}

TEST_CASE("a bus alone is a trace; a track's name may be its command") {
    IntervalTrace trace;
    const ScopeId bus = trace.schema.declare(Scope{"bus", none, {}, none});
    const TrackId read = trace.stream(bus, "READ", gigahertz, {Field{"addr", Type::u64}, Field{"bytes", Type::u64}});
    const TrackId other = trace.stream(bus, "grant", gigahertz, {Field{"addr", Type::u64}});
    trace.batch().interval(read, 5, 1, std::array{Attribute{0, 0x40}, Attribute{1, 4}});
    trace.batch().interval(read, 6, 1, std::array{Attribute{0, 0x80}});  // this transfer has no size
    trace.batch().interval(other, 6, 1);
    Losses losses;
    Plan plan;
    plan.stages.push_back(std::make_unique<TransactionRaising>(trace.schema, "/tmp", losses));
    CHECK(records_behind(trace, plan) ==
          std::vector<std::string>{
              "0 event bus/stf.bus_access address=0x40 size=4 master=6 index=0 attributes=0x0 type=1 data[0]=0x0"});
    CHECK(losses.assumptions() == std::vector<std::string>{"1 bus access without data: the content is written as 0"});
    CHECK(losses.entries().at({Loss::kind_dropped, "grant"}).count == 1);
    CHECK(TransactionRaising::assumption(trace.schema).find("master") != std::string::npos);
}

TEST_CASE("only a limited number of accesses wait for the next instruction") {
    Soc soc;
    soc.execute(0, 1, 1, 0x1000, add);
    for (int i = 0; i < 10'000; ++i)
        soc.move(2 + i, 1, 0x100, 0, "dma");
    soc.execute(20'000, 1, 2, 0x1004, add);
    const std::vector<std::string> lines = soc.raised();
    REQUIRE(lines.size() == 10'002);
    CHECK(lines.front() == "0 instruction core0/core0 pc=0x1000 encoding=0xb60733 size=4");
    CHECK(lines[1].starts_with("1 event "));
    CHECK(lines.back() == "1 instruction core0/core0 pc=0x1004 encoding=0xb60733 size=4");
}

TEST_CASE("a trace that lacks attributes is refused, and the message names them") {
    IntervalTrace trace;
    const ScopeId npu = trace.schema.declare(Scope{"core0", none, {}, none});
    trace.stream(npu, "DMA_READ", gigahertz, {Field{"api_name", Type::text}});
    CHECK_FALSE(TransactionRaising::is_possible(trace.schema));
    CHECK(TransactionRaising::missing(trace.schema) == "'DMA_READ' lacks an address and a size");
    Losses losses;
    try {
        make_plan(trace.schema, intervals_only, *find_format(formats(), "stf"), {}, losses);
        FAIL("a trace without sizes was accepted");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).ends_with("'DMA_READ' lacks an address and a size"));
    }

    IntervalTrace core;
    const ScopeId scope = core.schema.declare(Scope{"core0", none, {}, none});
    core.stream(scope, "instruction", gigahertz, {Field{"pc", Type::u64}});
    CHECK(TransactionRaising::missing(core.schema) == "'instruction' lacks an encoding");
    core.stream(scope, "instruction.events", gigahertz, {Field{"pc", Type::u64}, Field{"encoding", Type::u64}});
    CHECK_FALSE(TransactionRaising::is_possible(core.schema));
    core.stream(scope, "known", gigahertz, {Field{"pc", Type::u64}, Field{"encoding", Type::u64}});
    CHECK(TransactionRaising::is_possible(core.schema));
    core.schema.describe(std::string(names::record_source), "what a lowering notes");
    CHECK_FALSE(TransactionRaising::is_possible(core.schema));
}

}  // namespace transaction_raising_test
