#include "views/activity.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <random>

#include "domain/conventions.hpp"
#include "operate/scan.hpp"
#include "select/selection.hpp"
#include "support/npu.hpp"

namespace activity_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

constexpr Tick last_tick = std::numeric_limits<Tick>::max();

struct Row {
    std::string name;
    std::uint64_t intervals, busy, total;
    friend bool operator==(const Row&, const Row&) = default;
};

Row row(const std::string& name, const Busy& busy) {
    return {name, busy.intervals, saturated(busy.busy), saturated(busy.total)};
}

std::vector<Row> rows(const std::vector<Activity::OfScope>& scopes) {
    std::vector<Row> all;
    for (const Activity::OfScope& scope : scopes)
        all.push_back(row(scope.name, scope.busy));
    return all;
}

std::vector<Row> rows(const std::vector<Activity::OfTrack>& tracks) {
    std::vector<Row> all;
    for (const Activity::OfTrack& track : tracks)
        all.push_back(row(track.scope.empty() ? track.name : track.scope + "/" + track.name, track.busy));
    return all;
}

Activity measured(const Schema& schema, const Batch& batch) {
    ActivityMeter meter(schema);
    meter.add(batch);
    REQUIRE(meter.in_order());
    const auto activity = meter.result();
    REQUIRE(activity);
    return *activity;
}

}  // namespace

TEST_CASE("busy time counts overlapping intervals once") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC"), dma = npu.stream(0, "DMA"), other = npu.stream(1, "MAC");
    Batch batch;
    batch.interval(mac, 10, 10);
    batch.interval(mac, 12, 2);
    batch.interval(dma, 15, 10);
    batch.interval(dma, 40, 0);
    batch.interval(mac, 50, 10);
    batch.interval(other, 5, 20);
    const Activity activity = measured(npu.schema, batch);
    CHECK(rows(activity.scopes) == std::vector<Row>{{"npu/core0", 5, 25, 32}, {"npu/core1", 1, 20, 20}});
    CHECK(rows(activity.tracks) ==
          std::vector<Row>{{"npu/core0/MAC", 3, 20, 22}, {"npu/core0/DMA", 2, 10, 10}, {"npu/core1/MAC", 1, 20, 20}});
    CHECK(rows(activity.types) == std::vector<Row>{{"MAC", 4, 40, 42}, {"DMA", 2, 10, 10}});
    CHECK(saturated(activity.span) == 55);
    CHECK(activity.span_from == Activity::Span::extent);
}

TEST_CASE("for a trace in cycles, the span is the stated duration") {
    Npu npu;
    npu.schema.describe(std::string(conventions::trace_cycles), "1000");
    Batch batch;
    batch.interval(npu.stream(0, "MAC"), 10, 10);
    CHECK(saturated(measured(npu.schema, batch).span) == 1000);
    CHECK(measured(npu.schema, batch).span_from == Activity::Span::stated);
    for (const char* text : {"0", "", "x", "12x"}) {
        CAPTURE(text);
        Npu unsaid;
        unsaid.schema.describe(std::string(conventions::trace_cycles), text);
        Batch same;
        same.interval(unsaid.stream(0, "MAC"), 10, 10);
        CHECK(saturated(measured(unsaid.schema, same).span) == 10);
    }
}

TEST_CASE("intervals out of order are detected, and measured exactly after sorting") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC");
    const TrackId stall = npu.stream(0, "STALL");
    const auto steps = [&] {
        return std::vector<Stepwise::Step>{[&](Batch& batch) { batch.interval(mac, 100, 10); },
                                           [&](Batch& batch) {
                                               batch.interval(stall, 0, 5);
                                               batch.interval(stall, 105, 10);
                                               batch.interval(mac, 3, 4);
                                           }};
    };
    Stepwise once(npu.schema, steps());
    ActivityMeter meter(npu.schema);
    scan(once, {}, [&](const Batch& batch) { meter.add(batch); });
    CHECK_FALSE(meter.in_order());
    Stepwise again(npu.schema, steps());
    ActivityMeter sorted(npu.schema);
    measure_sorted(again, "/tmp", [&](const Batch& batch) { sorted.add(batch); });
    const auto activity = sorted.result();
    REQUIRE(activity);
    CHECK(rows(activity->scopes) == std::vector<Row>{{"npu/core0", 4, 22, 29}});
    CHECK(rows(activity->tracks) == std::vector<Row>{{"npu/core0/MAC", 2, 14, 14}, {"npu/core0/STALL", 2, 15, 15}});
    CHECK(saturated(activity->span) == 115);
}

TEST_CASE("order matters only within a scope, and scopes may appear while reading") {
    Npu npu;
    ActivityMeter meter(npu.schema);
    Batch first, second;
    first.interval(npu.stream(1, "MAC"), 100, 10);
    meter.add(first);
    npu.schema.declare(Scope{"core2", 0, {}, none});
    second.interval(npu.stream(2, "MAC"), 50, 10);
    second.interval(npu.stream(0, "MAC"), 0, 10);
    meter.add(second);
    CHECK(meter.in_order());
    CHECK(rows(meter.result()->scopes) ==
          std::vector<Row>{{"npu/core0", 1, 10, 10}, {"npu/core1", 1, 10, 10}, {"npu/core2", 1, 10, 10}});
}

TEST_CASE("durations up to 2^64 and start times beyond 2^63 are added exactly") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC");
    const auto exact = npu.schema.add_attribute(mac, {std::string(conventions::start_cycle), Type::u64});
    Batch batch;
    const std::array<Attribute, 1> late{Attribute{exact, UINT64_MAX - 9}};
    batch.interval(mac, 0, UINT64_MAX - 9);
    batch.interval(mac, last_tick, 20, late);
    const Activity activity = measured(npu.schema, batch);
    CHECK(activity.tracks[0].busy.busy == WideTick{UINT64_MAX} + 11);
    CHECK(activity.tracks[0].busy.total == WideTick{UINT64_MAX} + 11);
    CHECK(saturated(activity.span) == UINT64_MAX);
    CHECK(share(activity.tracks[0].busy.busy, activity.span) == 10'000);
}

TEST_CASE("shares are rounded to hundredths of a percent") {
    CHECK(share(1, 3) == 3333);
    CHECK(share(2, 3) == 6667);
    CHECK(share(1, 20'000) == 1);
    CHECK(share(1, 20'001) == 0);
    CHECK(share(3, 1) == 30'000);
    CHECK_FALSE(share(3, 0));
    CHECK(share(WideTick{1} << 90, 1) == UINT64_MAX);
}

TEST_CASE("calls by the host are no work of the core that holds them") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC_COMPUTE"), call = npu.stream(0, "API_CALL"),
                  of_host = npu.stream(1, "API_CALL");
    Batch batch;
    batch.interval(call, 0, 50);
    batch.interval(mac, 40, 20);
    batch.interval(of_host, 60, 40);
    const Activity activity = measured(npu.schema, batch);
    CHECK(rows(activity.scopes) == std::vector<Row>{{"npu/core0", 1, 20, 20}});
    CHECK(rows(activity.types) == std::vector<Row>{{"MAC_COMPUTE", 1, 20, 20}, {"API_CALL", 2, 90, 90}});
    CHECK(activity.working_scopes == 1);
    CHECK(saturated(activity.span) == 100);
}

TEST_CASE("a selection does not change what the utilisation refers to") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC"), dma = npu.stream(1, "DMA");
    Batch all, selected;
    all.interval(mac, 0, 10);
    all.interval(dma, 20, 60);
    selected.interval(mac, 0, 10);
    ActivityMeter whole(npu.schema), part(npu.schema);
    whole.add(all);
    part.add(selected);
    const auto activity = part.result(whole);
    REQUIRE(activity);
    CHECK(rows(activity->types) == std::vector<Row>{{"MAC", 1, 10, 10}});
    CHECK(saturated(activity->span) == 80);
    CHECK(activity->working_scopes == 2);
}

TEST_CASE("utilisation of a range equals a count of its cycles, one by one") {
    constexpr unsigned length = 400;
    const std::array<const char*, 3> names{"MAC_COMPUTE", "DMA_READ", "API_CALL"};
    std::mt19937 random(7);
    const auto below = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
    for (int round = 0; round < 200; ++round) {
        CAPTURE(round);
        Npu npu;
        const bool states = below(2) != 0;
        if (states) npu.schema.describe(std::string(conventions::trace_cycles), std::to_string(length));
        struct Interval {
            unsigned core, type, begin, duration;
        };
        std::vector<Interval> intervals(20);
        for (Interval& interval : intervals)
            interval = {below(2), below(3), below(length - 60), below(60)};
        std::ranges::sort(intervals, {}, &Interval::begin);
        std::array<std::array<TrackId, 3>, 2> tracks{};
        for (unsigned core = 0; core < 2; ++core)
            for (unsigned type = 0; type < 3; ++type)
                tracks.at(core).at(type) = npu.stream(core, names.at(type));
        Stepwise reader(npu.schema, {[&](Batch& batch) {
                            for (const Interval& interval : intervals)
                                batch.interval(tracks.at(interval.core).at(interval.type), interval.begin,
                                               interval.duration);
                        }});
        const unsigned begin = below(length), end = begin + 1 + below(length);
        const bool open = below(4) == 0;
        const Range range{Range::Unit::cycle, begin, open ? std::nullopt : std::optional<std::uint64_t>(end)};
        RangedReader slice(reader, range, SelectionOptions{});
        ActivityMeter meter(slice.schema(), range);
        scan(slice, {}, [&](const Batch& batch) { meter.add(batch); });

        const auto active = [&](unsigned core, int type, unsigned cycle) {
            return std::ranges::any_of(intervals, [&](const Interval& interval) {
                const bool fits = type < 0 ? interval.type != 2 : interval.type == static_cast<unsigned>(type);
                return fits && interval.core == core && interval.begin <= cycle &&
                       cycle < interval.begin + interval.duration;
            });
        };
        const auto busy = [&](unsigned core, int type) {
            std::uint64_t cycles = 0;
            for (unsigned cycle = begin; cycle < (open ? 2 * length : end); ++cycle)
                cycles += active(core, type, cycle) ? 1 : 0;
            return cycles;
        };
        const auto activity = meter.result();
        if (!activity) {
            for (unsigned core = 0; core < 2; ++core)
                CHECK(busy(core, -1) + busy(core, 2) == 0);
            continue;
        }
        unsigned last = 0;
        for (const Interval& interval : intervals)
            last = std::max(last, interval.begin + interval.duration);
        CHECK(saturated(activity->span) == (open ? (states ? length : last) : end) - begin);
        CHECK(activity->working_scopes == 2);
        std::map<std::string, std::uint64_t> counted, expected;
        for (const Activity::OfScope& scope : activity->scopes)
            if (scope.busy.busy != 0) counted[scope.name] = saturated(scope.busy.busy);
        for (const Activity::OfTrack& track : activity->tracks)
            if (track.busy.busy != 0) counted[track.scope + "/" + track.name] = saturated(track.busy.busy);
        for (unsigned core = 0; core < 2; ++core)
            for (int type = -1; type < 3; ++type) {
                const std::string scope = "npu/core" + std::to_string(core);
                const std::uint64_t cycles = busy(core, type);
                if (cycles != 0)
                    expected[type < 0 ? scope : scope + "/" + names.at(static_cast<std::size_t>(type))] = cycles;
            }
        CHECK(counted == expected);
    }
}

TEST_CASE("without intervals, or with different clocks, there is no activity") {
    Npu npu;
    ActivityMeter meter(npu.schema);
    CHECK_FALSE(meter.result());
    Batch batch;
    batch.interval(npu.stream(0, "MAC"), 0, 1);
    batch.interval(npu.stream(0, "DMA", 1, 500'000'000), 0, 1);
    meter.add(batch);
    CHECK_FALSE(meter.result());
}

TEST_CASE("a scan ends at the end of the last interval") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC");
    Stepwise reader(npu.schema, {[&](Batch& batch) {
                        batch.interval(mac, 10, 100);
                        batch.interval(mac, 20, 5);
                    }});
    const ScanCounts counts = scan(reader);
    CHECK(counts.first_time == 10);
    CHECK(counts.last_time == 110);
    Stepwise endless(npu.schema, {[&](Batch& batch) { batch.interval(mac, 10, UINT64_MAX); }});
    CHECK(scan(endless).last_time == last_tick);
    Stepwise early(npu.schema, {[&](Batch& batch) { batch.interval(mac, -10, 4); }});
    CHECK(scan(early).last_time == -6);
}

}  // namespace activity_test
