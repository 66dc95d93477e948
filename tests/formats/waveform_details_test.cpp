// Tests of what VCD and FST files keep beyond changes: ends, unchanged variables, signs, initial values, lanes.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "formats/waveform_support.hpp"

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr std::string_view detail_head =
    "$timescale 1 ns $end $scope module top $end $var wire 1 ! clk $end $var wire 4 \" bus $end\n"
    "$var event 1 # tick $end $scope module empty $end $upscope $end $upscope $end $enddefinitions $end\n";

std::string with_head(std::string_view changes) {
    return std::string(detail_head).append(changes);
}

bool holds_part(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Returns the number of findings of a rule.
std::uint64_t findings_of_rule(const Format& format, std::string_view file, std::string_view rule) {
    Input input = Input::memory("waveform", as_bytes(file));
    Findings findings;
    const Settings settings;
    const auto reader = format.open(input, settings, findings);
    for (Batch batch; reader->read(batch); batch.clear()) {
    }
    return findings.total(rule);
}

}  // namespace

TEST_CASE("an FST file without changes has a block, which other readers demand") {
    Schema schema;
    for (int variables = 0; variables < 2; ++variables) {
        const WrittenWaveform written = write_waveform(fst_format, schema, Batch());
        Input input = Input::memory("fst", written.bytes);
        Findings findings;
        const Settings settings;
        const auto reader = fst_format.open(input, settings, findings);
        const Facts facts = reader->facts();
        CHECK(std::ranges::any_of(
            facts, [](const auto& fact) { return fact.key == "blocks" && std::get<std::uint64_t>(fact.value) == 1; }));
        CHECK(reader->schema().tracks().size() == static_cast<std::size_t>(variables));
        schema.declare(make_track(Track::Kind::signal, none, "a", nanoseconds, {{.name = "value", .type = Type::u8}}));
    }
}

TEST_CASE("the end of a waveform is kept if it is later than the last change") {
    for (const std::string_view changes : {"#5 1!\n#1000\n", "#1000\n"}) {
        const std::string file = with_head(changes);
        const std::string fst = rewritten(vcd_format, file, fst_format);
        CHECK(rewritten(vcd_format, file, vcd_format).ends_with("\n#1000\n"));
        CHECK(rewritten(fst_format, rewritten(fst_format, fst, fst_format), vcd_format).ends_with("\n#1000\n"));
        CHECK(rewritten(fst_format, fst, vcd_format).ends_with("\n#1000\n"));
    }
    CHECK(rewritten(vcd_format, with_head("#5 1!\n"), vcd_format).ends_with("#5\n1!\n"));
}

TEST_CASE("variables, events and scopes without changes are kept") {
    const std::string again = rewritten(vcd_format, with_head("#5 1!\n"), vcd_format);
    CHECK(
        holds_part(again,
                   "$scope module top $end\n$var wire 1 ! clk $end\n$var wire 4 \" bus $end\n$var event 1 # tick $end\n"
                   "$scope module empty $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n#5\n1!\n"));
    const std::string fst = rewritten(vcd_format, with_head({}), fst_format);
    CHECK(holds_part(rewritten(fst_format, fst, vcd_format), "$var event 1 # tick $end\n$scope module empty $end\n"));
}

TEST_CASE("a signed number keeps its sign in a variable that is wider than its type") {
    Schema schema;
    const TrackId track =
        schema.declare(make_track(Track::Kind::signal, none, "v", nanoseconds,
                                  {{.name = "value", .type = Type::i8}, {.name = "value", .type = Type::i32}}));
    Batch batch;
    batch.change(track, 0, Attribute{0, std::uint64_t(-1)});
    batch.change(track, 1, Attribute{1, std::uint64_t(-2)});
    for (const Format* format : {&vcd_format, &fst_format}) {
        const std::string view = view_of(*format, write_waveform(*format, schema, batch).text());
        CHECK(view == "1 variable, a tick is 1 ns\n0 v -1\n1 v -2\n");
    }
}

TEST_CASE("initial values of events are no events") {
    const std::string view =
        view_of(vcd_format, with_head("#0 $dumpvars 1! 1# $end\n#1 1#\n#2 $dumpall 0! 1#\n#3 1# $dumpon 1# $end 1#\n"));
    CHECK(view.substr(view.find('\n') + 1) == "0 top.clk 1\n1 top.tick\n2 top.clk 0\n3 top.tick\n3 top.tick\n");
}

TEST_CASE("values of events at the start of an FST file are events only if hwtrace wrote them") {
    Schema schema;
    const TrackId event = schema.declare(make_track(Track::Kind::event_type, none, "e", nanoseconds));
    Batch batch;
    for (const Tick time : {7, 9})
        batch.event(event, time, 0u);
    std::string file = write_waveform(fst_format, schema, batch).text();
    CHECK(view_of(fst_format, file).ends_with("\n7 e\n9 e\n"));
    const std::size_t version = file.find("hwtrace");
    REQUIRE(version < 100);
    file.replace(version, 7, std::string("Icarus\0", 7));
    CHECK(view_of(fst_format, file).ends_with("\n9 e\n"));
    CHECK_FALSE(holds_part(view_of(fst_format, file), "7 e"));
}

TEST_CASE("lanes show the begin of intervals that touch or have no length, and are idle before the first one") {
    Schema schema;
    const TrackId wire = schema.declare(
        make_track(Track::Kind::signal, none, "wire", nanoseconds, {{.name = "value", .type = Type::boolean}}));
    const TrackId bus = schema.declare(make_track(Track::Kind::stream, none, "bus", nanoseconds));
    Batch batch;
    batch.change(wire, 2, Attribute{0, 1});
    batch.interval(bus, 5, 3, {});
    batch.interval(bus, 8, 2, {});
    batch.interval(bus, 20, 0, {});
    const std::string text = write_waveform(vcd_format, schema, batch).text();
    CHECK(holds_part(text, "$var wire 1 \" busy $end\n$var event 1 # begin $end\n"));
    CHECK(text.ends_with("#2\n0\"\n1!\n#5\n1\"\n1#\n#8\n0\"\n1\"\n1#\n#10\n0\"\n#20\n1\"\n1#\n0\"\n"));
}

TEST_CASE("a byte order mark is skipped, and a variable without bits is reported") {
    for (const std::string_view mark : {"\xEF\xBB\xBF", "\xEF\xBB\xBF\n"}) {
        const std::string file = std::string(mark) + with_head("#5 1!\n");
        CHECK(vcd_format.sniff(as_bytes(file)));
        CHECK(findings_of_rule(vcd_format, file, "VCD001") == 0);
        CHECK(view_of(vcd_format, file).ends_with("5 top.clk 1\n"));
    }
    const std::string declared =
        "$timescale 1 ns $end $var wire 0 ! a $end $var string 0 \" s $end $enddefinitions $end\n";
    CHECK(findings_of_rule(vcd_format, declared, "VCD004") == 1);
}

TEST_CASE("the time at tick 0 is kept in VCD and FST") {
    const std::string file = "$timezero -3 $end " + with_head("#5 1!\n");
    const std::string fst = rewritten(vcd_format, file, fst_format);
    const std::string again = rewritten(fst_format, fst, vcd_format);
    CHECK(holds_part(again, "$timezero\n    -3\n$end\n"));
    CHECK_FALSE(holds_part(again, "timezero ="));
}

TEST_CASE(
    "a waveform that becomes a waveform foretells no rounded times and no marks; other traces foretell each once") {
    const auto foretold = [](const Schema& schema, std::string_view from) {
        Settings settings;
        settings.source_format = from;
        std::vector<ExpectedLoss> losses;
        vcd_format.writes.foresee(schema, settings, losses);
        std::string text;
        for (const ExpectedLoss& loss : losses)
            text.append(name_of(loss.loss)).append(" ").append(loss.subject).append("\n");
        return text;
    };
    const std::string file = with_head("#5 1!\n");
    Input input = Input::memory("vcd", as_bytes(file));
    Findings findings;
    const Settings settings;
    CHECK(foretold(vcd_format.open(input, settings, findings)->schema(), "vcd").empty());
    Schema other;
    for (const std::string_view name : {"a", "b"})
        other.declare(make_track(Track::Kind::signal, none, name, nanoseconds, {{.name = "value", .type = Type::u8}}));
    CHECK(foretold(other, "flux") == "time-rounded *\nfield-dropped *\n");
}
