// Tests that intervals are lowered and raised again, with and without a µScope file in between.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "convert/stage_run.hpp"
#include "convert/transforms/interval_lowering.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "support/interval_support.hpp"

namespace interval_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

constexpr std::uint64_t assumed_ps = 1000;

/// Returns a plan that only lowers. The plan of there_and_back() also raises the result.
Plan lowering(const Schema& source, Order order, Losses& losses,
              std::size_t run_bytes = RecordSorter::default_run_bytes) {
    Plan plan;
    plan.stages.push_back(std::make_unique<IntervalLowering>(source, assumed_ps, order, "/tmp", losses, run_bytes));
    return plan;
}

Plan there_and_back(const Schema& source, Order order, Losses& losses,
                    std::size_t run_bytes = RecordSorter::default_run_bytes) {
    Plan plan = lowering(source, order, losses, run_bytes);
    plan.stages.push_back(std::make_unique<IntervalRaising>(plan.stages.front()->schema(), "/tmp", losses, run_bytes));
    return plan;
}

std::string raised_model(IntervalTrace& trace, Order order, Losses& losses,
                         std::size_t run_bytes = RecordSorter::default_run_bytes) {
    Plan plan = there_and_back(trace.schema, order, losses, run_bytes);
    Canned reader(trace.schema, trace.pointers());
    return model_of(reader, trace.schema, plan);
}

/// One core with one stream, or several cores and streams.
struct Small : IntervalTrace {
    ScopeId root, core;
    TrackId mac, dma;
    explicit Small(TimeBase time = gigahertz, std::vector<Field> attributes = {}) {
        root = schema.declare(Scope{"npu", none, {}, none});
        core = schema.declare(Scope{"core0", root, {}, none});
        mac = stream(core, "MAC", time, attributes);
        dma = stream(core, "DMA", time);
    }
    Lines lowered(Order order = Order::by_time) {
        Plan plan = lowering(schema, order, losses);
        return records_behind(*this, plan);
    }
    Losses losses;
};

bool has_loss(const Losses& losses, Loss loss, const std::string& subject) {
    return losses.entries().contains({loss, subject});
}

std::vector<Wanted> many_wishes() {
    std::vector<Wanted> all;
    std::uint64_t seed = 1;
    for (const bool ordered : {true, false})
        for (const bool attributes : {true, false})
            for (const bool huge : {true, false})
                for (const TimeBase time : {gigahertz, unknown_period, TimeBase{TimeBase::Kind::cycles, 1, 333'000'000},
                                            TimeBase{TimeBase::Kind::seconds, 1, 1'000'000'000'000'000}})
                    all.push_back({seed++, 900, ordered, attributes, huge, huge ? 4000u : 60u, time});
    return all;
}

}  // namespace

TEST_CASE("unsorted intervals of known lateness are lowered before the end, with the same result") {
    constexpr std::uint64_t lateness = 900;
    Small trace;
    std::mt19937_64 random(5);
    for (Tick now = 1000; now < 21'000; ++now)
        trace.batch().interval(now % 3 == 0 ? trace.mac : trace.dma, now - static_cast<Tick>(random() % lateness),
                               random() % 50);
    const Lines right = trace.lowered(Order::any);
    Plan plan;
    auto stage = std::make_unique<IntervalLowering>(trace.schema, assumed_ps, Order::any, "/tmp", trace.losses);
    stage->expect_lateness(lateness);
    plan.stages.push_back(std::move(stage));
    CHECK(records_behind(trace, plan) == right);

    Losses losses;
    IntervalLowering early(trace.schema, assumed_ps, Order::any, "/tmp", losses);
    early.expect_lateness(lateness);
    Batch out;
    std::size_t before_end = 0;
    for (const Batch& batch : trace.batches) {
        out.clear();
        early.apply(batch, out);
        before_end += out.records().size();
    }
    CHECK(before_end > right.size() * 2 / 3);
}

TEST_CASE("an interval occupies a row of the table while it lasts, with an event at each end") {
    Small trace;
    trace.batch().interval(trace.mac, 10, 5);
    trace.batch().interval(trace.dma, 12, 0);
    trace.batch().interval(trace.dma, 15, 2);
    CHECK(trace.lowered() == Lines{
                                 "10000 * set core0/active[0].id=0x0",
                                 "10000 set core0/active[0].type=MAC",
                                 "10000 event core0/MAC id=0x0 begin=10 duration=5",
                                 "12000 * set core0/active[1].id=0x1",
                                 "12000 set core0/active[1].type=DMA",
                                 "12000 event core0/DMA id=0x1 begin=12 duration=0",
                                 "12000 clear core0/active[1]",
                                 "12000 event core0/DMA.end id=0x1",
                                 "15000 * clear core0/active[0]",
                                 "15000 event core0/MAC.end id=0x0",
                                 "15000 add core0/busy[0].count+=5",
                                 "15000 set core0/active[0].id=0x2",
                                 "15000 set core0/active[0].type=DMA",
                                 "15000 event core0/DMA id=0x2 begin=15 duration=2",
                                 "17000 * clear core0/active[0]",
                                 "17000 event core0/DMA.end id=0x2",
                                 "17000 add core0/busy[0].count+=2",
                             });
    CHECK(trace.losses.none());
}

TEST_CASE("attributes follow a mask of the present attributes") {
    Small trace(gigahertz, {{"api_name", Type::text}, {"bytes", Type::u32}});
    const StringId name = trace.schema.intern("uca_init");
    const Attribute both[] = {{0, name}, {1, 64}};
    trace.batch().interval(trace.mac, 0, 1, both);
    trace.batch().interval(trace.mac, 1, 1, std::span(both).last(1));
    const Lines lines = trace.lowered();
    CHECK(std::find(lines.begin(), lines.end(),
                    "0 event core0/MAC id=0x0 begin=0 duration=1 attributes=0x3 api_name=\"uca_init\" bytes=64") !=
          lines.end());
    CHECK(std::find(lines.begin(), lines.end(),
                    "1000 event core0/MAC id=0x1 begin=1 duration=1 attributes=0x2 api_name=\"\" bytes=64") !=
          lines.end());
}

namespace {

/// Two streams, one with repeatable attributes, and relations between their intervals.
struct Related : Small {
    TrackId bus, waits;
    Related() {
        schema.declare(Clock{"fast", 500});
        schema.declare(Clock{"somehow", 0});
        bus = stream(core, "bus", gigahertz,
                     {{"id", Type::u64}, {"kind", Type::text, none, true}, {"data", Type::u64, none, true}});
        Track track;
        track.kind = Track::Kind::relation_type;
        track.scope = core;
        track.name = "waits";
        track.time = gigahertz;
        track.fields = {{"from", Type::u64}, {"to", Type::u64}, {"why", Type::text}};
        waits = schema.declare(track);
        const Attribute first[] = {{0, 7}, {1, schema.intern("read")}, {2, 10}, {2, 10}, {1, schema.intern("last")}};
        batch().interval(bus, 1, 0, first);
        const std::uint64_t cells[] = {7, 8, schema.intern("hazard")};
        batch().relation(waits, 2, cells);
        const Attribute second[] = {{0, 8}};
        batch().interval(bus, 2, 3, second);
        batch().interval(mac, 2, 1);
        const Attribute third[] = {{2, 5}};
        batch().interval(bus, 9, 0, third);
    }
};

}  // namespace

TEST_CASE("repeated attributes become events after the begin event, and a relation becomes an event of the same name") {
    Related trace;
    const Lines lines = trace.lowered();
    const std::string all = [&] {
        std::string text;
        for (const std::string& line : lines)
            if (line.find(" event ") != std::string::npos && line.find(".end") == std::string::npos)
                text += line + "\n";
        return text;
    }();
    CHECK(all ==
          "1000 event core0/bus number=0 begin=1 duration=0 attributes=0x1 id=0x7\n"
          "1000 event core0/bus.kind number=0 kind=\"read\"\n"
          "1000 event core0/bus.data number=0 data=0xa\n"
          "1000 event core0/bus.data number=0 data=0xa\n"
          "1000 event core0/bus.kind number=0 kind=\"last\"\n"
          "2000 * event core0/waits from=7 to=8 why=\"hazard\"\n"
          "2000 event core0/bus number=1 begin=2 duration=3 attributes=0x1 id=0x8\n"
          "2000 event core0/MAC id=0x2 begin=2 duration=1\n"
          "9000 event core0/bus number=3 begin=9 duration=0 attributes=0x0 id=0x0\n"
          "9000 event core0/bus.data number=3 data=0x5\n");
    CHECK(trace.losses.none());
}

TEST_CASE("the table and the events of intervals state the ids that relations name") {
    Related trace;
    std::string all;
    for (const std::string& line : trace.lowered())
        if (line.find("active[") != std::string::npos || line.find("bus.end") != std::string::npos) all += line + "\n";
    CHECK(all ==
          "1000 * set core0/active[0].id=0x7\n"
          "1000 set core0/active[0].type=bus\n"
          "1000 clear core0/active[0]\n"
          "1000 event core0/bus.end number=0 id=0x7\n"
          "2000 set core0/active[0].id=0x8\n"
          "2000 set core0/active[0].type=bus\n"
          "2000 set core0/active[1].id=0x2\n"
          "2000 set core0/active[1].type=MAC\n"
          "3000 * clear core0/active[1]\n"
          "5000 * clear core0/active[0]\n"
          "5000 event core0/bus.end number=1 id=0x8\n"
          "9000 * set core0/active[0].id=0x3\n"
          "9000 set core0/active[0].type=bus\n"
          "9000 clear core0/active[0]\n"
          "9000 event core0/bus.end number=3 id=0x3\n");
}

TEST_CASE("relations and repeated attributes are restored, in any order and through a file") {
    for (const Order order : {Order::by_time, Order::any}) {
        Related trace;
        Losses losses;
        CHECK(raised_model(trace, order, losses) == model_of(trace));
        CHECK(losses.none());
        Losses of_file;
        CHECK(through_uscope(trace, intervals_only, {}, of_file) == model_of(trace));
        CHECK(of_file.none());
    }
}

TEST_CASE("random intervals are restored identically, including order and schema") {
    for (const Wanted& wanted : many_wishes()) {
        CAPTURE(wanted.seed);
        IntervalTrace trace = random_intervals(wanted);
        Losses losses;
        const Order order = wanted.ordered ? Order::by_time : Order::any;
        CHECK(raised_model(trace, order, losses) == model_of(trace));
        CHECK(losses.none());
        if (wanted.seed % 4 == 0) CHECK(raised_model(trace, Order::any, losses, 20'000) == model_of(trace));
    }
}

TEST_CASE("random intervals are restored identically from a µScope file, which is valid") {
    for (const Wanted& wanted : many_wishes()) {
        CAPTURE(wanted.seed);
        IntervalTrace trace = random_intervals(wanted);
        Losses losses;
        CHECK(through_uscope(trace, wanted.ordered ? intervals_only : unordered_intervals, {}, losses) ==
              model_of(trace));
        CHECK(losses.none());
        const bool unknown = wanted.time.den == 0;
        CHECK(losses.assumptions().size() == (unknown ? 1 : 0));
    }
}

TEST_CASE("busy time is the length of the union of overlapping intervals") {
    for (const bool ordered : {true, false}) {
        IntervalTrace trace = random_intervals({5, 300, ordered, false, false, 2000});
        std::map<ScopeId, std::set<Tick>> covered;
        for (const Batch& batch : trace.batches)
            for (const Record& record : batch.records())
                for (std::uint64_t tick = 0; tick < record.value; ++tick)
                    covered[trace.schema.tracks()[record.track].scope].insert(record.time + static_cast<Tick>(tick));
        Losses losses;
        Plan plan = lowering(trace.schema, ordered ? Order::by_time : Order::any, losses);
        std::map<std::string, std::uint64_t> busy;
        for (const std::string& line : records_behind(trace, plan)) {
            const std::size_t at = line.find("/busy[0].count+=");
            if (at == std::string::npos) continue;
            busy[line.substr(line.find("core"), 5)] += std::stoull(line.substr(line.find("+=") + 2));
        }
        CHECK(busy == std::map<std::string, std::uint64_t>{{"core0", covered[1].size()}, {"core7", covered[2].size()}});
    }
}

TEST_CASE("if there are more intervals than slots, the excess is counted, and all intervals are restored") {
    Small trace;
    constexpr std::uint64_t count = IntervalLowering::slots + 10;
    for (std::uint64_t i = 0; i < count; ++i)
        trace.batch().interval(trace.mac, static_cast<Tick>(i), 1000);
    std::size_t shown = 0, counted = 0, freed = 0, ended = 0;
    for (const std::string& line : trace.lowered()) {
        shown += line.find(".id=") != std::string::npos ? 1u : 0u;
        counted += line.find("not_shown[0].count+=1") != std::string::npos ? 1u : 0u;
        freed += line.find("clear ") != std::string::npos ? 1u : 0u;
        ended += line.find("MAC.end") != std::string::npos ? 1u : 0u;
    }
    CHECK(shown == IntervalLowering::slots);
    CHECK(counted == 10);
    CHECK(freed == IntervalLowering::slots);
    CHECK(ended == count);
    CHECK(raised_model(trace, Order::by_time, trace.losses) == model_of(trace));
    CHECK(trace.losses.none());
}

TEST_CASE("an end after the last picosecond is never shown; a start after it is shown at the last picosecond") {
    Small trace;
    constexpr Tick last = std::numeric_limits<Tick>::max();
    trace.batch().interval(trace.mac, 1, ~std::uint64_t{0});
    trace.batch().interval(trace.mac, last / 1000, 1);
    trace.batch().interval(trace.dma, last, 7);
    const Lines lines = trace.lowered();
    CHECK(lines.back() ==
          std::to_string(last) + " event core0/DMA id=0x2 begin=" + std::to_string(last) + " duration=7");
    CHECK(std::none_of(lines.begin(), lines.end(),
                       [](const std::string& l) { return l.find(".end") != std::string::npos; }));
    CHECK(trace.losses.entries().size() == 1);
    CHECK(has_loss(trace.losses, Loss::time_rounded, "DMA"));
    Losses both;
    CHECK(raised_model(trace, Order::any, both) == model_of(trace));
}

TEST_CASE("many endless overlapping intervals are lowered in several steps") {
    Small trace;
    constexpr std::uint64_t count = 70'000;  // more intervals than a single call ends
    for (std::uint64_t i = 0; i < count; ++i)
        trace.batch().interval(i % 2 == 0 ? trace.mac : trace.dma, static_cast<Tick>(i), 2 * count - i);
    trace.batch().interval(trace.mac, 5 * count, 1);
    Plan plan = lowering(trace.schema, Order::by_time, trace.losses);
    StageRun stages(plan);
    std::size_t largest = 0, ends = 0;
    const auto look = [&](const Batch& batch) {
        largest = std::max(largest, batch.records().size());
        for (const Record& record : batch.records())
            ends += record.kind == Kind::clear ? 1u : 0u;
    };
    for (Batch& batch : trace.batches)
        look(stages.apply(batch));
    stages.finish(look);
    CHECK(largest < 8 * Batch::target_records);
    CHECK(ends == IntervalLowering::slots + 1);
    CHECK(raised_model(trace, Order::by_time, trace.losses) == model_of(trace));
}

TEST_CASE("attributes that the fields cannot hold are counted, and all others are kept") {
    std::vector<Field> fields;
    for (int i = 0; i < 66; ++i)
        fields.push_back({"a" + std::to_string(i), Type::u64});
    Small trace(gigahertz, fields);
    CHECK(trace.losses.none());
    const Attribute twice[] = {{3, 1}, {3, 2}, {1, 5}, {65, 9}};
    trace.batch().interval(trace.mac, 0, 1, twice);
    Losses losses;
    const std::string back = raised_model(trace, Order::by_time, losses);
    CHECK(back.find("duration=1 a1=5 a3=1 a65=9\n") != std::string::npos);
    CHECK(losses.entries().at({Loss::part_dropped, "MAC"}).count == 1);
    CHECK(has_loss(losses, Loss::order_changed, "MAC"));
    Losses foretold;
    const Plan plan = make_plan(trace.schema, intervals_only, *find_format(formats(), "uscope"), {}, foretold);
    for (const Loss loss : {Loss::part_dropped, Loss::order_changed})
        CHECK(std::any_of(plan.losses.begin(), plan.losses.end(), [&](const ExpectedLoss& expected) {
            return expected.loss == loss && expected.subject == "*";
        }));
}

namespace {

/// A trace of streams with relations. A stream has attributes of every type; each interval states only some of them.
/// Records are not in time order.
struct Transactions : IntervalTrace {
    Transactions() {
        const ScopeId bus = schema.declare(Scope{"bus", none, "transactor", none, 3});
        const ScopeId idle = schema.declare(Scope{"idle", none, {}, none});
        std::vector<Field> fields{{"id", Type::u64}};
        for (const Type type : {Type::i64, Type::f32, Type::f64, Type::boolean, Type::text, Type::label, Type::bits,
                                Type::logic, Type::fixed, Type::ufixed, Type::pointer, Type::time})
            for (const Phase phase : {Phase::begin, Phase::record, Phase::end})
                fields.push_back({.name = "a", .type = type, .phase = phase});
        for (int i = 0; i < 40; ++i)
            fields.push_back({.name = "b." + std::to_string(i), .type = Type::u64, .phase = Phase::record});
        const TrackId read = stream(bus, "read", picoseconds, fields);
        const TrackId write = stream(bus, "write", picoseconds, {fields[0], fields[15]});
        stream(idle, "bare", picoseconds);
        Track track;
        track.kind = Track::Kind::relation_type;
        track.name = "parent_of";
        track.time = picoseconds;
        track.fields = {{"from", Type::u64}, {"to", Type::u64}};
        const TrackId relation = schema.declare(track);

        std::mt19937_64 random(7);
        for (std::uint64_t id = 1; id <= 400; ++id) {
            std::vector<Attribute> attributes{{0, id}};
            for (std::uint64_t left = random() % 90; left != 0; --left) {
                const auto field = static_cast<std::uint32_t>(1 + random() % (fields.size() - 1));
                const bool text = holds_text(fields[field].type);
                attributes.push_back({field, text ? schema.intern(std::to_string(random() % 9)) : random() % 50});
            }
            batch().interval(read, static_cast<Tick>(random() % 3000), random() % 200, attributes);
            if (random() % 3 == 0) batch().interval(write, static_cast<Tick>(random() % 3000), 0);
            const std::uint64_t ends[] = {id, random() % 400};
            const auto time = static_cast<Tick>(random() % 3000);
            for (std::uint64_t left = random() % 3; left != 0; --left)
                batch().relation(relation, time, ends);
        }
    }
};

}  // namespace

TEST_CASE("attributes stated one by one are restored with their order, types and phases, and so are relations") {
    Transactions trace;
    Losses losses;
    CHECK(raised_model(trace, Order::any, losses) == model_of(trace));
    CHECK(raised_model(trace, Order::any, losses, 20'000) == model_of(trace));
    CHECK(through_uscope(trace, unordered_intervals, {}, losses) == model_of(trace));
    CHECK(losses.none());
}

TEST_CASE("relations that follow one interval out of time order lose their order, and the loss is counted") {
    Transactions trace;
    const std::uint64_t ends[] = {1, 2};
    trace.batch().interval(1, 450, 0);
    trace.batch().relation(3, 500, ends);
    trace.batch().relation(3, 400, ends);
    Losses losses;
    CHECK(raised_model(trace, Order::any, losses) != model_of(trace));
    CHECK(losses.entries().at({Loss::order_changed, "parent_of"}).count == 1);
}

TEST_CASE(
    "a begin event has a field per attribute; if the attributes have another order, it is stored after the event") {
    IntervalTrace trace;
    const ScopeId bus = trace.schema.declare(Scope{"bus", none, {}, none});
    const TrackId read = trace.stream(bus, "read", picoseconds,
                                      {{"id", Type::u64},
                                       {.name = "data", .type = Type::time, .phase = Phase::begin},
                                       {.name = "data", .type = Type::label, .phase = Phase::end},
                                       {.name = "data", .type = Type::u8, .phase = Phase::end}});
    const std::uint64_t ok = trace.schema.intern("OK");
    const Attribute attributes[] = {{0, 5}, {2, ok}, {1, 9}, {2, ok}, {3, 1}, {1, 7}};
    trace.batch().interval(read, 1, 0, attributes);
    Losses losses;
    Plan plan = lowering(trace.schema, Order::any, losses);
    const Track& begin = plan.target_schema(trace.schema).tracks()[3];
    CHECK(begin.name == "read");
    std::string names;
    for (const Field& field : begin.fields)
        names += field.name + ":" + std::string(name_of(field.type)) + " ";
    CHECK(names == "number:u64 begin:u64 duration:u64 attributes:u64 id:u64 data:u64 data.end:text data.end2:u8 ");
    const Lines lines = records_behind(trace, plan);
    CHECK(std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
              return line == "1 event bus/read.order number=0 order=\"0 2 1 2 3 1\"" ||
                     line == "1 event bus/read.again number=0 attribute=2 value=0x0 text=\"OK\"" ||
                     line == "1 event bus/read.again number=0 attribute=1 value=0x7 text=\"\"";
          }) == 3);
    CHECK(losses.none());
}

TEST_CASE("names that exceed the size of an enum become numbers and are restored as names") {
    IntervalTrace trace;
    const ScopeId root = trace.schema.declare(Scope{"npu", none, {}, none});
    for (int i = 0; i < 300; ++i)
        trace.batch().interval(trace.stream(root, "t" + std::to_string(i), gigahertz), i, 1);
    Losses losses;
    Plan plan = lowering(trace.schema, Order::by_time, losses);
    CHECK(plan.target_schema(trace.schema).tracks()[0].fields[1].type == Type::u16);
    CHECK(through_uscope(trace, intervals_only, {}, losses) == model_of(trace));
    CHECK(losses.none());
}

TEST_CASE("a source without a root, with clocks, enums and several time bases is restored unchanged") {
    IntervalTrace trace;
    const ClockId clock = trace.schema.declare(Clock{"bus", 2500});
    const EnumId colours = trace.schema.declare(Enum{"colour", {{0, "red"}, {9, "blue"}}});
    const ScopeId a = trace.schema.declare(Scope{"a", none, "ahb", clock});
    const ScopeId b = trace.schema.declare(Scope{"b", none, {}, none});
    const ScopeId inner = trace.schema.declare(Scope{"inner", b, {}, none});
    const TrackId fast = trace.stream(a, "x", gigahertz, {{"colour", Type::enumeration, colours}});
    const TrackId slow = trace.stream(inner, "x", {TimeBase::Kind::cycles, 1, 1'000'000});
    const TrackId femto = trace.stream(inner, "y", {TimeBase::Kind::seconds, 1, 1'000'000'000'000'000});
    const TrackId homeless = trace.stream(none, "z", unknown_period);
    const Attribute blue{0, 9};
    trace.batch().interval(fast, 5000, 10, std::span(&blue, 1));
    trace.batch().interval(slow, 2, 10);
    trace.batch().interval(femto, 1, 10);
    trace.batch().interval(homeless, 9, 1);
    trace.batch().interval(fast, 1, 1);
    Losses losses;
    CHECK(raised_model(trace, Order::by_time, losses) == model_of(trace));
    CHECK(through_uscope(trace, intervals_only, {}, losses) == model_of(trace));
    CHECK(losses.none());
}

TEST_CASE("events, notes, native records and tables of the source are kept and restored") {
    Small trace;
    Track track;
    track.scope = trace.core;
    track.time = gigahertz;
    track.kind = Track::Kind::event_type;
    track.name = "waits.event";
    track.fields = {{"text", Type::text}, {"value", Type::i32}};
    const TrackId event = trace.schema.declare(track);
    track.kind = Track::Kind::notes;
    track.name = "waits.note";
    track.fields.clear();
    const TrackId note = trace.schema.declare(track);
    track.kind = Track::Kind::native;
    track.name = "waits.raw";
    const TrackId raw = trace.schema.declare(track);
    track.kind = Track::Kind::storage;
    track.name = "waits.table";
    track.fields = {{"label", Type::text}, {"n", Type::u8}};
    track.slots = 3;
    track.sparse = true;
    const TrackId table = trace.schema.declare(track);
    const TrackId late = trace.stream(trace.core, "LATE", gigahertz);

    Batch& batch = trace.batch();
    batch.interval(trace.mac, 1, 4);
    const std::uint64_t cells[] = {trace.schema.intern("hello"), static_cast<std::uint64_t>(-7)};
    batch.event(event, 2, cells);
    batch.note(note, 2, "a note");
    batch.interval(late, 2, 0);
    batch.native(raw, 3, std::as_bytes(std::span(cells)));
    batch.set(table, 3, 1, 0, trace.schema.intern("row"));
    batch.add(table, 3, 1, 1, 4);
    batch.clear_slot(table, 9, 1);
    Losses losses;
    CHECK(raised_model(trace, Order::by_time, losses) == model_of(trace));
    CHECK(through_uscope(trace, intervals_only, {}, losses) == model_of(trace));
    CHECK(losses.none());
    raised_model(trace, Order::any, losses);
    CHECK(has_loss(losses, Loss::order_changed, "waits.note"));
}

TEST_CASE("metadata that would be mistaken for marks of hwtrace is counted as lost") {
    Small trace;
    trace.schema.describe("hwtrace.lowered", "something else");
    trace.schema.describe("waits.kept", "yes");
    Losses losses;
    const std::string back = raised_model(trace, Order::by_time, losses);
    CHECK(back.find("waits.kept") != std::string::npos);
    CHECK(back.find("something else") == std::string::npos);
    CHECK(has_loss(losses, Loss::metadata_dropped, "hwtrace.lowered"));
}

TEST_CASE("records that another tool added, removed or moved in a lowered trace are counted") {
    Small trace;
    for (Tick i = 0; i < 6; ++i)
        trace.batch().interval(trace.mac, i, 1);
    Losses losses;
    Plan plan = lowering(trace.schema, Order::by_time, losses);
    StageRun stages(plan);
    Batch lowered;
    const auto keep = [&](const Batch& batch) {
        for (const Record& record : batch.records())
            lowered.copy(batch, record, record.track);
    };
    keep(stages.apply(trace.batches[0]));
    stages.finish(keep);
    Schema schema;
    const Schema& made = plan.target_schema(trace.schema);
    for (const Scope& scope : made.scopes())
        schema.declare(scope);
    for (const Enum& enumeration : made.enums())
        schema.declare(enumeration);
    for (const Track& track : made.tracks())
        schema.declare(track);
    for (const Metadata& entry : made.metadata())
        schema.describe(entry.key, entry.value);
    Track foreign;
    foreign.name = "another tool's";
    foreign.time = picoseconds;
    const TrackId added = schema.declare(foreign);
    REQUIRE(IntervalRaising::is_lowered(schema));

    Batch edited;
    for (const Record& record : lowered.records()) {
        const bool begins = record.kind == Kind::event && lowered.cells(record).size() == 3;
        const std::uint64_t id = begins ? lowered.cells(record)[0] : 0;
        if (begins && id == 2) continue;
        Record& copy = edited.copy(lowered, record, record.track);
        if (begins && id == 4) copy.time += 1;
        if (begins && id == 5) edited.mutable_cells(copy)[0] = 0;
    }
    edited.event(added, 99, 0);
    IntervalRaising raising(schema, "/tmp", losses);
    Batch out;
    raising.apply(edited, out);
    while (raising.finish(out)) {
    }
    CHECK(out.records().size() == 5);
    CHECK(has_loss(losses, Loss::kind_dropped, "another tool's"));
    CHECK(has_loss(losses, Loss::part_dropped, "MAC"));   // interval 2 is missing
    CHECK(has_loss(losses, Loss::time_rounded, "MAC"));   // interval 4 was moved
    CHECK(has_loss(losses, Loss::order_changed, "MAC"));  // interval 0 occurs twice
}

TEST_CASE("a mark that does not fit the tracks is ignored") {
    Small trace;
    Losses losses;
    Plan plan = lowering(trace.schema, Order::by_time, losses);
    const Schema& made = plan.target_schema(trace.schema);
    CHECK(IntervalRaising::is_lowered(made));
    const std::string facts = *made.metadata("hwtrace.intervals");
    CHECK(facts == "root=0 clocks=0 enums=0 period=1000 tracks=s:c1/1000000000,s");
    for (const std::string& wrong :
         {std::string(), std::string("nonsense"), facts + ",s", facts + ",e", facts + ",t", facts + ",", facts + "x",
          "root=2" + facts.substr(6), "root=0 clocks=99" + facts.substr(15), facts.substr(0, facts.size() - 1) + "R",
          facts + "{", facts + "{=0}", facts + "{=1}", facts + "{?0}", facts + "#x",
          facts.substr(0, 35) + " scopes=1,2,3" + facts.substr(35)}) {
        CAPTURE(wrong);
        Schema schema;
        for (const Track& track : made.tracks())
            schema.declare(track);
        schema.describe("hwtrace.lowered", "intervals-1");
        schema.describe("hwtrace.intervals", wrong);
        CHECK_FALSE(IntervalRaising::is_lowered(schema));
    }
    CHECK_FALSE(IntervalRaising::is_lowered(trace.schema));
}

TEST_CASE("the user's clock is the period if the trace has none, and must be within bounds") {
    Small trace(unknown_period);
    trace.batch().interval(trace.mac, 3, 2);
    const Format& uscope = *find_format(formats(), "uscope");
    Choices choices;
    choices.time.period_ps = 500;
    Losses losses;
    Plan plan = make_plan(trace.schema, intervals_only, uscope, choices, losses);
    CHECK(plan.gives_time);
    CHECK(losses.assumptions().empty());
    CHECK(plan.target_schema(trace.schema).clocks()[0].period_ps == 500);
    CHECK(records_behind(trace, plan).front() == "1500 * set core0/active[0].id=0x0");
    choices.time.period_ps = std::uint64_t{1} << 32;
    CHECK_THROWS_AS(make_plan(trace.schema, intervals_only, uscope, choices, losses), Error);

    Small known;
    const Plan untouched = make_plan(known.schema, intervals_only, uscope, choices, losses);
    CHECK_FALSE(untouched.gives_time);
    CHECK(untouched.target_schema(known.schema).clocks()[0].period_ps == 1000);
}

}  // namespace interval_test
