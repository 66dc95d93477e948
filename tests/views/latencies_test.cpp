// The statistics of intervals against plain programs that keep everything.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "domain/conventions.hpp"
#include "domain/recent_intervals.hpp"
#include "views/activity.hpp"
#include "views/arrivals.hpp"
#include "views/named_intervals.hpp"
#include "views/relation_latencies.hpp"
#include "views/roofline.hpp"

namespace latencies_test {

using namespace hwtrace;

namespace {

constexpr std::uint64_t seeds = 20;

struct Interval {
    std::size_t track = 0;
    Tick begin = 0;
    std::uint64_t duration = 0, id = 0;
};

/// A random trace of four types of intervals in two scopes, in order of their begins, with relations.
struct Random {
    std::mt19937_64 random;
    Schema schema;
    std::vector<TrackId> tracks;
    TrackId causes = none;
    std::vector<Interval> intervals;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> relations;
    std::vector<Batch> batches;

    explicit Random(std::uint64_t seed) : random(seed) {
        for (const char* const scope_name : {"bus", "memory"}) {
            const ScopeId scope = schema.declare(Scope{scope_name, none, {}, none});
            for (const char* const name : {"read", "write"})
                tracks.push_back(
                    track(Track::Kind::stream, scope, name, {{std::string(conventions::interval_id), Type::u64}}));
        }
        causes = track(Track::Kind::relation_type, none, "causes", {{"from", Type::u64}, {"to", Type::u64}});
        Tick time = 0;
        for (std::uint64_t id = 1; id <= 3000; ++id) {
            time += static_cast<Tick>(random() % 50);
            intervals.push_back({static_cast<std::size_t>(random() % tracks.size()), time, random() % 300, id});
        }
        for (std::size_t i = 0; i < 2000; ++i)  // some of them lead to ids that no interval has
            relations.emplace_back(1 + random() % 3050, 1 + random() % 3050);
        make_batches();
    }

    TrackId track(Track::Kind kind, ScopeId scope, const char* name, std::vector<Field> fields) {
        Track made;
        made.kind = kind;
        made.scope = scope;
        made.name = name;
        made.time = picoseconds;
        made.fields = std::move(fields);
        return schema.declare(std::move(made));
    }

    /// Relations come before, between and after the intervals.
    void make_batches() {
        std::size_t next = 0;
        for (std::size_t i = 0; i < intervals.size(); ++i) {
            if (batches.empty() || batches.back().full()) batches.emplace_back();
            while (next < relations.size() && random() % 4 == 0) {
                const std::array cells{relations[next].first, relations[next].second};
                batches.back().relation(causes, 0, cells);
                ++next;
            }
            const Interval& one = intervals[i];
            const std::array attributes{Attribute{0, one.id}};
            batches.back().interval(tracks[one.track], one.begin, one.duration, attributes);
        }
        for (; next < relations.size(); ++next) {
            const std::array cells{relations[next].first, relations[next].second};
            batches.back().relation(causes, 0, cells);
        }
    }
};

void check(const LengthSummary& summary, std::vector<std::uint64_t> lengths) {
    REQUIRE(summary.count == lengths.size());
    if (lengths.empty()) return;
    std::ranges::sort(lengths);
    const auto rank = [&](std::size_t per_cent) { return lengths[(lengths.size() * per_cent + 99) / 100 - 1]; };
    REQUIRE(summary.precision == Precision::exact);
    CHECK(summary.least == lengths.front());
    CHECK(summary.median == rank(50));
    CHECK(summary.p90 == rank(90));
    CHECK(summary.p99 == rank(99));
    CHECK(summary.greatest == lengths.back());
}

}  // namespace

TEST_CASE("times between begins and begins per window are those of a plain list") {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        const Random trace(seed);
        HistogramBudget histograms;
        ArrivalMeter meter(trace.schema, histograms);
        for (const Batch& batch : trace.batches)
            meter.add(batch);
        CHECK(meter.in_order());
        const auto result = meter.result();
        REQUIRE(result);
        REQUIRE(result->tracks.size() == 4);
        for (std::size_t track = 0; track < 4; ++track) {
            std::vector<std::uint64_t> gaps;
            std::map<Tick, std::uint64_t> windows;
            const Interval* before = nullptr;
            std::uint64_t begins = 0;
            const Arrivals::OfTrack& made = result->tracks[track];
            REQUIRE(made.throughput);
            const auto width = static_cast<Tick>(made.throughput->width);
            for (const Interval& one : trace.intervals) {
                if (one.track != track) continue;
                ++begins;
                ++windows[one.begin / width];
                if (before != nullptr) gaps.push_back(static_cast<std::uint64_t>(one.begin - before->begin));
                before = &one;
            }
            check(made.gaps, gaps);
            CHECK(made.begins == begins);
            std::uint64_t most = 0;
            for (const auto& [window, count] : windows)
                most = std::max(most, count);
            CHECK(made.throughput->most == most);
            const Tick first = trace.intervals.front().begin / width, last = trace.intervals.back().begin / width;
            CHECK(made.throughput->windows == static_cast<std::uint64_t>(last - first) + 1);
            CHECK(made.throughput->windows <= 64);
            CHECK(made.throughput->windows > 16);
        }
    }
}

TEST_CASE("the tracks of each time base have their own windows") {
    Schema schema;
    constexpr TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};
    std::array<TrackId, 6> tracks{};
    for (std::size_t i = 0; i < tracks.size(); ++i)
        tracks[i] = schema.declare(
            make_track(Track::Kind::stream, none, "t" + std::to_string(i), i % 2 == 0 ? picoseconds : nanoseconds));
    Batch batch;
    for (std::size_t i = 0; i < tracks.size(); ++i)
        batch.interval(tracks[i], static_cast<Tick>((i % 2 == 0 ? 1000 : 1) * i), 1);
    HistogramBudget histograms;
    ArrivalMeter meter(schema, histograms);
    meter.add(batch);
    const auto result = meter.result();
    REQUIRE(result);
    REQUIRE(result->tracks.size() == tracks.size());
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const auto& throughput = result->tracks[i].throughput;
        REQUIRE(throughput);
        CHECK(throughput->most == 1);
        CHECK(throughput->width == (i % 2 == 0 ? 64 : 1));  // 0 to 4000, and 1 to 5
        CHECK(throughput->windows == (i % 2 == 0 ? 63 : 5));
    }
}

TEST_CASE("begins out of order are noticed") {
    Random trace(1);
    HistogramBudget histograms;
    ArrivalMeter meter(trace.schema, histograms);
    Batch batch;
    batch.interval(trace.tracks[0], 10, 1);
    batch.interval(trace.tracks[1], 5, 1);
    meter.add(batch);
    CHECK(meter.in_order());
    batch.interval(trace.tracks[0], 9, 1);
    meter.add(batch);
    CHECK_FALSE(meter.in_order());
}

TEST_CASE("latencies of relations are those of a plain table, whatever the order of the records") {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        const Random trace(seed);
        HistogramBudget histograms;
        RelationLatencyMeter meter(trace.schema, histograms);
        for (const Batch& batch : trace.batches)
            meter.add(batch);
        const auto result = meter.result();
        REQUIRE(result);
        std::map<std::uint64_t, const Interval*> by_id;
        for (const Interval& one : trace.intervals)
            by_id[one.id] = &one;
        std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint64_t>> latencies;
        std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> backwards;
        std::uint64_t unmatched = 0;
        for (const auto& [from_id, to_id] : trace.relations) {
            if (!by_id.contains(from_id) || !by_id.contains(to_id)) {
                ++unmatched;
                continue;
            }
            const Interval& from = *by_id[from_id];
            const Interval& to = *by_id[to_id];
            const Tick latency = to.begin + static_cast<Tick>(to.duration) - from.begin;
            if (latency < 0)
                ++backwards[{from.track, to.track}];
            else
                latencies[{from.track, to.track}].push_back(static_cast<std::uint64_t>(latency));
        }
        CHECK(unmatched != 0);
        CHECK(result->unmatched == unmatched);
        CHECK(result->pairs.size() == 16);
        for (const RelationLatencies::OfPair& pair : result->pairs) {
            const auto number = [&](const std::string& scope, const std::string& name) {
                return std::size_t{scope == "bus" ? 0u : 2u} + (name == "read" ? 0 : 1);
            };
            const std::pair key{number(pair.from_scope, pair.from), number(pair.to_scope, pair.to)};
            CHECK(pair.relation == "causes");
            check(pair.latency, latencies[key]);
            CHECK(pair.backwards == backwards[key]);
        }
    }
}

TEST_CASE("the latest half million intervals are found by id, and older ones are forgotten") {
    constexpr std::uint64_t count = 1'200'000, kept = std::uint64_t{1} << 19;
    std::mt19937_64 random(1);
    // Ids that count up, that have common low bits, and that are random.
    for (const int shape : {0, 1, 2}) {
        CAPTURE(shape);
        std::vector<std::uint64_t> ids;
        RecentIntervals intervals;
        for (std::uint64_t i = 0; i < count; ++i) {
            ids.push_back(shape == 0 ? i : shape == 1 ? i << 21 : random());
            intervals.add({ids.back(), static_cast<Tick>(i), 1, 0, 0});
        }
        for (std::uint64_t i = count - kept; i < count; i += 101) {
            const RecentIntervals::Entry* const found = intervals.find(ids[i]);
            REQUIRE(found != nullptr);
            CHECK(found->begin == static_cast<Tick>(i));
        }
        CHECK(intervals.find(ids[1]) == nullptr);
        CHECK(intervals.find((std::uint64_t{1} << 63) + 5) == nullptr);
    }
}

TEST_CASE("utilisation in a window is that of a count of every tick") {
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        const Random trace(seed);
        std::mt19937_64 random(seed);
        const std::uint64_t begin = random() % 30'000, end = begin + 1 + random() % 30'000;
        ActivityMeter meter(trace.schema, Range{Range::Unit::time_ps, begin, end});
        std::vector<std::vector<bool>> busy(4, std::vector<bool>(end - begin));
        std::vector<std::uint64_t> totals(4);
        Batch batch;
        for (const Interval& one : trace.intervals) {
            const auto from = static_cast<std::uint64_t>(one.begin), to = from + one.duration;
            if (to <= begin || from >= end) continue;  // a slice has the intervals that overlap its window
            batch.interval(trace.tracks[one.track], one.begin, one.duration);
            for (std::uint64_t tick = std::max(from, begin); tick < std::min(to, end); ++tick) {
                busy[one.track][tick - begin] = true;
                ++totals[one.track];
            }
        }
        meter.add(batch);
        const auto result = meter.result();
        REQUIRE(result);
        CHECK(saturated(result->span) == end - begin);
        for (const Activity::OfTrack& track : result->tracks) {
            const std::size_t number = std::size_t{track.scope == "bus" ? 0u : 2u} + (track.name == "read" ? 0 : 1);
            CHECK(saturated(track.busy.busy) == static_cast<std::uint64_t>(std::ranges::count(busy[number], true)));
            CHECK(saturated(track.busy.total) == totals[number]);
        }
    }
}

TEST_CASE("intervals are summed up by the attribute that names them") {
    Random trace(1);
    const TrackId calls = trace.track(Track::Kind::stream, 0, "calls", {{"api_name", Type::text}});
    const TrackId more = trace.track(Track::Kind::stream, 1, "calls", {{"api_name", Type::text}});
    const std::uint64_t load = trace.schema.intern("load"), store = trace.schema.intern("store");
    Batch batch;
    const auto call = [&](TrackId track, std::uint64_t name, std::uint64_t duration) {
        const std::array attributes{Attribute{0, name}};
        batch.interval(track, 0, duration, attributes);
    };
    call(calls, load, 10);
    call(calls, store, 50);
    call(more, load, 20);
    batch.interval(calls, 0, 1000);
    HistogramBudget histograms;
    NamedIntervalMeter meter(trace.schema, histograms);
    meter.add(batch);
    const auto result = meter.result();
    REQUIRE(result);
    REQUIRE(result->names.size() == 2);
    CHECK(result->names[0].name == "\"store\"");
    CHECK(result->names[1].type == "calls");
    CHECK(result->names[1].name == "\"load\"");
    CHECK(result->names[1].durations.count == 2);
    CHECK((result->names[1].durations.total == 30));
}

TEST_CASE("tracks of one name whose intervals are named by different enums are not mixed up") {
    Schema schema;
    const EnumId reads = schema.declare(Enum{"reads", {{0, "RD"}, {1, "WR"}}});
    const EnumId rows = schema.declare(Enum{"rows", {{0, "ACT"}, {1, "PRE"}, {2, "RD"}}});
    const auto bus = [&](EnumId names) {
        Field command{"command", Type::enumeration};
        command.enumeration = names;
        return schema.declare(make_track(Track::Kind::stream, none, "bus", picoseconds, {command}));
    };
    const std::array tracks{bus(reads), bus(rows)};
    const TrackId texts = schema.declare(
        make_track(Track::Kind::stream, none, "bus", picoseconds, {Field{"data", Type::u64}, {"command", Type::text}}));
    Batch batch;
    const auto run = [&](TrackId track, std::uint32_t field, std::uint64_t name, std::uint64_t duration) {
        batch.interval(track, 0, duration, std::array{Attribute{field, name}});
    };
    run(tracks[0], 0, 0, 10);
    run(tracks[1], 0, 0, 20);
    run(tracks[0], 0, 1, 30);
    run(tracks[1], 0, 1, 40);
    run(tracks[1], 0, 2, 5);
    run(texts, 1, schema.intern("ACT"), 7);
    HistogramBudget histograms;
    NamedIntervalMeter meter(schema, histograms);
    meter.add(batch);
    // A field that would name the intervals better, but that none of them has.
    schema.add_attribute(texts, Field{std::string(conventions::label), Type::text});
    const auto result = meter.result();
    REQUIRE(result);
    std::string found;
    for (const DurationsByName::OfName& name : result->names)
        found +=
            name.name + " " + std::to_string(name.durations.count) + " " + decimal_text(name.durations.total) + "; ";
    CHECK(found == "PRE 1 40; WR 1 30; ACT 1 20; RD 2 15; \"ACT\" 1 7; ");
}

TEST_CASE("the roofline has the stated peak and at most the operations of a busy array") {
    Schema schema;
    schema.describe("pccx.arch.mac_dims", "[16,8]");
    schema.describe("pccx.arch.peak_tops", "0.256");
    schema.describe("pccx.trace.clock_mhz", "500");
    Activity activity;
    activity.span = 1000;
    activity.types = {
        {"", "MAC_COMPUTE", {2, 500, 500}}, {"", "DMA_READ", {1, 150, 150}}, {"", "DMA_WRITE", {1, 50, 50}}};
    const auto roofline = roofline_of(schema, activity);
    REQUIRE(roofline);
    CHECK(roofline->peak_tops == "0.256");
    CHECK(roofline->operations_per_cycle() == 256);
    CHECK(roofline->array_mops() == 128'000);
    CHECK(roofline->attained_mops() == 64'000);
    CHECK(roofline->balance() == 250);
    activity.types.erase(activity.types.begin());
    CHECK_FALSE(roofline_of(schema, activity));
}

}  // namespace latencies_test
