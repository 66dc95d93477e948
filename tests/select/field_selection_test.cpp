#include "select/field_match.hpp"

#include <doctest/doctest.h>

#include <array>
#include <bit>

#include "convert/plan.hpp"
#include "io/error.hpp"
#include "select/record_selection.hpp"
#include "select/selection.hpp"
#include "support/instruction_support.hpp"
#include "support/npu.hpp"

namespace field_selection_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

Lines selected(const Schema& schema, const Batch& batch, const char* criteria,
               const RecordSelectionOptions& options = {}) {
    RecordSelection stage(schema, parse_criteria(criteria).records, options);
    return lines_after(stage, {&batch});
}

std::string refusal(const Schema& schema, const char* criteria) {
    try {
        const RecordSelection stage(schema, parse_criteria(criteria).records);
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::usage);
        return error.what();
    }
    return "accepted";
}

/// Memory accesses on a bus, with attributes of every type.
struct Bus {
    Schema schema;
    EnumId kinds = none;
    TrackId stream = none;
    Batch batch;

    explicit Bus(TimeBase time = picoseconds) {
        const ScopeId top = schema.declare(Scope{"top", none, {}, none});
        const ScopeId bus = schema.declare(Scope{"bus", top, {}, none});
        kinds = schema.declare(Enum{"kind", {{0, "read"}, {1, "write"}, {2, "write back"}}});
        stream = schema.declare(make_track(Track::Kind::stream, bus, "access", time,
                                           {{"addr", Type::u64},
                                            {"kind", Type::enumeration, kinds},
                                            {"name", Type::text},
                                            {"delta", Type::i32},
                                            {"load", Type::f64},
                                            {"hit", Type::boolean},
                                            {"waited", Type::time}}));
    }
    void access(Tick time, std::uint64_t duration, std::vector<Attribute> attributes) {
        batch.interval(stream, time, duration, attributes);
    }
    /// Returns the times of the selected records.
    std::string times(const char* criteria, const RecordSelectionOptions& options = {}) const {
        std::string text;
        for (const std::string& line : selected(schema, batch, criteria, options))
            text += line.substr(0, line.find(' ')) + " ";
        return text;
    }
};

}  // namespace

TEST_CASE("comparisons of fields are parsed, with optional quotes around names and values") {
    const std::vector<FieldCriterion> fields =
        parse_criteria(
            "addr>=0x1000,addr<0x2000,size!=4,n<=1,m>-2,name=dma*,\"a b\"=\"c,d\",.mode=3,source:x5=1,t=\"\\\"\\\\\","
            "e=\"\"")
            .records.fields;
    const std::vector<FieldCriterion> expected{
        {"addr", Operator::at_least, "0x1000"}, {"addr", Operator::less, "0x2000"}, {"size", Operator::unequal, "4"},
        {"n", Operator::at_most, "1"},          {"m", Operator::greater, "-2"},     {"name", Operator::equal, "dma*"},
        {"a b", Operator::equal, "c,d"},        {"mode", Operator::equal, "3"},     {"source:x5", Operator::equal, "1"},
        {"t", Operator::equal, "\"\\"},         {"e", Operator::equal, ""}};
    CHECK(fields == expected);
    CHECK(parse_criteria("track=\"a,b\"").records.tracks == Lines{"a,b"});
    for (const char* wrong : {"size>", "size!4", ">4", "a=\"b", "a=\"b\"c", "size==4", "a>1,", "."})
        CHECK_THROWS_AS(parse_criteria(wrong), Error);
    CHECK(parse_criteria("a=\"=4\"").records.fields.front().value == "=4");
}

TEST_CASE("values are compared by type: numbers, labels, texts, times") {
    Bus bus;
    const StringId dma = bus.schema.intern("dma0"), cpu = bus.schema.intern("cpu, core 1");
    const auto cell = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    bus.access(10, 5000, {{0, 0x1000}, {1, 0}, {2, dma}, {3, static_cast<std::uint64_t>(-5)}, {4, cell(0.5)}});
    bus.access(20, 20000, {{0, 0x1fff}, {1, 1}, {2, cpu}, {3, 7}, {4, cell(1.5)}, {5, 1}});
    bus.access(30, 0, {{0, 0x2000}, {1, 2}, {2, dma}, {5, 0}, {6, 3000}});
    bus.access(40, 10000, {{0, UINT64_MAX}, {1, 9}});
    CHECK(bus.times("addr>=0x1000,addr<0x2000") == "10 20 ");
    CHECK(bus.times("addr>8191") == "30 40 ");
    CHECK(bus.times("addr=18446744073709551615") == "40 ");
    CHECK(bus.times("addr>-1") == "10 20 30 40 ");
    CHECK(bus.times("addr<=4096.5") == "10 ");
    CHECK(bus.times(".kind=read") == "10 ");
    CHECK(bus.times(".kind=write*") == "20 30 ");
    CHECK(bus.times(".kind=\"write back\"") == "30 ");
    CHECK(bus.times(".kind!=write*") == "10 40 ");
    CHECK(bus.times(".kind=9") == "40 ");
    CHECK(bus.times(".kind>=1") == "20 30 40 ");
    CHECK(bus.times("name=dma?") == "10 30 ");
    CHECK(bus.times("name=\"cpu, *\"") == "20 ");
    CHECK(bus.times("name!=dma*") == "20 ");
    CHECK(bus.times("delta<0") == "10 ");
    CHECK(bus.times("delta>=-5") == "10 20 ");
    CHECK(bus.times("load=0.5") == "10 ");
    CHECK(bus.times("load>1") == "20 ");
    CHECK(bus.times("hit=true") == "20 ");
    CHECK(bus.times("hit=0") == "30 ");
    CHECK(bus.times("duration>10ns") == "20 ");
    CHECK(bus.times("duration>=10ns") == "20 40 ");
    CHECK(bus.times("duration=5000") == "10 ");
    CHECK(bus.times("waited=3ns") == "30 ");
    CHECK(bus.times("addr>0x1000,name=dma*") == "30 ");
    // Several = criteria for one field are alternatives.
    CHECK(bus.times("addr=0x1000,addr=0x2000") == "10 30 ");
    CHECK(bus.times("addr=0x1000,addr=0x2000,addr>0x1000") == "30 ");
    CHECK(bus.times("scope=bus,kind=interval,addr=0x1000") == "10 ");
}

TEST_CASE("durations are compared in cycles and in time, exactly, by the known clock") {
    Bus third({TimeBase::Kind::cycles, 1, 3'000'000'000});  // a cycle takes 333 1/3 ps
    third.access(1, 1, {});
    third.access(2, 3, {});
    CHECK(third.times("duration>333ps") == "1 2 ");
    CHECK(third.times("duration<334ps") == "1 ");
    CHECK(third.times("duration=1ns") == "2 ");
    CHECK(third.times("duration=3cyc") == "2 ");
    Bus unknown({TimeBase::Kind::cycles, 1, 0});
    unknown.access(1, 5, {});
    CHECK(unknown.times("duration=5cyc") == "1 ");
    CHECK(refusal(unknown.schema, "duration>1ns").find("cannot be compared") == std::string::npos);
    CHECK(refusal(unknown.schema, "duration>1ns").find("can be compared like this: duration>1ns") != std::string::npos);
    CHECK(unknown.times("duration=10ns", {2'000, {}}) == "1 ");
}

TEST_CASE("a field that no track has, or that cannot be compared like this, is a usage error") {
    const Bus bus;
    CHECK(refusal(bus.schema, "adr>=1") ==
          "--select: no track that could be selected has a field 'adr' (did you mean addr?); the fields are addr, "
          "kind, name, delta, load, "
          "hit, waited, duration; the keys are kind, scope, track, mode, from-opcode, to-opcode, from-pc, to-pc");
    for (const char* wrong : {"addr=x", "name>5", ".kind>read", "addr>10ns", "duration=5cyc", "load=fast"})
        CHECK(refusal(bus.schema, wrong).find("has fields that can be compared like this") != std::string::npos);
    CHECK(refusal(bus.schema, "kind=event,addr=1").find("matches the kinds, scopes and tracks") != std::string::npos);
    CHECK(refusal(bus.schema, "addr=1,name=5") == "accepted");
    // No record has both fields.
    Npu npu;
    npu.schema.declare(make_track(Track::Kind::stream, 1, "MAC", picoseconds, {{"rows", Type::u32}}));
    npu.schema.declare(make_track(Track::Kind::stream, 2, "DMA", picoseconds, {{"bytes", Type::u32}}));
    CHECK(refusal(npu.schema, "rows=1") == "accepted");
    CHECK(refusal(npu.schema, "rows=1,bytes=1").find("rows=1,bytes=1") != std::string::npos);
}

TEST_CASE("one value of a repeated field must satisfy all its criteria") {
    Bus bus;
    bus.access(1, 0, {{0, 0x500}, {0, 0x3000}});
    bus.access(2, 0, {{0, 0x500}, {0, 0x1800}});
    CHECK(bus.times("addr>=0x1000,addr<0x2000") == "2 ");
    CHECK(bus.times("addr!=0x500") == "1 2 ");
    Trace trace;
    Batch batch;
    const TrackId walk = trace.schema.declare(
        make_track(Track::Kind::event_type, 1, "walk", ordinals,
                   {{"size", Type::u32}, {"level", Type::u8, none, true}, {"pte", Type::u64, none, true}}));
    batch.event(walk, 1, std::array<std::uint64_t, 5>{4096, 0, 0x10, 1, 0x20});
    batch.event(walk, 2, std::array<std::uint64_t, 3>{4096, 1, 0x10});
    batch.event(walk, 3, std::array<std::uint64_t, 1>{64});
    CHECK(selected(trace.schema, batch, "track=walk,pte=0x20").size() == 1);
    CHECK(selected(trace.schema, batch, "track=walk,level=1").size() == 2);
    CHECK(selected(trace.schema, batch, "track=walk,pte=0x10,size=4096").size() == 2);
    CHECK(selected(trace.schema, batch, "track=walk,size<100") == Lines{"3 event core0/walk size=64"});
}

namespace {

/// A sparse storage of entries and a dense storage of registers, each with a property.
struct Tables {
    Schema schema;
    TrackId queue = none, registers = none, event = none;
    Batch batch;

    Tables() {
        const ScopeId core = schema.declare(Scope{"core", none, {}, none});
        Track track = make_track(Track::Kind::storage, core, "queue", picoseconds,
                                 {{"id", Type::u32}, {"pc", Type::u64}, {"state", Type::u8}});
        track.slots = 4;
        track.sparse = true;
        track.properties = {{"head", Type::u16}};
        queue = schema.declare(track);
        track.name = "registers";
        track.sparse = false;
        track.fields = {{"value", Type::u64}};
        registers = schema.declare(track);
        event = schema.declare(make_track(Track::Kind::event_type, core, "stage", picoseconds, {{"id", Type::u32}}));
    }
    void frame(Tick time, std::uint32_t slot, std::uint64_t id, std::uint64_t pc) {
        batch.set(queue, time, slot, 0, id).flags |= record_first_of_frame;
        batch.set(queue, time, slot, 1, pc);
    }
};

}  // namespace

TEST_CASE("a slot is in the slice, with all fields, while its contents match") {
    Tables trace;
    Batch& batch = trace.batch;
    trace.frame(10, 0, 7, 0x100);
    trace.frame(10, 1, 8, 0x200);
    batch.set(trace.queue, 20, 0, 2, 1).flags |= record_first_of_frame;
    batch.set(trace.queue, 20, 1, 2, 1);
    batch.event(trace.event, 20, std::array<std::uint64_t, 1>{7});
    batch.set(trace.queue, 30, 0, 1, 0x200).flags |= record_first_of_frame;  // another entity is in the slot from here
    batch.set(trace.queue, 30, 1, 1, 0x100);
    batch.set_property(trace.queue, 40, 0, 3).flags |= record_first_of_frame;
    batch.clear_slot(trace.queue, 40, 0);
    batch.clear_slot(trace.queue, 40, 1);
    CHECK(selected(trace.schema, batch, "pc=0x100") ==
          Lines{"10 * set core/queue[0].id=0x7", "10 set core/queue[0].pc=0x100", "20 * set core/queue[0].state=1",
                "30 * clear core/queue[0]", "30 set core/queue[1].id=0x8", "30 set core/queue[1].pc=0x100",
                "30 set core/queue[1].state=1", "40 * clear core/queue[1]"});
    // Values that were set before the frame are marked. Values of a slot that is filled in the frame are not marked.
    RecordSelection stage(trace.schema, parse_criteria("pc=0x100").records);
    Batch out;
    stage.apply(batch, out);
    const auto restated = [&](std::size_t i) { return (out.records()[i].flags & record_restated) != 0; };
    CHECK_FALSE(restated(0));
    CHECK_FALSE(restated(1));
    CHECK(restated(4));
    CHECK_FALSE(restated(5));
    CHECK(restated(6));
    CHECK(selected(trace.schema, batch, "pc=0x100,id=8").size() == 4);
    CHECK(selected(trace.schema, batch, "slot=1,pc>0").size() == 5);
    CHECK(selected(trace.schema, batch, "head=3") == Lines{"40 * set core/queue.head=3"});
    CHECK(selected(trace.schema, batch, "id=7").size() == 6);  // the event is selected, too
    CHECK(selected(trace.schema, batch, "kind=set,pc=0x100").size() == 6);
    CHECK(refusal(trace.schema, "head=3,pc=1").find("can be compared like this") != std::string::npos);
}

TEST_CASE("a slot of a dense table is zero while it does not match, and counters are compared by their current value") {
    Tables trace;
    Batch& batch = trace.batch;
    batch.set(trace.registers, 10, 1, 0, 5).flags |= record_first_of_frame;
    batch.set(trace.registers, 20, 1, 0, 50).flags |= record_first_of_frame;
    batch.add(trace.registers, 30, 1, 0, 10).flags |= record_first_of_frame;
    batch.set(trace.registers, 40, 1, 0, 1).flags |= record_first_of_frame;
    CHECK(selected(trace.schema, batch, "value>=50") == Lines{"20 * set core/registers[1].value=0x32",
                                                              "30 * add core/registers[1].value+=0xa",
                                                              "40 * clear core/registers[1]"});
    CHECK(selected(trace.schema, batch, "value=60") ==
          Lines{"30 * set core/registers[1].value=0x3c", "40 * clear core/registers[1]"});
    CHECK(selected(trace.schema, batch, "value<10") == Lines{"10 * set core/registers[1].value=0x5",
                                                             "20 * clear core/registers[1]",
                                                             "40 * set core/registers[1].value=0x1"});
    RecordSelectionOptions small;
    small.limits.block = 16;
    CHECK_THROWS_AS(selected(trace.schema, batch, "value<10", small), Error);
}

TEST_CASE("a signal in the slice has the values that match, and otherwise none") {
    Schema schema;
    const TrackId level =
        schema.declare(make_track(Track::Kind::signal, none, "level", picoseconds, {Field{"value", Type::i16}}));
    const TrackId pair = schema.declare(make_track(Track::Kind::signal, none, "pair", picoseconds,
                                                   {Field{"x", Type::u8}, Field{"text", Type::text, none, true}}));
    Batch batch;
    batch.change(level, 10, Attribute{0, 5});
    batch.change(level, 20, Attribute{0, 7}, change_conflict);
    batch.change(level, 30, Attribute{0, static_cast<std::uint64_t>(-1)});
    batch.change(level, 40, std::span<const Attribute>()).flags |= record_no_value;
    batch.change(level, 50, Attribute{0, 9});
    const std::array values{Attribute{0, 5}, Attribute{1, schema.intern("a")}, Attribute{1, schema.intern("b")}};
    batch.change(pair, 60, values);
    CHECK(selected(schema, batch, "value>=7") ==
          Lines{"20 change level value=7 mark=1", "30 change level no value", "50 change level value=9"});
    CHECK(selected(schema, batch, "mark=1") == Lines{"20 change level value=7 mark=1", "30 change level no value"});
    CHECK(selected(schema, batch, "x=5,text=b") == Lines{"60 change pair x=5 text=\"a\" text=\"b\""});
    CHECK(selected(schema, batch, "text=c").empty());
}

TEST_CASE("relations stay with matching intervals, unless relations are selected themselves") {
    Bus bus;
    bus.schema.add_attribute(bus.stream, {"id", Type::u64});
    const TrackId wakes = bus.schema.declare(
        make_track(Track::Kind::relation_type, 1, "wakes", picoseconds, {{"from", Type::u64}, {"to", Type::u64}}));
    bus.access(1, 0, {{0, 0x100}, {7, 1}});
    bus.batch.relation(wakes, 2, std::array<std::uint64_t, 2>{1, 2});
    bus.access(2, 0, {{0, 0x200}, {7, 2}});
    bus.batch.relation(wakes, 3, std::array<std::uint64_t, 2>{2, 3});
    bus.access(3, 0, {{0, 0x300}, {7, 3}});
    const auto read = [&](const char* criteria) {
        Stepwise whole(bus.schema, {[&](Batch& batch) {
                           for (const Record& record : bus.batch.records())
                               batch.copy(bus.batch, record, record.track);
                       }});
        SelectionOptions options;
        options.reads.relations = RelationPlace::before_sink;
        RangedReader part(whole, Range{Range::Unit::record, 0, std::nullopt}, options,
                          parse_criteria(criteria).records);
        Batch batch;
        Lines lines;
        for (; part.read(batch); batch.clear())
            for (const std::string& line : lines_of(part.schema(), batch))
                lines.push_back(line.substr(0, line.find_first_of("/")));
        return lines;
    };
    CHECK(read("addr>=0x200") == Lines{"2 relation bus", "2 interval bus", "3 relation bus", "3 interval bus"});
    CHECK(read("addr=0x100") == Lines{"1 interval bus"});
    CHECK(read("to=3") == Lines{"3 relation bus"});
}

TEST_CASE("fields that are declared while reading are compared from then on") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC");
    Schema complete;
    {
        Npu whole;
        whole.schema.add_attribute(whole.stream(0, "MAC"), {"rows", Type::u32});
        const TrackId dma = whole.stream(1, "DMA");
        whole.schema.add_attribute(dma, {"rows", Type::u32});
        for (const Scope& scope : whole.schema.scopes())
            complete.declare(scope);
        for (const Track& track : whole.schema.tracks())
            complete.declare(track);
    }
    Stepwise growing(npu.schema, {[&](Batch& batch) { batch.interval(mac, 1, 1); },
                                  [&](Batch& batch) {
                                      npu.schema.add_attribute(mac, {"rows", Type::u32});
                                      batch.interval(mac, 2, 1, std::array{Attribute{0, 4}});
                                      batch.interval(mac, 3, 1, std::array{Attribute{0, 8}});
                                  },
                                  [&](Batch& batch) {
                                      const TrackId dma = npu.stream(1, "DMA");
                                      npu.schema.add_attribute(dma, {"rows", Type::u32});
                                      batch.interval(dma, 4, 1, std::array{Attribute{0, 4}});
                                  }});
    RangedReader part(growing, Range{Range::Unit::record, 0, std::nullopt}, {}, parse_criteria("rows=4").records,
                      &complete);
    Lines lines;
    Batch batch;
    for (; part.read(batch); batch.clear())
        for (const std::string& line : lines_of(part.schema(), batch))
            lines.push_back(line);
    CHECK(lines == Lines{"2 interval core0/MAC duration=1 rows=4", "4 interval core1/DMA duration=1 rows=4"});
}

namespace {

/// Consecutive instructions of four bytes.
struct Program : Trace {
    TrackId force_pc =
        schema.declare(make_track(Track::Kind::event_type, 1, "stf.force_pc", ordinals, {{"value", Type::u64}}));
    Batch batch;
    std::uint64_t pc = 0x1000;
    Tick index = 0;

    Instruction& step() {
        Instruction& instruction = batch.instruction(hart, index++, pc);
        instruction.encoding = 0x13;
        instruction.size = 4;
        pc += 4;
        return instruction;
    }
    Lines lines(const char* criteria, const char* range = "0#:", Earlier earlier = Earlier::left_out) {
        Stepwise whole(schema, {[&](Batch& copy) {
                           for (const Record& record : batch.records())
                               copy.copy(batch, record, record.track);
                       }});
        SelectionOptions options;
        options.earlier = earlier;
        RangedReader part(whole, parse_range(range), options, parse_criteria(criteria).records);
        Batch out;
        Lines all;
        for (; part.read(out); out.clear())
            for (const std::string& line : lines_of(part.schema(), out))
                all.push_back(line);
        return all;
    }
};

}  // namespace

TEST_CASE("instructions are selected by their effects, each with its group") {
    Program program;
    Batch& batch = program.batch;
    program.step();
    batch.note(program.notes, 1, "loads");
    batch.access(0x100, 8, 0, AccessType::read);
    batch.access_data(0xAA);
    batch.access(0x3000, 4, 2, AccessType::write);
    batch.operand(5, RegisterClass::integer, OperandRole::source, 17);
    batch.vector_operand(2, OperandRole::destination, std::array<std::uint64_t, 2>{1, 2});
    program.step();
    Instruction& jump = program.step();
    jump.has_target = true;
    jump.target = 0x2000;
    program.step().size = 2;

    const Lines loads = program.lines("read=0x100");
    REQUIRE(loads.size() == 2);
    CHECK(loads[0] == "1 note core0/stf.comment \"loads\"");
    CHECK(loads[1].starts_with("1 instruction core0/core0 pc=0x1004"));
    for (const char* same :
         {"address=0x3000", "write>0x2fff", "access_size=8", "data=0xaa", "attributes=2", "pc=0x1004", "source:x5=17",
          "destination:v2=2", "address>0x200,access_size=4", "read=0x100,data=0xaa"})
        CHECK(program.lines(same) == loads);
    // All criteria about accesses must be met by the same access.
    for (const char* none_such : {"address=0x3000,access_size=8", "read=0x3000", "write=0x3000,data=0xaa",
                                  "source:x5=18", "destination:x5=17", "target=0x1000", "pc=0x1004,size=2"})
        CHECK(program.lines(none_such).empty());
    CHECK(program.lines("target=0x2000").size() == 1);
    CHECK(program.lines("size=2").size() == 1);
    CHECK(program.lines("pc<0x1008,encoding=0x13").size() == 3);
    CHECK(program.lines("pc>=0x1004", "2#:3#").size() == 1);
    // A slice that is a complete trace states the pc at which it continues.
    const Lines part = program.lines("pc!=0x1004", "0#:", Earlier::restated);
    CHECK(with(part, "stf.force_pc").size() == 1);
    CHECK(with(part, " instruction ").size() == 3);
    // If the selected records are not instructions, the slice has no instructions.
    CHECK(program.lines("track=stf.comment,text=load*") == Lines{loads[0]});
    CHECK_THROWS_AS(program.lines("track=stf.comment,pc=1"), Error);
    CHECK_THROWS_AS(program.lines("source:y5=1"), Error);
    CHECK_THROWS_AS(program.lines("pc=start"), Error);
}

TEST_CASE("in traces with instructions, fields select rows of tables as in other traces") {
    Program program;
    Track table = make_track(Track::Kind::storage, 1, "rob", ordinals, {{"stage", Type::u8}, {"pc", Type::u64}});
    table.slots = 2;
    table.sparse = true;
    const TrackId rob = program.schema.declare(std::move(table));
    Batch& batch = program.batch;
    batch.set(rob, 0, 0, 1, 0x1000);
    batch.set(rob, 0, 0, 0, 1);
    program.step();
    batch.set(rob, 1, 1, 1, 0x1004);
    batch.set(rob, 1, 1, 0, 1);
    batch.set(rob, 1, 0, 0, 2);
    program.step();
    batch.clear_slot(rob, 2, 0);
    batch.set(rob, 2, 1, 0, 2);
    program.step();
    CHECK(program.lines("stage=2") == Lines{"1 set core0/rob[0].stage=2", "1 set core0/rob[0].pc=0x1000",
                                            "2 clear core0/rob[0]", "2 set core0/rob[1].stage=2",
                                            "2 set core0/rob[1].pc=0x1004"});
    CHECK(program.lines("track=rob,pc=0x1004").size() == 3);
    CHECK(program.lines("slot=0,stage=1").size() == 3);
    // If instructions have the field, too, it selects instructions, unless other criteria exclude them.
    CHECK(with(program.lines("pc=0x1004"), " instruction ").size() == 1);
    // A slice that begins later would need the storage's earlier contents.
    CHECK_THROWS_AS(program.lines("stage=2", "1#:"), Error);

    Losses losses;
    const Format source{};
    Choices choices;
    choices.criteria = parse_criteria("stage=2");
    Plan plan = make_selection_plan(program.schema, source, choices, losses);
    REQUIRE(plan.stages.size() == 1);
    CHECK(lines_after(*plan.stages.front(), {&batch}) == program.lines("stage=2"));
}

}  // namespace field_selection_test
