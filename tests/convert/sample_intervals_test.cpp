// Tests that an instruction trace survives conversion to formats that hold only intervals.
#include "convert/transforms/sample_intervals.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>

#include "convert/transforms/signal_making.hpp"
#include "formats.hpp"
#include "support/interval_support.hpp"

namespace sample_intervals_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Order = RecordOrder;

/// A core and its records as intervals.
struct Core : IntervalTrace {
    ScopeId top = schema.declare(Scope{"core", none, {}, none});
    Losses losses;

    TrackId track(Track::Kind kind, std::string_view name, std::vector<Field> fields = {}, TimeBase time = ordinals) {
        return schema.declare(make_track(kind, top, name, time, std::move(fields)));
    }

    Plan there(Order order = Order::by_time) {
        Plan plan;
        plan.stages.push_back(std::make_unique<SignalMaking>(schema, *find_format(formats(), "ftr"), order, losses));
        plan.stages.push_back(std::make_unique<SampleIntervals>(plan.stages.back()->schema(), gigahertz));
        return plan;
    }
    std::vector<std::string> intervals(Order order = Order::by_time) {
        Plan plan = there(order);
        return records_behind(*this, plan);
    }
    std::string there_and_back(Order order = Order::by_time) {
        Plan plan = there(order);
        REQUIRE(SignalsOfIntervals::is_made(plan.stages.back()->schema()));
        plan.stages.push_back(std::make_unique<SignalsOfIntervals>(plan.stages.back()->schema(), losses));
        REQUIRE(RecordsOfSignals::is_made(plan.stages.back()->schema()));
        plan.stages.push_back(std::make_unique<RecordsOfSignals>(plan.stages.back()->schema(), "/tmp", losses));
        Canned reader(schema, pointers());
        return model_of(reader, schema, plan);
    }
};

}  // namespace

TEST_CASE("registers of an instruction become attributes named after them, with the phase of their role") {
    Core core;
    const TrackId hart = core.track(Track::Kind::hart, "core0");
    Batch& batch = core.batch();
    batch.operand(1, RegisterClass::integer, OperandRole::state, 7);
    batch.operand(10, RegisterClass::integer, OperandRole::source, 8);
    const std::array<std::uint64_t, 2> low{1, 2}, high{3, 4};
    batch.vector_operand(3, OperandRole::source, low);
    batch.vector_operand(3, OperandRole::source, high);
    batch.operand(0x300, RegisterClass::csr, OperandRole::destination, 9);
    batch.operand(10, RegisterClass::floating, OperandRole::destination, 10);
    batch.access(0x100, 8, 0, AccessType::read);
    batch.access_data(0x55);
    batch.access(0x200, 16, 3, AccessType::write);
    batch.access_data(0x66);
    batch.access_data(0x77);
    Instruction& made = batch.instruction(hart, 0, 0x1000);
    made.encoding = 0x13;
    made.size = 4;
    made.has_target = true;
    made.target = 0x2000;
    const std::array order{Part::access,  Part::operand, Part::operand, Part::operand, Part::operand,
                           Part::operand, Part::operand, Part::target,  Part::access};
    batch.set_order(made, order);
    Instruction& next = batch.instruction(hart, 1, 0x2000);
    next.encoding = 0x1;
    next.size = 2;
    CHECK(core.intervals() ==
          std::vector<std::string>{
              "0 interval core/instruction duration=1 pc=0x1000 inst_bits=0x13 size=4 target=0x2000 x1=7 x10=8 words=2 "
              "v3=1 v3=2 words=2 v3=3 v3=4 csr0x300=9 f10=10 access_type=read access_type=write address=0x100 "
              "address=0x200 access_size=8 access_size=16 attributes=0x0 attributes=0x3 data_words=1 data_words=2 "
              "data=0x55 data=0x66 data=0x77 instruction_order=access instruction_order=operand "
              "instruction_order=operand instruction_order=operand instruction_order=operand instruction_order=operand "
              "instruction_order=operand instruction_order=target instruction_order=access",
              "1 interval core/instruction duration=1 pc=0x2000 inst_bits=0x1 size=2",
          });
    Plan plan = core.there();
    records_behind(core, plan);
    std::vector<std::string> phases;
    for (const Field& field : plan.stages.back()->schema().tracks()[0].fields)
        if (field.name == "x1" || field.name == "x10" || field.name == "csr0x300")
            phases.push_back(field.name + " " + std::string(name_of(field.phase)));
    CHECK(phases == std::vector<std::string>{"x1 record", "x10 begin", "csr0x300 end"});
    CHECK(core.there_and_back() == model_of(core));
    CHECK(core.losses.none());
}

TEST_CASE("values of registers without a separate name are kept as members and restored") {
    Core core;
    const TrackId hart = core.track(Track::Kind::hart, "core0");
    core.batch().vector_operand(1, OperandRole::source, {});
    core.batch().operand(5000, RegisterClass::csr, OperandRole::source, 1);
    core.batch().operand(2, RegisterClass::integer, OperandRole::source, 1);
    core.batch().instruction(hart, 0, 0x1000).size = 4;
    core.batch().operand(2, RegisterClass::integer, OperandRole::source, 1);
    core.batch().instruction(hart, 1, 0x1004).size = 4;
    const std::vector<std::string> lines = core.intervals();
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].find("register_class=v register_class=csr register_class=x") != std::string::npos);
    CHECK(lines[0].find("words=0") != std::string::npos);
    CHECK(lines[1] == "1 interval core/instruction duration=1 pc=0x1004 inst_bits=0x0 size=4 x2=1");
    CHECK(core.there_and_back() == model_of(core));
    CHECK(core.losses.none());
}

TEST_CASE("events, notes, bytes and relations become intervals of length 0; relations are also kept as relations") {
    Core core;
    const TrackId event = core.track(Track::Kind::event_type, "walk",
                                     {Field{"id", Type::u64}, Field{"who", Type::text},
                                      Field{"pte", Type::u64, none, true}, Field{"at", Type::text, none, true}});
    const TrackId notes = core.track(Track::Kind::notes, "remark");
    const TrackId bytes = core.track(Track::Kind::native, "stf.record");
    const TrackId work =
        core.track(Track::Kind::stream, "work", {Field{"id", Type::u64}, Field{"n", Type::u8}}, gigahertz);
    const TrackId after =
        core.track(Track::Kind::relation_type, "after",
                   {Field{"from", Type::u64}, Field{"to", Type::u64}, Field{"cycles", Type::u64}}, gigahertz);
    Schema& schema = core.schema;
    const std::uint64_t a = schema.intern("a"), b = schema.intern("b");
    core.batch().event(event, 0, std::array{std::uint64_t{5}, a, std::uint64_t{1}, b, std::uint64_t{2}, a});
    core.batch().note(notes, 0, "said");
    core.batch().native(bytes, 1, std::array{std::byte{0}, std::byte{0xFF}});
    core.batch().interval(work, 1, 9, std::array{Attribute{0, 77}, Attribute{1, 3}});
    core.batch().relation(after, 2, std::array<std::uint64_t, 3>{70, 77, 4});
    core.batch().note(notes, 3, "said").flags = record_first_of_frame;
    CHECK(core.intervals(Order::by_time_counted) ==
          std::vector<std::string>{
              "0 interval core/walk duration=0 id=0x5 who=\"a\" pte=0x1 pte=0x2 at=\"b\" at=\"a\" order=1",
              "0 interval core/remark duration=0 note=\"said\" order=2",
              "1 interval core/stf.record duration=0 bytes=\"00ff\" order=3",
              "1 interval core/work duration=9 id=0x4d n=3 order=4",
              "2 interval core/after duration=0 from=70 to=77 cycles=4 order=5",
              "2 relation core/after from=70 to=77",
              "3 interval core/remark duration=0 note=\"said\" order=6 mark=2",
          });
    CHECK(core.there_and_back(Order::by_time_counted) == model_of(core));
    CHECK(core.there_and_back() == model_of(core));
    CHECK(core.losses.none());
}

TEST_CASE("intervals that another tool added are counted as lost, and renamed ones are not raised") {
    Core core;
    const TrackId hart = core.track(Track::Kind::hart, "core0");
    const TrackId after =
        core.track(Track::Kind::relation_type, "after", {Field{"from", Type::u64}, Field{"to", Type::u64}}, gigahertz);
    core.batch().instruction(hart, 0, 0x1000).size = 4;
    core.batch().relation(after, 0, std::array<std::uint64_t, 2>{1, 2});
    Plan plan = core.there();
    IntervalTrace edited;
    records_behind(core, plan);
    const Schema& made = plan.stages.back()->schema();
    for (const Scope& scope : made.scopes())
        edited.schema.declare(scope);
    for (const Enum& enumeration : made.enums())
        edited.schema.declare(enumeration);
    for (const Track& track : made.tracks())
        edited.schema.declare(track);
    for (const Metadata& fact : made.metadata())
        edited.schema.describe(fact.key, fact.value);
    const std::uint32_t mine = edited.schema.add_attribute(0, Field{"mine", Type::u64, none, true});
    const TrackId added = edited.stream(0, "added", gigahertz);
    edited.batch().interval(0, 0, 1,
                            std::array{Attribute{0, 0x1000}, Attribute{1, 0}, Attribute{2, 4}, Attribute{mine, 1}});
    edited.batch().interval(0, 1, 1, std::array{Attribute{0, 0x1000}});  // lacks the encoding and the size
    edited.batch().interval(1, 1, 0, std::array{Attribute{0, 1}, Attribute{1, 2}});
    edited.batch().relation(2, 1, std::array<std::uint64_t, 2>{1, 2});
    edited.batch().relation(2, 1, std::array<std::uint64_t, 2>{3, 4});
    edited.batch().interval(added, 2, 1);
    REQUIRE(SignalsOfIntervals::is_made(edited.schema));
    Plan back;
    Losses losses;
    back.stages.push_back(std::make_unique<SignalsOfIntervals>(edited.schema, losses));
    back.stages.push_back(std::make_unique<RecordsOfSignals>(back.stages.back()->schema(), "/tmp", losses));
    CHECK(records_behind(edited, back) ==
          std::vector<std::string>{"0 instruction core/core0 pc=0x1000 encoding=0x0 size=4",
                                   "1 relation core/after from=1 to=2"});
    CHECK(losses.entries().at({Loss::field_dropped, "instruction"}).count == 1);
    CHECK(losses.entries().at({Loss::kind_dropped, "core0"}).count == 1);
    CHECK(losses.entries().at({Loss::kind_dropped, "added"}).count == 1);
    CHECK(losses.entries().at({Loss::relation_dropped, "after"}).count == 1);

    Schema renamed;
    renamed.describe(made.metadata()[0].key, made.metadata()[0].value);
    renamed.declare(Scope{"core", none, {}, none});
    Track other = made.tracks()[0];
    other.name = "other";
    renamed.declare(other);
    renamed.declare(made.tracks()[1]);
    CHECK_FALSE(SignalsOfIntervals::is_made(renamed));
}

}  // namespace sample_intervals_test
