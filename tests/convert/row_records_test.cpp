// Tests that samples survive as events or as operations on tables, beside tracks that are passed on.
#include "convert/transforms/row_records.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <span>

#include "convert/transforms/signal_making.hpp"
#include "formats.hpp"
#include "support/interval_support.hpp"

namespace row_records_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// A trace of several shapes, and its records as rows.
struct Rows : IntervalTrace {
    ScopeId top = schema.declare(Scope{"top", none, {}, none});
    TrackId work = track(Track::Kind::stream, "work", {Field{"n", Type::u8}, Field{"who", Type::text}});
    TrackId value = track(Track::Kind::signal, "value", {Field{"at", Type::f64}, list("list", Type::text)});
    TrackId passed = track(Track::Kind::notes, "said", {});
    std::vector<bool> passes{false, false, true};
    Losses losses;

    static Field list(std::string_view name, Type type) { return Field{std::string(name), type, none, true}; }
    TrackId track(Track::Kind kind, std::string_view name, std::vector<Field> fields) {
        return schema.declare(make_track(kind, top, name, gigahertz, std::move(fields)));
    }
    std::uint64_t text(std::string_view words) { return schema.intern(words); }

    Plan there(Track::Kind kind, RecordOrder order) {
        Plan plan;
        plan.stages.push_back(
            std::make_unique<SignalMaking>(schema, *find_format(formats(), "flux"), order, losses, passes));
        plan.stages.push_back(std::make_unique<RowRecords>(plan.stages.back()->schema(), kind));
        return plan;
    }
    std::vector<std::string> rows(Track::Kind kind, RecordOrder order = RecordOrder::by_time) {
        Plan plan = there(kind, order);
        return records_behind(*this, plan);
    }
    std::string there_and_back(Track::Kind kind, RecordOrder order = RecordOrder::by_time) {
        Plan plan = there(kind, order);
        REQUIRE(SamplesOfRows::is_made(plan.stages.back()->schema()));
        plan.stages.push_back(std::make_unique<SamplesOfRows>(plan.stages.back()->schema(), losses));
        REQUIRE(RecordsOfSignals::is_made(plan.stages.back()->schema()));
        plan.stages.push_back(std::make_unique<RecordsOfSignals>(plan.stages.back()->schema(), "/tmp", losses));
        Canned reader(schema, pointers());
        return model_of(reader, schema, plan);
    }
    void fill() {
        batch().interval(work, 1, 9, std::array{Attribute{0, 7}, Attribute{1, text("dma")}});
        batch().interval(work, 2, 0, {});
        batch().interval(work, 3, 4, std::array{Attribute{1, text("b")}, Attribute{0, 1}, Attribute{1, text("c")}});
        batch().note(passed, 3, "between");
        batch().change(
            value, 4,
            std::array{Attribute{0, 0x3FF0'0000'0000'0000}, Attribute{1, text("x")}, Attribute{1, text("y")}});
        batch().change(value, 5, std::array{Attribute{1, text("z")}}, 3);
        batch().change(value, 6, std::span<const Attribute>()).flags = record_no_value;
    }
};

}  // namespace

TEST_CASE("a sample becomes an event whose fields are the members; arrays and unsorted values become rows") {
    Rows trace;
    trace.fill();
    CHECK(trace.rows(Track::Kind::event_type) ==
          std::vector<std::string>{
              R"(1 event top/work duration=9 n=7 who="dma" members=7 mark=0 flags=0)",
              R"(2 event top/work duration=0 n=0 who="" members=1 mark=0 flags=0)",
              R"(3 event top/work duration=4 n=1 who="c" members=0 mark=0 flags=0 member[0]=0 value[0]=0x4 text[0]="")"
              R"( member[1]=2 value[1]=0x0 text[1]="b" member[2]=1 value[2]=0x1 text[2]="")"
              R"( member[3]=2 value[3]=0x0 text[3]="c")",
              R"(3 note top/said "between")",
              R"(4 event top/value at=1 members=1 mark=0 flags=0 member[0]=1 value[0]=0x0 text[0]="x")"
              R"( member[1]=1 value[1]=0x0 text[1]="y")",
              R"(5 event top/value at=0 members=0 mark=3 flags=0 member[0]=1 value[0]=0x0 text[0]="z")",
              R"(6 event top/value at=0 members=0 mark=0 flags=8)",
          });
    CHECK(trace.there_and_back(Track::Kind::event_type) == model_of(trace));
    CHECK(trace.losses.none());
}

TEST_CASE("a sample becomes operations on a table: clear, then set for each value in order") {
    Rows trace;
    trace.fill();
    const std::vector<std::string> rows = trace.rows(Track::Kind::storage);
    REQUIRE(rows.size() > 6);
    CHECK(rows[0] == "1 clear top/work[0]");
    CHECK(rows[1] == "1 set top/work[0].duration=9");
    CHECK(rows[3] == R"(1 set top/work[0].who="dma")");
    CHECK(trace.there_and_back(Track::Kind::storage) == model_of(trace));
    CHECK(trace.losses.none());
}

TEST_CASE("rows restore the order of a source without time order") {
    for (const Track::Kind kind : {Track::Kind::event_type, Track::Kind::storage}) {
        Rows trace;
        trace.batch().interval(trace.work, 9, 1, {});
        trace.batch().change(trace.value, 2, std::span<const Attribute>());
        trace.batch().interval(trace.work, 5, 1, {});
        CHECK(trace.there_and_back(kind, RecordOrder::any) == model_of(trace));
        CHECK(trace.losses.none());
    }
}

TEST_CASE("a sample with more than 64 members has several fields of bits") {
    Rows trace;
    std::vector<Field> fields;
    for (int i = 0; i < 130; ++i)
        fields.push_back(Field{"f" + std::to_string(i)});
    const TrackId wide = trace.track(Track::Kind::stream, "wide", std::move(fields));
    trace.passes.push_back(false);
    trace.batch().interval(wide, 1, 2, std::array{Attribute{0, 5}, Attribute{63, 6}, Attribute{129, 7}});
    CHECK(trace.there_and_back(Track::Kind::event_type) == model_of(trace));
    CHECK(trace.there_and_back(Track::Kind::storage) == model_of(trace));
    CHECK(trace.losses.none());
}

TEST_CASE("a trace whose rows another tool changed is not raised; records that it added are lost") {
    Rows trace;
    trace.fill();
    Plan plan = trace.there(Track::Kind::event_type, RecordOrder::by_time);
    Schema changed;
    for (const Scope& scope : plan.stages.back()->schema().scopes())
        changed.declare(scope);
    for (const Metadata& fact : plan.stages.back()->schema().metadata())
        changed.describe(fact.key, fact.value);
    CHECK_FALSE(SamplesOfRows::is_made(changed));
    for (Track track : plan.stages.back()->schema().tracks())
        changed.declare(std::move(track));
    REQUIRE(SamplesOfRows::is_made(changed));
    const TrackId added = changed.declare(make_track(Track::Kind::notes, 0, "added", gigahertz));
    Losses losses;
    SamplesOfRows raising(changed, losses);
    Batch in, out;
    in.note(added, 1, "more");
    const std::uint64_t empty = changed.intern({});
    in.event(0, 2, std::array<std::uint64_t, 9>{1, 2, empty, 0, 0, 0, 99, 1, empty});  // there is no member 99
    raising.apply(in, out);
    CHECK(out.empty());
    CHECK(losses.entries().size() == 2);
}

}  // namespace row_records_test
