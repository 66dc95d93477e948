#include "views/value_log.hpp"

#include <doctest/doctest.h>

#include "support/lines.hpp"
#include "views/core_trace.hpp"
#include "views/occupancy.hpp"

using namespace hwtrace;
using namespace hwtrace::test;

TEST_CASE("a counter has a row for each cycle that changed it, by what sets and adds have made of it") {
    Core core;
    core.batch.add(core.committed, 0, 0, 0, 2);
    core.batch.add(core.committed, 400, 0, 0, 1);  // the same cycle
    core.batch.add(core.committed, 1000, 0, 0, 0);
    core.batch.set(core.committed, 1500, 0, 0, 1);
    core.batch.add(core.committed, 1500, 0, 0, 9);
    core.batch.add(core.committed, 1500, 1, 0, 100);  // no such slot
    core.batch.clear_slot(core.committed, 2600, 0);
    CHECK(show(core.schema, core.batch, "counters", TextForm::csv).text ==
          "cycle,time,scope,counter,value,delta\n"
          "0,400,core0,committed_insns,3,3\n"
          "3,1500,core0,committed_insns,10,7\n"
          "5,2600,core0,committed_insns,0,-10\n");
    CHECK(show(core.schema, core.batch, "counters").text ==
          "cycle 0  core0/committed_insns  3  +3\n"
          "cycle 3  core0/committed_insns  10  +7\n"
          "cycle 5  core0/committed_insns  0  -10\n"
          "# core0/committed_insns: 0 at the end, cycle 5\n");
    ViewOptions options;
    options.interval = 4;
    CHECK(show(core.schema, core.batch, "counters", TextForm::text, options).text ==
          "cycles 0-3  core0/committed_insns  10  +10  2.500/cycle\n"
          "cycles 4-7  core0/committed_insns  0  -10  -2.500/cycle\n"
          "# core0/committed_insns: 0 at the end, cycle 5\n");
    CHECK(show(core.schema, core.batch, "counters", TextForm::jsonl, options).text ==
          "{\"schema\":\"hwtrace-counters/1\",\"tool\":\"hwtrace\",\"version\":\"\",\"interval\":4}\n"
          "{\"type\":\"change\",\"cycle\":0,\"time\":1500,\"scope\":\"core0\",\"counter\":\"committed_insns\","
          "\"value\":10,\"delta\":10,\"rate\":2.500}\n"
          "{\"type\":\"change\",\"cycle\":4,\"time\":2600,\"scope\":\"core0\",\"counter\":\"committed_insns\","
          "\"value\":0,\"delta\":-10,\"rate\":-2.500}\n"
          "{\"type\":\"counter\",\"scope\":\"core0\",\"name\":\"committed_insns\",\"value\":0,\"last_cycle\":5}\n");
}

TEST_CASE("counters are chosen by a part of their name; a trace without any says so") {
    Core core;
    core.storage("misses", 1, {{"count", Type::u64}}, false);
    ViewOptions options;
    options.counter = "0/miss";
    CHECK(show(core.schema, core.batch, "counters", TextForm::text, options).text == "# core0/misses: 0 at the end\n");
    options.counter = "cache";
    const ShownView view = show(core.schema, core.batch, "counters", TextForm::json, options);
    CHECK(view.text.find("\"counters\":[]") != std::string::npos);
    CHECK(view.notes == std::vector<std::string>{"no counter has such a name"});
    Npu npu;
    Batch nothing;
    CHECK(show(npu.schema, nothing, "counters").notes.size() == 1);
    CHECK(show(npu.schema, nothing, "buffers").notes.size() == 1);
}

TEST_CASE("a long trace has at most 128 rows a counter as text, which add up") {
    Core core;
    for (Tick cycle = 0; cycle < 1000; ++cycle)
        core.batch.add(core.committed, cycle * 500, 0, 0, 2);
    const std::string text = show(core.schema, core.batch, "counters").text;
    const std::string head =
        "# a row for each 8 cycles in which something changed (--interval)\n"
        "cycles 0-7  core0/committed_insns  16  +16  2.000/cycle\n"
        "cycles 8-15  core0/committed_insns  32  +16  2.000/cycle\n";
    CHECK(text.substr(0, head.size()) == head);
    CHECK(std::ranges::count(text, '\n') == 1 + 125 + 1);
    CHECK(
        text.ends_with("cycles 992-999  core0/committed_insns  2000  +16  2.000/cycle\n"
                       "# core0/committed_insns: 2000 at the end, cycle 999\n"));
    // The same as when the interval is known from the beginning.
    ViewOptions options;
    options.interval = 8;
    const std::string known = show(core.schema, core.batch, "counters", TextForm::text, options).text;
    CHECK(text.substr(text.find('\n') + 1) == known);
}

TEST_CASE("two counters in steps that were merged keep their order, first value and highest value") {
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

TEST_CASE("occupancy follows sets and clears, in dense buffers too; a ring is what its pointers enclose") {
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
          "0,0,core0,rob,slots,1,4\n"
          "0,0,core0,rob,ring,1,4\n"
          "1,500,core0,rob,slots,2,4\n"
          "1,500,core0,rob,ring,2,4\n"
          "2,1000,core0,rob,slots,1,4\n"
          "2,1000,core0,rob,ring,1,4\n"
          "2,1000,core0,waiting,slots,1,4\n"
          "3,1500,core0,waiting,slots,0,4\n");
    ViewOptions options;
    options.interval = 100;
    CHECK(show(core.schema, core.batch, "buffers", TextForm::text, options).text ==
          "cycles 0-99  core0/rob  1 of 4, highest 2\n"
          "cycles 0-99  core0/rob ring  1 of 4, highest 2\n"
          "cycles 0-99  core0/waiting  0 of 4, highest 1\n"
          "# core0/entities: 0 of 16 at the end, cycle 3\n"
          "# core0/rob: 1 of 4 at the end, cycle 3\n"
          "# core0/rob ring: 1 of 4 at the end, cycle 3\n"
          "# core0/waiting: 0 of 4 at the end, cycle 3\n");
}

TEST_CASE("equal pointers of a ring enclose all of it where all of it is occupied") {
    Core core;
    for (std::uint32_t slot = 0; slot < 4; ++slot)
        core.batch.set(core.rob, 0, slot, 0, slot);
    core.batch.set_property(core.rob, 0, 0, 2);
    core.batch.set_property(core.rob, 0, 1, 2);
    CHECK(show(core.schema, core.batch, "buffers")
              .text.starts_with("cycle 0  core0/rob  4 of 4\ncycle 0  core0/rob ring  4 of 4\n"));
}

TEST_CASE("occupancy counts slots that are held, that were ever held, and the most at once") {
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
