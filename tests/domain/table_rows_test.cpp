#include "domain/table_rows.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "domain/conventions.hpp"
#include "domain/value_text.hpp"

namespace table_rows_test {

using namespace hwtrace;
using Content = TableColumn::Content;

constexpr TimeBase half_nanoseconds{TimeBase::Kind::seconds, 1, 2'000'000'000};

Field field(std::string_view name, Type type, bool repeated = false, Phase phase = Phase::unknown) {
    Field made;
    made.name = name;
    made.type = type;
    made.repeated = repeated;
    made.phase = phase;
    return made;
}

/// Returns a cell as text: decimal, or the text itself; "-" if it is absent, "[…]" for repeated values.
std::string cell_text(const TraceTables& tables, const TableColumn& column, const TableChunk& rows, std::size_t at,
                      std::size_t row) {
    const auto text_of = [&](std::uint64_t cell) {
        if (holds_text(column.type)) return std::string(tables.schema().text(static_cast<StringId>(cell)));
        if (const std::string* label = tables.label(column, cell)) return *label;
        if (column.type == Type::f64) {
            std::string number = std::to_string(std::bit_cast<double>(cell));
            number.erase(number.find_last_not_of('0') + 1);
            return number;
        }
        return std::to_string(static_cast<std::int64_t>(cell));
    };
    if (column.has_own_text()) return std::string(rows.own_text(at, row));
    if (column.is_repeated) {
        std::string list = "[";
        for (const std::uint64_t cell : rows.values(at, row))
            list.append(list.size() == 1 ? "" : " ").append(text_of(cell));
        return list + "]";
    }
    return rows.has(at, row) ? text_of(rows.cell(at, row)) : "-";
}

/// Collects the rows of all tables as lines "table: column=cell …".
struct Lines {
    std::vector<std::string> lines;
    std::vector<std::size_t> chunk_sizes;

    TableRows::Take take(const TraceTables& tables) {
        return [this, &tables](std::size_t index, TableChunk& rows) {
            const TraceTable& table = tables.all()[index];
            chunk_sizes.push_back(rows.size());
            for (std::size_t row = 0; row < rows.size(); ++row) {
                std::string line = table.name + ":";
                for (std::size_t at = 0; at < table.columns.size(); ++at)
                    line.append(" ")
                        .append(table.columns[at].name)
                        .append("=")
                        .append(cell_text(tables, table.columns[at], rows, at, row));
                lines.push_back(line);
            }
        };
    }
};

std::string rows_of(const Schema& schema, const Batch& batch) {
    const TraceTables tables(schema);
    Lines lines;
    TableRows rows(tables, lines.take(tables));
    rows.add(batch);
    rows.finish();
    CHECK(rows.left_out() == 0);
    std::string all;
    for (const std::string& line : lines.lines)
        all.append(line).append("\n");
    return all;
}

TEST_CASE("tables: an interval is a row with exact ticks, nanoseconds and the attributes that it has") {
    Schema schema;
    const EnumId states = schema.declare(Enum{"states", {{0, "OK"}, {1, "ERROR"}}});
    Field state = field("state", Type::enumeration, false, Phase::end);
    state.enumeration = states;
    const TrackId read = schema.declare(
        make_track(Track::Kind::stream, none, "read", half_nanoseconds,
                   {field("id", Type::u64), field("data", Type::u8, false, Phase::begin),
                    field("data", Type::u8, false, Phase::end), state, field("beats", Type::u64, true)}));
    Batch batch;
    batch.interval(read, 3, 4, std::vector<Attribute>{{0, 7}, {2, 9}, {3, 1}, {4, 5}, {4, 6}});
    batch.interval(read, 8, 0);
    CHECK(rows_of(schema, batch) ==
          "read: begin=3 begin_ns=1.5 end=7 end_ns=3.5 duration=4 duration_ns=2. id=7 data=- data_end=9 "
          "state=ERROR beats=[5 6]\n"
          "read: begin=8 begin_ns=4. end=8 end_ns=4. duration=0 duration_ns=0. id=- data=- data_end=- state=- "
          "beats=[]\n");
}

TEST_CASE("tables: intervals that end after the last tick are counted") {
    constexpr Tick latest = std::numeric_limits<Tick>::max();
    Schema schema;
    const TrackId late = schema.declare(
        make_track(Track::Kind::stream, none, "late", ordinals, {field(conventions::start_cycle, Type::u64)}));
    Batch batch;
    batch.interval(late, latest - 5, 5);
    batch.interval(late, latest, 0);
    batch.interval(late, -1, std::uint64_t{1} << 63);
    CHECK(rows_of(schema, batch).find("begin=-1 end=" + std::to_string(latest) + " ") != std::string::npos);
    const auto late_ends = [&] {
        const TraceTables tables(schema);
        TableRows rows(tables, [](std::size_t, TableChunk&) {});
        rows.add(batch);
        CHECK(rows.late_ends(late + 1) == 0);
        return rows.late_ends(late);
    };
    CHECK(late_ends() == 0);
    batch.interval(late, latest - 5, 6);
    batch.interval(late, latest, 0, std::vector<Attribute>{{0, std::uint64_t{1} << 63}});  // begins after it, too
    batch.interval(late, -1, (std::uint64_t{1} << 63) + 1);
    CHECK(late_ends() == 3);
}

TEST_CASE("tables: events, relations, changes and notes are rows with their time") {
    Schema schema;
    const ScopeId top = schema.declare(Scope{.name = "top", .parent = none, .protocol = {}, .clock = none});
    const TrackId miss = schema.declare(
        make_track(Track::Kind::event_type, top, "miss", ordinals,
                   {field("line", Type::u32), field("way", Type::u8, true), field("age", Type::u8, true)}));
    const TrackId after = schema.declare(make_track(Track::Kind::relation_type, top, "after", ordinals,
                                                    {field("from", Type::u64), field("to", Type::u64)}));
    const TrackId level = schema.declare(
        make_track(Track::Kind::signal, top, "level", ordinals, {field("", Type::i8), field("unit", Type::text)}));
    const TrackId notes = schema.declare(make_track(Track::Kind::notes, none, "", ordinals));
    Batch batch;
    batch.event(miss, 1, std::vector<std::uint64_t>{64, 1, 10, 2, 20});
    batch.relation(after, 2, std::vector<std::uint64_t>{5, 6});
    batch.change(level, 3, std::vector<Attribute>{{0, static_cast<std::uint64_t>(-4)}, {1, schema.intern("mV")}});
    batch.change(level, 4, std::vector<Attribute>{}, change_conflict);
    batch.note(notes, 5, "first");
    batch.note(notes, 6, "");
    batch.note(notes, 7, "third");
    CHECK(rows_of(schema, batch) ==
          "miss: position=1 line=64 way=[1 2] age=[10 20]\n"
          "after: position=2 from=5 to=6\n"
          "level: position=3 mark=- value=-4 unit=mV\n"
          "level: position=4 mark=1 value=- unit=-\n"
          "notes: position=5 text=first\n"
          "notes: position=6 text=\n"
          "notes: position=7 text=third\n");
}

TEST_CASE("tables: a slot of a sparse storage is a row while it is occupied") {
    Schema schema;
    Track rob =
        make_track(Track::Kind::storage, none, "rob", ordinals, {field("pc", Type::u32), field("uses", Type::u8)});
    rob.sparse = true;
    rob.slots = 4;
    const TrackId id = schema.declare(rob);
    Batch batch;
    batch.set(id, 1, 2, 0, 0x100);
    batch.set(id, 1, 3, 0, 0x104);
    batch.add(id, 2, 2, 1, 255);
    batch.add(id, 3, 2, 1, 2);
    batch.clear_slot(id, 5, 2);
    batch.clear_slot(id, 6, 2);  // already free
    batch.set(id, 7, 2, 1, 1);
    CHECK(rows_of(schema, batch) ==
          "rob: slot=2 begin=1 end=5 duration=4 pc=256 uses=1\n"
          "rob: slot=3 begin=1 end=- duration=- pc=260 uses=-\n"
          "rob: slot=2 begin=7 end=- duration=- pc=- uses=1\n");
    const TraceTables tables(schema);
    TableRows rows(tables, [](std::size_t, TableChunk&) {});
    rows.add(batch);
    CHECK(rows.earlier_values(id) == 1);  // the value before the second addition
    CHECK(rows.earlier_values(id + 1) == 0);
}

TEST_CASE("tables: a group of changes of a dense storage, or of its properties, is a row with all values") {
    Schema schema;
    Track registers =
        make_track(Track::Kind::storage, none, "x", ordinals, {field("value", Type::u64), field("hits", Type::u8)});
    registers.slots = 2;
    registers.properties = {field("head", Type::u8), field("tail", Type::u8)};
    const TrackId id = schema.declare(registers);
    Batch batch;
    batch.set(id, 1, 0, 0, 10);
    batch.add(id, 1, 0, 1, 1);
    batch.set(id, 1, 1, 0, 20);
    batch.set_property(id, 1, 1, 3);
    batch.add(id, 2, 0, 1, 1);
    batch.clear_slot(id, 3, 0);
    batch.set_property(id, 4, 0, 2);
    CHECK(rows_of(schema, batch) ==
          "x: position=1 slot=0 value=10 hits=1\n"
          "x: position=1 slot=1 value=20 hits=0\n"
          "x: position=2 slot=0 value=10 hits=2\n"
          "x: position=3 slot=0 value=0 hits=0\n"
          "x.properties: position=1 head=0 tail=3\n"
          "x.properties: position=4 head=2 tail=3\n");
}

TEST_CASE("tables: a text of a dense storage, or a property, is absent until it is set") {
    Schema schema;
    const std::uint64_t foreign = schema.intern("foreign"), own = schema.intern("own");
    Track names = make_track(Track::Kind::storage, none, "x", ordinals, {field("n", Type::u8), field("s", Type::text)});
    names.slots = 2;
    names.properties = {field("m", Type::u8), field("p", Type::label)};
    const TrackId id = schema.declare(names);
    Batch batch;
    batch.set(id, 1, 0, 0, 10);
    batch.set(id, 2, 0, 1, own);
    batch.clear_slot(id, 3, 0);
    batch.set_property(id, 1, 0, 3);
    batch.set_property(id, 2, 1, foreign);
    CHECK(rows_of(schema, batch) ==
          "x: position=1 slot=0 n=10 s=-\n"
          "x: position=2 slot=0 n=10 s=own\n"
          "x: position=3 slot=0 n=0 s=-\n"
          "x.properties: position=1 m=3 p=-\n"
          "x.properties: position=2 m=3 p=foreign\n");
}

TEST_CASE("tables: an instruction is a row with lists of its registers and accesses") {
    Schema schema;
    const TrackId hart = schema.declare(make_track(Track::Kind::hart, none, "core0", ordinals));
    Batch batch;
    batch.operand(10, RegisterClass::integer, OperandRole::source, 7);
    batch.operand(14, RegisterClass::integer, OperandRole::destination, 8);
    batch.access(0x1000, 8, 0, AccessType::read);
    Instruction& load = batch.instruction(hart, 0, 0x80);
    load.encoding = 0x13;
    load.size = 4;
    CHECK(
        rows_of(schema, batch) ==
        "core0: position=0 pc=128 inst_bits=19 size=4 target=- register_class=[x x] register_role=[source destination] "
        "register=[10 14] value=[7 8] words=[] word=[] access_type=[read] address=[4096] access_size=[8] "
        "attributes=[] data_words=[0] data=[] instruction_order=[]\n");
}

TEST_CASE("tables: with symbols, instructions have their function, offset and source") {
    Schema schema;
    const TrackId hart = schema.declare(make_track(Track::Kind::hart, none, "core0", ordinals));
    Batch batch;
    for (const std::uint64_t pc : {0x84U, 0x90U})
        batch.instruction(hart, static_cast<Tick>(pc), pc).size = 4;
    const TraceTables tables(schema, Symbols::of({{0x80, 0x90, "main"}}));
    const TraceTable& table = tables.all()[0];
    const std::size_t function = table.find(Content::function);
    REQUIRE(function + 3 == table.columns.size());
    CHECK(tables.labels(table.columns[function])->values == std::vector<EnumValue>{{0, "main"}});
    CHECK(tables.labels(table.columns.back()) == nullptr);
    Lines lines;
    TableRows rows(tables, lines.take(tables));
    rows.add(batch);
    rows.finish();
    REQUIRE(lines.lines.size() == 2);
    CHECK(lines.lines[0].ends_with(" instruction_order=[] function=main function_offset=4 source=-"));
    CHECK(lines.lines[1].ends_with(" instruction_order=[] function=- function_offset=- source=-"));

    std::vector<std::uint8_t> wanted(table.columns.size(), 0);
    wanted[function + 1] = 1;
    TableRows narrow(tables, {0}, [&](std::size_t, TableChunk& chunk) {
        CHECK(chunk.cells(function).empty());
        CHECK(chunk.cell(function + 1, 0) == 4);
        CHECK_FALSE(chunk.has(function + 1, 1));
    });
    narrow.choose_columns(0, wanted);
    narrow.add(batch);
    narrow.finish();
}

TEST_CASE("tables: names differ in more than the case of letters, and short names are used where they are unique") {
    Schema schema;
    const ScopeId a = schema.declare(Scope{.name = "a", .parent = none, .protocol = {}, .clock = none});
    const ScopeId b = schema.declare(Scope{.name = "b", .parent = none, .protocol = {}, .clock = none});
    const auto declare = [&](ScopeId scope, std::string_view name) {
        schema.declare(make_track(Track::Kind::event_type, scope, name, ordinals,
                                  {field("x", Type::u8), field("X", Type::u8), field("Position", Type::u8)}));
    };
    declare(a, "miss");
    declare(b, "Miss");
    declare(b, "miss");
    declare(a, "hit");
    const TraceTables tables(schema);
    std::vector<std::string> names;
    for (const TraceTable& table : tables.all())
        names.push_back(table.name);
    CHECK(names == std::vector<std::string>{"a/miss", "b/Miss", "b/miss_2", "hit"});
    CHECK(tables.find("HIT") == 3);
    CHECK(tables.find("a/hit") == 3);
    CHECK(tables.find("miss") == tables.all().size());
    names.clear();
    for (const TableColumn& column : tables.all()[0].columns)
        names.push_back(column.name);
    CHECK(names == std::vector<std::string>{"position", "x", "X_2", "Position_2"});
}

TEST_CASE("tables: names that are not UTF-8 are repaired and still differ") {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{.name = "s\xFF", .parent = none, .protocol = {}, .clock = none});
    for (const char* const name : {"t\xFE", "t\xFF"})
        schema.declare(make_track(Track::Kind::event_type, scope, name, ordinals,
                                  {field("a\xFE", Type::u8), field("a\xFF", Type::u8)}));
    const TraceTables tables(schema);
    CHECK(tables.all()[0].name == "s\uFFFD/t\uFFFD");
    CHECK(tables.all()[1].name == "s\uFFFD/t\uFFFD_2");
    CHECK(tables.all()[1].columns[1].name == "a\uFFFD");
    CHECK(tables.all()[1].columns[2].name == "a\uFFFD_2");
}

TEST_CASE("tables: chunks are handed out when they are full or when all together need too much memory") {
    Schema schema;
    std::vector<TrackId> tracks;
    for (int i = 0; i < 100; ++i)
        tracks.push_back(schema.declare(make_track(Track::Kind::event_type, none, "event" + std::to_string(i), ordinals,
                                                   {field("number", Type::u64)})));
    const TraceTables tables(schema);
    std::map<std::size_t, std::uint64_t> next;
    std::size_t largest = 0;
    TableRows rows(
        tables,
        [&](std::size_t table, TableChunk& chunk) {
            largest = std::max(largest, chunk.size());
            for (std::size_t row = 0; row < chunk.size(); ++row)
                REQUIRE(chunk.cell(1, row) == next[table]++);
        },
        1000);
    Batch batch;
    for (std::uint64_t number = 0; number < 1200; ++number) {
        batch.clear();
        for (const TrackId track : tracks)
            batch.event(track, 0, std::vector<std::uint64_t>{number});
        rows.add(batch);
    }
    rows.finish();
    CHECK(largest == 1000);
    CHECK(next.size() == 100);
    for (const auto& [table, count] : next)
        CHECK(count == 1200);
}

TEST_CASE("tables: a chunk with long texts or lists is handed out early") {
    Schema schema;
    const TrackId notes = schema.declare(make_track(Track::Kind::notes, none, "notes", ordinals));
    const TrackId events =
        schema.declare(make_track(Track::Kind::event_type, none, "event", ordinals, {field("x", Type::u64, true)}));
    const TraceTables tables(schema);
    std::size_t largest = 0, bytes = 0;
    TableRows rows(tables, [&](std::size_t, TableChunk& chunk) {
        largest = std::max(largest, chunk.bytes());
        bytes += chunk.bytes();
    });
    const std::string text(std::size_t{1} << 20, 'x');
    const std::vector<std::uint64_t> list(text.size() / sizeof(std::uint64_t));
    for (int i = 0; i < 40; ++i) {
        Batch batch;
        batch.note(notes, i, text);
        batch.event(events, i, list);
        rows.add(batch);
    }
    rows.finish();
    CHECK(bytes > 80 * text.size());
    CHECK(largest < TableRows::most_bytes + 2 * text.size());
}

TEST_CASE("tables: only the wanted tables get rows, and records without a place are counted") {
    Schema schema;
    const TrackId a = schema.declare(make_track(Track::Kind::stream, none, "a", ordinals, {field("x", Type::u8)}));
    const TrackId b = schema.declare(make_track(Track::Kind::event_type, none, "b", ordinals));
    const TraceTables tables(schema);
    const TrackId late = schema.declare(make_track(Track::Kind::event_type, none, "late", ordinals));
    Lines lines;
    TableRows rows(tables, {tables.find("a")}, lines.take(tables));
    Batch batch;
    batch.interval(a, 0, 1, std::vector<Attribute>{{0, 1}, {0, 2}, {9, 3}});
    batch.event(b, 1, 0);
    batch.event(late, 2, 0);
    rows.add(batch);
    rows.finish();
    CHECK(lines.lines == std::vector<std::string>{"a: begin=0 end=1 duration=1 x=1"});
    CHECK(rows.left_out() == 3);
}

}  // namespace table_rows_test
