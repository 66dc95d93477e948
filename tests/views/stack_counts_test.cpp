#include "views/stack_counts.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "domain/conventions.hpp"
#include "domain/traps.hpp"
#include "io/error.hpp"
#include "views/function_profile.hpp"

namespace stack_counts_test {

using namespace hwtrace;

constexpr std::uint64_t nop = 0x00000013, jal_ra = 0x000000EF, jal_zero = 0x0000006F, ret = 0x00008067,
                        mret = 0x30200073;
constexpr std::uint64_t main_ = 0x1000, a = 0x1100, b = 0x1200, handler = 0x8000;

/// A trace of one hart whose threads run the functions main, a, b and handler.
struct Run {
    Schema schema;
    TrackId hart = none, process = none, trap = none;
    Batch batch;
    Tick time = 0;
    std::shared_ptr<const Symbols> symbols = Symbols::of({{main_, main_ + 0x100, "main"},
                                                          {a, a + 0x100, "a;1"},
                                                          {b, b + 0x100, "b"},
                                                          {handler, handler + 0x100, "handler"}});

    Run() {
        schema.describe(std::string(conventions::isa), "1");
        schema.describe(std::string(conventions::instruction_mode), "2");
        schema.describe(std::string(conventions::process_id), "0 1 1");
        const ScopeId scope = schema.declare(Scope{"core0", none, {}, none});
        const TimeBase ordinals{TimeBase::Kind::ordinal, 1, 1};
        hart = schema.declare(make_track(Track::Kind::hart, scope, "core0", ordinals));
        process = schema.declare(make_track(Track::Kind::event_type, scope, conventions::process_id, ordinals,
                                            {{.name = "hw_thread", .type = Type::u32},
                                             {.name = "pid", .type = Type::u32},
                                             {.name = "tid", .type = Type::u32}}));
        trap = schema.declare(make_track(Track::Kind::event_type, scope, conventions::trap, ordinals,
                                         {{.name = "id", .type = Type::u64}}));
    }
    void at(std::uint64_t pc, std::uint64_t encoding = nop) {
        Instruction& instruction = batch.instruction(hart, time++, pc);
        instruction.encoding = encoding;
        instruction.size = 4;
    }
    void go(std::uint64_t pc, std::uint64_t encoding, std::uint64_t target) {
        at(pc, encoding);
        Instruction& instruction = batch.mutable_instruction(batch.records().back());
        instruction.target = target;
        instruction.has_target = true;
    }
    void thread(std::uint64_t number) {
        const std::array<std::uint64_t, 3> cells{0, 1, number};
        batch.event(process, time, cells);
    }
    void traps(std::uint64_t id) {
        const std::array<std::uint64_t, 1> cells{id};
        batch.event(trap, time, cells);
    }
    std::string folded() {
        StackCounts counts(schema, symbols);
        counts.add(batch);
        CHECK(counts.omitted() == 0);
        std::string text;
        counts.each([&](const StackCounts::Stack& stack) {
            text += std::string(stack.text) + " " + std::to_string(stack.instructions) + "\n";
        });
        return text;
    }
    /// Returns "name self/inclusive/calls" of each function, separated by blanks.
    std::string functions() {
        FunctionProfileMeter meter(schema, symbols);
        meter.add(batch);
        std::string text;
        for (const FunctionProfile::Function& function : meter.result().functions) {
            text += function.id == Symbols::no_function ? "-" : std::string(symbols->function(function.id).name);
            text += " " + std::to_string(function.self) + "/" + std::to_string(function.inclusive) + "/" +
                    std::to_string(function.calls) + " ";
        }
        return text;
    }
};

TEST_CASE("stacks: instructions count for their stack, sorted by names, without semicolons in names") {
    Run run;
    run.at(main_);
    run.go(main_ + 4, jal_ra, b);
    run.go(b, ret, main_ + 8);
    run.go(main_ + 8, jal_ra, a);
    run.at(a);
    run.go(a + 4, jal_ra, b);
    run.go(b, ret, a + 8);
    run.go(a + 8, ret, main_ + 12);
    run.at(main_ + 12);
    run.at(0x9000);
    CHECK(run.folded() == "[unknown] 1\nmain 4\nmain;a:1 3\nmain;a:1;b 1\nmain;b 1\n");
    CHECK(run.functions() == "main 4/9/0 a;1 3/4/1 b 2/2/2 - 1/1/0 ");
}

TEST_CASE("stacks: recursion counts once in the inclusive instructions of a function") {
    Run run;
    run.go(main_, jal_ra, a);
    for (int i = 0; i < 3; ++i)
        run.go(a, jal_ra, a);
    for (int i = 0; i < 3; ++i)
        run.go(a + 8, ret, a + 4);
    run.go(a + 8, ret, main_ + 4);
    run.at(main_ + 4);
    CHECK(run.folded() == "main 2\nmain;a:1 2\nmain;a:1;a:1 2\nmain;a:1;a:1;a:1 2\nmain;a:1;a:1;a:1;a:1 1\n");
    CHECK(run.functions() == "a;1 7/7/4 main 2/9/0 ");
}

TEST_CASE("stacks: threads that alternate have their own stacks") {
    Run run;
    run.go(main_, jal_ra, a);
    run.at(a);
    run.thread(2);
    run.at(b);
    run.at(b + 4);
    run.thread(1);
    run.go(a + 4, ret, main_ + 4);
    run.thread(2);
    run.go(b + 8, jal_ra, a);
    run.at(a);
    run.thread(1);
    run.at(main_ + 4);
    CHECK(run.folded() == "b 3\nb;a:1 1\nmain 2\nmain;a:1 2\n");
    CHECK(run.functions() == "b 3/4/0 a;1 3/3/2 main 2/4/0 ");
}

TEST_CASE("stacks: a recorded trap begins a handler, a mode change does not") {
    Run run;
    run.at(main_);
    run.traps(traps::mode_change_id);
    run.at(main_ + 4);
    run.at(main_ + 8);
    run.traps(13);  // LOAD_PAGE_FAULT
    run.at(main_ + 12);
    run.at(handler + 8);  // not its begin
    run.at(handler + 12, mret);
    run.at(main_ + 12);
    CHECK(run.folded() == "main 5\nmain;handler 2\n");
    CHECK(run.functions() == "main 5/7/0 handler 2/2/1 ");
}

TEST_CASE("stacks: lost instructions begin a new stack") {
    Run run;
    run.go(main_, jal_ra, a);
    run.at(a);
    StackCounts counts(run.schema, run.symbols);
    counts.add(run.batch);
    run.batch.clear();
    run.batch.set_lost_positions(10);
    run.at(b);
    counts.add(run.batch);
    std::string text;
    counts.each([&](const StackCounts::Stack& stack) { text += std::string(stack.text) + " "; });
    CHECK(text == "b main main;a:1 ");
}

TEST_CASE("stacks: their number is bounded, and the rest counts under one name") {
    std::vector<NamedFunction> functions;
    constexpr std::uint64_t count = 30, most = 500, size = 0x10;
    for (std::uint64_t i = 0; i < count; ++i)
        functions.push_back({main_ + i * size, main_ + (i + 1) * size, "f" + std::to_string(i)});
    Run run;
    run.symbols = Symbols::of(functions);
    StackCounts counts(run.schema, run.symbols, most);
    std::uint64_t instructions = 0;
    for (std::uint64_t outer = 0; outer < count; ++outer) {  // each function calls each
        for (std::uint64_t inner = 0; inner < count; ++inner) {
            run.go(main_ + outer * size, jal_ra, main_ + inner * size);
            run.go(main_ + inner * size, ret, main_ + outer * size + 4);
            run.go(main_ + outer * size + 4, jal_zero,
                   main_ + (inner + 1 < count ? outer : (outer + 1) % count) * size);
            instructions += 3;
        }
        counts.add(run.batch);
        run.batch.clear();
    }
    CHECK(counts.instructions() == instructions);
    CHECK(counts.omitted() > 0);
    std::uint64_t sum = 0, stacks = 0, other = 0;
    counts.each([&](const StackCounts::Stack& stack) {
        sum += stack.instructions;
        ++stacks;
        if (stack.text == "[other stacks]") other = stack.instructions;
    });
    CHECK(sum == instructions);
    CHECK(other == counts.omitted());
    CHECK(stacks <= most);
}

TEST_CASE("stacks: a trace with too many threads is refused") {
    Run run;
    StackCounts counts(run.schema, run.symbols);
    for (std::uint64_t i = 0; i < CallStacks::most_threads; ++i) {
        run.thread(i);
        run.at(main_);
    }
    counts.add(run.batch);
    run.batch.clear();
    run.thread(1'000'000);
    run.at(main_);
    CHECK_THROWS_AS(counts.add(run.batch), Error);
}

}  // namespace stack_counts_test
