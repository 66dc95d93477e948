// Tests that signals become storages or intervals of held values and are restored, with and without a file in between.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <tuple>

#include "convert/convert.hpp"
#include "convert/prescan.hpp"
#include "convert/transforms/held_values.hpp"
#include "convert/transforms/signal_tables.hpp"
#include "convert/verify.hpp"
#include "formats.hpp"
#include "io/output.hpp"
#include "support/growth.hpp"
#include "support/signal_support.hpp"

namespace signal_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;

/// One scope with one signal.
struct OneSignal : IntervalTrace {
    ScopeId top = schema.declare(Scope{"top", none, {}, none});
    TrackId signal;
    Losses losses;
    explicit OneSignal(std::vector<Field> fields) : signal(declare_signal(schema, top, "s", std::move(fields))) {}

    void change(Tick time, std::vector<Attribute> values, std::uint64_t mark = 0) {
        batch().change(signal, time, values, mark);
    }
    void no_value(Tick time) { batch().change(signal, time, std::span<const Attribute>()).flags |= record_no_value; }
    Lines in_tables() {
        Plan plan;
        plan.stages.push_back(std::make_unique<SignalTables>(schema, losses));
        return records_behind(*this, plan);
    }
    Lines as_held() {
        Plan plan;
        plan.stages.push_back(std::make_unique<HeldValues>(schema, "/tmp"));
        return records_behind(*this, plan);
    }
};

/// Returns the model dump after both stages, in memory.
template <typename There, typename Back>
std::string there_and_back(IntervalTrace& trace, Plan plan, Losses& losses) {
    const Schema& lowered = plan.stages.front()->schema();
    REQUIRE(Back::is_lowered(lowered));
    plan.stages.push_back(std::make_unique<Back>(lowered, losses));
    Canned reader(trace.schema, trace.pointers());
    return model_of(reader, trace.schema, plan);
}

std::string there_and_back_in_tables(IntervalTrace& trace, Losses& losses) {
    Plan plan;
    plan.stages.push_back(std::make_unique<SignalTables>(trace.schema, losses));
    return there_and_back<SignalTables, SignalsOfTables>(trace, std::move(plan), losses);
}

std::string there_and_back_held(IntervalTrace& trace, Losses& losses, std::size_t run_bytes) {
    Plan plan;
    plan.stages.push_back(std::make_unique<HeldValues>(trace.schema, "/tmp", run_bytes));
    return there_and_back<HeldValues, SignalsOfHeldValues>(trace, std::move(plan), losses);
}

std::vector<WantedSignals> many_wishes() {
    std::vector<WantedSignals> all;
    std::uint64_t seed = 1;
    for (const bool several_bases : {false, true})
        for (const bool structures : {false, true})
            for (int i = 0; i < 3; ++i)
                all.push_back({seed++, 1500, true, several_bases, structures});
    return all;
}

/// Returns the model with its records sorted by time, then by track.
std::string canonical(const std::string& model) {
    struct Line {
        long long time;
        std::string track, text;
    };
    std::istringstream all(model);
    std::string result;
    std::vector<Line> records;
    for (std::string text; std::getline(all, text);) {
        if (text.empty() || text[0] < '0' || text[0] > '9') {
            result.append(text).append("\n");
            continue;
        }
        std::istringstream words(text);
        Line& line = records.emplace_back();
        std::string kind;
        words >> line.time >> kind >> line.track;
        line.text = text;
    }
    std::ranges::stable_sort(
        records, [](const Line& a, const Line& b) { return std::tie(a.time, a.track) < std::tie(b.time, b.track); });
    for (const Line& line : records)
        result.append(line.text).append("\n");
    return result;
}

/// Removes the findings, because they depend on the stored ids and the order of blocks.
std::string without_findings(const std::string& model) {
    return model.substr(0, std::min(model.find("finding "), model.size()));
}

}  // namespace

TEST_CASE("a signal becomes a table that holds the current value") {
    OneSignal trace({Field{"value", Type::u32}});
    trace.change(1, {{0, 5}});
    trace.change(2, {{0, 5}}, change_conflict);
    trace.no_value(3);
    trace.change(4, {{0, 6}});
    CHECK(trace.in_tables() == Lines{
                                   "1 set top/s[0].value=0x5",
                                   "2 set top/s[0].mark=1",
                                   "2 set top/s[0].value=0x5",
                                   "3 set top/s[0].mark=0",
                                   "3 clear top/s[0]",
                                   "4 set top/s[0].value=0x6",
                               });
    CHECK(trace.losses.none());
}

TEST_CASE("a structure's table has a mask of its current members") {
    OneSignal trace({Field{"a", Type::u8}, Field{"b", Type::text}});
    const StringId text = trace.schema.intern("x");
    trace.change(1, {{0, 5}, {1, text}});
    trace.change(2, {{1, text}});
    trace.change(3, {});
    trace.change(4, {{1, text}, {0, 1}});
    CHECK(trace.in_tables() == Lines{
                                   "1 set top/s[0].members=3",
                                   "1 set top/s[0].a=5",
                                   "1 set top/s[0].b=\"x\"",
                                   "2 set top/s[0].members=2",
                                   "2 set top/s[0].b=\"x\"",
                                   "3 set top/s[0].members=0",
                                   "4 event top/s.order order=\"1 0\"",
                                   "4 set top/s[0].members=3",
                                   "4 set top/s[0].a=1",
                                   "4 set top/s[0].b=\"x\"",
                               });
    CHECK(trace.losses.none());
}

TEST_CASE("elements of an array become events that follow the element count") {
    OneSignal trace({Field{"value", Type::i32, none, true}});
    trace.change(1, {{0, 5}, {0, 6}});
    trace.change(2, {});
    CHECK(trace.in_tables() == Lines{
                                   "1 set top/s[0].elements=2",
                                   "1 event top/s.value value=5",
                                   "1 event top/s.value value=6",
                                   "2 set top/s[0].elements=0",
                               });
    CHECK(trace.losses.none());
}

TEST_CASE("values of a change that a table cannot hold are counted") {
    OneSignal trace({Field{"value", Type::u32}});
    trace.change(1, {});
    trace.change(2, {{0, 5}, {0, 6}});
    CHECK(trace.in_tables() == Lines{"2 set top/s[0].value=0x5"});
    CHECK(trace.losses.entries().at({Loss::part_dropped, "s"}).count == 2);
}

TEST_CASE("a value is an interval up to the next change, the last one up to the end") {
    OneSignal trace({Field{"value", Type::u32}, Field{"value", Type::blob}});
    const TrackId other = declare_signal(trace.schema, trace.top, "t", {Field{"value", Type::u8}});
    const StringId bytes = trace.schema.intern(std::string("\0\xFF", 2));
    trace.change(1, {{0, 5}});
    trace.change(4, {{0, 6}}, 2);
    trace.no_value(5);
    trace.change(8, {{1, bytes}});
    trace.batch().change(other, 9, Attribute{0, 1});
    trace.batch().change(other, 12, Attribute{0, 2});
    CHECK(trace.as_held() == Lines{
                                 "1 interval top/s duration=3 value=0x5",
                                 "4 interval top/s duration=1 value=0x6 mark=2",
                                 "5 interval top/s duration=0 no_value=1",
                                 "8 interval top/s duration=4 value.blob=\"00ff\"",
                                 "9 interval top/t duration=3 value=0x1",
                                 "12 interval top/t duration=0 value=0x2",
                             });
}

TEST_CASE("values without strings are passed on when the oldest open value has ended") {
    OneSignal trace({Field{"v", Type::u32}});
    const TrackId slow = declare_signal(trace.schema, trace.top, "slow", {Field{"v", Type::u32}});
    constexpr Tick changes = 20'000, pause = 1000;
    for (Tick time = 0; time < changes; ++time) {
        trace.change(time, {{0, static_cast<std::uint64_t>(time)}});
        if (time % pause == 0) trace.batch().change(slow, time, Attribute{0, static_cast<std::uint64_t>(time)});
    }
    HeldValues held(trace.schema, "/tmp");
    std::vector<Tick> begins;
    Batch out;
    const auto take = [&] {
        for (const Record& record : out.records()) {
            begins.push_back(record.time);
            const bool is_last = record.time + static_cast<Tick>(record.track == slow ? pause : 1) >= changes;
            CHECK((is_last || record.value == (record.track == slow ? std::uint64_t{pause} : 1u)));
        }
        out.clear();
    };
    for (const Batch& batch : trace.batches) {
        held.apply(batch, out);
        take();
    }
    CHECK(begins.size() > 10'000);
    for (bool more = true; more; take())
        more = held.finish(out);
    CHECK(begins.size() == changes + changes / pause);
    CHECK(std::ranges::is_sorted(begins));
}

TEST_CASE("events and notes beside signals become intervals of length 0, with consecutive rows") {
    OneSignal trace({Field{"value", Type::u8}});
    const EnumId levels = trace.schema.declare(Enum{"levels", {{1, "low"}, {2, "high"}, {3, "high"}}});
    const TrackId event =
        trace.schema.declare(make_track(Track::Kind::event_type, trace.top, "e", picoseconds,
                                        {Field{"level", Type::enumeration, levels}, Field{"x", Type::u8, none, true},
                                         Field{"y", Type::blob, none, true}}));
    const TrackId notes = trace.schema.declare(make_track(Track::Kind::notes, trace.top, "n", picoseconds));
    const StringId bytes = trace.schema.intern("ab");
    for (const std::uint64_t level : {1u, 2u, 9u}) {
        const std::uint64_t cells[] = {level, 5, bytes, 6, bytes};
        trace.batch().event(event, static_cast<Tick>(level), cells);
    }
    trace.batch().note(notes, 9, "text");
    CHECK(trace.as_held() == Lines{
                                 "1 interval top/e duration=0 level=low x=5 y=\"6162\" x=6 y=\"6162\"",
                                 "2 interval top/e duration=0 level.u64=2 x=5 y=\"6162\" x=6 y=\"6162\"",
                                 "9 interval top/e duration=0 level.u64=9 x=5 y=\"6162\" x=6 y=\"6162\"",
                                 "9 interval top/n duration=0 note=\"text\"",
                             });
    Losses losses;
    const std::string model = model_of(trace);
    CHECK(there_and_back_held(trace, losses, RecordSorter::default_run_bytes) == model);
    CHECK(without_findings(through("ftr", trace, signals_only, {}, losses)) == model);
    CHECK(losses.none());
}

TEST_CASE("signals are restored from tables and from intervals of held values") {
    for (const bool ordered : {true, false}) {
        for (WantedSignals wanted : many_wishes()) {
            wanted.ordered = ordered;
            CAPTURE(wanted.seed);
            CAPTURE(ordered);
            IntervalTrace trace = random_signals(wanted);
            const std::string expected = model_of(trace);
            Losses losses;
            CHECK(there_and_back_in_tables(trace, losses) == expected);
            CHECK(there_and_back_held(trace, losses, wanted.seed % 2 == 0 ? 4096 : RecordSorter::default_run_bytes) ==
                  expected);
            CHECK(losses.none());
        }
    }
}

TEST_CASE("converting signals to uscope and back loses nothing") {
    for (const WantedSignals& wanted : many_wishes()) {
        CAPTURE(wanted.seed);
        IntervalTrace trace = random_signals(wanted);
        const std::string expected = canonical(model_of(trace));
        Losses losses;
        CHECK(canonical(through("uscope", trace, signals_only, {}, losses)) == expected);
        for (const auto& [key, entry] : losses.entries())
            FAIL_CHECK(name_of(key.first), " ", key.second, " ", entry.first);
    }
}

TEST_CASE("signals out of time order are restored from uscope in time order") {
    WantedSignals wanted{50, 1500, false, false, true};
    IntervalTrace trace = random_signals(wanted);
    Losses losses;
    CHECK(canonical(through("uscope", trace, unordered_signals, {}, losses)) == canonical(model_of(trace)));
    CHECK(losses.none());
}

TEST_CASE("converting signals to ftr and back loses nothing") {
    for (const WantedSignals& wanted : many_wishes()) {
        CAPTURE(wanted.seed);
        IntervalTrace trace = random_signals(wanted);
        const std::string expected = model_of(trace);
        Losses losses;
        const std::string got = through("ftr", trace, signals_only, {}, losses);
        CHECK(without_findings(got) == expected);
        CHECK(got.find("order of their end") == std::string::npos);  // viewers need this order
        for (const auto& [key, entry] : losses.entries())
            FAIL_CHECK(name_of(key.first), " ", key.second, " ", entry.first);
    }
}

TEST_CASE("every bit of floating-point numbers is restored from ftr, even of signalling NaNs") {
    OneSignal trace({Field{"value", Type::f32}});
    Tick time = 0;
    for (const std::uint64_t bits : {0x7FA0'0001u, 0xFF80'0001u, 0x7FC0'0001u, 0x7FFF'FFFFu, 0x7F80'0000u, 0xFF80'0000u,
                                     0x0000'0001u, 0x8000'0000u, 0x7F7F'FFFFu, 0x3F80'0000u})
        trace.change(++time, {{0, bits}});
    const std::string expected = model_of(trace);
    CHECK(without_findings(through("ftr", trace, signals_only, {}, trace.losses)) == expected);
    CHECK(trace.losses.none());
}

TEST_CASE("events beside signals keep their texts, and the loss of labels that do not fit is predicted") {
    OneSignal trace({Field{"value", Type::text}});
    const EnumId wide = trace.schema.declare(Enum{"wide", {{1000, "high"}}});
    const TrackId event =
        trace.schema.declare(make_track(Track::Kind::event_type, trace.top, "e", picoseconds,
                                        {Field{"why", Type::text}, Field{"level", Type::enumeration, wide}}));
    const StringId text = trace.schema.intern("text");
    trace.change(1, {{0, text}});
    const std::uint64_t cells[] = {text, 1000};
    trace.batch().event(event, 2, cells);
    CHECK(trace.in_tables() == Lines{"1 set top/s[0].value=\"text\"", "2 event top/e why=\"text\" level=1000"});
    CHECK(trace.losses.entries().contains({Loss::type_changed, "e"}));
    CHECK(SignalTables::narrows(trace.schema, trace.schema.tracks()[event]));
    CHECK(!SignalTables::narrows(trace.schema, trace.schema.tracks()[trace.signal]));
}

TEST_CASE("a mark of signals that does not fit its trace is ignored") {
    OneSignal trace({Field{"value", Type::u32}});
    for (const std::string_view text :
         {"", "tables", "tables 2", "tables s:t1/1000000000000{c=5:value}", "tables s:t1/1{c=5:value",
          "tables s:t1/1000000000000{c=99:value}", "tables e0{1=3:low s:t1/1{}", "held 1,s:t1/1{}", "other 1"}) {
        CAPTURE(text);
        Schema schema;
        schema.declare(make_track(Track::Kind::storage, none, "s", picoseconds, {Field{"value", Type::u32}}));
        schema.describe("hwtrace.signals", std::string(text));
        CHECK(!SignalsOfTables::is_lowered(schema));
        CHECK(!SignalsOfHeldValues::is_lowered(schema));
    }
}

TEST_CASE("signals without time beside signals with time are reported and keep their ticks") {
    for (const std::string_view format : {"uscope", "ftr"}) {
        CAPTURE(format);
        OneSignal trace({Field{"value", Type::u8}});
        const TrackId index = declare_signal(trace.schema, trace.top, "index", {Field{"value", Type::u8}}, ordinals);
        const TrackId rate =
            declare_signal(trace.schema, trace.top, "rate", {Field{"value", Type::u8}}, unknown_period);
        trace.change(5, {{0, 1}});
        trace.batch().change(index, 7, Attribute{0, 2});
        trace.batch().change(rate, 9, Attribute{0, 3});
        Losses losses;
        const std::string model = canonical(model_of(trace));
        CHECK(canonical(without_findings(through(format, trace, signals_only, {}, losses))) == model);
        CHECK(losses.none());
        CHECK(losses.assumptions().front() ==
              "track 'index' and 1 other do not count time: assumed 1000 ps per tick, because other tracks count time "
              "(--clock changes it)");
    }
}

TEST_CASE("a value without a label has a separate column") {
    OneSignal trace({Field{"state", Type::enumeration, 0}});
    trace.schema.declare(Enum{"states", {{0, "idle"}, {1, "busy"}}});
    trace.change(1, {{0, 1}});
    trace.change(2, {{0, 7}});
    trace.change(3, {{0, 8}});
    CHECK(trace.in_tables() == Lines{
                                   "1 set top/s[0].members=1",
                                   "1 set top/s[0].state=busy",
                                   "2 set top/s[0].members=2",
                                   "2 set top/s[0].state.number=7",
                                   "3 set top/s[0].state.number=8",
                               });
    Losses losses;
    CHECK(there_and_back_in_tables(trace, losses) == model_of(trace));
}

TEST_CASE("alternative values of a field have columns of different names") {
    OneSignal trace({Field{"value", Type::u64}, Field{"value", Type::logic}});
    const StringId text = trace.schema.intern("0X");
    trace.change(1, {{0, 2}});
    trace.change(2, {{1, text}});
    trace.change(3, {{1, text}, {0, 3}});  // no source states such a change
    const SignalTables tables(trace.schema, trace.losses);
    CHECK(tables.schema().tracks().size() == 1);
    CHECK(trace.in_tables() == Lines{
                                   "1 set top/s[0].members=1",
                                   "1 set top/s[0].value=0x2",
                                   "2 set top/s[0].members=2",
                                   "2 set top/s[0].value.logic=\"0X\"",
                                   "3 set top/s[0].members=3",
                                   "3 set top/s[0].value=0x3",
                                   "3 set top/s[0].value.logic=\"0X\"",
                               });
    CHECK(trace.losses.entries().contains({Loss::order_changed, "s"}));
}

TEST_CASE("tables of signals convert to intervals and back through signals, and are verified") {
    const auto converted = [](std::vector<std::byte> bytes, const Format& from, const Format& to) {
        Input input = Input::memory("source", bytes);
        Findings findings;
        Losses losses;
        const Choices choices;
        PreparedSource source(input, from, to, choices.settings, findings);
        Plan plan = make_plan(source.schema(), source.format(), to, choices, losses);
        std::vector<std::byte> made;
        const auto output = open_memory_output("made", [&](std::vector<std::byte> all) { made = std::move(all); });
        const auto writer = to.create(*output, plan.target_schema(source.schema()), choices.settings, losses);
        convert(source.reader(), plan, *writer);
        output->commit();
        CHECK(losses.none());
        Input written = Input::memory("made", made);
        CHECK(!verify_conversion(input, from, written, to, choices));
        return made;
    };
    const Format& uscope = *find_format(formats(), "uscope");
    const Format& ftr = *find_format(formats(), "ftr");
    for (const bool several_bases : {false, true}) {
        IntervalTrace trace = random_signals({77, 800, true, several_bases});
        Losses losses;
        std::vector<std::byte> tables, held;
        through("uscope", trace, signals_only, {}, losses, &tables);
        through("ftr", trace, signals_only, {}, losses, &held);
        const std::vector<std::byte> by_way = converted(tables, uscope, ftr);
        CHECK((by_way == held) == !several_bases);  // with several time bases, held values are sorted by time
        CHECK(converted(held, ftr, uscope) == tables);
        CHECK(converted(by_way, ftr, uscope) == tables);
    }
}

TEST_CASE("in pccx, whose events have only a name, the name identifies the signal, and nothing is lost") {
    OneSignal trace({Field{"a", Type::u8}, Field{"b", Type::text}});
    const StringId text = trace.schema.intern("x");
    trace.change(1, {{0, 5}, {1, text}}, change_conflict);
    trace.no_value(3);
    trace.change(4, {{0, 6}});
    CHECK(without_findings(through("pccx", trace, signals_only, {}, trace.losses)) == model_of(trace));
    CHECK(trace.losses.none());
}

TEST_CASE("in pccx, signals without time beside signals with time are reported") {
    OneSignal trace({Field{"value", Type::u8}});
    const TrackId index = declare_signal(trace.schema, trace.top, "index", {Field{"value", Type::u8}}, ordinals);
    trace.change(5, {{0, 1}});
    trace.batch().change(index, 7, Attribute{0, 2});
    const std::string model = through("pccx", trace, signals_only, {}, trace.losses);
    CHECK(trace.losses.assumptions() ==
          Lines{"track 'index' does not count time: assumed 1000 ps per tick, because other "
                "tracks count time (--clock changes it)"});
    // Signals with several time bases are not restored.
    CHECK(trace.losses.entries().contains({Loss::type_changed, "s"}));
    CHECK(model.find("\n5 interval core0/s") != std::string::npos);
    CHECK(model.find("\n7000 interval core0/index") != std::string::npos);
}

TEST_CASE("signals with labels that are used once take linear time") {
    const auto lower = [](int count) {
        Schema schema;
        Enum labels{"label", {}};
        for (int i = 0; i < count; ++i)
            labels.values.push_back({static_cast<std::uint64_t>(i), "label" + std::to_string(i)});
        Field field{"value", Type::enumeration};
        field.enumeration = schema.declare(std::move(labels));
        const TrackId signal = declare_signal(schema, schema.declare(Scope{"top", none, {}, none}), "s", {field});
        Losses losses;
        SignalTables stage(schema, losses);
        Batch in, out;
        for (int i = 0; i < count; ++i) {
            const std::array values{Attribute{0, static_cast<std::uint64_t>(i)}};
            in.change(signal, i, values, 0);
        }
        stage.apply(in, out);
        REQUIRE(out.records().size() >= static_cast<std::size_t>(count));
        CHECK(stage.schema().text(static_cast<StringId>(out.records().back().value)) ==
              "label" + std::to_string(count - 1));
    };
    CHECK(growth(15'000, lower) < 3);
}

}  // namespace signal_test
