#include "views/model_data.hpp"

#include <doctest/doctest.h>

#include <array>

#include "convert/model_dump.hpp"
#include "io/error.hpp"
#include "select/derived_schema.hpp"
#include "support/instruction_support.hpp"
#include "support/npu.hpp"

namespace model_data_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

Settings settings(JsonIntegers integers = JsonIntegers::numbers) {
    Settings settings;
    settings.tool = "test";
    settings.version = "1.2.3";
    settings.json_integers = integers;
    return settings;
}

std::string data(Schema& schema, std::vector<Stepwise::Step> steps, TextForm form,
                 JsonIntegers integers = JsonIntegers::numbers) {
    Stepwise reader(schema, std::move(steps));
    TextOutput out(-1);
    dump_model_data(reader, form, settings(integers), out);
    return std::string(out.text());
}

/// Returns the line of the only record of `batch`. In JSON, the line starts at the id of its track.
std::string record_text(Schema& schema, const Batch& batch, TextForm form) {
    const Record& record = batch.records()[0];
    std::string text = data(schema, {[&](Batch& to) { to.copy(batch, record, record.track); }}, form);
    text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

/// A storage with a property. Its fields have many types.
struct Table {
    Schema schema;
    TrackId id = none;

    Table() {
        schema.declare(Enum{"stage", {{1, "fetch"}}});
        Track track;
        track.kind = Track::Kind::storage;
        track.name = "rob";
        track.time = picoseconds;
        track.slots = 8;
        track.fields = {{"id", Type::u64},    {"delta", Type::i8}, {"stage", Type::enumeration, 0},
                        {"name", Type::text}, {"rate", Type::f64}, {"on", Type::boolean}};
        track.properties = {{"head", Type::u16}};
        id = schema.declare(track);
    }

    std::string set(std::uint16_t field, std::uint64_t value, TextForm form) {
        Batch batch;
        batch.set(id, 7, 3, field, value);
        const std::string text = record_text(schema, batch, form);
        const std::string before = form == TextForm::csv
                                       ? "7,set,,rob,0,,3,"
                                       : R"({"type":"set","time":7,"track":"rob","track_id":0,"slot":3,)";
        REQUIRE(text.starts_with(before));
        return text.substr(before.size());
    }
};

}  // namespace

TEST_CASE("JSON lines: the schema, then one line per record; later declarations precede their first use") {
    Npu npu;
    TrackId mac = none, dma = none;
    const std::vector<Stepwise::Step> steps{
        [&](Batch& batch) {
            mac = npu.stream(0, "MAC");
            batch.interval(mac, 5, 10);
        },
        [&](Batch& batch) {
            const auto name = npu.schema.add_attribute(mac, {"api_name", Type::text});
            const std::array<Attribute, 1> attribute{Attribute{name, npu.schema.intern("a\"b")}};
            batch.interval(mac, 15, 0, attribute);
            dma = npu.stream(1, "DMA", 1, 0);
            batch.interval(dma, 3, 1);
            npu.schema.describe("late", "yes");
        },
    };
    SUBCASE("jsonl") {
        CHECK(data(npu.schema, steps, TextForm::jsonl) ==
              R"({"schema":"hwtrace-jsonl/1","tool":"test","version":"1.2.3"}
{"type":"scope","id":0,"name":"npu"}
{"type":"scope","id":1,"name":"core0","parent":0}
{"type":"scope","id":2,"name":"core1","parent":0}
{"type":"track","id":0,"kind":"stream","name":"MAC","scope":1,"time":{"base":"cycles","num":1,"den":1000000000}}
{"type":"interval","time":5,"scope":"core0","track":"MAC","track_id":0,"duration":10}
{"type":"track","id":1,"kind":"stream","name":"DMA","scope":2,"time":{"base":"cycles","num":1,"den":0}}
{"type":"metadata","key":"late","value":"yes"}
{"type":"attribute","track_id":0,"field":{"name":"api_name","type":"text"}}
{"type":"interval","time":15,"scope":"core0","track":"MAC","track_id":0,"duration":0,"attributes":{"api_name":"a\"b"}}
{"type":"interval","time":3,"scope":"core1","track":"DMA","track_id":1,"duration":1}
)");
    }
    SUBCASE("json") {
        CHECK(data(npu.schema, steps, TextForm::json) ==
              R"({"schema":"hwtrace-model/1","tool":"test","version":"1.2.3",
"records":[
{"type":"interval","time":5,"scope":"core0","track":"MAC","track_id":0,"duration":10},
{"type":"interval","time":15,"scope":"core0","track":"MAC","track_id":0,"duration":0,"attributes":{"api_name":"a\"b"}},
{"type":"interval","time":3,"scope":"core1","track":"DMA","track_id":1,"duration":1}],
"clocks":[],
"scopes":[
{"type":"scope","id":0,"name":"npu"},
{"type":"scope","id":1,"name":"core0","parent":0},
{"type":"scope","id":2,"name":"core1","parent":0}],
"enums":[],
"tracks":[
{"type":"track","id":0,"kind":"stream","name":"MAC","scope":1,"time":{"base":"cycles","num":1,"den":1000000000},"fields":[{"name":"api_name","type":"text"}]},
{"type":"track","id":1,"kind":"stream","name":"DMA","scope":2,"time":{"base":"cycles","num":1,"den":0}}],
"metadata":[
{"type":"metadata","key":"late","value":"yes"}]}
)");
    }
    SUBCASE("csv") {
        CHECK(data(npu.schema, steps, TextForm::csv) ==
              "time,kind,scope,track,track_id,duration,slot,field,value,details\n"
              "5,interval,core0,MAC,0,10,,,,\n"
              "15,interval,core0,MAC,0,0,,,,\"{\"\"api_name\"\":\"\"a\\\"\"b\"\"}\"\n"
              "3,interval,core1,DMA,1,1,,,,\n");
    }
    SUBCASE("text") {
        Stepwise reader(npu.schema, steps);
        TextOutput out(-1);
        dump_model(reader, out);
        CHECK(std::string(out.text()) ==
              "scope 0 \"npu\"\nscope 1 \"core0\" parent=0\nscope 2 \"core1\" parent=0\n"
              "track 0 stream \"MAC\" scope=1 time=cycles*1/1000000000\n"
              "5 interval core0/MAC duration=10\n"
              "track 1 stream \"DMA\" scope=2 time=cycles*1/0\n"
              "metadata \"late\" = \"yes\"\n"
              "track 0 also fields=api_name:text\n"
              "15 interval core0/MAC duration=0 api_name=\"a\\\"b\"\n"
              "3 interval core1/DMA duration=1\n");
    }
}

TEST_CASE("later labels precede their first use, also in a slice") {
    Npu npu;
    TrackId mac = none;
    EnumId states = none;
    const auto use = [&](Batch& batch, Tick time, std::uint64_t value) {
        const std::array<Attribute, 1> attribute{Attribute{0, value}};
        batch.interval(mac, time, 1, attribute);
    };
    const std::vector<Stepwise::Step> steps{
        [&](Batch& batch) {
            states = npu.schema.declare(Enum{"state", {{0, "idle"}}});
            mac = npu.stream(0, "MAC");
            npu.schema.add_attribute(mac, {"state", Type::enumeration, states});
            use(batch, 5, 0);
        },
        [&](Batch& batch) {
            npu.schema.add_label(states, {7, "busy"});
            use(batch, 6, 7);
        },
    };
    SUBCASE("jsonl") {
        CHECK(data(npu.schema, steps, TextForm::jsonl)
                  .ends_with("{\"type\":\"label\",\"enum_id\":0,\"label\":{\"value\":7,\"name\":\"busy\"}}\n"
                             "{\"type\":\"interval\",\"time\":6,\"scope\":\"core0\",\"track\":\"MAC\",\"track_id\":0,"
                             "\"duration\":1,"
                             "\"attributes\":{\"state\":\"busy\"}}\n"));
    }
    SUBCASE("text") {
        Stepwise reader(npu.schema, steps);
        TextOutput out(-1);
        dump_model(reader, out);
        CHECK(out.text().ends_with("enum 0 also 7=\"busy\"\n6 interval core0/MAC duration=1 state=busy\n"));
    }
    SUBCASE("copied") {
        DerivedSchema copy(npu.schema);
        Batch batch;
        for (const Stepwise::Step& step : steps) {
            step(batch);
            copy.follow(batch);
            CHECK(copy.schema().enums() == npu.schema.enums());
        }
    }
}

TEST_CASE("a trace without records still has its schema") {
    Npu npu;
    npu.schema.describe("key", "value");
    const std::string lines = data(npu.schema, {}, TextForm::jsonl);
    CHECK(lines.ends_with("{\"type\":\"metadata\",\"key\":\"key\",\"value\":\"value\"}\n"));
    CHECK(data(npu.schema, {}, TextForm::json).find("\"records\":[],") != std::string::npos);
    CHECK_THROWS_AS(data(npu.schema, {}, TextForm::text), Error);
}

TEST_CASE("changes of state name slot, field and value by type") {
    Table table;
    CHECK(table.set(0, UINT64_MAX, TextForm::jsonl) == R"("field":"id","value":18446744073709551615})");
    CHECK(table.set(1, static_cast<std::uint64_t>(-3), TextForm::jsonl) == R"("field":"delta","value":-3})");
    CHECK(table.set(2, 1, TextForm::jsonl) == R"("field":"stage","value":"fetch"})");
    CHECK(table.set(2, 9, TextForm::jsonl) == R"("field":"stage","value":9})");
    CHECK(table.set(3, table.schema.intern("x,y"), TextForm::jsonl) == R"("field":"name","value":"x,y"})");
    CHECK(table.set(4, 0x3FB999999999999A, TextForm::jsonl) == R"("field":"rate","value":0.1})");
    CHECK(table.set(4, 0x7FF0000000000000, TextForm::jsonl) == R"("field":"rate","value":"Infinity"})");
    CHECK(table.set(5, 1, TextForm::jsonl) == R"("field":"on","value":true})");
    CHECK(table.set(9, 4, TextForm::jsonl) == R"("field":9,"value":4})");
    CHECK(table.set(0, UINT64_MAX, TextForm::csv) == "id,18446744073709551615,");
    CHECK(table.set(1, static_cast<std::uint64_t>(-3), TextForm::csv) == "delta,-3,");
    CHECK(table.set(2, 1, TextForm::csv) == "stage,fetch,");
    CHECK(table.set(3, table.schema.intern("x,y"), TextForm::csv) == "name,\"x,y\",");
    CHECK(table.set(4, 0x7FF0000000000000, TextForm::csv) == "rate,Infinity,");
    CHECK(table.set(9, 4, TextForm::csv) == "9,4,");

    Batch property, clear;
    property.set_property(table.id, 1, 0, 5);
    clear.clear_slot(table.id, 1, 6);
    CHECK(record_text(table.schema, property, TextForm::jsonl) ==
          R"({"type":"set","time":1,"track":"rob","track_id":0,"property":"head","value":5})");
    CHECK(record_text(table.schema, property, TextForm::csv) == "1,set,,rob,0,,,head,5,");
    CHECK(record_text(table.schema, clear, TextForm::jsonl) ==
          R"({"type":"clear","time":1,"track":"rob","track_id":0,"slot":6})");
    CHECK(record_text(table.schema, clear, TextForm::csv) == "1,clear,,rob,0,,6,,,");
}

TEST_CASE("events have their fields, then repeated fields as rows") {
    Trace trace;
    Batch batch;
    const std::array<std::uint64_t, 5> cells{1, 2, 3, 4, 5};
    batch.event(trace.walk, 9, cells).flags = record_first_of_frame;
    const std::string rows = R"("rows":[{"pte_address":2,"pte":3},{"pte_address":4,"pte":5}]})";
    CHECK(record_text(trace.schema, batch, TextForm::jsonl) ==
          R"({"type":"event","time":9,"frame":true,"scope":"core0","track":"stf.page_table_walk","track_id":)" +
              std::to_string(trace.walk) + ",\"fields\":{\"address\":1}," + rows);
    CHECK(record_text(trace.schema, batch, TextForm::csv).find(R"({""address"":1,""rows"":[{""pte_)") !=
          std::string::npos);
}

TEST_CASE("relations have their fields; repeated attributes are arrays") {
    Schema schema;
    Track track;
    track.kind = Track::Kind::relation_type;
    track.name = "waits";
    track.fields = {{"from", Type::u64}, {"to", Type::u64}};
    const TrackId waits = schema.declare(track);
    track.kind = Track::Kind::stream;
    track.name = "bus";
    track.fields = {{"size", Type::u8}, {"data", Type::u64, none, true}, {"mask", Type::u64, none, true}};
    const TrackId bus = schema.declare(track);
    Batch relation, interval;
    const std::array<std::uint64_t, 2> ends{1, 2};
    relation.relation(waits, 3, ends);
    CHECK(record_text(schema, relation, TextForm::jsonl) ==
          R"({"type":"relation","time":3,"track":"waits","track_id":0,"fields":{"from":1,"to":2}})");
    CHECK(record_text(schema, relation, TextForm::csv) == R"(3,relation,,waits,0,,,,,"{""from"":1,""to"":2}")");
    const std::array<Attribute, 4> attributes{{{0, 2}, {1, 5}, {1, 7}, {2, 6}}};
    interval.interval(bus, 3, 0, attributes);
    CHECK(record_text(schema, interval, TextForm::jsonl) ==
          R"({"type":"interval","time":3,"track":"bus","track_id":1,"duration":0,)"
          R"("attributes":{"size":2,"data":[5,7],"mask":[6]}})");
    Batch mixed;
    const std::array<Attribute, 3> again{{{1, 5}, {2, 6}, {1, 7}}};
    mixed.interval(bus, 3, 0, again);
    CHECK(record_text(schema, mixed, TextForm::jsonl).ends_with(R"("attributes":[["data",5],["mask",6],["data",7]]})"));
}

TEST_CASE("attributes keep their order, and each field has its own key") {
    Schema schema;
    Track track;
    track.kind = Track::Kind::stream;
    track.name = "read";
    track.fields = {{"id", Type::u64},
                    {.name = "addr", .type = Type::u64, .phase = Phase::begin},
                    {.name = "addr", .type = Type::i64, .phase = Phase::record},
                    {.name = "addr", .type = Type::boolean, .phase = Phase::record},
                    {.name = "ok", .type = Type::boolean, .phase = Phase::end}};
    const TrackId read = schema.declare(track);
    Batch batch;
    const std::array<Attribute, 6> attributes{{{0, 7}, {4, 1}, {2, 5}, {2, 6}, {1, 9}, {3, 1}}};
    batch.interval(read, 3, 4, attributes);
    CHECK(record_text(schema, batch, TextForm::jsonl) ==
          R"({"type":"interval","time":3,"track":"read","track_id":0,"duration":4,)"
          R"("attributes":{"id":7,"ok":true,"addr@record":[5,6],"addr":9,"addr#3":true}})");
    const std::string lines = data(schema, {}, TextForm::jsonl);
    CHECK(lines.find(R"({"name":"addr","key":"addr@record","type":"i64","phase":"record"})") != std::string::npos);
    CHECK(lines.find(R"({"name":"addr","key":"addr#3","type":"bool","phase":"record"})") != std::string::npos);
}

TEST_CASE("an instruction's object holds all of its parts") {
    Trace trace;
    Batch batch;
    batch.operand(10, RegisterClass::integer, OperandRole::source, 1);
    const std::array<std::uint64_t, 2> words{1, 0xFF};
    batch.vector_operand(2, OperandRole::destination, words);
    batch.access(0x80, 4, 1, AccessType::write);
    batch.access_data(5);
    Instruction& instruction = batch.instruction(trace.hart, 3, 0x1000);
    instruction.encoding = 0x13;
    instruction.size = 4;
    instruction.has_target = true;
    instruction.target = 0x2000;
    const std::array<Part, 2> order{Part::access, Part::target};
    batch.set_order(instruction, order);
    const std::string parts =
        R"("encoding":19,"size":4,"target":8192,"operands":[{"role":"source","register":"x10","value":1},)"
        R"({"role":"destination","register":"v2","words":[1,255]}],)"
        R"("accesses":[{"type":"write","address":128,"size":4,"attributes":1,"data":[5]}],"order":"at"})";
    const std::string id = std::to_string(trace.hart);
    CHECK(record_text(trace.schema, batch, TextForm::jsonl) ==
          R"({"type":"instruction","time":3,"scope":"core0","track":"core0","track_id":)" + id + ",\"pc\":4096," +
              parts);
    Batch bare;
    bare.instruction(trace.hart, 3, 0x1000).size = 2;
    CHECK(record_text(trace.schema, bare, TextForm::csv) ==
          "3,instruction,core0,core0," + id + ",,,,4096,\"{\"\"encoding\"\":0,\"\"size\"\":2}\"");
}

TEST_CASE("notes are printed as text, native records as bytes") {
    Trace trace;
    Batch note, empty, native;
    note.note(trace.notes, 1, "a\nb\xFF");
    empty.note(trace.notes, 1, "");
    const std::array<std::byte, 3> bytes{std::byte{0}, std::byte{0xAB}, std::byte{0x10}};
    native.native(trace.native, 2, bytes);
    CHECK(record_text(trace.schema, note, TextForm::jsonl).ends_with(R"("text":{"bytes":"610a62ff"}})"));
    CHECK(record_text(trace.schema, empty, TextForm::jsonl).ends_with("\"text\":\"\"}"));
    CHECK(record_text(trace.schema, native, TextForm::jsonl).ends_with("\"bytes\":\"00ab10\"}"));
    CHECK(record_text(trace.schema, native, TextForm::csv).ends_with(",,,,,\"{\"\"bytes\"\":\"\"00ab10\"\"}\""));
}

TEST_CASE("integers beyond 2^53 are printed as strings if requested") {
    Npu npu;
    const TrackId mac = npu.stream(0, "MAC");
    const auto duration = [&](std::uint64_t value, JsonIntegers integers) {
        return data(npu.schema, {[&](Batch& batch) { batch.interval(mac, INT64_MIN, value); }}, TextForm::jsonl,
                    integers);
    };
    constexpr std::uint64_t exact = std::uint64_t{1} << 53;
    CHECK(duration(exact, JsonIntegers::strings).ends_with("\"duration\":9007199254740992}\n"));
    CHECK(duration(exact + 1, JsonIntegers::strings).ends_with("\"duration\":\"9007199254740993\"}\n"));
    CHECK(duration(exact + 1, JsonIntegers::numbers).ends_with("\"duration\":9007199254740993}\n"));
    CHECK(duration(1, JsonIntegers::strings).find("\"time\":\"-9223372036854775808\"") != std::string::npos);
}

}  // namespace model_data_test
