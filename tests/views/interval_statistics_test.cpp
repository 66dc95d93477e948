#include "views/interval_statistics.hpp"

#include <doctest/doctest.h>

#include <array>

namespace interval_statistics_test {

using namespace hwtrace;

namespace {

struct Trace {
    Schema schema;
    ScopeId bus = schema.declare(Scope{"bus", none, {}, none});
    ScopeId memory = schema.declare(Scope{"memory", none, {}, none});
    TrackId read = stream(bus, "read"), write = stream(bus, "write"), refresh = stream(memory, "refresh");
    Batch batch;

    TrackId stream(ScopeId scope, const char* name) {
        Track track;
        track.kind = Track::Kind::stream;
        track.scope = scope;
        track.name = name;
        track.time = picoseconds;
        track.fields = {{"id", Type::u64}, {"address", Type::u64, none, false, 0, 0, Phase::begin}};
        return schema.declare(std::move(track));
    }
};

}  // namespace

TEST_CASE("interval statistics have the counts, span, lengths and attributes of tracks and scopes") {
    Trace trace;
    const std::array<Attribute, 3> attributes{{{0, 1}, {1, 0x80}, {1, 0x84}}};
    trace.batch.interval(trace.read, 100, 30, attributes);
    trace.batch.interval(trace.read, 50, 10, std::span(attributes).first(1));
    trace.batch.interval(trace.write, 500, 0);
    trace.batch.interval(trace.read, 120, 20);
    HistogramBudget histograms;
    IntervalStatisticsMeter meter(trace.schema, histograms);
    meter.add(trace.batch);
    const auto result = meter.result();
    REQUIRE(result);
    REQUIRE(result->tracks.size() == 3);
    const IntervalSummary& read = result->tracks[0].summary;
    CHECK(read.durations.count == 3);
    CHECK(read.first == 50);
    CHECK(read.last == 140);
    CHECK(read.durations.least == 10);
    CHECK(read.durations.median == 20);
    CHECK(read.durations.greatest == 30);
    CHECK(read.durations.total == 60);
    CHECK(read.durations.milli_mean() == 20'000);
    CHECK(read.durations.precision == Precision::exact);
    REQUIRE(result->tracks[0].attributes.size() == 2);
    CHECK(result->tracks[0].attributes[0].count == 2);
    CHECK(result->tracks[0].attributes[1].count == 2);
    CHECK(result->tracks[0].attributes[1].phase == Phase::begin);
    CHECK(result->tracks[2].summary.durations.count == 0);
    REQUIRE(result->scopes.size() == 2);
    CHECK(result->scopes[0].name == "bus");
    CHECK(result->scopes[0].summary.durations.count == 4);
    CHECK(result->scopes[0].summary.last == 500);
    CHECK(result->scopes[0].summary.durations.least == 0);
    CHECK(result->scopes[0].summary.durations.median == 10);
    CHECK(result->scopes[1].summary.durations.count == 0);
}

TEST_CASE("a trace without streams has no interval statistics") {
    Schema schema;
    HistogramBudget histograms;
    CHECK_FALSE(IntervalStatisticsMeter(schema, histograms).result());
}

}  // namespace interval_statistics_test
