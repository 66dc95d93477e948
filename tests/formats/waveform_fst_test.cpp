// Tests of FST files that hwtrace writes and reads.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <string>

#include "formats/waveform_support.hpp"

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// Returns the number of records in a file, and reports findings to `findings`.
std::size_t records_in(std::span<const std::byte> file, Findings& findings) {
    Input input = Input::memory("fst", file);
    const Settings settings;
    const auto reader = fst_format.open(input, settings, findings);
    std::size_t records = 0;
    for (Batch batch; reader->read(batch); batch.clear())
        records += batch.records().size();
    return records;
}

}  // namespace

TEST_CASE("FST keeps nine states, signed numbers, reals, texts of any bytes, and events") {
    Schema schema;
    const auto declare = [&](std::string_view name, std::vector<Field> fields) {
        return schema.declare(make_track(Track::Kind::signal, none, name, nanoseconds, std::move(fields)));
    };
    const TrackId bus = declare("bus", {{.name = "value", .type = Type::logic}});
    const TrackId bit = declare("bit", {{.name = "value", .type = Type::logic}});
    const TrackId number = declare("number", {{.name = "value", .type = Type::i16}});
    const TrackId level = declare("level", {{.name = "value", .type = Type::f64}});
    const TrackId text = declare("text", {{.name = "value", .type = Type::text}});
    const TrackId event = schema.declare(make_track(Track::Kind::event_type, none, "event", nanoseconds));
    Batch batch;
    batch.change(bus, 0, Attribute{0, schema.intern("01XZHUWL-")});
    for (const std::string_view state : {"U", "W", "L", "H", "-", "Z", "0", "1"})
        batch.change(bit, 1, Attribute{0, schema.intern(state)});
    batch.change(number, 2, Attribute{0, std::uint64_t(-5)});
    batch.change(level, 2, Attribute{0, std::bit_cast<std::uint64_t>(0.1)});
    batch.change(text, 3, Attribute{0, schema.intern(std::string_view("a\0\n b", 5))});
    batch.event(event, 3, 0u);
    batch.event(event, 4, 0u);
    const WrittenWaveform written = write_waveform(fst_format, schema, batch);
    CHECK(written.losses.none());
    CHECK(view_of(fst_format, written.text()) ==
          "6 variables, a tick is 1 ns\n"
          "0 bus \"01XZHUWL-\"\n"
          "1 bit \"U\"\n1 bit \"W\"\n1 bit \"L\"\n1 bit \"H\"\n1 bit \"-\"\n1 bit \"Z\"\n1 bit 0\n1 bit 1\n"
          "2 number -5\n2 level 0.1\n"
          "3 text \"a\\x00\\n b\"\n3 event\n"
          "4 event\n");
}

TEST_CASE("a state that FST lacks is a loss that was foretold") {
    Schema schema;
    const TrackId bus = schema.declare(
        make_track(Track::Kind::signal, none, "bus", nanoseconds, {{.name = "value", .type = Type::logic}}));
    Batch batch;
    batch.change(bus, 0, Attribute{0, schema.intern("0K1")});
    const WrittenWaveform written = write_waveform(fst_format, schema, batch);
    REQUIRE(written.losses.entries().size() == 1);
    std::vector<ExpectedLoss> foretold;
    fst_format.writes.foresee(schema, {}, foretold);
    CHECK(std::ranges::any_of(foretold, [](const ExpectedLoss& loss) { return loss.loss == Loss::value_narrowed; }));
    CHECK(view_of(fst_format, written.text()).ends_with("0 bus \"0X1\"\n"));
}

TEST_CASE("many changes are written in several blocks, and a cut file delivers the complete ones") {
    constexpr std::size_t width = 1u << 17, changes = 200;
    Schema schema;
    const TrackId wide = schema.declare(
        make_track(Track::Kind::signal, none, "wide", nanoseconds, {{.name = "value", .type = Type::logic}}));
    const TrackId clock = schema.declare(make_track(Track::Kind::signal, none, "clock", nanoseconds,
                                                    {{.name = "value", .type = Type::u64, .width = 1}}));
    std::string states(width, 'Z');
    Batch batch;
    for (std::size_t i = 0; i < changes; ++i) {
        states[i] = '1';
        batch.change(wide, static_cast<Tick>(i), Attribute{0, schema.intern(states)});
        batch.change(clock, static_cast<Tick>(i), Attribute{0, i & 1u});
    }
    const WrittenWaveform written = write_waveform(fst_format, schema, batch);
    Findings sound;
    CHECK(records_in(written.bytes, sound) == 2 * changes);
    CHECK(sound.kept().empty());
    Findings cut;
    const std::size_t delivered = records_in(std::span(written.bytes).first(written.bytes.size() - 10), cut);
    CHECK(delivered > changes);
    CHECK(delivered < 2 * changes);
    CHECK(cut.total("FST005") == 1);
    CHECK(cut.total("FST019") == 1);
    CHECK(cut.verdict() == Verdict::incomplete);
}

TEST_CASE("an FST file of a trace without changes is valid") {
    Schema schema;
    schema.declare(make_track(Track::Kind::signal, none, "a", nanoseconds, {{.name = "value", .type = Type::u8}}));
    Findings findings;
    const WrittenWaveform written = write_waveform(fst_format, schema, Batch());
    CHECK(records_in(written.bytes, findings) == 0);
    CHECK(findings.kept().empty());
}
