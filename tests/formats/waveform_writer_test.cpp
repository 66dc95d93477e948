// Tests of what waveforms show.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "formats/waveform_support.hpp"

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// Returns the text after the declarations.
std::string changes_of(const WrittenWaveform& written) {
    const std::string text = written.text();
    constexpr std::string_view end = "$enddefinitions $end\n";
    return text.substr(text.find(end) + end.size());
}

}  // namespace

TEST_CASE("a VCD file has a variable of the right type for each signal") {
    Schema schema;
    const ScopeId top = schema.declare(Scope{"top level", none, {}, none});
    const auto declare = [&](std::string_view name, std::vector<Field> fields) {
        return schema.declare(make_track(Track::Kind::signal, top, name, nanoseconds, std::move(fields)));
    };
    const TrackId bus =
        declare("bus[3:0]", {{.name = "value", .type = Type::u64, .width = 4}, {.name = "value", .type = Type::logic}});
    const TrackId level = declare("level", {{.name = "value", .type = Type::f64}});
    const TrackId text = declare("$text", {{.name = "value", .type = Type::text}});
    const TrackId pair = declare("pair", {{.name = "a", .type = Type::i8}, {.name = "b", .type = Type::boolean}});
    Batch batch;
    batch.change(bus, 0, Attribute{0, 5});
    batch.change(bus, 0, Attribute{1, schema.intern("0XZ1")});
    batch.change(level, 10, Attribute{0, std::bit_cast<std::uint64_t>(0.1)});
    batch.change(text, 10, Attribute{0, schema.intern("a b\n")});
    const Attribute members[] = {{0, std::uint64_t(-2)}, {1, 1}};
    batch.change(pair, 20, members);
    batch.change(pair, 30, std::span<const Attribute>{}).flags = record_no_value;
    const WrittenWaveform written = write_waveform(vcd_format, schema, batch);
    CHECK(written.losses.none());
    CHECK(written.text() ==
          "$version\n    hwtrace\n$end\n"
          "$timescale\n    1 ns\n$end\n"
          "$scope module top\\x20level $end\n"
          "$var wire 4 ! bus [3:0] $end\n"
          "$var real 64 \" level $end\n"
          "$var string 1 # \\x24text $end\n"
          "$scope module pair $end\n"
          "$var byte 8 $ a $end\n"
          "$var wire 1 % b $end\n"
          "$upscope $end\n"
          "$upscope $end\n"
          "$enddefinitions $end\n"
          "#0\nb101 !\nb0xz1 !\n"
          "#10\nr0.1 \"\nsa\\040b\\n #\n"
          "#20\nb11111110 $\n1%\n"
          "#30\nbx $\nx%\n");
}

TEST_CASE("the timescale is the coarsest one in which every tick is exact") {
    const auto timescale = [](std::initializer_list<TimeBase> bases) {
        Schema schema;
        Batch batch;
        for (const TimeBase& base : bases)
            batch.note(schema.declare(make_track(Track::Kind::notes, none, "note", base)), 3, "text");
        const std::string text = write_waveform(vcd_format, schema, batch).text();
        const std::size_t begin = text.find("$timescale\n    ") + 15;
        return text.substr(begin, text.find('\n', begin) - begin) +
               text.substr(text.find('#'), text.find("\ns") - text.find('#'));
    };
    CHECK(timescale({nanoseconds}) == "1 ns#3");
    CHECK(timescale({{TimeBase::Kind::seconds, 1, 10'000'000}}) == "100 ns#3");
    CHECK(timescale({{TimeBase::Kind::seconds, 200, 1}}) == "100 s#6");
    CHECK(timescale({{TimeBase::Kind::cycles, 3, 8'000'000}}) == "1 ns#1125");
    CHECK(timescale({nanoseconds, picoseconds}) == "1 ps#3");
    CHECK(timescale({ordinals}) == "1 ns#3");
    CHECK(timescale({{TimeBase::Kind::seconds, 1, 3}}) == "1 fs#1000000000000000");
}

TEST_CASE("a time that the timescale cannot state is a loss that was foretold") {
    Schema schema;
    const TrackId note = schema.declare(
        make_track(Track::Kind::notes, none, "note", {TimeBase::Kind::seconds, 1, std::uint64_t{1} << 53}));
    Batch batch;
    batch.note(note, 3, "text");
    const WrittenWaveform written = write_waveform(vcd_format, schema, batch);
    REQUIRE(written.losses.entries().size() == 1);
    CHECK(written.losses.entries().begin()->first == Losses::Key{Loss::time_rounded, "note"});
    std::vector<ExpectedLoss> foretold;
    vcd_format.writes.foresee(schema, {}, foretold);
    CHECK(foretold.front().loss == Loss::time_rounded);
}

TEST_CASE("overlapping intervals have lanes that go idle at their ends") {
    Schema schema;
    const TrackId bus =
        schema.declare(make_track(Track::Kind::stream, none, "bus", nanoseconds, {{.name = "id", .type = Type::u8}}));
    Batch batch;
    const Attribute first[] = {{0, 1}}, second[] = {{0, 2}}, third[] = {{0, 3}};
    batch.interval(bus, 0, 10, first);
    batch.interval(bus, 5, 5, second);
    batch.interval(bus, 10, 0, third);
    const WrittenWaveform written = write_waveform(vcd_format, schema, batch);
    CHECK(written.losses.none());
    CHECK(changes_of(written) ==
          "#0\n0$\n1!\n1\"\nb1 #\n"
          "#5\n1$\n1%\nb10 &\n"
          "#10\n0!\nbx #\n0$\nbx &\n1!\n1\"\nb11 #\n0!\nbx #\n");
}

TEST_CASE("a waveform ends a tick after its last instruction, so that viewers show it") {
    Schema schema;
    const TimeBase cycles{TimeBase::Kind::cycles, 2, 1'000'000'000};
    const TrackId core = schema.declare(make_track(Track::Kind::hart, none, "core0", cycles));
    for (const Tick last : {Tick{7}, Tick{5}, std::numeric_limits<Tick>::max() / 2}) {  // 5: in order of the file
        Batch batch;
        batch.instruction(core, 7, 0x1000);
        batch.instruction(core, last, 0x1004);
        const WrittenWaveform written = write_waveform(vcd_format, schema, batch);
        const Tick end = 2 * std::max(last, Tick{7}) + (last < 8 ? 2 : 1);  // the last tick has no room for another one
        CHECK(written.text().ends_with("\n#" + std::to_string(end) + "\n"));
        for (const auto& [key, entry] : written.losses.entries())
            CHECK(key.first == Loss::order_changed);
    }
    Schema in_nanoseconds;
    const TrackId hart = in_nanoseconds.declare(make_track(Track::Kind::hart, none, "core0", nanoseconds));
    Batch batch;
    batch.instruction(hart, 5, 0x100);
    batch.instruction(hart, 9, 0x104);
    CHECK(changes_of(write_waveform(vcd_format, in_nanoseconds, batch)).ends_with("#9\nb100000100 !\nb0 \"\n#10\n"));
}

TEST_CASE("events, tables and counters are variables") {
    Schema schema;
    const TrackId fault = schema.declare(
        make_track(Track::Kind::event_type, none, "fault", nanoseconds, {{.name = "code", .type = Type::u8}}));
    Track queue = make_track(Track::Kind::storage, none, "queue", nanoseconds, {{.name = "value", .type = Type::u8}});
    queue.slots = 2;
    queue.sparse = true;
    const TrackId slots = schema.declare(queue);
    Track total = make_track(Track::Kind::storage, none, "total", nanoseconds, {{.name = "count", .type = Type::u64}});
    total.slots = 1;
    const TrackId counter = schema.declare(total);
    Batch batch;
    batch.event(fault, 1, std::vector<std::uint64_t>{7});
    batch.set(slots, 2, 1, 0, 9);
    batch.add(counter, 3, 0, 0, 2);
    batch.add(counter, 4, 0, 0, 2);
    batch.clear_slot(slots, 5, 1);
    const WrittenWaveform written = write_waveform(vcd_format, schema, batch);
    CHECK(written.losses.none());
    CHECK(written.text().find("$var event 1 ! fault $end\n$scope module fault $end\n") != std::string::npos);
    CHECK(changes_of(written) == "#1\nb111 \"\n1!\n#2\n1#\nb1001 $\n#3\nb10 %\n#4\nb100 %\n#5\n0#\nbx $\n");
}

TEST_CASE("states that VCD lacks are narrowed, and relations and native records are dropped") {
    Schema schema;
    const TrackId wire = schema.declare(
        make_track(Track::Kind::signal, none, "wire", nanoseconds, {{.name = "value", .type = Type::logic}}));
    const TrackId relation =
        schema.declare(make_track(Track::Kind::relation_type, none, "after", nanoseconds,
                                  {{.name = "from", .type = Type::u64}, {.name = "to", .type = Type::u64}}));
    const TrackId native = schema.declare(make_track(Track::Kind::native, none, "stf.rest", nanoseconds));
    Batch batch;
    batch.change(wire, 0, Attribute{0, schema.intern("UHL-")});
    batch.relation(relation, 0, std::vector<std::uint64_t>{1, 2});
    batch.native(native, 0, {});
    const WrittenWaveform written = write_waveform(vcd_format, schema, batch);
    CHECK(changes_of(written) == "#0\nbx10x !\n");
    std::vector<ExpectedLoss> foretold;
    vcd_format.writes.foresee(schema, {}, foretold);
    CHECK(written.losses.entries().size() == 3);
    for (const auto& entry : written.losses.entries()) {
        const Losses::Key& key = entry.first;
        CAPTURE(key.second);
        CHECK(std::ranges::any_of(
            foretold, [&](const ExpectedLoss& loss) { return loss.loss == key.first && loss.subject == key.second; }));
    }
}
