#include "views/value_log.hpp"

#include <doctest/doctest.h>

#include "domain/occupancy.hpp"
#include "select/range.hpp"
#include "select/selection.hpp"
#include "support/lines.hpp"
#include "views/core_trace.hpp"
#include "views/counters.hpp"

namespace value_log_test {

using namespace hwtrace;
using namespace hwtrace::test;

TEST_CASE("a counter gets one row for each cycle in which it changes, with its value after all set and add records") {
    Core core;
    core.batch.add(core.committed, 0, 0, 0, 2);
    core.batch.add(core.committed, 400, 0, 0, 1);  // in the same cycle
    core.batch.add(core.committed, 1000, 0, 0, 0);
    core.batch.set(core.committed, 1500, 0, 0, 1);
    core.batch.add(core.committed, 1500, 0, 0, 9);
    core.batch.add(core.committed, 1500, 1, 0, 100);  // no such slot
    core.batch.clear_slot(core.committed, 2600, 0);
    CHECK(show(core.schema, core.batch, "counters", TextForm::csv).text ==
          "cycle,time,scope,counter,value,delta\n"
          "0,400,root/core0,committed_insns,3,3\n"
          "3,1500,root/core0,committed_insns,10,7\n"
          "5,2600,root/core0,committed_insns,0,-10\n");
    CHECK(show(core.schema, core.batch, "counters").text ==
          "cycle 0  root/core0/committed_insns  3  +3\n"
          "cycle 3  root/core0/committed_insns  10  +7\n"
          "cycle 5  root/core0/committed_insns  0  -10\n"
          "# root/core0/committed_insns: 0 at the end, cycle 5\n");
    ViewOptions options;
    options.interval = 4;
    CHECK(show(core.schema, core.batch, "counters", TextForm::text, options).text ==
          "cycles 0-3  root/core0/committed_insns  10  +10  2.500/cycle\n"
          "cycles 4-5  root/core0/committed_insns  0  -10  -5.000/cycle\n"
          "# root/core0/committed_insns: 0 at the end, cycle 5\n");
    CHECK(
        show(core.schema, core.batch, "counters", TextForm::jsonl, options).text ==
        "{\"schema\":\"hwtrace-counters/1\",\"tool\":\"hwtrace\",\"version\":\"\",\"interval\":4}\n"
        "{\"type\":\"change\",\"cycle\":0,\"cycles\":4,\"time\":1500,\"scope\":\"root/"
        "core0\",\"counter\":\"committed_insns\","
        "\"value\":10,\"delta\":10,\"rate\":2.500}\n"
        "{\"type\":\"change\",\"cycle\":4,\"cycles\":2,\"time\":2600,\"scope\":\"root/"
        "core0\",\"counter\":\"committed_insns\","
        "\"value\":0,\"delta\":-10,\"rate\":-5.000}\n"
        "{\"type\":\"counter\",\"scope\":\"root/core0\",\"name\":\"committed_insns\",\"value\":0,\"last_cycle\":5}\n");
}

TEST_CASE("the rate of the last step is relative to its cycles up to the end of the trace") {
    Core core;
    core.batch.add(core.committed, 0, 0, 0, 30);
    core.batch.add(core.committed, 5000, 0, 0, 6);
    core.say(core.stage, 6000, {1, 0});
    ViewOptions options;
    options.interval = 10;
    CHECK(show(core.schema, core.batch, "counters", TextForm::csv, options).text ==
          "cycle,time,scope,counter,value,delta,cycles,rate\n"
          "0,0,root/core0,committed_insns,30,30,10,3.000\n"
          "10,5000,root/core0,committed_insns,36,6,3,2.000\n");
}

TEST_CASE("values from before a range are shown, but are not changes") {
    Core core;
    core.batch.add(core.committed, 0, 0, 0, 1000);
    core.batch.set(core.rob, 0, 2, 0, 7);
    core.batch.set_property(core.rob, 0, 1, 1);
    core.batch.add(core.committed, 2000, 0, 0, 4);
    const auto selection = make_selection(core.schema, parse_range("2cyc:"));
    Batch part;
    selection->apply(core.batch, part);
    CHECK(show(core.schema, part, "counters", TextForm::csv).text ==
          "cycle,time,scope,counter,value,delta\n"
          "2,1000,root/core0,committed_insns,1000,0\n"
          "4,2000,root/core0,committed_insns,1004,4\n");
    CHECK(show(core.schema, part, "buffers")
              .text.starts_with("cycle 2  root/core0/rob  1 of 4\n"
                                "cycle 2  root/core0/rob ring  1 of 4\n"));
    ViewOptions options;
    options.interval = 4;
    CHECK(show(core.schema, part, "counters", TextForm::text, options)
              .text.starts_with("cycles 0-3  root/core0/committed_insns  1000  +0  0.000/cycle\n"
                                "cycles 4-4  root/core0/committed_insns  1004  +4  4.000/cycle\n"));
}

TEST_CASE("with many counters, steps are as short as memory allows, and all counters are shown") {
    Core core;
    constexpr std::uint32_t many = 17'000;
    std::vector<TrackId> counters;
    for (std::uint32_t i = 0; i < many; ++i)
        counters.push_back(core.storage("c" + std::to_string(i), 1, {{"count", Type::u64}}, false));
    for (Tick cycle = 0; cycle < 64; ++cycle)
        for (const TrackId counter : counters)
            core.batch.add(counter, cycle * 500, 0, 0, 1);
    const std::string text = show(core.schema, core.batch, "counters").text;
    CHECK(
        text.starts_with("# a row for each 2 cycles in which something changed (--interval)\n"
                         "cycles 0-1  root/core0/c0  2  +2  1.000/cycle\n"));
    CHECK(std::ranges::count(text, '\n') == 1 + 32 * many + many + 1);
    CHECK(text.find("cycles 62-63  root/core0/c16999  64  +2  1.000/cycle\n") != std::string::npos);
}

TEST_CASE("with --follow, text has one row per cycle as soon as the cycle is over") {
    Core core;
    std::vector<std::string> seen;
    TextOutput out(-1);
    Batch first, second;
    std::vector<Stepwise::Step> steps;
    for (Tick cycle = 0; cycle < 3; ++cycle)
        steps.push_back([&core, &seen, &out, cycle](Batch& batch) {
            seen.emplace_back(out.text());
            batch.add(core.committed, cycle * 500, 0, 0, 1);
        });
    Stepwise reader(core.schema, steps);
    ViewOptions options;
    options.following = true;
    show_counters(reader, TextForm::text, options, Settings{}, out, {});
    REQUIRE(seen.size() == 3);
    CHECK(seen[1].empty());  // the first cycle may not be over
    CHECK(seen[2] == "cycle 0  root/core0/committed_insns  1  +1\n");
}

TEST_CASE("counters are chosen by a part of their name; a trace without counters causes a note") {
    Core core;
    core.storage("misses", 1, {{"count", Type::u64}}, false);
    ViewOptions options;
    options.counter = "0/miss";
    CHECK(show(core.schema, core.batch, "counters", TextForm::text, options).text ==
          "# root/core0/misses: 0 at the end\n");
    options.counter = "cache";
    const ShownView view = show(core.schema, core.batch, "counters", TextForm::json, options);
    CHECK(view.text.find("\"counters\":[]") != std::string::npos);
    CHECK(view.notes == std::vector<std::string>{"no counter matches the name"});
    Npu npu;
    Batch nothing;
    CHECK(show(npu.schema, nothing, "counters").notes.size() == 1);
    CHECK(show(npu.schema, nothing, "buffers").notes.size() == 1);
}

TEST_CASE("as text, a long trace has at most 128 rows per counter, and their changes add up") {
    Core core;
    for (Tick cycle = 0; cycle < 1000; ++cycle)
        core.batch.add(core.committed, cycle * 500, 0, 0, 2);
    const std::string text = show(core.schema, core.batch, "counters").text;
    const std::string head =
        "# a row for each 8 cycles in which something changed (--interval)\n"
        "cycles 0-7  root/core0/committed_insns  16  +16  2.000/cycle\n"
        "cycles 8-15  root/core0/committed_insns  32  +16  2.000/cycle\n";
    CHECK(text.substr(0, head.size()) == head);
    CHECK(std::ranges::count(text, '\n') == 1 + 125 + 1);
    CHECK(
        text.ends_with("cycles 992-999  root/core0/committed_insns  2000  +16  2.000/cycle\n"
                       "# root/core0/committed_insns: 2000 at the end, cycle 999\n"));
    // The result is the same as with an interval that is known from the beginning.
    ViewOptions options;
    options.interval = 8;
    const std::string known = show(core.schema, core.batch, "counters", TextForm::text, options).text;
    CHECK(text.substr(text.find('\n') + 1) == known);
}

TEST_CASE("two counters in merged steps keep their order, first value and highest value") {
    Core core;
    const TrackId other = core.storage("other", 1, {{"count", Type::u64}}, false);
    core.batch.add(other, 0, 0, 0, 5);
    for (Tick cycle = 1; cycle <= 256; ++cycle) {
        if (cycle % 3 == 0) core.batch.add(core.committed, cycle * 500, 0, 0, 1);
        if (cycle % 5 == 0) core.batch.add(other, cycle * 500, 0, 0, 1);
    }
    const std::string found = show(core.schema, core.batch, "counters").text;
    ViewOptions options;
    options.interval = 2;
    CHECK(found.substr(found.find('\n') + 1) ==
          show(core.schema, core.batch, "counters", TextForm::text, options).text);
}

TEST_CASE("occupancy follows set and clear records, also in dense buffers; the fill of a ring follows its pointers") {
    Core core;
    core.batch.set(core.rob, 0, 0, 0, 7);
    core.batch.set_property(core.rob, 0, 1, 1);
    core.batch.set(core.rob, 500, 1, 0, 8);
    core.batch.set_property(core.rob, 500, 1, 2);
    core.batch.clear_slot(core.rob, 1000, 0);
    core.batch.set_property(core.rob, 1000, 0, 1);
    core.batch.set(core.waiting, 1000, 3, 0, 0);
    core.batch.set(core.waiting, 1000, 9, 0, 1);  // no such slot
    core.batch.clear_slot(core.waiting, 1500, 3);
    core.batch.clear_slot(core.waiting, 1500, 3);
    CHECK(show(core.schema, core.batch, "buffers", TextForm::csv).text ==
          "cycle,time,scope,buffer,measure,occupied,capacity\n"
          "0,0,root/core0,rob,slots,1,4\n"
          "0,0,root/core0,rob,ring,1,4\n"
          "1,500,root/core0,rob,slots,2,4\n"
          "1,500,root/core0,rob,ring,2,4\n"
          "2,1000,root/core0,rob,slots,1,4\n"
          "2,1000,root/core0,rob,ring,1,4\n"
          "2,1000,root/core0,waiting,slots,1,4\n"
          "3,1500,root/core0,waiting,slots,0,4\n");
    ViewOptions options;
    options.interval = 100;
    CHECK(show(core.schema, core.batch, "buffers", TextForm::text, options).text ==
          "cycles 0-3  root/core0/rob  1 of 4, highest 2\n"
          "cycles 0-3  root/core0/rob ring  1 of 4, highest 2\n"
          "cycles 0-3  root/core0/waiting  0 of 4, highest 1\n"
          "# root/core0/entities: 0 of 16 at the end, cycle 3\n"
          "# root/core0/rob: 1 of 4 at the end, cycle 3\n"
          "# root/core0/rob ring: 1 of 4 at the end, cycle 3\n"
          "# root/core0/waiting: 0 of 4 at the end, cycle 3\n");
}

TEST_CASE("equal pointers enclose the whole ring if all slots are occupied") {
    Core core;
    for (std::uint32_t slot = 0; slot < 4; ++slot)
        core.batch.set(core.rob, 0, slot, 0, slot);
    core.batch.set_property(core.rob, 0, 0, 2);
    core.batch.set_property(core.rob, 0, 1, 2);
    CHECK(show(core.schema, core.batch, "buffers")
              .text.starts_with("cycle 0  root/core0/rob  4 of 4\ncycle 0  root/core0/rob ring  4 of 4\n"));
}

TEST_CASE("Occupancy counts the slots in use, the slots ever used, and the most slots used at the same time") {
    Occupancy occupancy(200);
    CHECK(occupancy.has(199));
    CHECK_FALSE(occupancy.has(200));
    CHECK(occupancy.fill(199));
    CHECK_FALSE(occupancy.fill(199));
    CHECK(occupancy.fill(0));
    CHECK(occupancy.free(199));
    CHECK_FALSE(occupancy.free(199));
    CHECK_FALSE(occupancy.free(5));
    CHECK(occupancy.fill(199));
    CHECK(occupancy.free(0));
    CHECK(occupancy.occupied() == 1);
    CHECK(occupancy.highest() == 2);
    CHECK(occupancy.used() == 2);
}

TEST_CASE("the occupancy of a slice counts slots of dense buffers that were set before it, even to 0") {
    Core core;
    const TrackId queue = core.storage("queue", 4, {{"entity_id", Type::u32}}, false, true);
    for (std::uint32_t slot = 0; slot < 3; ++slot)
        core.batch.set(queue, 0, slot, 0, 0);
    core.batch.set(queue, 0, 3, 0, 9);
    core.batch.clear_slot(queue, 500, 2);
    core.batch.clear_slot(queue, 2000, 0);
    const auto selection =
        make_selection(core.schema, parse_range("2cyc:"), {std::nullopt, find_model_view("buffers")->earlier});
    Batch part;
    selection->apply(core.batch, part);
    const std::string text = show(core.schema, part, "buffers").text;
    CHECK(text.starts_with("cycle 2  root/core0/queue  3 of 4\ncycle 4  root/core0/queue  2 of 4\n"));
}

TEST_CASE("ring pointers are truncated to the types of their properties, and every pair is shown") {
    Core core;
    const auto pointer = [](std::string name, std::uint8_t role, std::uint8_t pair) {
        return Field{std::move(name), Type::u8, none, false, role, pair};
    };
    const TrackId queue =
        core.storage("queue", 8, {{"entity_id", Type::u32}}, true, true,
                     {pointer("head", 1, 0), pointer("tail", 2, 0), pointer("commit", 1, 3), pointer("end", 2, 3)});
    core.batch.set_property(queue, 0, 0, 0x100);
    core.batch.set_property(queue, 0, 1, 0x103);
    core.batch.set_property(queue, 0, 2, 7);
    core.batch.set_property(queue, 0, 3, 0x201);
    const std::string text = show(core.schema, core.batch, "buffers").text;
    CHECK(text.starts_with("cycle 0  root/core0/queue ring 0  3 of 8\ncycle 0  root/core0/queue ring 3  2 of 8\n"));
    CHECK(show(core.schema, core.batch, "buffers", TextForm::csv).text.find(",queue,ring 3,2,8\n") !=
          std::string::npos);
    CHECK(show(core.schema, core.batch, "schema")
              .text.find("a ring from head up to tail, a ring from commit up to end") != std::string::npos);
}

}  // namespace value_log_test
