// Tests that other records become signals for targets that hold only signals, and are restored unchanged.
#include "convert/transforms/signal_making.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "convert/time_sort.hpp"
#include "domain/conventions.hpp"
#include "domain/schema_text.hpp"
#include "formats.hpp"
#include "select/selection.hpp"
#include "support/signal_support.hpp"

namespace signal_making_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

const Format& flux() {
    return *find_format(formats(), "flux");
}

/// Tracks of every kind that can become a signal, in one scope.
struct Records : IntervalTrace {
    ScopeId top = schema.declare(Scope{"top", none, {}, none});
    Losses losses;

    TrackId track(Track::Kind kind, std::string_view name, std::vector<Field> fields, TimeBase time = picoseconds) {
        return schema.declare(make_track(kind, top, name, time, std::move(fields)));
    }
    std::uint64_t text(std::string_view bytes) { return schema.intern(bytes); }
};

using Order = RecordOrder;

/// Returns the model dump of the stage's output.
std::string signals_of(IntervalTrace& trace, Losses& losses, Order order = Order::by_time) {
    Plan plan;
    plan.stages.push_back(std::make_unique<SignalMaking>(trace.schema, flux(), order, losses));
    Canned reader(trace.schema, trace.pointers());
    return model_of(reader, trace.schema, plan);
}

std::string there_and_back(IntervalTrace& trace, Losses& losses, Order order = Order::by_time) {
    Plan plan;
    plan.stages.push_back(std::make_unique<SignalMaking>(trace.schema, flux(), order, losses));
    if (order == Order::any) plan.stages.push_back(std::make_unique<TimeSort>(plan.stages.back()->schema(), "/tmp"));
    const Schema& made = plan.stages.back()->schema();
    REQUIRE(RecordsOfSignals::is_made(made));
    CHECK(RecordsOfSignals::reorders(made) == (order == Order::any));
    plan.stages.push_back(std::make_unique<RecordsOfSignals>(made, "/tmp", losses));
    Canned reader(trace.schema, trace.pointers());
    return model_of(reader, trace.schema, plan);
}

/// Returns the first lines that differ, or an empty string.
std::string difference(const std::string& made, const std::string& expected) {
    std::istringstream left(made), right(expected);
    std::string a, b;
    while (true) {
        const bool more_a = static_cast<bool>(std::getline(left, a)),
                   more_b = static_cast<bool>(std::getline(right, b));
        if (!more_a && !more_b) return {};
        if (more_a != more_b || a != b) return (more_a ? a : "(end)") + "\n" + (more_b ? b : "(end)");
    }
}

struct WantedRecords {
    std::uint64_t seed = 1;
    Order order = Order::by_time;
    bool several_bases = false;
    bool signals = true;
    bool frames = true;
};

/// Returns fields of every type. Some have equal or empty names, or names that the stage adds.
std::vector<Field> every_field(EnumId labels) {
    std::vector<Field> fields;
    for (unsigned type = 0; type <= static_cast<unsigned>(Type::blob); ++type)
        fields.push_back(
            Field{std::string(name_of(Type(type))), Type(type), Type(type) == Type::enumeration ? labels : none});
    for (const std::string_view name : {"duration", "order", "", "", "u8", "u8", "note", "value", "u8#22"})
        fields.push_back(Field{std::string(name), Type::i64});
    return fields;
}

std::uint64_t random_cell(Schema& schema, const Field& field, std::mt19937_64& random) {
    const std::uint64_t bits = random() >> (random() % 64);
    switch (field.type) {
        case Type::u8:
            return bits & 0xFF;
        case Type::u16:
            return bits & 0xFFFF;
        case Type::u32:
            return bits & 0xFFFF'FFFF;
        case Type::i8:
            return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int8_t>(bits)});
        case Type::i16:
            return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int16_t>(bits)});
        case Type::i32:
            return static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(bits)});
        case Type::f32:
            return std::bit_cast<std::uint32_t>(static_cast<float>(bits) / 3);
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            return std::bit_cast<std::uint64_t>(static_cast<double>(bits) / 7);
        case Type::boolean:
            return bits & 1;
        case Type::bits:
        case Type::logic: {
            std::string states;
            for (std::size_t i = random() % 80; i-- > 0;)
                states += field.type == Type::bits ? "01"[random() % 2] : "01XZ"[random() % 4];
            return schema.intern(states);
        }
        default:
            return holds_text(field.type) ? schema.intern(std::string(bits % 9, static_cast<char>('a' + bits % 26)))
                                          : bits;
    }
}

void add_instruction(Batch& batch, TrackId hart, Tick time, std::mt19937_64& random) {
    std::vector<std::uint64_t> words;
    for (std::uint64_t operands = random() % 4; operands > 0; --operands) {
        const auto number = static_cast<std::uint16_t>(random());
        const auto register_class = static_cast<RegisterClass>(random() % 4);
        const auto role = static_cast<OperandRole>(random() % 3);
        words.assign(random() % 4, random());
        if (register_class == RegisterClass::vector)
            batch.vector_operand(number, role, words);
        else
            batch.operand(number, register_class, role, random() >> (random() % 64));
    }
    for (std::uint64_t accesses = random() % 3; accesses > 0; --accesses) {
        const auto attributes = static_cast<std::uint16_t>(random() % 3 == 0 ? random() : 0);
        batch.access(random() >> (random() % 64), static_cast<std::uint16_t>(random()), attributes,
                     static_cast<AccessType>(random() % 3));
        for (std::uint64_t data = random() % 3; data > 0; --data)
            batch.access_data(random());
    }
    Instruction& instruction = batch.instruction(hart, time, random() >> (random() % 64));
    instruction.encoding = random();
    instruction.size = static_cast<std::uint8_t>(random());
    instruction.has_target = random() % 3 == 0;
    if (instruction.has_target) instruction.target = random();
    std::vector<Part> order(random() % 5);
    for (Part& part : order)
        part = static_cast<Part>(random() % 4);
    if (random() % 2 == 0) batch.set_order(instruction, order);
}

void operate(IntervalTrace& trace, TrackId storage, Tick time, std::mt19937_64& random) {
    const Track& track = trace.schema.tracks()[storage];
    const auto slot = static_cast<std::uint32_t>(random() % 4 == 0 ? random() % none : random() % 4);
    const auto field = static_cast<std::uint16_t>(random() % track.fields.size());
    const auto property = static_cast<std::uint16_t>(random() % track.properties.size());
    const std::uint64_t value = random_cell(trace.schema, track.fields[field], random);
    const bool adds = !holds_text(track.fields[field].type) && random() % 2 == 0;
    switch (random() % 4) {
        case 0:
            trace.batch().clear_slot(storage, time, slot);
            return;
        case 1:
            trace.batch().set_property(storage, time, property,
                                       random_cell(trace.schema, track.properties[property], random));
            return;
        default:
            if (adds)
                trace.batch().add(storage, time, slot, field, value);
            else
                trace.batch().set(storage, time, slot, field, value);
    }
}

IntervalTrace random_records(const WantedRecords& wanted) {
    IntervalTrace trace;
    Schema& schema = trace.schema;
    std::mt19937_64 random(wanted.seed);
    schema.describe("waits.version", "3");
    const EnumId labels = schema.declare(Enum{"labels", {{0, "idle"}, {7, "busy"}}});
    const ClockId clock = schema.declare(Clock{"core", 250});
    const ScopeId top = schema.declare(Scope{"top", none, {}, clock});
    const ScopeId unit = schema.declare(Scope{"unit", top, {}, none, 3});
    const std::vector<TimeBase> bases = wanted.several_bases
                                            ? std::vector{picoseconds, gigahertz, unknown_period, ordinals,
                                                          TimeBase{TimeBase::Kind::cycles, 3, 1'000'000'000}}
                                            : std::vector{picoseconds};
    std::vector<TrackId> tracks;
    const auto add = [&](Track::Kind kind, std::string_view name, std::vector<Field> fields) {
        tracks.push_back(schema.declare(make_track(kind, tracks.size() % 2 == 0 ? top : unit, name,
                                                   bases[tracks.size() % bases.size()], std::move(fields))));
    };
    const Field from{std::string(conventions::relation_from), Type::u64},
        to{std::string(conventions::relation_to), Type::u64};
    std::vector<Field> rows = every_field(labels);
    for (const Type type : {Type::u8, Type::text, Type::f32, Type::enumeration})
        rows.push_back(Field{"row", type, type == Type::enumeration ? labels : none, true});
    std::vector<Field> repeated = every_field(labels);
    for (Field& field : repeated)
        field.repeated = random() % 3 == 0;
    add(Track::Kind::event_type, "rows", rows);
    add(Track::Kind::event_type, "nothing", {});
    add(Track::Kind::event_type, "nothing", {Field{"", Type::text}});
    add(Track::Kind::event_type, "many", {Field{"value", Type::i32, none, true}});
    add(Track::Kind::relation_type, "next", {from, to});
    add(Track::Kind::relation_type, "next", {from, to, Field{"why", Type::text}, Field{"order", Type::u8}});
    add(Track::Kind::stream, "work", repeated);
    add(Track::Kind::stream, "idle", {});
    add(Track::Kind::notes, "remarks", {});
    add(Track::Kind::native, "other.bytes", {});
    add(Track::Kind::hart, "core", {});
    for (const bool sparse : {false, true}) {
        Track table = make_track(Track::Kind::storage, unit, "table", picoseconds, every_field(labels));
        table.fields.push_back(Field{std::string(conventions::slot), Type::text});
        table.properties = {{.name = "u8", .type = Type::u8, .role = 1, .pair = 3},
                            {.name = "slot", .type = Type::text},
                            {.name = "tail", .type = Type::enumeration, .enumeration = labels, .role = 2, .pair = 3}};
        table.slots = sparse ? 8 : 0;
        table.sparse = table.buffer = sparse;
        tracks.push_back(schema.declare(std::move(table)));
    }
    // The trace has events with a single field, one event for each type.
    for (unsigned type = 0; type <= static_cast<unsigned>(Type::blob); ++type)
        add(Track::Kind::event_type, "alone",
            {Field{"value", Type(type), Type(type) == Type::enumeration ? labels : none}});
    if (wanted.signals)
        for (const Type type : {Type::i64, Type::f64, Type::text})
            add(Track::Kind::signal, "level", {Field{"value", type}});
    std::vector<Tick> times;
    for (std::size_t i = 0; i < 1200; ++i)
        times.push_back(static_cast<Tick>(random() % 400));
    if (wanted.order == Order::by_time) std::ranges::sort(times);
    std::vector<Attribute> values;
    std::vector<std::uint64_t> cells;
    for (const Tick time : times) {
        const TrackId id = tracks[random() % tracks.size()];
        const Track& track = schema.tracks()[id];
        values.clear();
        cells.clear();
        for (std::uint32_t i = 0; i < track.fixed_fields(); ++i)
            cells.push_back(random_cell(schema, track.fields[i], random));
        Batch& batch = trace.batch();
        switch (track.kind) {
            case Track::Kind::relation_type:
                batch.relation(id, time, cells);
                break;
            case Track::Kind::stream:
                for (std::size_t count = track.fields.empty() ? 0 : random() % 8; count > 0; --count) {
                    const auto field = static_cast<std::uint32_t>(random() % track.fields.size());
                    values.push_back({field, random_cell(schema, track.fields[field], random)});
                }
                batch.interval(id, time, random() >> (random() % 64), values);
                break;
            case Track::Kind::notes:
                batch.note(id, time, std::string(random() % 5, 'n'));
                break;
            case Track::Kind::native: {
                const std::array bytes{std::byte{0}, std::byte{0xFF}, static_cast<std::byte>(random())};
                batch.native(id, time, std::span(bytes).first(random() % 4));
                break;
            }
            case Track::Kind::hart:
                add_instruction(batch, id, time, random);
                break;
            case Track::Kind::storage:
                operate(trace, id, time, random);
                break;
            case Track::Kind::signal:
                if (random() % 4 == 0)
                    batch.change(id, time, std::span<const Attribute>()).flags |= record_no_value;
                else
                    batch.change(id, time, Attribute{0, random_cell(schema, track.fields[0], random)},
                                 random() % 3 == 0 ? random() % 256 : 0);
                break;
            default:
                for (std::size_t row = random() % 4; row > 0; --row)
                    for (std::size_t i = track.fixed_fields(); i < track.fields.size(); ++i)
                        cells.push_back(random_cell(schema, track.fields[i], random));
                batch.event(id, time, cells);
                break;
        }
        const bool may_begin = wanted.frames && track.kind != Track::Kind::signal;
        Record& made = batch.mutable_records().back();
        if (may_begin && random() % 3 == 0) made.flags |= record_first_of_frame;
    }
    return trace;
}

std::vector<WantedRecords> many_wishes() {
    std::vector<WantedRecords> all;
    std::uint64_t seed = 1;
    for (const Order order : {Order::by_time, Order::any})
        for (const bool several_bases : {false, true})
            for (int i = 0; i < 3; ++i)
                all.push_back({.seed = seed++,
                               .order = order,
                               .several_bases = several_bases,
                               .signals = order == Order::by_time});
    return all;
}

}  // namespace

TEST_CASE("each record becomes one change of the signal made from its track") {
    Records trace;
    const TrackId event = trace.track(Track::Kind::event_type, "e",
                                      {Field{"who", Type::text}, Field{"who", Type::u8},
                                       Field{"row", Type::u8, none, true}, Field{"x", Type::text, none, true}});
    const TrackId work = trace.track(Track::Kind::stream, "w", {Field{"duration", Type::u8}, Field{"", Type::text}});
    const TrackId notes = trace.track(Track::Kind::notes, "n", {});
    const TrackId relation =
        trace.track(Track::Kind::relation_type, "r", {Field{"from", Type::u64}, Field{"to", Type::u64}});
    const TrackId signal = trace.track(Track::Kind::signal, "s", {Field{"value", Type::u8}});
    const std::uint64_t a = trace.text("a"), b = trace.text("b");
    trace.batch().event(event, 1, std::array{a, std::uint64_t{2}, std::uint64_t{3}, a, std::uint64_t{4}, b});
    trace.batch().event(event, 2, std::array{b, std::uint64_t{9}}).flags |= record_first_of_frame;
    trace.batch().interval(work, 3, 10, std::array{Attribute{1, b}, Attribute{0, 5}, Attribute{0, 6}});
    trace.batch().note(notes, 4, "said");
    trace.batch().relation(relation, 5, std::array<std::uint64_t, 2>{7, 8});
    trace.batch().change(signal, 6, Attribute{0, 1}, change_conflict);
    Plan plan;
    plan.stages.push_back(std::make_unique<SignalMaking>(trace.schema, flux(), Order::by_time, trace.losses));
    CHECK(records_behind(trace, plan) == std::vector<std::string>{
                                             "1 change top/e who=\"a\" who#1=2 row=3 row=4 x=\"a\" x=\"b\"",
                                             "2 change top/e who=\"b\" who#1=9 mark=2",
                                             "3 change top/w duration=10 #1=\"b\" duration#0=5 duration#0=6",
                                             "4 change top/n note=\"said\"",
                                             "5 change top/r from=7 to=8",
                                             "6 change top/s value=0x1 mark=1",
                                         });
    CHECK(there_and_back(trace, trace.losses) == model_of(trace));
    CHECK(trace.losses.none());
}

TEST_CASE("for a source without time order, a member numbers the records, except changes of signals") {
    Records trace;
    const TrackId work = trace.track(Track::Kind::stream, "w", {Field{"order", Type::u8}});
    const TrackId notes = trace.track(Track::Kind::notes, "n", {});
    trace.batch().interval(work, 30, 1, std::array{Attribute{0, 5}});
    trace.batch().note(notes, 10, "said");
    trace.batch().interval(work, 20, 2);
    Plan plan;
    plan.stages.push_back(std::make_unique<SignalMaking>(trace.schema, flux(), Order::any, trace.losses));
    CHECK(records_behind(trace, plan) == std::vector<std::string>{
                                             "30 change top/w duration=1 order#0=5 order=1",
                                             "10 change top/n note=\"said\" order=2",
                                             "20 change top/w duration=2 order=3",
                                         });
    CHECK(there_and_back(trace, trace.losses, Order::any) == model_of(trace));
    CHECK(trace.losses.none());
}

TEST_CASE("changes stay sorted by time if other records are restored in another order") {
    Records trace;
    const TrackId notes = trace.track(Track::Kind::notes, "n", {});
    const TrackId signal = trace.track(Track::Kind::signal, "s", {Field{"value", Type::u8}});
    trace.batch().note(notes, 100, "first");
    trace.batch().note(notes, 0, "second");
    trace.batch().change(signal, 50, Attribute{0, 1});
    trace.batch().change(signal, 150, Attribute{0, 2});
    CHECK(there_and_back(trace, trace.losses, Order::any) == model_of(trace));
}

TEST_CASE("records of every kind, signals, and sources in any order are restored from signals unchanged") {
    for (const WantedRecords& wanted : many_wishes()) {
        CAPTURE(wanted.seed);
        IntervalTrace trace = random_records(wanted);
        Losses losses;
        CHECK(difference(there_and_back(trace, losses, wanted.order), model_of(trace)) == "");
        CHECK(losses.none());
    }
}

TEST_CASE("records of every kind are restored from a file of signals unchanged") {
    for (WantedRecords wanted : many_wishes()) {
        CAPTURE(wanted.seed);
        wanted.signals = false;
        IntervalTrace trace = random_records(wanted);
        Losses losses;
        const Format& from = wanted.order == Order::by_time ? intervals_only : unordered_intervals;
        CHECK(difference(through("flux", trace, from, {}, losses), model_of(trace)) == "");
        for (const auto& [key, entry] : losses.entries())
            FAIL_CHECK(key.second << ": " << entry.first);
    }
}

TEST_CASE("operations, instructions and native records become changes with all their values") {
    Records trace;
    Track table = make_track(Track::Kind::storage, trace.top, "t", picoseconds,
                             {Field{"slot", Type::u8}, Field{"who", Type::text}});
    table.properties = {Field{"who", Type::text}};
    const TrackId storage = trace.schema.declare(table);
    const TrackId hart = trace.track(Track::Kind::hart, "h", {}, ordinals);
    const TrackId native = trace.track(Track::Kind::native, "other.bytes", {});
    const std::uint64_t a = trace.text("a");
    Batch& batch = trace.batch();
    batch.set(storage, 1, 3, 1, a).flags |= record_first_of_frame;
    batch.add(storage, 1, 3, 0, 5).flags |= record_first_of_frame;
    batch.clear_slot(storage, 1, 3).flags |= record_restated;
    batch.set_property(storage, 1, 0, a);
    batch.instruction(hart, 0, 0x1000).size = 2;
    batch.operand(5, RegisterClass::integer, OperandRole::source, 7);
    batch.vector_operand(1, OperandRole::destination, std::array<std::uint64_t, 2>{8, 9});
    batch.operand(0x300, RegisterClass::csr, OperandRole::state, 10);
    batch.access(0x2000, 8, 0, AccessType::read);
    batch.access_data(11);
    batch.access(0x3000, 4, 1, AccessType::write);
    Instruction& instruction = batch.instruction(hart, 1, 0x1002);
    instruction.encoding = 0x6F;
    instruction.size = 4;
    instruction.has_target = true;
    instruction.target = 0x4000;
    batch.set_order(instruction, std::array{Part::operand, Part::target});
    batch.native(native, 2, std::array{std::byte{1}, std::byte{2}});
    Plan plan;
    plan.stages.push_back(std::make_unique<SignalMaking>(trace.schema, flux(), Order::by_time, trace.losses));
    CHECK(records_behind(trace, plan) ==
          std::vector<std::string>{
              "1 change top/t slot=3 who=\"a\" mark=2",
              "1 change top/t slot=3 slot#0=5 mark=6",
              "1 change top/t slot=3 mark=8",
              "1 change top/t who#0=\"a\"",
              "0 change top/h pc=0x1000 inst_bits=0x0 size=2",
              "1 change top/h pc=0x1002 inst_bits=0x6f size=4 target=0x4000 register_class=x register_class=v "
              "register_class=csr register_role=source register_role=destination register_role=state "
              "register=5 register=1 register=768 value=0x7 value=0xa words=2 word=0x8 word=0x9 access_type=read "
              "access_type=write address=0x2000 address=0x3000 access_size=8 access_size=4 attributes=0x0 "
              "attributes=0x1 data_words=1 data_words=0 data=0xb instruction_order=operand "
              "instruction_order=target",
              "2 change top/other.bytes bytes=bytes:0102",
          });
    CHECK(there_and_back(trace, trace.losses) == model_of(trace));
    CHECK(trace.losses.none());
}

TEST_CASE("a slice restates the values of real signals, but not of signals made from records") {
    Records trace;
    const TrackId notes = trace.track(Track::Kind::notes, "n", {});
    const TrackId table = trace.track(Track::Kind::storage, "t", {Field{"v", Type::u8}});
    const TrackId signal = trace.track(Track::Kind::signal, "s", {Field{"value", Type::u8}});
    Batch& batch = trace.batch();
    batch.note(notes, 10, "said");
    batch.set(table, 20, 0, 0, 1);
    batch.change(signal, 30, Attribute{0, 1});
    batch.note(notes, 50, "again");
    Plan plan;
    plan.stages.push_back(std::make_unique<SignalMaking>(trace.schema, flux(), Order::by_time, trace.losses));
    plan.stages.push_back(make_selection(plan.stages.back()->schema(), Range{Range::Unit::time_ps, 40, 60}));
    CHECK(records_behind(trace, plan) ==
          std::vector<std::string>{"40 change top/s value=0x1", "50 change top/n note=\"again\""});
}

TEST_CASE("writes to missing slots and fields, and sums of texts, are counted") {
    Records trace;
    const TrackId table = trace.track(Track::Kind::storage, "table", {Field{"value", Type::u32}, {"t", Type::text}});
    trace.batch().set(table, 3, 0, 2, 1);
    trace.batch().set_property(table, 3, 0, 1);
    trace.batch().add(table, 3, 0, 1, 1);
    trace.batch().add(table, 3, 0, 0, 1);
    signals_of(trace, trace.losses);
    CHECK(trace.losses.entries().at({Loss::kind_dropped, "table"}).count == 3);
    CHECK(trace.losses.entries().size() == 1);
}

TEST_CASE("tracks of the target format keep their texts and are not in the mark") {
    Records trace;
    const TrackId own = trace.track(Track::Kind::event_type, "flux.label", {Field{"style", Type::text}});
    const TrackId notes = trace.track(Track::Kind::notes, "n", {});
    trace.text("in front of it");
    trace.batch().event(own, 1, std::array{trace.text("star")});
    trace.batch().note(notes, 2, "said");
    Plan plan;
    plan.stages.push_back(std::make_unique<SignalMaking>(trace.schema, flux(), Order::by_time, trace.losses));
    CHECK(records_behind(trace, plan) ==
          std::vector<std::string>{"1 event top/flux.label style=\"star\"", "2 change top/n note=\"said\""});
    CHECK(plan.stages.front()->schema().metadata(conventions::record_source)->find("flux.label") == std::string::npos);
    CHECK(trace.losses.none());
}

TEST_CASE("damaged marks cause no crash, and a mark with another number of signals is not raised") {
    Records trace = {};
    const TrackId event = trace.track(Track::Kind::event_type, "e", {Field{"who", Type::text}, Field{"n", Type::u64}});
    const TrackId notes = trace.track(Track::Kind::notes, "n", {});
    const TrackId work =
        trace.track(Track::Kind::stream, "w", {Field{"id", Type::u64}, Field{"t", Type::text, none, true}});
    const TrackId next =
        trace.track(Track::Kind::relation_type, "r", {Field{"from", Type::u64}, Field{"to", Type::u64}});
    const TrackId table = trace.track(Track::Kind::storage, "t", {Field{"v", Type::u8}});
    const TrackId hart = trace.track(Track::Kind::hart, "h", {});
    trace.batch().event(event, 1, std::array{trace.text("a"), ~std::uint64_t{0}});
    trace.batch().note(notes, 2, "said");
    trace.batch().add(table, 2, 1, 0, 7);
    trace.batch().operand(5, RegisterClass::integer, OperandRole::source, 7);
    trace.batch().instruction(hart, 2, 0x1000);
    trace.batch().interval(work, 3, 4, std::array{Attribute{0, 77}, Attribute{1, trace.text("b")}});
    trace.batch().relation(next, 4, std::array<std::uint64_t, 2>{1, 2});
    Losses losses;
    SignalMaking stage(trace.schema, flux(), Order::by_time, losses);
    Batch made;
    stage.apply(trace.batches.front(), made);
    const std::string mark = *stage.schema().metadata(conventions::record_source);

    /// Raises the same signals with another mark. Returns false if the mark is refused.
    const auto raises = [&](const std::string& changed) {
        Schema schema;
        for (const Scope& scope : stage.schema().scopes())
            schema.declare(scope);
        for (const Track& track : stage.schema().tracks())
            schema.declare(track);
        for (StringId id = 0; id < stage.schema().string_count(); ++id)
            schema.append(stage.schema().text(id));
        schema.describe(std::string(conventions::record_source), changed);
        if (!RecordsOfSignals::is_made(schema)) return false;
        Plan plan;
        Losses lost;
        plan.stages.push_back(std::make_unique<RecordsOfSignals>(schema, "/tmp", lost));
        const std::vector<const Batch*> batches{&made};
        Canned reader(schema, batches);
        CHECK(!model_of(reader, schema, plan).empty());
        return true;
    };
    CHECK(raises(mark));
    for (std::size_t size = 0; size < mark.size(); ++size) {
        CAPTURE(size);
        CHECK_FALSE(raises(mark.substr(0, size)));
    }
    Schema fewer, more;
    for (const Track& track : trace.schema.tracks()) {
        Track loose = track;
        loose.scope = none;
        if (more.tracks().size() > 0) fewer.declare(loose);
        more.declare(loose);
    }
    more.declare(make_track(Track::Kind::stream, none, "x", picoseconds));
    CHECK_FALSE(raises("flux " + objects_text(fewer)));
    CHECK_FALSE(raises("flux " + objects_text(more)));
    CHECK_FALSE(raises(""));
    CHECK_FALSE(raises(" "));
    CHECK_FALSE(raises("flux"));

    std::size_t raised = 0;
    for (std::size_t at = 0; at < mark.size(); ++at)
        for (const char byte : std::string_view("\0#*{}=0129abcdegikmnqrstux\xFF", 26)) {
            std::string changed = mark;
            changed[at] = byte;
            raised += raises(changed);
        }
    CHECK(raised > 0);
    std::mt19937_64 random(7);
    for (int i = 0; i < 3000; ++i) {
        std::string changed = mark;
        for (std::uint64_t count = 1 + random() % 4; count > 0; --count)
            changed[random() % changed.size()] = changed[random() % changed.size()];
        raises(changed);
    }
}

}  // namespace signal_making_test
