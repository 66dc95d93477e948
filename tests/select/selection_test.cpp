#include "select/selection.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>

#include "domain/conventions.hpp"
#include "io/error.hpp"
#include "support/instruction_support.hpp"
#include "support/npu.hpp"

namespace selection_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr Tick last_tick = std::numeric_limits<Tick>::max();

using Lines = std::vector<std::string>;

Lines selected(const Schema& schema, const std::vector<const Batch*>& batches, const char* range) {
    return lines_after(*make_selection(schema, parse_range(range)), batches);
}

std::string refusal(const Schema& schema, const char* range) {
    try {
        make_selection(schema, parse_range(range));
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::usage);
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("intervals that overlap the range are kept completely") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC");
    Batch batch;
    batch.interval(mac, 0, 10);   // ends where the range begins
    batch.interval(mac, 9, 2);    // overlaps the start of the range
    batch.interval(mac, 0, 100);  // contains the range
    batch.interval(mac, 10, 0);   // has length 0, at the first cycle of the range
    batch.interval(mac, 19, 50);
    batch.interval(mac, 20, 1);  // begins where the range ends
    batch.interval(mac, 20, 0);
    batch.interval(mac, 3, 0);
    CHECK(selected(npu.schema, {&batch}, "10cyc:20cyc") ==
          Lines{"9 interval core0/MAC duration=2", "0 interval core0/MAC duration=100",
                "10 interval core0/MAC duration=0", "19 interval core0/MAC duration=50"});
    CHECK(selected(npu.schema, {&batch}, "10ns:20ns") == selected(npu.schema, {&batch}, "10cyc:20cyc"));
    CHECK(selected(npu.schema, {&batch}, "20cyc:") ==
          Lines{"0 interval core0/MAC duration=100", "19 interval core0/MAC duration=50",
                "20 interval core0/MAC duration=1", "20 interval core0/MAC duration=0"});
    CHECK(selected(npu.schema, {&batch}, "15cyc:15cyc").empty());
    CHECK(selected(npu.schema, {&batch}, "1s:").empty());
}

TEST_CASE("positions count every record of every batch") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC");
    Batch first, second;
    first.interval(mac, 5, 1);
    first.interval(mac, 4, 1);
    second.interval(mac, 3, 1);
    second.interval(mac, 2, 1);
    CHECK(selected(npu.schema, {&first, &second}, "#1:#3") ==
          Lines{"4 interval core0/MAC duration=1", "3 interval core0/MAC duration=1"});
    CHECK(selected(npu.schema, {&first, &second}, "#4:").empty());
}

TEST_CASE("times are compared exactly with any clock") {
    Npu npu;
    const TrackId third = npu.stream(0, "third", 1, 3'000'000'000);  // a cycle takes 333 1/3 ps
    Batch batch;
    for (Tick tick = 0; tick < 5; ++tick)
        batch.interval(third, tick, 0);
    CHECK(selected(npu.schema, {&batch}, "333ps:667ps").size() == 2);  // they begin at 333 1/3 and 666 2/3
    CHECK(selected(npu.schema, {&batch}, "334ps:666ps").empty());
    CHECK(selected(npu.schema, {&batch}, "1ns:").size() == 2);  // 3 and 4; 3 begins exactly at 1 ns
    CHECK(selected(npu.schema, {&batch}, ":1ns").size() == 3);
    Batch around;
    around.interval(third, 1, 1);  // lasts from 333 1/3 ps to 666 2/3 ps
    CHECK(selected(npu.schema, {&around}, "666ps:1ns").size() == 1);
    CHECK(selected(npu.schema, {&around}, "667ps:1ns").empty());
    CHECK(selected(npu.schema, {&around}, "0ps:333ps").empty());
    CHECK(selected(npu.schema, {&around}, "0ps:334ps").size() == 1);
}

TEST_CASE("start and end times beyond 2^63 do not wrap") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC");
    npu.schema.add_attribute(mac, {"api_name", Type::text});
    const auto exact = npu.schema.add_attribute(mac, {std::string(conventions::start_cycle), Type::u64});
    Batch batch;
    const std::array<Attribute, 1> start{Attribute{exact, UINT64_MAX - 1}};
    batch.interval(mac, last_tick, 0, start);    // begins at 2^64 - 2
    batch.interval(mac, last_tick, UINT64_MAX);  // begins at 2^63 - 1
    batch.interval(mac, 5, UINT64_MAX);          // ends beyond 2^64
    CHECK(selected(npu.schema, {&batch}, "18446744073709551614cyc:").size() == 3);
    CHECK(selected(npu.schema, {&batch}, "18446744073709551615cyc:").size() == 2);
    CHECK(selected(npu.schema, {&batch}, ":18446744073709551614cyc").size() == 2);
    CHECK(selected(npu.schema, {&batch}, ":9223372036854775807cyc").size() == 1);
    CHECK(selected(npu.schema, {&batch}, "10s:11s").size() == 1);
}

TEST_CASE("a range from 0 begins with the trace, even if times are negative") {
    Npu npu;
    const TrackId note = npu.declare(Track::Kind::notes, 0, "n", picoseconds);
    Batch batch;
    batch.note(note, -5, "early");
    batch.note(note, 5, "late");
    CHECK(selected(npu.schema, {&batch}, ":5ps") == Lines{"-5 note core0/n \"early\""});
    CHECK(selected(npu.schema, {&batch}, "1ps:") == Lines{"5 note core0/n \"late\""});
}

TEST_CASE("the remaining records of a frame are still one frame") {
    Npu npu;
    const TrackId note = npu.declare(Track::Kind::notes, 0, "n", picoseconds);
    Batch first, second;
    first.note(note, 1, "a").flags = record_first_of_frame;
    first.note(note, 1, "b");
    second.note(note, 1, "c");
    second.note(note, 2, "d").flags = record_first_of_frame;
    CHECK(selected(npu.schema, {&first, &second}, "#2:") == Lines{"1 * note core0/n \"c\"", "2 * note core0/n \"d\""});
    CHECK(selected(npu.schema, {&first, &second}, "#0:#2") == Lines{"1 * note core0/n \"a\"", "1 note core0/n \"b\""});
}

TEST_CASE("a track that cannot be compared with the range is refused, and the message states which units can be used") {
    Npu npu;
    npu.stream(0, "MAC", 1, 0);
    CHECK(refusal(npu.schema, "1ns:2ns") ==
          "--range: track 'MAC' counts cycles of an unknown clock: state it with --clock, or use cyc, such as "
          "1000cyc:2000cyc");
    CHECK(refusal(npu.schema, "1cyc:2cyc") == "accepted");
    Npu timed;
    timed.declare(Track::Kind::notes, 0, "n", picoseconds);
    CHECK(refusal(timed.schema, "1cyc:2cyc") ==
          "--range: track 'n' counts time: use ps, ns, us, ms or s, such as 10us:20us");
    Npu counted;
    counted.declare(Track::Kind::notes, 0, "n", ordinals);
    CHECK(refusal(counted.schema, "1ns:") ==
          "--range: track 'n' counts positions instead of time: use #, such as 100#:200#");
    CHECK(refusal(counted.schema, "#1:") == "accepted");
}

namespace {

/// Two signals with times in picoseconds, and one with positions.
struct Signals {
    Schema schema;
    TrackId a, b, index;
    Batch batch;
    Signals() {
        a = schema.declare(make_track(Track::Kind::signal, none, "a", picoseconds, {Field{"value", Type::u8}}));
        b = schema.declare(make_track(Track::Kind::signal, none, "b", picoseconds,
                                      {Field{"x", Type::u8}, Field{"y", Type::text, none, true}}));
        index = schema.declare(make_track(Track::Kind::signal, none, "i", ordinals, {Field{"value", Type::u8}}));
    }
    void set(TrackId track, Tick time, std::uint64_t value, std::uint64_t mark = 0) {
        batch.change(track, time, Attribute{0, value}, mark);
    }
    void end(TrackId track, Tick time) {
        batch.change(track, time, std::span<const Attribute>()).flags |= record_no_value;
    }
};

}  // namespace

TEST_CASE("the value of a signal at the start of a range is restated") {
    Signals trace;
    const StringId text = trace.schema.intern("t");
    const Attribute values[] = {{0, 1}, {1, text}, {1, text}};
    trace.set(trace.a, 5, 1);
    trace.batch.change(trace.b, 6, values, 2);
    trace.set(trace.a, 8, 2);
    trace.set(trace.a, 12, 3);
    trace.end(trace.b, 14);
    trace.set(trace.a, 20, 4);
    Schema timed;  // lacks the tracks that have no time
    timed.declare(trace.schema.tracks()[0]);
    timed.declare(trace.schema.tracks()[1]);
    timed.intern("t");
    CHECK(selected(timed, {&trace.batch}, "10ps:20ps") == Lines{"10 change a value=0x2",
                                                                "10 change b x=1 y=\"t\" y=\"t\" mark=2",
                                                                "12 change a value=0x3", "14 change b no value"});
    CHECK(selected(timed, {&trace.batch}, "15ps:") == Lines{"15 change a value=0x3", "20 change a value=0x4"});
    CHECK(selected(timed, {&trace.batch}, "30ps:") == Lines{"30 change a value=0x4"});
    CHECK(selected(timed, {&trace.batch}, ":6ps") == Lines{"5 change a value=0x1"});
    CHECK(selected(timed, {&trace.batch}, "#3:#4") ==
          Lines{"12 change a value=0x2", "12 change b x=1 y=\"t\" y=\"t\" mark=2", "12 change a value=0x3"});

    const auto range = make_selection(timed, parse_range("10ps:20ps"));
    Batch out;
    range->apply(trace.batch, out);
    CHECK((out.records()[0].flags & record_restated) != 0);
    CHECK((out.records()[2].flags & record_restated) == 0);
}

TEST_CASE("signals with other time bases are restated in their own ticks") {
    Signals trace;
    trace.set(trace.a, 5, 1);
    trace.set(trace.index, 1, 7);
    trace.set(trace.a, 8, 2);
    trace.set(trace.index, 2, 8);
    CHECK(selected(trace.schema, {&trace.batch}, "#2:#3") ==
          Lines{"8 change a value=0x1", "1 change i value=0x7", "8 change a value=0x2"});
    CHECK(refusal(trace.schema, "5ps:") ==
          "--range: track 'i' counts positions instead of time: use #, such as 100#:200#");
}

TEST_CASE("the memory for signals before a range is limited") {
    Signals trace;
    const std::vector<Attribute> values(100, Attribute{1, trace.schema.intern("t")});
    trace.batch.change(trace.b, 5, values);
    SelectionOptions options;
    options.limits.block = 1000;
    const auto range = make_selection(trace.schema, parse_range("#1:"), options);
    Batch out;
    CHECK_THROWS_AS(range->apply(trace.batch, out), Error);
}

TEST_CASE("native tracks without time matter only if they have records; tracks that appear later are checked") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC");
    const TrackId native = npu.declare(Track::Kind::native, 0, "pccx.payload", ordinals);
    Batch without, with;
    without.interval(mac, 1, 1);
    with.native(native, 0, {});
    const auto stage = make_selection(npu.schema, parse_range("0cyc:9cyc"));
    Batch out;
    stage->apply(without, out);
    CHECK(out.records().size() == 1);
    CHECK_THROWS_AS(stage->apply(with, out), Error);
    const TrackId dma = npu.stream(1, "DMA");
    Batch later;
    later.interval(dma, 2, 2);
    stage->apply(later, out);
    CHECK(out.records().size() == 2);
    npu.declare(Track::Kind::storage, 1, "rob", picoseconds);
    CHECK_THROWS_AS(stage->apply(later, out), Error);
}

TEST_CASE("a cycle of unknown length gets the length that the user states; other cycles keep their length") {
    Npu npu;
    const TrackId unknown = npu.stream(0, "MAC", 1, 0);
    const TrackId known = npu.stream(1, "MAC");
    const TrackId note = npu.declare(Track::Kind::notes, 0, "n", picoseconds);
    Batch batch;
    batch.interval(unknown, 9, 1);
    batch.interval(unknown, 10, 1);
    batch.interval(known, 19, 1);
    batch.interval(known, 20, 1);
    batch.note(note, 19'999, "early");
    batch.note(note, 20'000, "late");
    CHECK(refusal(npu.schema, "20ns:").find("--clock") != std::string::npos);
    CHECK(lines_after(*make_selection(npu.schema, parse_range("20ns:"), {2'000}), {&batch}) ==
          Lines{"10 interval core0/MAC duration=1", "20 interval core1/MAC duration=1", "20000 note core0/n \"late\""});
    npu.declare(Track::Kind::notes, 0, "o", ordinals);
    CHECK_THROWS_AS(make_selection(npu.schema, parse_range("20ns:"), {2'000}), Error);
}

}  // namespace selection_test
