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
    IntervalStatisticsMeter meter(trace.schema);
    meter.add(trace.batch);
    const auto result = meter.result();
    REQUIRE(result);
    REQUIRE(result->tracks.size() == 3);
    const IntervalSummary& read = result->tracks[0].summary;
    CHECK(read.count == 3);
    CHECK(read.first == 50);
    CHECK(read.last == 140);
    CHECK(read.shortest == 10);
    CHECK(read.median == 20);
    CHECK(read.longest == 30);
    CHECK(read.exact_median);
    REQUIRE(result->tracks[0].attributes.size() == 2);
    CHECK(result->tracks[0].attributes[0].count == 2);
    CHECK(result->tracks[0].attributes[1].count == 2);
    CHECK(result->tracks[0].attributes[1].phase == Phase::begin);
    CHECK(result->tracks[2].summary.count == 0);
    REQUIRE(result->scopes.size() == 2);
    CHECK(result->scopes[0].name == "bus");
    CHECK(result->scopes[0].summary.count == 4);
    CHECK(result->scopes[0].summary.last == 500);
    CHECK(result->scopes[0].summary.shortest == 0);
    CHECK(result->scopes[0].summary.median == 10);
    CHECK(result->scopes[1].summary.count == 0);
}

TEST_CASE("a trace without streams has no interval statistics") {
    Schema schema;
    CHECK_FALSE(IntervalStatisticsMeter(schema).result());
}

TEST_CASE("the median of many lengths is at most 1/64 too small") {
    LengthCounts counts, half;
    std::uint64_t length = 1;
    for (int i = 0; i < 100'001; ++i) {
        length = length * 6364136223846793005u + 1442695040888963407u;
        counts.add(i % 2 == 0 ? 1'000'000u + static_cast<std::uint64_t>(i) : length >> 1);
        if (i % 2 == 0) half.add(1'000'000u + static_cast<std::uint64_t>(i));
    }
    CHECK_FALSE(counts.exact());
    CHECK(counts.count() == 100'001);
    // The median is the largest small length: the 50,001st of 100,001.
    CHECK(counts.median() <= 1'100'000);
    CHECK(counts.median() >= 1'100'000 - 1'100'000 / 64 - 1);
    LengthCounts sum;
    sum.add(7);
    sum.add(half);
    CHECK(sum.count() == half.count() + 1);
    CHECK(sum.median() <= 1'050'000);
    CHECK(sum.median() >= 1'050'000 - 1'050'000 / 64 - 1);
    LengthCounts few;
    for (const std::uint64_t value : {5u, 1u, 9u, 5u})
        few.add(value);
    CHECK(few.exact());
    CHECK(few.median() == 5);
    LengthCounts extremes;
    for (std::uint64_t i = 0; i < 5000; ++i)
        extremes.add(~std::uint64_t{0} - i);
    CHECK(extremes.median() >= (~std::uint64_t{0} >> 6) * 63);
}

TEST_CASE("statistics of lengths work for a single length and for sums of histograms") {
    LengthCounts none_yet, one, two, many;
    CHECK(none_yet.median() == 0);
    for (int i = 0; i < 5; ++i)
        one.add(40);
    for (const std::uint64_t value : {0u, 0u, 7u, 7u, 7u, 0u, 0u})
        two.add(value);
    for (std::uint64_t value = 0; value < 5001; ++value)
        many.add(value);
    CHECK(one.count() == 5);
    CHECK(one.median() == 40);
    CHECK(two.median() == 0);
    CHECK_FALSE(many.exact());

    LengthCounts sum;
    sum.add(none_yet);
    sum.add(one);
    CHECK(sum.median() == 40);
    sum.add(two);
    CHECK(sum.count() == 12);
    CHECK(sum.median() == 7);  // the sixth of 0 0 0 0 7 [7] 7 40 40 40 40 40
    CHECK(sum.exact());
    LengthCounts of_classes;
    of_classes.add(one);
    of_classes.add(many);
    CHECK(of_classes.count() == 5006);
    CHECK_FALSE(of_classes.exact());
    many.add(one);
    CHECK(many.count() == 5006);
    CHECK(many.median() == of_classes.median());
}

}  // namespace interval_statistics_test
