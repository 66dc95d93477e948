#include "convert/model_dump.hpp"

#include <doctest/doctest.h>

#include <array>

#include "support/instruction_support.hpp"

namespace model_dump_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

std::string schema_text(const Schema& schema) {
    TextOutput text(-1);
    dump_schema(schema, text);
    return std::string(text.text());
}

std::string note_text(std::string_view note) {
    Schema schema;
    Track track;
    track.kind = Track::Kind::notes;
    track.name = "n";
    schema.declare(track);
    Batch batch;
    batch.note(0, 0, note);
    return lines_of(schema, batch).at(0).substr(std::string("0 note n ").size());
}

}  // namespace

TEST_CASE("quoted texts identify every byte") {
    CHECK(note_text("plain") == R"("plain")");
    CHECK(note_text("") == R"("")");
    CHECK(note_text("a\"b\\c\nd\te") == R"("a\"b\\c\nd\te")");
    CHECK(note_text(std::string_view("\0\x01\x7F", 3)) == R"("\x00\x01\x7f")");
    CHECK(note_text("µ € 😀") == "\"µ € 😀\"");
    CHECK(note_text("\xFF\xC0\x80") == R"("\xff\xc0\x80")");
    CHECK(note_text("cut \xE2\x82") == R"("cut \xe2\x82")");
    CHECK(note_text("\xE2\x82x") == R"("\xe2\x82x")");
}

TEST_CASE("the schema lists every object with its id") {
    Schema schema;
    schema.declare(Clock{"clk", 500});
    schema.declare(Scope{"/", none, {}, none});
    schema.declare(Scope{"core", 0, "cpu", 0});
    schema.declare(Enum{"stage", {{0, "fetch"}, {9, "commit"}}});
    Track storage;
    storage.kind = Track::Kind::storage;
    storage.scope = 1;
    storage.name = "rob";
    storage.time = picoseconds;
    storage.slots = 8;
    storage.sparse = true;
    storage.buffer = true;
    storage.fields = {{"id", Type::u32}, {"stage", Type::enumeration, 0}};
    storage.properties = {{"head", Type::u16, none, false, 1, 3}, {"tail", Type::u16, none, false, 2, 3}};
    schema.declare(storage);
    schema.describe("key", "a\nvalue");
    CHECK(schema_text(schema) ==
          "clock 0 \"clk\" period_ps=500\n"
          "scope 0 \"/\"\n"
          "scope 1 \"core\" parent=0 protocol=\"cpu\" clock=0\n"
          "enum 0 \"stage\" 0=\"fetch\" 9=\"commit\"\n"
          "track 0 storage \"rob\" scope=1 time=seconds*1/1000000000000 slots=8 sparse buffer "
          "fields=id:u32,stage:enum(0) properties=head:u16 head 1/3,tail:u16 tail 2/3\n"
          "metadata \"key\" = \"a\\nvalue\"\n");
}

TEST_CASE("cells are printed by their type") {
    Schema schema;
    schema.declare(Enum{"e", {{1, "one"}}});
    Track track;
    track.kind = Track::Kind::event_type;
    track.name = "all";
    track.fields = {{"u8", Type::u8},
                    {"i8", Type::i8},
                    {"u64", Type::u64},
                    {"t", Type::text},
                    {"b", Type::boolean},
                    {"known", Type::enumeration, 0},
                    {"other", Type::enumeration, 0}};
    schema.declare(track);
    const StringId text = schema.intern("x");
    Batch batch;
    const std::array<std::uint64_t, 7> cells{255, static_cast<std::uint64_t>(-3), 255, text, 1, 1, 2};
    batch.event(0, -5, cells);
    CHECK(lines_of(schema, batch) ==
          std::vector<std::string>{"-5 event all u8=255 i8=-3 u64=255 t=\"x\" b=1 known=one other=2"});
}

TEST_CASE("changes show the values of a signal, their absence and their marks") {
    Schema schema;
    const TrackId bus = schema.declare(make_track(Track::Kind::signal, none, "bus", picoseconds,
                                                  {{.name = "value", .type = Type::u64, .width = 9},
                                                   {.name = "ready", .type = Type::u64, .width = 1},
                                                   {.name = "raw", .type = Type::blob}}));
    CHECK(schema_text(schema).find("value:u64 width=9,ready:u64 width=1,raw:blob") != std::string::npos);
    Batch batch;
    batch.change(bus, 5, Attribute{0, 0x1F});
    const std::array<Attribute, 2> both{Attribute{1, 1}, Attribute{2, schema.intern(std::string_view("\0\xFF", 2))}};
    batch.change(bus, 6, both, change_conflict);
    batch.change(bus, 7, std::span<const Attribute>(), 17).flags = record_no_value;
    batch.change(bus, 8, std::span<const Attribute>());
    Batch copy;
    for (const Record& record : batch.records())
        copy.copy(batch, record, record.track);
    for (const Batch* each : {&batch, &copy}) {
        const std::vector<std::string> lines = lines_of(schema, *each);
        REQUIRE(lines.size() == 4);
        CHECK(lines[0] == "5 change bus value=0x01f");
        CHECK(lines[1] == "6 change bus ready=1 raw=bytes:00ff mark=1");
        CHECK(lines[2] == "7 change bus no value mark=17");
        CHECK(lines[3] == "8 change bus");
    }
}

TEST_CASE("an instruction's line has all of its parts") {
    const Trace trace;
    Batch batch;
    batch.operand(10, RegisterClass::integer, OperandRole::source, 0);
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
    CHECK(lines_of(trace.schema, batch) ==
          std::vector<std::string>{
              "3 instruction core0/core0 pc=0x1000 encoding=0x13 size=4 target=0x2000 source:x10=0x0 "
              "destination:v2=[0x1 0xff] write:0x80 size=4 attributes=0x1 data=[0x5] order=at"});
}

}  // namespace model_dump_test
