// Tests the merging of several traces into one: record order, scopes, interval ids, metadata.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <sstream>

#include "convert/model_dump.hpp"
#include "domain/conventions.hpp"
#include "io/text_output.hpp"
#include "operate/merged_reader.hpp"
#include "support/interval_support.hpp"

namespace merged_reader_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

namespace names = conventions;

constexpr TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};

/// A trace to be merged.
struct Piece {
    std::string name;
    IntervalTrace trace = {};
    bool time_ordered = true;
};

struct Merge {
    std::string text;  ///< the model dump
    Losses losses = {};
    std::string renumbering = {};
};

Merge merged(std::deque<Piece>& parts, const TimeModel& time = {}) {
    Merge made;
    std::vector<std::unique_ptr<Canned>> readers;
    std::vector<MergedSource> sources;
    for (Piece& part : parts) {
        readers.push_back(std::make_unique<Canned>(part.trace.schema, part.trace.pointers()));
        Plan plan;
        plan.time_ordered = part.time_ordered;
        sources.push_back({part.name, readers.back().get(), &part.trace.schema, std::move(plan)});
    }
    MergedReader reader(std::move(sources), time, "/tmp", made.losses);
    Plan nothing;
    made.text = model_of(reader, reader.schema(), nothing);
    made.renumbering = reader.renumbering();
    return made;
}

std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::vector<std::string> records_in(const std::string& text) {
    std::vector<std::string> records;
    for (const std::string& line : lines_in(text))
        if (!line.empty() && (line.front() == '-' || (line.front() >= '0' && line.front() <= '9')))
            records.push_back(line);
    return records;
}

bool has_line(const std::string& text, const std::string& line) {
    const auto lines = lines_in(text);
    return std::ranges::find(lines, line) != lines.end();
}

Piece events(std::string name, TimeBase base, std::vector<Tick> times) {
    Piece part{std::move(name)};
    const TrackId track =
        part.trace.schema.declare(make_track(Track::Kind::event_type, none, "e", base, {Field{"n", Type::u64}}));
    std::uint64_t number = 0;
    for (const Tick time : times) {
        const std::uint64_t cells[] = {number++};
        part.trace.batch().event(track, time, cells);
    }
    return part;
}

}  // namespace

TEST_CASE(
    "records of several traces are in exact time order, whatever their units; records with equal times are in trace "
    "order") {
    std::deque<Piece> parts;
    parts.push_back(events("a", nanoseconds, {0, 2, 2, 5}));
    parts.push_back(events("b", picoseconds, {1, 1999, 2000, 2001, 6000}));
    parts.push_back(events("c", gigahertz, {2, 5}));
    const Merge made = merged(parts);
    CHECK(records_in(made.text) == std::vector<std::string>{"0 event a/e n=0", "1 event b/e n=0", "1999 event b/e n=1",
                                                            "2 event a/e n=1", "2 event a/e n=2", "2000 event b/e n=2",
                                                            "2 event c/e n=0", "2001 event b/e n=3", "5 event a/e n=3",
                                                            "5 event c/e n=1", "6000 event b/e n=4"});
    CHECK(made.losses.none());
    CHECK(made.losses.assumptions().empty());
}

TEST_CASE("a trace out of time order is sorted, even before time 0; an assumed tick length is reported") {
    std::deque<Piece> parts;
    parts.push_back(events("late", nanoseconds, {7, -3, 1}));
    parts.back().time_ordered = false;
    parts.push_back(events("counted", ordinals, {0, 1, 2}));
    const Merge assumed = merged(parts);
    CHECK(records_in(assumed.text) == std::vector<std::string>{"-3 event late/e n=1", "0 event counted/e n=0",
                                                               "1 event late/e n=2", "1 event counted/e n=1",
                                                               "2 event counted/e n=2", "7 event late/e n=0"});
    REQUIRE(assumed.losses.assumptions().size() == 1);
    CHECK(assumed.losses.assumptions().front().starts_with("ticks of counted have no known length"));
    TimeModel slow;
    slow.period_ps = 5000;
    slow.instructions_per_cycle = Ratio{1, 2};  // a position takes 10 ns
    const Merge told = merged(parts, slow);
    CHECK(records_in(told.text).back() == "2 event counted/e n=2");
    CHECK(told.losses.assumptions().empty());
}

TEST_CASE("a thousand records of many batches are in order and complete") {
    std::deque<Piece> parts;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        Piece part{"part" + std::to_string(seed)};
        part.trace = random_intervals({.seed = seed, .count = 3000, .ordered = seed != 2, .spread = 100'000});
        part.time_ordered = seed != 2;
        parts.push_back(std::move(part));
    }
    const std::vector<std::string> records = records_in(merged(parts).text);
    CHECK(records.size() == 9000);
    CHECK(std::ranges::is_sorted(records, {}, [](const std::string& line) { return std::stoll(line); }));
}

TEST_CASE("ids of intervals stay unique, also in relations; if only one trace has ids, they are kept") {
    const auto numbered = [](std::string name) {
        Piece part{std::move(name)};
        const ScopeId bus = part.trace.schema.declare(Scope{"bus", none, {}, none, 7});
        const TrackId read = part.trace.stream(bus, "read", nanoseconds, {Field{std::string(names::interval_id)}});
        part.trace.schema.declare(
            make_track(Track::Kind::relation_type, none, "next", nanoseconds,
                       {Field{std::string(names::relation_from)}, Field{std::string(names::relation_to)},
                        Field{std::string(names::relation_source_stream)}}));
        for (std::uint64_t id = 1; id <= 2; ++id) {
            const Attribute attribute{0, id};
            part.trace.batch().interval(read, static_cast<Tick>(id), 1, std::span(&attribute, 1));
        }
        const std::uint64_t cells[] = {1, 2, 7};
        part.trace.batch().relation(1, 2, cells);
        return part;
    };
    std::deque<Piece> alone;
    alone.push_back(numbered("x"));
    alone.push_back(events("y", nanoseconds, {1}));
    CHECK(merged(alone).renumbering == "");
    CHECK(has_line(merged(alone).text, "2 relation next from=1 to=2 source_stream=7"));

    std::deque<Piece> both;
    both.push_back(numbered("x"));
    both.push_back(numbered("y"));
    const Merge made = merged(both);
    CHECK(records_in(made.text) ==
          std::vector<std::string>{
              "1 interval bus/read duration=1 id=0x2", "1 interval bus/read duration=1 id=0x3",
              "2 interval bus/read duration=1 id=0x4", "2 relation next from=2 to=4 source_stream=7",
              "2 interval bus/read duration=1 id=0x5", "2 relation next from=3 to=5 source_stream=8"});
    CHECK(made.renumbering == "intervals have new ids: x 2 * i + 0, y 2 * i + 1");
    CHECK(made.losses.none());

    const Attribute greatest{0, std::numeric_limits<std::uint64_t>::max()};
    both[1].trace.batch().interval(0, 9, 1, std::span(&greatest, 1));
    CHECK(merged(both).losses.entries().contains({Loss::value_narrowed, std::string(names::interval_id)}));
}

TEST_CASE("metadata equal in all traces is stated once; different metadata is stated under the names of the traces") {
    const auto stating = [](std::string name, std::string version) {
        Piece part = events(std::move(name), picoseconds, {0});
        part.trace.schema.describe("tool", "sim");
        part.trace.schema.describe("version", std::move(version));
        part.trace.schema.describe("hwtrace.lowered", "of the whole");
        part.trace.schema.describe("pccx.trace.cores", "4");
        part.trace.schema.declare(Clock{"clk", 1000});
        part.trace.schema.declare(Enum{"state", {{0, "idle"}, {1, part.name}}});
        part.trace.schema.declare(Enum{"kind", {{0, "read"}}});
        return part;
    };
    std::deque<Piece> parts;
    parts.push_back(stating("a", "1"));
    parts.push_back(stating("b", "2"));
    const std::string text = merged(parts).text;
    for (const char* const line :
         {"metadata \"tool\" = \"sim\"", "metadata \"merge.a.version\" = \"1\"", "metadata \"merge.b.version\" = \"2\"",
          "metadata \"merge.a.hwtrace.lowered\" = \"of the whole\"", "scope 0 \"a\"", "scope 1 \"b\"",
          "clock 0 \"clk\" period_ps=1000"}) {
        CAPTURE(line);
        CHECK(has_line(text, line));
    }
    CHECK(text.find("cores") == std::string::npos);
    CHECK(text.find("clock 1") == std::string::npos);
    CHECK(text.find("enum 2 \"state\"") != std::string::npos);
    CHECK(text.find("enum 3") == std::string::npos);
}

TEST_CASE("native records cannot be merged and are counted as lost") {
    std::deque<Piece> parts;
    parts.push_back(events("a", picoseconds, {0}));
    const TrackId native =
        parts[0].trace.schema.declare(make_track(Track::Kind::native, none, "uscope.item", picoseconds));
    parts[0].trace.batch().native(native, 1, {});
    const Merge made = merged(parts);
    CHECK(records_in(made.text).size() == 1);
    CHECK(made.losses.entries().contains({Loss::native_dropped, "uscope.item"}));
}

TEST_CASE("a scope whose parent is declared later keeps its parent") {
    std::deque<Piece> parts;
    parts.push_back(events("a", picoseconds, {0}));
    parts.push_back(events("b", picoseconds, {0}));
    for (Piece& part : parts) {
        const auto own = static_cast<ScopeId>(part.trace.schema.scopes().size());
        part.trace.schema.declare(Scope{"core", own + 1, {}, none});
        part.trace.schema.declare(Scope{"chip", none, {}, none});
    }
    const std::string text = merged(parts).text;
    CAPTURE(text);
    CHECK(has_line(text, "scope 1 \"core\" parent=2"));
    CHECK(has_line(text, "scope 2 \"chip\" parent=0"));
    CHECK(has_line(text, "scope 4 \"core\" parent=5"));
    CHECK(has_line(text, "scope 5 \"chip\" parent=3"));
}

}  // namespace merged_reader_test
