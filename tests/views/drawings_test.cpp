// Tests the views that draw: what they show of hand-made traces, and that no trace breaks them.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "domain/conventions.hpp"
#include "views/core_trace.hpp"
#include "views/interval_order.hpp"
#include "views/interval_statistics.hpp"

namespace drawings_test {

using namespace hwtrace;
using namespace hwtrace::test;
using Json = nlohmann::json;

namespace {

constexpr std::string_view drawing_views[] = {"pipeline", "lanes", "histogram", "heatmap"};
constexpr Tick earliest = std::numeric_limits<Tick>::min(), latest = std::numeric_limits<Tick>::max();

/// Returns the lines of a text.
std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

/// Returns the drawing in 80 columns of ASCII.
std::vector<std::string> ascii(Schema& schema, Batch& batch, std::string_view view, ViewOptions options = {}) {
    options.drawing.ascii = true;
    return lines_of(show(schema, batch, view, TextForm::text, options).text);
}
std::vector<std::string> ascii(Npu& npu, Batch& batch, std::string_view view, const ViewOptions& options = {}) {
    return ascii(npu.schema, batch, view, options);
}

}  // namespace

TEST_CASE("drawings: intervals that overlap are drawn in lanes, and one of length 0 is visible") {
    Npu npu;
    const TrackId mac = npu.stream(0, "mac"), dma = npu.stream(1, "dma");
    Batch batch;
    batch.interval(mac, 20, 20);  // the order of the file is not that of time
    batch.interval(mac, 0, 30);
    batch.interval(dma, 50, 0);
    batch.interval(dma, 59, 1);
    const std::vector<std::string> lines = ascii(npu, batch, "lanes");
    REQUIRE(lines.size() == 7);
    CHECK(lines[0] == "                0         10        20        30        40        50 cycles");
    CHECK(lines[2] == "npu/core0/mac   @@@@@@@@@@@@@@@@@@@@@@@@@@@@@@                               50%");
    CHECK(lines[3] == "npu/core0/mac 2                     @@@@@@@@@@@@@@@@@@@@                     33%");
    CHECK(lines[4] == "npu/core1/dma                                                     .        @  2%");
    CHECK(lines[5] == "# one column is 1 cycle");
}

TEST_CASE("drawings: the heatmap shows the time in which a scope does anything") {
    Npu npu;
    const TrackId mac = npu.stream(0, "mac"), dma = npu.stream(0, "dma"), calls = npu.stream(1, "API_CALL");
    Batch batch;
    batch.interval(mac, 0, 32);
    batch.interval(dma, 16, 32);
    batch.interval(dma, 63, 1);
    batch.interval(calls, 0, 64);  // a call by the host is no work of the scope
    const std::vector<std::string> lines = ascii(npu, batch, "heatmap");
    REQUIRE(lines.size() == 6);
    CHECK(lines[2] == "npu/core0 " + std::string(48, '#') + std::string(15, ' ') + "# 77%");
    const Json json = Json::parse(show(npu.schema, batch, "heatmap", TextForm::json).text);
    REQUIRE(json["rows"].size() == 1);
    CHECK(json["rows"][0]["row"] == "npu/core0");
    CHECK(json["rows"][0]["unit"] == "cycles");
    std::uint64_t busy = 0, count = 0;
    for (const Json& bin : json["rows"][0]["bins"]) {
        busy += bin["busy"].get<std::uint64_t>();
        count += bin["count"].get<std::uint64_t>();
    }
    CHECK(busy == 49);
    CHECK(count == 3);
}

TEST_CASE("drawings: the share of a track is that of hwtrace-info") {
    for (const std::string_view view : {"lanes", "heatmap"}) {
        CAPTURE(view);
        Npu npu;
        const TrackId mac = npu.stream(0, "mac");
        Batch batch;
        batch.interval(mac, 1'000'001, 1'000'001);  // its bins begin before it and end after it
        CHECK(ascii(npu, batch, view)[2].ends_with(" 100%"));
        batch.interval(mac, 2'102'002, 1000);
        CHECK(ascii(npu, batch, view)[2].ends_with(" 91%"));
        Batch endless;  // drawn to the last tick
        endless.interval(mac, 10, std::numeric_limits<std::uint64_t>::max());
        CHECK(ascii(npu, endless, view)[2].ends_with(" 100%"));
        npu.schema.describe(std::string(conventions::trace_cycles), "4002004");
        CHECK(ascii(npu, batch, view)[2].ends_with(" 25%"));
    }
}

TEST_CASE("drawings: a range of time cuts intervals off") {
    Npu npu;
    const TrackId mac = npu.stream(0, "mac");
    Batch batch;
    batch.interval(mac, 0, 1000);
    ViewOptions options;
    options.range = Range{Range::Unit::cycle, 100, 120};
    const Json json = Json::parse(show(npu.schema, batch, "lanes", TextForm::json, options).text);
    CHECK(json["rows"][0]["bins"].front()["begin"] == 100);
    CHECK(json["rows"][0]["bins"].size() == 20);
}

TEST_CASE("drawings: a histogram has exact percentiles and readable buckets") {
    Npu npu;
    const TrackId mac = npu.stream(0, "mac");
    Batch batch;
    for (std::uint64_t i = 1; i <= 100; ++i)
        batch.interval(mac, static_cast<Tick>(i * 100), i);
    const std::vector<std::string> lines = ascii(npu, batch, "histogram");
    CHECK(lines[0] == "npu/core0/mac: 100 intervals, in cycles");
    CHECK(lines[1] == "  min 1  p50 50  p90 90  p99 99  max 100");
    CHECK(lines[2].starts_with("         1  1 #"));
    CHECK(lines[3].starts_with("      2..4  3 ##"));
    const Json json = Json::parse(show(npu.schema, batch, "histogram", TextForm::json).text);
    std::uint64_t sum = 0;
    for (const Json& bucket : json["histograms"][0]["buckets"])
        sum += bucket["weight"].get<std::uint64_t>();
    CHECK(sum == 100);
    CHECK(json["histograms"][0]["exact"] == true);
}

TEST_CASE("drawings: the values of a signal are weighted by the time for which it holds them") {
    Schema schema;
    const TrackId level =
        schema.declare(make_track(Track::Kind::signal, none, "level", picoseconds, {Field{"", Type::i32}}));
    Batch batch;
    batch.change(level, 0, Attribute{0, static_cast<std::uint64_t>(-5)});
    batch.change(level, 10, Attribute{0, 3});
    batch.change(level, 100, Attribute{0, 4});
    const Json json = Json::parse(show(schema, batch, "histogram", TextForm::json).text)["histograms"][0];
    CHECK(json["of"] == "values");
    CHECK(json["weight_unit"] == "ticks");
    CHECK(json["count"] == 3);
    CHECK(json["min"] == -5);
    CHECK(json["p50"] == 3);
    CHECK(json["max"] == 4);
    CHECK(json["buckets"].front()["from"] == -5);
    CHECK(json["buckets"].front()["weight"] == 10);
    const auto last_weight = [&](const ViewOptions& choice = {}) {
        return Json::parse(show(schema, batch, "histogram", TextForm::json, choice).text)["histograms"]
            .back()["buckets"]
            .back()["weight"]
            .get<std::uint64_t>();
    };
    CHECK(last_weight() == 0);
    const TrackId event = schema.declare(make_track(Track::Kind::event_type, none, "event", picoseconds));
    batch.event(event, 150, 0u);
    CHECK(last_weight() == 50);  // the value holds until the trace ends
    const TrackId work = schema.declare(make_track(Track::Kind::stream, none, "work", picoseconds));
    batch.interval(work, 120, 880);
    CHECK(last_weight() == 900);
    ViewOptions options;
    options.range = Range{Range::Unit::time_ps, 0, 300};
    CHECK(last_weight(options) == 200);
    options = {};
    const TrackId other = schema.declare(make_track(Track::Kind::event_type, none, "other", ordinals));
    batch.event(other, 5'000, 0u);  // another time base
    CHECK(last_weight() == 900);
    options.drawing.ascii = true;
    const std::string lanes = show(schema, batch, "lanes", TextForm::text, options).text;
    CHECK(lanes.find("level ") != std::string::npos);
    CHECK(lanes.find("-5..4\n") != std::string::npos);
}

TEST_CASE("drawings: a signal without a value is not drawn") {
    Schema schema;
    const TrackId bus = schema.declare(
        make_track(Track::Kind::signal, none, "bus", picoseconds, {Field{"", Type::u8}, Field{"", Type::text}}));
    for (const bool is_text : {false, true}) {
        CAPTURE(is_text);
        Batch batch;
        batch.change(bus, 0, Attribute{0, 5});
        if (is_text)
            batch.change(bus, 10, Attribute{1, schema.intern("1x0z")});
        else
            batch.change(bus, 10, std::span<const Attribute>()).flags |= record_no_value;
        batch.change(bus, 40, Attribute{0, 7});
        ViewOptions options;
        options.drawing.ascii = true;
        const std::vector<std::string> lines = lines_of(show(schema, batch, "lanes", TextForm::text, options).text);
        REQUIRE(lines.size() == 5);
        CHECK(lines[2] == "bus ..........                              @ 5..7");
    }
}

TEST_CASE("drawings: values that are not finite are counted, but not drawn") {
    Schema schema;
    const TrackId real =
        schema.declare(make_track(Track::Kind::signal, none, "real", picoseconds, {Field{"", Type::f64}}));
    Batch batch;
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    Tick time = 0;
    for (const double value : {1.0, nan, infinity, -infinity})
        batch.change(real, std::exchange(time, time + 10), Attribute{0, std::bit_cast<std::uint64_t>(value)});
    const std::vector<std::string> lanes = ascii(schema, batch, "lanes"), bars = ascii(schema, batch, "histogram");
    CHECK(lanes[2].ends_with("  1"));  // no range, and a gap from the first NaN
    CHECK(lanes.back() == "# 3 values are not finite and are not drawn");
    CHECK(bars.front() == "real: 1 value, weighted by time");
    CHECK(bars.back() == lanes.back());
    Batch one;
    one.change(real, 0, Attribute{0, std::bit_cast<std::uint64_t>(nan)});
    CHECK(ascii(schema, one, "lanes") == std::vector<std::string>{"# 1 value is not finite and is not drawn"});
}

TEST_CASE("drawings: the pipeline has a row per instruction, a letter per stage") {
    Core core;
    core.create(0, 1, 17, 0x8000'0004);
    core.note(0, 17, "80000004: addi x0, x0, 0");
    core.say(core.stage, 0, {17, 0});
    core.create(500, 2, 18);
    core.say(core.stage, 500, {18, 0});
    core.say(core.stage, 1500, {17, 2});
    core.batch.clear_slot(core.entities, 2500, 1);
    core.say(core.flush, 2000, {18, 1});
    ViewOptions options;
    options.drawing.ascii = true;
    const std::vector<std::string> lines =
        lines_of(show(core.schema, core.batch, "pipeline", TextForm::text, options).text);
    REQUIRE(lines.size() == 7);
    CHECK(lines[1] == "  #17 80000004: addi x0, x0, 0 0 FFFXX");
    CHECK(lines[2] == "x #18                          0  FFF");
    CHECK(lines[3] == "# root/core0: 2 instructions: 1 retired, 1 flushed, 0 in flight");
    CHECK(lines[4] == "#  F F  X X");
    CHECK(lines[5] == "# one column is 1 cycle; '.' is in no stage");
    CHECK(lines[6] == "# before the id: x flushed, > in flight, ? replaced");
    CHECK(show(core.schema, core.batch, "pipeline", TextForm::csv).text ==
          show(core.schema, core.batch, "timeline", TextForm::csv).text);
}

TEST_CASE("drawings: an empty trace has a note, and one record is enough for a drawing") {
    for (const std::string_view view : drawing_views) {
        CAPTURE(view);
        Npu npu;
        Batch batch;
        const ShownView empty = show(npu.schema, batch, view);
        CHECK(empty.text.empty());
        REQUIRE(empty.notes.size() == 1);
        CHECK(Json::parse(show(npu.schema, batch, view, TextForm::json).text).contains("schema"));
        if (view == "pipeline") continue;
        batch.interval(npu.stream(0, "mac"), 7, 1);
        const ShownView one = show(npu.schema, batch, view);
        CHECK(one.text.find("npu/core0") != std::string::npos);
        CHECK(one.notes.empty());
    }
}

TEST_CASE("drawings: extreme times and durations are drawn") {
    for (const std::string_view view : drawing_views) {
        CAPTURE(view);
        Npu npu;
        const TrackId mac = npu.stream(0, "mac");
        Batch batch;
        batch.interval(mac, earliest, 0);
        batch.interval(mac, earliest, std::numeric_limits<std::uint64_t>::max());
        batch.interval(mac, latest, 0);
        batch.interval(mac, latest, std::numeric_limits<std::uint64_t>::max());
        batch.interval(mac, 0, 1);
        for (const TextForm form : {TextForm::text, TextForm::json, TextForm::jsonl, TextForm::csv})
            CHECK(show(npu.schema, batch, view, form).text.empty() == (view == "pipeline" && form == TextForm::text));
        if (view == "lanes") CHECK(ascii(npu, batch, view).size() < 16);
    }
}

TEST_CASE("drawings: no line is wider than the terminal, whatever the names and the width") {
    Npu npu;
    const std::string hostile = "\x1b]0;x\x07\xFF日本語🚀" + std::string(300, 'n');
    const TrackId mac = npu.stream(0, hostile);
    Batch batch;
    for (Tick time = 0; time < 3000; time += 7)
        batch.interval(mac, time, static_cast<std::uint64_t>(time % 50));
    for (const std::size_t width : {40U, 80U, 133U, 1000U}) {
        for (const std::string_view view : {"lanes", "heatmap", "pipeline"}) {
            ViewOptions options;
            options.drawing.width = width;
            const std::string text = show(npu.schema, batch, view, TextForm::text, options).text;
            CHECK(text.find('\x1b') == std::string::npos);
            CHECK(text.find('\x07') == std::string::npos);
            for (const std::string& line : lines_of(text))
                if (!line.starts_with('#')) CHECK(display_width(line) <= width);
        }
    }
    const TrackId real =
        npu.schema.declare(make_track(Track::Kind::signal, 1, "real", picoseconds, {Field{"", Type::f64}}));
    Batch values;
    values.change(real, 0, Attribute{0, std::bit_cast<std::uint64_t>(-123456.789012345678)});
    values.change(real, 9, Attribute{0, std::bit_cast<std::uint64_t>(1e300 / 3)});
    for (const std::string& line : lines_of(show(npu.schema, values, "lanes").text))
        if (!line.starts_with('#')) CHECK(display_width(line) <= 80);
}

TEST_CASE("drawings: a trace with more tracks and lanes than a drawing holds states what is left out") {
    Npu npu;
    Batch batch;
    std::vector<TrackId> tracks;
    for (int i = 0; i < 300; ++i)
        tracks.push_back(npu.stream(0, "track" + std::to_string(i)));
    for (const TrackId track : tracks)
        for (int i = 0; i < 12; ++i)
            batch.interval(track, i, 100);
    const ShownView shown = show(npu.schema, batch, "lanes");
    CHECK(lines_of(shown.text).size() < 50);
    CHECK(shown.text.find("rows not drawn") != std::string::npos);
    REQUIRE(shown.notes.size() == 1);
    CHECK(shown.notes[0].find("intervals not shown") != std::string::npos);
}

TEST_CASE("drawings: the timeline of intervals has their phases, attributes and ids") {
    Npu npu;
    Track track = make_track(Track::Kind::stream, 1, "read", picoseconds,
                             {Field{"id", Type::u64}, Field{"size", Type::u64},
                              Field{.name = "addr", .type = Type::pointer, .phase = Phase::begin},
                              Field{.name = "addr", .type = Type::pointer, .phase = Phase::end}});
    const TrackId read = npu.schema.declare(std::move(track));
    Batch batch;
    const std::array<Attribute, 4> attributes{{{0, 5}, {1, 8}, {2, 0x10}, {3, 0x18}}};
    batch.interval(read, 1000, 500, attributes);
    CHECK(show(npu.schema, batch, "timeline").text ==
          "npu/core0/read #5 size 8 1000-1500 ps\n"
          "    begin addr 0x10 | end addr 0x18\n"
          "# npu/core0/read: 1 interval\n");
    const Json life = Json::parse(show(npu.schema, batch, "timeline", TextForm::json).text)["lives"][0];
    CHECK(life["id"] == 5);
    CHECK(life["fields"] == Json{{"size", 8}});
    CHECK(life["stages"][1]["fields"]["addr"] == 0x18);
    CHECK(lines_of(show(npu.schema, batch, "timeline", TextForm::csv).text)[1] ==
          "npu/core0/read,5,,false,,,1000,1500,complete,,,,,,,begin addr 0x10 | end addr 0x18,,,,,,"
          "\"{\"\"size\"\":8,\"\"begin\"\":{\"\"addr\"\":16},\"\"end\"\":{\"\"addr\"\":24}}\"");
    ViewOptions options;
    options.entity = 6;
    CHECK(show(npu.schema, batch, "timeline", TextForm::text, options).notes ==
          std::vector<std::string>{"no instruction, transaction or interval has the id 6"});
}

TEST_CASE("interval order: sorts by begin, and gives what comes too late at once") {
    IntervalOrder order(2);
    std::vector<Tick> given;
    const auto give = [&](const IntervalOrder::Interval& interval) { given.push_back(interval.begin); };
    for (const Tick begin : {5, 3, 4, 9, 1})
        order.add(picoseconds, {begin, 1, 0}, give);
    order.add(ordinals, {2, 1, 1}, give);  // another time base has its own order
    order.finish(give);
    CHECK(given == std::vector<Tick>{3, 4, 1, 5, 9, 2});
    CHECK(order.late() == 1);
}

}  // namespace drawings_test
