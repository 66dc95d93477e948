#include "codec/state_at.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "convert/convert.hpp"
#include "convert/model_dump.hpp"
#include "convert/plan.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "select/range.hpp"
#include "select/selection.hpp"
#include "support/corpus.hpp"
#include "views/model_views.hpp"
#include "views/state_dump.hpp"

namespace hwtrace {
extern const Format uscope_format;
}

namespace state_at_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Bytes = std::vector<std::byte>;
using Json = nlohmann::json;

struct Opened {
    explicit Opened(Bytes bytes)
        : file(std::move(bytes)),
          input(Input::memory("file", file)),
          reader(uscope_format.open(input, settings, findings)) {}

    Bytes file;
    Settings settings;
    Findings findings;
    Input input;
    std::unique_ptr<Reader> reader;
};

std::string state_text(const Schema& schema, const StateTable& state, Tick time, TextForm form) {
    TextOutput out(-1);
    dump_state(schema, state, time, form, Settings{}, out);
    return std::string(out.text());
}

/// Returns the contents of all storages with names and strings. Equal states give the same text in different files.
std::string csv_at(Reader& reader, Tick time) {
    const StateTable state = state_at(reader, time, Limits{});
    return state_text(reader.schema(), state, time, TextForm::csv);
}

/// A core with instructions in flight, a ring that holds them, a counter, and a dense table.
struct Machine {
    Schema schema;
    TrackId entities = none, rob = none, counter = none, dense = none;

    Machine() {
        const ClockId clock = schema.declare(Clock{"clk", 500});
        const ScopeId root = schema.declare(Scope{"/", none, "", none});
        const ScopeId core = schema.declare(Scope{"core0", root, "cpu", clock});
        const ScopeId unit = schema.declare(Scope{"lsu", core, "", none});
        const EnumId modes = schema.declare(Enum{"mode", {{0, "idle"}, {2, "busy, hot"}}});
        Track track;
        track.kind = Track::Kind::storage;
        track.scope = core;
        track.time = picoseconds;
        track.name = "entities";
        track.fields = {{"entity_id", Type::u32}, {"pc", Type::u64}, {"label", Type::text}};
        track.slots = 8;
        track.sparse = true;
        entities = schema.declare(track);
        track.name = "rob";
        track.scope = unit;
        track.fields = {{"entity_id", Type::u32}, {"ready", Type::boolean}};
        track.properties = {{"head", Type::u16, none, false, 1, 0}, {"tail", Type::u16, none, false, 2, 0}};
        track.slots = 4;
        track.buffer = true;
        rob = schema.declare(track);
        track.name = "committed";
        track.scope = core;
        track.fields = {{"count", Type::u64}};
        track.properties = {};
        track.slots = 1;
        track.sparse = track.buffer = false;
        counter = schema.declare(track);
        track.name = "dense";
        track.fields = {{"mode", Type::enumeration, modes}, {"level", Type::i8}};
        track.slots = 6;
        dense = schema.declare(track);
    }
};

StateTable state_of(const Machine& core, StringId label) {
    StateTable state(core.schema);
    state.set(core.entities, 3, 0, 17);
    state.set(core.entities, 3, 1, 0x80000010);
    state.set(core.entities, 3, 2, label);
    state.set(core.rob, 1, 0, 17);
    state.set(core.rob, 1, 1, 1);
    state.set(core.rob, 2, 0, 99);
    state.set_property(core.rob, 0, 1);
    state.set_property(core.rob, 1, 3);
    state.add(core.counter, 0, 0, 12);
    state.set(core.dense, 4, 0, 2);
    state.set(core.dense, 4, 1, static_cast<std::uint64_t>(-3));
    return state;
}

std::string message_of(const auto& action) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::usage);
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("a state as text has properties, slots by field name, fields of entities, and zeros in one line") {
    Machine core;
    const StateTable state = state_of(core, core.schema.intern("add a \"b\""));
    CHECK(state_text(core.schema, state, 2750, TextForm::text) ==
          "state at 2750 ps, clk cycle 5\n"
          "/core0/entities: 1 of 8 slots\n"
          "  [3] entity_id=17 pc=0x80000010 label=\"add a \\\"b\\\"\"\n"
          "/core0/lsu/rob: 2 of 4 slots, 2 from head to tail\n"
          "  head=1 (head)\n"
          "  tail=3 (tail)\n"
          "  [1] entity_id=17 ready=1 -> pc=0x80000010 label=\"add a \\\"b\\\"\"\n"
          "  [2] entity_id=99 ready=0\n"
          "/core0/committed: 1 slot\n"
          "  [0] count=12\n"
          "/core0/dense: 6 slots\n"
          "  [4] mode=\"busy, hot\" level=-3\n"
          "  5 slots of zeros\n");
}

TEST_CASE("every data form has the same state") {
    Machine core;
    const StateTable state = state_of(core, core.schema.intern("add"));
    const Json whole = Json::parse(state_text(core.schema, state, 2750, TextForm::json));
    CHECK(whole.at("schema") == "hwtrace-state/1");
    CHECK(whole.at("time") == 2750);
    CHECK(whole.at("unit") == "ps");
    REQUIRE(whole.at("storages").size() == 4);
    const Json& rob = whole.at("storages").at(1);
    CHECK(rob.at("ring") == 2);
    CHECK(rob.at("valid") == 2);
    CHECK(rob.at("properties").at(1) == Json({{"name", "tail"}, {"role", "tail"}, {"pair", 0}, {"value", 3}}));
    CHECK(rob.at("values").at(0).at("fields") == Json({{"entity_id", 17}, {"ready", true}}));
    CHECK(rob.at("values").at(0).at("entity") == Json({{"pc", 0x80000010}, {"label", "add"}}));
    CHECK_FALSE(rob.at("values").at(1).contains("entity"));
    CHECK(whole.at("storages").at(3).at("not_zero") == 1);

    // The first line is the head. Storages and slots follow in the same order.
    std::vector<Json> lines;
    const std::string text = state_text(core.schema, state, 2750, TextForm::jsonl);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        lines.push_back(Json::parse(text.substr(at, text.find('\n', at) - at)));
    REQUIRE(lines.size() == 10);
    CHECK(lines[0].at("time") == 2750);
    CHECK(lines[3].at("storage") == "rob");
    CHECK(lines[4].at("fields") == rob.at("values").at(0).at("fields"));

    CHECK(state_text(core.schema, state, 2750, TextForm::csv).find("/core0,dense,3,4,mode,\"busy, hot\"\n") !=
          std::string::npos);
}

TEST_CASE("a string that was never set is empty if the trace has no strings") {
    Machine core;
    const StateTable state = state_of(core, 0);
    CHECK(state_text(core.schema, state, 0, TextForm::text).find("label=\"\"") != std::string::npos);
    CHECK(state_text(core.schema, state, 0, TextForm::json).find("\"label\":\"\"") != std::string::npos);
}

TEST_CASE("a state shows the fill of a ring, if its pointers are unambiguous") {
    Machine core;
    StateTable state(core.schema);
    const auto rob_line = [&](std::uint64_t head, std::uint64_t tail) {
        state.set_property(core.rob, 0, head);
        state.set_property(core.rob, 1, tail);
        const std::string text = state_text(core.schema, state, 0, TextForm::text);
        const std::size_t at = text.find("/rob: ");
        return text.substr(at, text.find('\n', at) - at);
    };
    CHECK(rob_line(0, 0) == "/rob: 0 of 4 slots, 0 from head to tail");
    CHECK(rob_line(3, 1) == "/rob: 0 of 4 slots, 2 from head to tail");
    CHECK(rob_line(4, 1) == "/rob: 0 of 4 slots");
    state.set(core.rob, 2, 0, 5);
    CHECK(rob_line(2, 2) == "/rob: 1 of 4 slots, 0 from head to tail");  // at most the number of occupied slots
    for (std::uint32_t slot = 0; slot < 4; ++slot)
        state.set(core.rob, slot, 0, 5);
    CHECK(rob_line(2, 2) == "/rob: 4 of 4 slots, 4 from head to tail");
}

TEST_CASE("--at takes a time, or a cycle of the trace's clock") {
    Machine core;
    const auto tick = [&](const char* text) { return tick_of(parse_moment(text, "--at"), core.schema, "--at"); };
    CHECK(tick("0cyc") == 0);
    CHECK(tick("5cyc") == 2500);
    CHECK(tick("7ns") == 7000);
    CHECK(tick("18446744073709551615cyc") == std::numeric_limits<Tick>::max());
    for (const char* const wrong : {"", "5", "#5", "cyc", "-1ns", "1ns:2ns"})
        CHECK(message_of([&] { tick(wrong); }).find("--at") == 0);
    core.schema.declare(Clock{"bus", 1250});
    CHECK(tick("5cyc") == 2500);  // no storage uses the other clock
    Track other;
    other.kind = Track::Kind::event_type;
    other.scope = core.schema.declare(Scope{"noc", 0, "", 1});
    other.time = picoseconds;
    core.schema.declare(other);
    CHECK(message_of([&] { tick("5cyc"); }) ==
          "--at: the clocks of this trace have cycles of 500 and 1250 ps; use ps, ns, us, ms or s");
    CHECK(tick("5ns") == 5000);
    Schema nothing;
    CHECK(message_of([&] { tick_of({}, nothing, "--at"); }) ==
          "--at: the trace has no storages, so there is no state to show");
}

TEST_CASE("buffers agree with the reference reader, for files whose checkpoints it reads correctly") {
    // In other files, a checkpoint holds the state after a segment. The reference replays that segment twice.
    for (const std::string cycle : {"140", "280", "561"}) {
        CAPTURE(cycle);
        const auto path = corpus("uscope/c_multiseg_v03.uscope");
        const auto golden = corpus("uscope/golden/c_multiseg_v03.state_c" + cycle + ".json");
        if (!path || !golden) continue;
        Opened opened(read_file(*path));
        const Tick time = tick_of(parse_moment(cycle + "cyc", "--at"), opened.reader->schema(), "--at");
        const StateTable state = state_at(*opened.reader, time, Limits{});
        const Json got = Json::parse(state_text(opened.reader->schema(), state, time, TextForm::json));
        const Json expected = Json::parse(read_text(*golden));
        REQUIRE(expected.size() == 1);
        for (const Json& buffer : expected) {
            const auto found = std::ranges::find_if(
                got.at("storages"), [&](const Json& storage) { return storage.at("storage") == buffer.at("name"); });
            REQUIRE(found != got.at("storages").end());
            CHECK(found->at("slots") == buffer.at("capacity"));
            CHECK(found->at("valid") == buffer.at("occupied"));
            for (std::size_t i = 0; i < buffer.at("properties").size(); ++i) {
                CHECK(found->at("properties").at(i).at("name") == buffer.at("properties").at(i).at("name"));
                CHECK(found->at("properties").at(i).at("value") == buffer.at("properties").at(i).at("value"));
            }
            REQUIRE(found->at("values").size() == buffer.at("slots").size());
            for (std::size_t i = 0; i < buffer.at("slots").size(); ++i) {
                const Json& slot = found->at("values").at(i);
                const Json& wanted = buffer.at("slots").at(i);
                CHECK(slot.at("slot") == wanted.at("slot"));
                CHECK(slot.at("fields").at("entity_id") == wanted.at("fields").at(0));
                for (const Json& field : wanted.at("entity_fields"))
                    CHECK(slot.at("entity").at(field.at(0).get<std::string>()) == field.at(1));
            }
        }
    }
}

namespace {

/// Returns a slice of a file as a complete file.
Bytes piece(const Bytes& file, const std::string& range, bool by_seek) {
    Opened source(file);
    Losses losses;
    Choices choices;
    choices.range = parse_range(range);
    Plan plan = make_plan(source.reader->schema(), uscope_format, uscope_format, choices, losses);
    Bytes bytes;
    const auto output = open_memory_output("memory", [&](Bytes whole) { bytes = std::move(whole); });
    const auto writer =
        uscope_format.create(*output, plan.target_schema(source.reader->schema()), source.settings, losses);
    struct Sequential final : Reader {
        explicit Sequential(Reader& of) : inner(of) {}
        Reader& inner;
        Schema& schema() override { return inner.schema(); }
        bool read(Batch& batch) override { return inner.read(batch); }
        Facts facts() const override { return {}; }
        std::uint64_t position() const override { return inner.position(); }
    } sequential(*source.reader);
    convert(by_seek ? *source.reader : static_cast<Reader&>(sequential), plan, *writer);
    output->commit();
    return bytes;
}

std::vector<std::string> lines_from(const Bytes& file, Tick begin, Tick end) {
    Opened opened(file);
    std::vector<std::string> lines;
    Batch batch, one;
    while (opened.reader->read(batch)) {
        for (const Record& record : batch.records()) {
            if (record.time < begin || record.time >= end) continue;
            TextOutput out(-1);
            one.clear();
            one.copy(batch, record, record.track);
            dump_records(opened.reader->schema(), one, out);
            lines.emplace_back(out.text());
        }
        batch.clear();
    }
    return lines;
}

}  // namespace

TEST_CASE("a slice with storages is self-contained and has the same state as the whole trace") {
    for (const std::string name : {"c_multiseg_v03", "ref_props_v03", "gen_small_v03", "reflex_sample_v01"}) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + std::string(name) + ".uscope");
        if (!path) continue;
        const Bytes file = read_file(*path);
        Opened whole(file);
        Tick last = 0;
        for (const Fact& fact : whole.reader->facts())
            if (fact.key == "last_time_ps") last = std::stoll(text_of(fact));
        if (last == 0) {
            Batch batch;
            while (whole.reader->read(batch)) {
                last = batch.records().back().time;
                batch.clear();
            }
        }
        const Tick begin = last / 3, end = last - last / 4;
        const std::string range = std::to_string(begin) + "ps:" + std::to_string(end) + "ps";
        const Bytes part = piece(file, range, true);
        CHECK(part == piece(file, range, false));
        Opened reread(part);
        for (const Tick time : {begin, begin + 1, begin + (end - begin) / 2, end - 1}) {
            CAPTURE(time);
            CHECK(csv_at(*reread.reader, time) == csv_at(*whole.reader, time));
        }
        CHECK(reread.findings.total_at_least(Severity::error) == 0);
        // The records of the range follow the frame of restated values. Nothing else follows.
        const std::vector<std::string> expected = lines_from(file, begin, end);
        const std::vector<std::string> got = lines_from(part, 0, std::numeric_limits<Tick>::max());
        REQUIRE(got.size() >= expected.size());
        CHECK(std::equal(expected.begin(), expected.end(), got.end() - static_cast<std::ptrdiff_t>(expected.size())));
        const std::size_t restated = got.size() - expected.size();
        for (std::size_t i = 0; i < restated; ++i)
            CHECK(got[i].find(" set ") != std::string::npos);
    }
}

TEST_CASE("a range by position restates the state before it") {
    Machine core;
    Batch batch;
    batch.set(core.entities, 10, 3, 0, 1).flags |= record_first_of_frame;
    batch.set(core.entities, 10, 3, 1, 0x40);
    batch.add(core.counter, 20, 0, 0, 5).flags |= record_first_of_frame;
    batch.set(core.dense, 20, 2, 1, 7);
    batch.clear_slot(core.entities, 30, 3).flags |= record_first_of_frame;
    const auto lines = [&](const char* range) {
        const auto stage = make_selection(core.schema, parse_range(range));
        Batch out;
        stage->apply(batch, out);
        stage->finish(out);
        TextOutput text(-1);
        dump_records(core.schema, out, text);
        return std::string(text.text());
    };
    core.schema.intern("");
    CHECK(lines("#3:#4") ==
          "20 * set core0/entities[3].entity_id=1\n20 set core0/entities[3].pc=0x40\n"
          "20 set core0/entities[3].label=\"\"\n20 set core0/committed[0].count=5\n20 * set core0/dense[2].level=7\n");
    CHECK(lines("15ps:20ps") ==
          "15 * set core0/entities[3].entity_id=1\n15 set core0/entities[3].pc=0x40\n"
          "15 set core0/entities[3].label=\"\"\n");
    CHECK(lines("20ps:20ps").empty());
    CHECK(lines(":11ps") == "10 * set core0/entities[3].entity_id=1\n10 set core0/entities[3].pc=0x40\n");
    // A cycle of the clock lasts 500 ps.
    CHECK(lines("1cyc:") == "500 * set core0/committed[0].count=5\n500 set core0/dense[2].level=7\n");
}

TEST_CASE("a reader of a range delivers its records, and drops earlier state if requested") {
    const auto path = corpus("uscope/c_multiseg_v03.uscope");
    if (!path) return;
    const Bytes file = read_file(*path);
    Opened opened(file);
    RangedReader part(*opened.reader, parse_range("100ns:101ns"), {std::nullopt, Earlier::left_out, Limits{}});
    std::vector<std::string> got;
    Batch batch;
    while (part.read(batch)) {
        TextOutput out(-1);
        dump_records(part.schema(), batch, out);
        const std::string text(out.text());
        for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
            got.push_back(text.substr(at, text.find('\n', at) - at + 1));
        batch.clear();
    }
    CHECK(got == lines_from(file, 100'000, 101'000));
    CHECK_FALSE(got.empty());
    CHECK(opened.reader->position() < file.size());  // records after the range were not read
}

TEST_CASE("reading a range from the start of the trace stops at the end of the range, even for positions") {
    const auto path = corpus("uscope/c_multiseg_v03.uscope");
    if (!path) return;
    const Bytes file = read_file(*path);
    for (const Earlier earlier : {Earlier::left_out, Earlier::restated})
        for (const char* const range : {":100ns", "0ps:100ns", "#0:#50", "#10:#50"}) {
            CAPTURE(range);
            Opened opened(file);
            RangedReader part(*opened.reader, parse_range(range), {std::nullopt, earlier, Limits{}});
            std::size_t records = 0;
            Batch batch;
            while (part.read(batch)) {
                records += batch.records().size();
                batch.clear();
            }
            CHECK(records >= 40);
            CHECK(opened.reader->position() < file.size());
        }
}

TEST_CASE("an entity in several slots is shown in each, because the state does not show which slot is current") {
    Machine core;
    StateTable state = state_of(core, core.schema.intern("add"));
    state.set(core.entities, 1, 0, 17);
    state.set(core.entities, 1, 1, 0x40);
    state.set(core.entities, 1, 2, core.schema.intern("stale"));
    CHECK(state_text(core.schema, state, 0, TextForm::text)
              .find("  [1] entity_id=17 ready=1 -> [1] pc=0x40 label=\"stale\" -> [3] pc=0x80000010 label=\"add\"\n") !=
          std::string::npos);
    const Json whole = Json::parse(state_text(core.schema, state, 0, TextForm::json));
    const Json& slot = whole.at("storages").at(1).at("values").at(0);
    CHECK_FALSE(slot.contains("entity"));
    CHECK(slot.at("held_by") == 2);
    REQUIRE(slot.at("entities").size() == 2);
    CHECK(slot.at("entities").at(0) == Json({{"slot", 1}, {"fields", {{"pc", 0x40}, {"label", "stale"}}}}));
    CHECK(slot.at("entities").at(1).at("slot") == 3);
    // A line stays short even if many slots hold the entity.
    Track many;
    many.kind = Track::Kind::storage;
    many.scope = core.schema.declare(Scope{"core1", 0, "cpu", 0});
    many.time = picoseconds;
    many.name = "entities";
    many.fields = {{"entity_id", Type::u32}};
    many.slots = 20;
    many.sparse = true;
    const TrackId twins = core.schema.declare(many);
    many.name = "iq";
    many.slots = 1;
    const TrackId queue = core.schema.declare(many);
    StateTable crowded(core.schema);
    for (std::uint32_t at = 0; at < 20; ++at)
        crowded.set(twins, at, 0, 1);
    crowded.set(queue, 0, 0, 1);
    CHECK(state_text(core.schema, crowded, 0, TextForm::text)
              .find("  [0] entity_id=1 -> [0] -> [1] -> [2] -> [3] -> [4] -> [5] -> [6] -> [7] -> 12 more slots\n") !=
          std::string::npos);
}

TEST_CASE("a state shows every pair of ring pointers") {
    Machine core;
    Track track;
    track.kind = Track::Kind::storage;
    track.scope = 1;
    track.time = picoseconds;
    track.name = "queue";
    track.fields = {{"entity_id", Type::u32}};
    track.properties = {{"head", Type::u8, none, false, 1, 0},
                        {"tail", Type::u8, none, false, 2, 0},
                        {"commit", Type::u8, none, false, 1, 3},
                        {"end", Type::u8, none, false, 2, 3}};
    track.slots = 8;
    track.sparse = track.buffer = true;
    const TrackId queue = core.schema.declare(track);
    StateTable state(core.schema);
    state.set_property(queue, 1, 3);
    state.set_property(queue, 2, 7);
    state.set_property(queue, 3, 1);
    CHECK(state_text(core.schema, state, 0, TextForm::text)
              .find("queue: 0 of 8 slots, 3 from head to tail of pair 0, 2 from head to tail of pair 3\n"
                    "  head=0 (head of pair 0)\n") != std::string::npos);
    const Json whole = Json::parse(state_text(core.schema, state, 0, TextForm::json));
    CHECK(whole.at("storages").back().at("rings") == Json::parse(R"([{"pair":0,"slots":3},{"pair":3,"slots":2}])"));
}

TEST_CASE("the occupancy of dense buffers is the same in a slice as in the whole trace") {
    const auto path = corpus("uscope/gen_small_v03.uscope");
    if (!path) return;
    Bytes file = read_file(*path);
    const ModelView& view = *find_model_view("buffers");
    const auto rows = [&](Reader& reader) {
        TextOutput out(-1);
        view.render(reader, TextForm::csv, {}, Settings{}, out, {});
        return std::string(out.text());
    };
    Opened whole(file);
    const std::string all = rows(*whole.reader);
    for (const char* const begin : {"2", "5", "9"}) {
        CAPTURE(begin);
        Opened opened(file);
        RangedReader part(*opened.reader, parse_range(std::string(begin).append("cyc:")),
                          {std::nullopt, view.earlier, Limits{}});
        const std::string got = rows(part);
        // The first rows show the state at the start of the slice. All other rows equal the rows of the whole trace.
        const std::string first_of_both = "\n12,";
        REQUIRE(all.find(first_of_both) != std::string::npos);
        CHECK(got.substr(got.find(first_of_both)) == all.substr(all.find(first_of_both)));
        CHECK(got.find(std::string("\n").append(begin).append(",")) != std::string::npos);
    }
    Opened opened(file);
    RangedReader part(*opened.reader, parse_range("2cyc:3cyc"), {std::nullopt, view.earlier, Limits{}});
    CHECK(rows(part).find(",rob,slots,4,") != std::string::npos);
}

}  // namespace state_at_test
