#include "convert/plan.hpp"

#include <doctest/doctest.h>

#include <array>

#include "convert/convert.hpp"
#include "convert/model_dump.hpp"
#include "convert/transforms/instruction_lowering.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "support/instruction_support.hpp"
#include "support/interval_support.hpp"

namespace plan_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

/// Returns a format that consists of capabilities only, because a plan needs nothing else.
Format capable(std::string_view name, WriteCapabilities writes) {
    Format format{};
    format.name = name;
    format.title = name;
    format.writes = writes;
    return format;
}

const Format instructions_only = capable("stf", {.holds = {Shape::hart}});
const Format own_events = capable(
    "stf", {.holds = {Shape::hart, Holding(Shape::event_type).own(), Holding(Shape::notes).own(), Shape::native}});
const Format tables =
    capable("tables", {.holds = {Shape::event_type, Shape::storage}, .time = TimeLimit::only_picoseconds});

class Counting final : public Writer {
public:
    void write(const Batch& batch) override {
        REQUIRE_FALSE(batch.empty());
        records += batch.records().size();
    }
    void finish() override { ++finished; }
    std::uint64_t records = 0;
    int finished = 0;
};

Batch one_instruction(const Trace& trace) {
    Batch batch;
    batch.instruction(trace.hart, 0, 0x1000).size = 4;
    batch.note(trace.notes, 1, "end");
    return batch;
}

}  // namespace

TEST_CASE("a target without instructions gets them lowered, with the invented clock as an assumption") {
    Trace trace;
    Losses losses;
    const Plan plan = make_plan(trace.schema, instructions_only, tables, {}, losses);
    CHECK(plan.stages.size() == 1);
    REQUIRE(losses.assumptions().size() == 1);
    CHECK(losses.assumptions()[0].find("1000 ps") != std::string::npos);
    CHECK(plan.losses.empty());
    CHECK(plan.target_schema(trace.schema).scopes()[1].protocol == "cpu");
}

TEST_CASE("a clock and a rate given by the user are not assumptions") {
    Trace trace;
    Losses losses;
    TimeModel time;
    time.period_ps = 500;
    time.instructions_per_cycle = Ratio{2, 1};
    const Plan plan = make_plan(trace.schema, instructions_only, tables, Choices{time, std::nullopt, {}}, losses);
    CHECK(losses.assumptions().empty());
    CHECK(plan.target_schema(trace.schema).clocks()[0].period_ps == 500);
}

TEST_CASE("records that cannot be written are predicted losses, dropped and counted") {
    Trace trace;
    Losses losses;
    Plan plan = make_plan(trace.schema, instructions_only, instructions_only, {}, losses);
    std::vector<std::string> foretold;
    for (const ExpectedLoss& loss : plan.losses)
        foretold.push_back(loss.subject);
    CHECK(foretold ==
          std::vector<std::string>{"stf.event", "stf.page_table_walk", "stf.named", "stf.comment", "stf.record"});
    const Batch batch = one_instruction(trace);
    Canned reader(trace.schema, {&batch, &batch});
    Counting writer;
    const ConversionCounts counts = convert(reader, plan, writer);
    CHECK(counts.records_read == 4);
    CHECK(counts.records_written == 2);
    CHECK(writer.records == 2);
    CHECK(writer.finished == 1);
    REQUIRE(losses.entries().size() == 1);
    CHECK(losses.entries().at({Loss::kind_dropped, "stf.comment"}).count == 2);
}

TEST_CASE("every loss is predicted, including vectors that are too wide") {
    Trace trace(InstructionLowering::max_vector_words * 64 + 64);
    Losses losses;
    Plan plan = make_plan(trace.schema, instructions_only, tables, {}, losses);
    REQUIRE(plan.losses.size() == 1);
    CHECK(plan.losses[0].loss == Loss::part_dropped);
    CHECK(plan.losses[0].subject == "v");
    Batch batch;
    const std::vector<std::uint64_t> words(InstructionLowering::max_vector_words + 1, 1);
    batch.vector_operand(1, OperandRole::source, words);
    batch.instruction(trace.hart, 0, 0).size = 4;
    Canned reader(trace.schema, {&batch});
    Counting writer;
    convert(reader, plan, writer);
    CHECK(losses.entries().contains({Loss::part_dropped, "v"}));
}

TEST_CASE("the plan predicts that STF drops records of missing instructions") {
    const Trace trace;
    const Format& stf = *find_format(formats(), "stf");
    const auto foretold = [&](const Schema& schema) {
        Losses losses;
        std::vector<Loss> found;
        for (const ExpectedLoss& loss : make_plan(schema, stf, stf, {}, losses).losses)
            if (loss.subject == "records of lost instructions") found.push_back(loss.loss);
        return found;
    };
    CHECK(foretold(trace.schema) == std::vector{Loss::part_dropped, Loss::order_changed});
    Schema alone;
    Track hart = trace.schema.tracks()[trace.hart];
    hart.scope = none;
    alone.declare(std::move(hart));
    CHECK(foretold(alone).empty());
}

TEST_CASE("a trace that the target cannot hold at all is refused") {
    Schema schema;
    Track track;
    track.kind = Track::Kind::storage;
    track.name = "table";
    schema.declare(track);
    Losses losses;
    CHECK_THROWS_AS(make_plan(schema, tables, instructions_only, {}, losses), Error);
}

TEST_CASE("events with the target's names but without a hart are refused, too") {
    Trace trace;
    Losses losses;
    const Plan there = make_plan(trace.schema, instructions_only, tables, {}, losses);
    Schema unmarked;
    for (const Scope& scope : there.target_schema(trace.schema).scopes())
        unmarked.declare(Scope{scope.name, scope.parent, {}, none});
    for (const Track& track : there.target_schema(trace.schema).tracks())
        unmarked.declare(track);
    CHECK_THROWS_AS(make_plan(unmarked, tables, own_events, {}, losses), Error);
}

TEST_CASE("a lowered trace is raised for a target with instructions") {
    Trace trace;
    Losses losses;
    const Plan there = make_plan(trace.schema, instructions_only, tables, {}, losses);
    const Plan back = make_plan(there.target_schema(trace.schema), tables, instructions_only, {}, losses);
    REQUIRE(back.stages.size() >= 1);
    CHECK(back.target_schema(there.target_schema(trace.schema)).tracks()[0].kind == Track::Kind::hart);
}

TEST_CASE("progress is reported approximately once per batch") {
    Trace trace;
    Losses losses;
    Plan plan = make_plan(trace.schema, instructions_only, tables, {}, losses);
    const Batch batch = one_instruction(trace);
    Canned reader(trace.schema, {&batch, &batch, &batch});
    Counting writer;
    std::vector<std::uint64_t> heard;
    convert(reader, plan, writer, [&](std::uint64_t position) { heard.push_back(position); });
    CHECK(heard == std::vector<std::uint64_t>{1, 2, 3});
}

}  // namespace plan_test
