// tests/formats/tables_test.cpp - tests of Parquet's encodings against bytes of its specification, and of written
// tables against a reader of our own.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/writer.hpp"
#include "formats.hpp"
#include "formats/parquet_reader.hpp"
#include "io/cursor.hpp"
#include "io/output_folder.hpp"
#include "support/corpus.hpp"
#include "tables/cell_dictionary.hpp"
#include "tables/parquet_encodings.hpp"
#include "tables/parquet_wire.hpp"

namespace hwtrace::tables_test {
namespace {

std::string hex(const Appender& bytes) {
    std::string text;
    for (const std::byte byte : bytes.span()) {
        constexpr const char* digits = "0123456789abcdef";
        text += digits[std::to_integer<unsigned>(byte) >> 4];
        text += digits[std::to_integer<unsigned>(byte) & 15];
    }
    return text;
}

template <typename Write>
std::string hex_of(Write&& write) {
    Appender out;
    write(out);
    return hex(out);
}

using Numbers = std::vector<std::uint64_t>;

Field field(std::string_view name, Type type, bool is_repeated = false) {
    Field made;
    made.name = name;
    made.type = type;
    made.repeated = is_repeated;
    return made;
}

/// Writes batches as one file.
Bytes single_file(std::string_view format, const Schema& schema, const std::vector<Batch>& batches,
                  const Settings& settings = {}) {
    Bytes file;
    Losses losses;
    const auto output = open_memory_output("tables", [&](Bytes bytes) { file = std::move(bytes); });
    const auto writer = find_format(targets(), format)->create(*output, schema, settings, losses);
    for (const Batch& batch : batches)
        writer->write(batch);
    writer->finish();
    output->commit();
    CHECK(losses.none());
    return file;
}

/// Writes batches as a folder.
void write_folder(const std::filesystem::path& path, std::string_view format, const Schema& schema,
                  const std::vector<Batch>& batches, const Settings& settings = {}) {
    Losses losses;
    const Format& to = *find_format(targets(), format);
    const auto output = open_target(to, settings, path.string(), Existing::refuse);
    const auto writer = to.create(*output, schema, settings, losses);
    for (const Batch& batch : batches)
        writer->write(batch);
    writer->finish();
    output->commit();
}

ParquetTable read_table(const std::filesystem::path& path) {
    const std::string text = test::read_text(path);
    const auto bytes = as_bytes(text);
    return read_parquet(Bytes(bytes.begin(), bytes.end()));
}

/// Returns the numbers of a column, one a row; absent values are -1.
std::vector<std::int64_t> numbers_of(const ParquetColumn& column) {
    std::vector<std::int64_t> numbers;
    for (const auto& row : column.rows)
        numbers.push_back(row.empty() ? -1 : row.front().number);
    return numbers;
}
std::string texts_of(const ParquetColumn& column) {
    std::string texts;
    for (const auto& row : column.rows) {
        texts += texts.empty() ? "[" : " [";
        for (std::size_t i = 0; i < row.size(); ++i)
            texts.append(i == 0 ? "" : ",").append(column.physical == 6 ? row[i].bytes : std::to_string(row[i].number));
        texts += "]";
    }
    return texts;
}

std::string stored(std::uint64_t number, std::size_t width) {
    std::string bytes;
    for (std::size_t i = 0; i < width; ++i)
        bytes.push_back(static_cast<char>(number >> i * 8));
    return bytes;
}

/// Fields of all types. Text ids 0 and 1 are "" and "b\xFF".
struct AllTypes {
    AllTypes() {
        const ScopeId top = schema.declare(Scope{"top", none, "", none});
        const EnumId states = schema.declare(Enum{"states", {{0, "idle"}, {7, "busy"}}});
        schema.intern("");
        schema.intern("b\xFF");
        std::vector<Field> fields{
            field("u8", Type::u8),     field("U8", Type::u16),       field("u64", Type::u64),
            field("i8", Type::i8),     field("i64", Type::i64),      field("f32", Type::f32),
            field("f64", Type::f64),   field("flag", Type::boolean), field("state", Type::enumeration),
            field("text", Type::text), field("blob", Type::blob)};
        fields[8].enumeration = states;
        schema.declare(make_track(Track::Kind::event_type, top, "all/types", picoseconds, std::move(fields)));
    }
    void add(Batch& batch, Tick time, std::vector<std::uint64_t> cells) { batch.event(0, time, cells); }

    Schema schema;
};

}  // namespace

TEST_CASE("runs and packed groups are those of Parquet's specification") {
    const auto hybrid = [](const std::vector<std::uint32_t>& numbers, unsigned width) {
        return hex_of([&](Appender& out) { tables::append_hybrid(numbers, width, out); });
    };
    CHECK(hybrid({0, 1, 2, 3, 4, 5, 6, 7}, 3) == "0388c6fa");  // the example of Parquet's "Encodings"
    CHECK(hybrid(std::vector<std::uint32_t>(100, 5), 3) == "c80105");
    CHECK(hybrid(std::vector<std::uint32_t>(8, 300), 9) == "102c01");
    CHECK(hybrid({1, 0, 1}, 1) == "0305");
    // The run fills the group before it: 1 0 + six 1, then a run of eight.
    std::vector<std::uint32_t> mixed{1, 0};
    mixed.insert(mixed.end(), 14, 1);
    CHECK(hybrid(mixed, 1) == "03fd1001");
    CHECK(hybrid({}, 1).empty());
    CHECK(hex_of([](Appender& out) { tables::append_run(1, 3, 1, out); }) == "0601");
}

TEST_CASE("differences are those of Parquet's specification") {
    const auto deltas = [](const Numbers& numbers) {
        return hex_of([&](Appender& out) { tables::append_deltas(numbers, out); });
    };
    CHECK(deltas({1, 2, 3, 4, 5}) ==
          "800104"
          "05"
          "02"
          "02"
          "00000000");
    CHECK(deltas({7, 5, 3, 1, 2, 3, 4, 5}) ==
          "800104"
          "08"
          "0e"
          "03"
          "02000000"
          "c03f000000000000");
    CHECK(deltas({}) == "8001040000");
    CHECK(deltas({9}) == "8001040112");
    // Differences wrap around.
    CHECK(deltas({0, std::uint64_t(-1)}) ==
          "80010402"
          "00"
          "01"
          "00000000");
    const Numbers wide{0, std::uint64_t{1} << 63, 1};
    CHECK(tables::delta_size(wide) >= deltas(wide).size() / 2 - 16);
}

TEST_CASE("bytes of numbers are stored apart, and bits side by side") {
    const Numbers floats{0xDDCCBBAA, 0x33221100, 0xD6C5B4A3};  // the example of Parquet's "Encodings"
    CHECK(hex_of([&](Appender& out) { tables::append_split(floats, 4, out); }) == "aa00a3bb11b4cc22c5dd33d6");
    CHECK(hex_of([](Appender& out) { tables::append_bits(Numbers{1, 0, 1, 1, 0, 0, 0, 0, 1}, out); }) == "0d01");
    CHECK(hex_of([](Appender& out) { tables::append_plain(Numbers{0x0102030405060708}, 8, out); }) ==
          "0807060504030201");
    CHECK(hex_of([](Appender& out) { tables::append_plain(Numbers{std::uint64_t(-2)}, 4, out); }) == "feffffff");
}

TEST_CASE("structures are those of Thrift's compact protocol") {
    const std::string written = hex_of([](Appender& out) {
        tables::ThriftWriter thrift(out);
        thrift.i32(1, -1);  // delta 1, type 5, zigzag
        thrift.boolean(2, true);
        thrift.text(20, "ab");  // a step of more than 15
        thrift.begin(21);
        thrift.i8(1, 8);
        thrift.end();
        thrift.list_of_i32(22, 2);
        thrift.i32_element(1);
        thrift.i32_element(64);
        thrift.end();
    });
    CHECK(written ==
          "1501"
          "11"
          "0828"
          "026162"
          "1c"
          "1308"
          "00"
          "19"
          "25"
          "02"
          "8001"
          "00");
    CHECK(hex_of([](Appender& out) { tables::ThriftWriter(out).list_of_structures(1, 15); }) == "19fc0f");
}

TEST_CASE("random numbers survive each encoding") {
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        Numbers numbers(random() % 700);
        const unsigned bits = static_cast<unsigned>(random() % 64) + 1;
        for (std::uint64_t& number : numbers)
            number = random() % 4 == 0 && &number != numbers.data() ? *(&number - 1) : random() >> (64 - bits);
        tables::CellDictionary dictionary;
        REQUIRE(dictionary.number(numbers, numbers.size()));
        for (std::size_t i = 0; i < numbers.size(); ++i)
            REQUIRE(dictionary.distinct()[dictionary.numbers()[i]] == numbers[i]);
        if (dictionary.distinct().size() > 1) CHECK_FALSE(dictionary.number(numbers, dictionary.distinct().size() - 1));
    }
}

TEST_CASE("every type of a field has its type in Parquet, and its bounds are in that type's order") {
    AllTypes trace;
    std::vector<Batch> batches(1);
    const auto f32 = [](float value) { return std::uint64_t{std::bit_cast<std::uint32_t>(value)}; };
    const auto f64 = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    constexpr std::uint64_t top = std::uint64_t{1} << 63;
    trace.add(batches[0], -5000, {255, 1, top, std::uint64_t(-3), std::uint64_t(-9), f32(1.5F), f64(-0.0), 1, 7, 0, 1});
    trace.add(batches[0], 7000, {0, 65535, 3, 2, 4, f32(-2.0F), f64(0.0), 0, 0, 1, 0});
    trace.add(batches[0], 7000, {9, 2, 5, 0, 0, f32(0.0F), f64(0.0), 1, 99, 1, 1});
    const test::TemporaryFolder place;
    write_folder(place / "out", "parquet", trace.schema, batches);
    const ParquetTable table = read_table(place / "out" / "all_types.parquet");

    CHECK(table.columns.size() == 13);
    CHECK(table.ordered_columns == 13);
    CHECK(table.created_by == "hwtrace");
    CHECK(table.facts.at("hwtrace.track") == "all/types");
    CHECK(table.facts.at("hwtrace.row") == "event");
    CHECK(table.facts.at("hwtrace.time") == "ticks of 1/1000000000000 s");
    CHECK(table.facts.at("hwtrace.labels.state") == R"({"idle":0,"busy":7})");
    CHECK(numbers_of(table["time"]) == std::vector<std::int64_t>{-5000, 7000, 7000});
    CHECK(std::bit_cast<double>(table["time_ns"].rows[0][0].number) == -5.0);
    CHECK(numbers_of(table["u8"]) == std::vector<std::int64_t>{255, 0, 9});
    CHECK(texts_of(table["state"]) == "[busy] [idle] [99]");
    CHECK(texts_of(table["text"]) == "[] [b\xEF\xBF\xBD] [b\xEF\xBF\xBD]");
    CHECK(texts_of(table["blob"]) == "[b\xFF] [] [b\xFF]");
    CHECK(numbers_of(table["flag"]) == std::vector<std::int64_t>{1, 0, 1});

    const auto has_type = [&](const char* name, int physical, int logical, int bits = 0, bool is_signed = false) {
        const ParquetColumn& column = table[name];
        return column.physical == physical && column.logical == logical && column.bits == bits &&
               column.is_signed == is_signed && column.repetition == 0;
    };
    CHECK(has_type("time", 2, 10, 64, true));
    CHECK(has_type("time_ns", 5, 0));
    CHECK(has_type("u8", 1, 10, 8));
    CHECK(has_type("U8_2", 1, 10, 16));
    CHECK(has_type("u64", 2, 10, 64));
    CHECK(has_type("i8", 1, 10, 8, true));
    CHECK(has_type("f32", 4, 0));
    CHECK(has_type("flag", 0, 0));
    CHECK(has_type("state", 6, 1));
    CHECK(has_type("text", 6, 1));
    CHECK(has_type("blob", 6, 0));

    const auto bounds = [&](const char* name) {
        const ParquetColumn::Chunk& chunk = table[name].chunks.at(0);
        return std::pair(chunk.least.value_or("none"), chunk.greatest.value_or("none"));
    };
    CHECK(bounds("u64") == std::pair(stored(3, 8), stored(top, 8)));
    CHECK(bounds("u8") == std::pair(stored(0, 4), stored(255, 4)));
    CHECK(bounds("i8") == std::pair(stored(std::uint64_t(-3), 4), stored(2, 4)));
    CHECK(bounds("f32") == std::pair(stored(f32(-2.0F), 4), stored(f32(1.5F), 4)));
    CHECK(bounds("f64") == std::pair(stored(f64(-0.0), 8), stored(0, 8)));  // zeros of both signs
    CHECK(bounds("flag") == std::pair(stored(0, 1), stored(1, 1)));
    CHECK(bounds("state") == std::pair<std::string, std::string>("99", "idle"));
    CHECK(bounds("blob") == std::pair<std::string, std::string>("", "b\xFF"));
}

TEST_CASE("durations and times in fields are unsigned") {
    constexpr std::uint64_t top = std::uint64_t{1} << 63;
    Schema schema;
    schema.declare(make_track(Track::Kind::stream, none, "read", ordinals, {field("at", Type::time)}));
    std::vector<Batch> batches(1);
    batches[0].interval(0, -5, top, std::vector<Attribute>{{0, top + 1}});
    batches[0].interval(0, 5, 2, std::vector<Attribute>{{0, 7}});
    const test::TemporaryFolder place;
    write_folder(place / "out", "parquet", schema, batches);
    const ParquetTable reads = read_table(place / "out" / "read.parquet");
    for (const char* const name : {"duration", "at"}) {
        CHECK(reads[name].bits == 64);
        CHECK(!reads[name].is_signed);
    }
    CHECK(reads["begin"].is_signed);
    CHECK(reads["duration"].chunks.at(0).greatest == stored(top, 8));
    CHECK(reads["at"].chunks.at(0).greatest == stored(top + 1, 8));
    write_folder(place / "text", "csv", schema, batches);
    CHECK(test::read_text(place / "text" / "read.csv") ==
          "begin,end,duration,at\r\n"
          "-5,9223372036854775803,9223372036854775808,9223372036854775809\r\n"
          "5,7,2,7\r\n");
}

TEST_CASE("bounds are left out beside a NaN and for long texts") {
    Schema schema;
    schema.declare(make_track(Track::Kind::event_type, schema.declare(Scope{"top", none, "", none}), "event", ordinals,
                              {field("real", Type::f64), field("text", Type::text)}));
    std::vector<Batch> batches(1);
    const StringId text = schema.intern(std::string(65, 'x'));
    batches[0].event(0, 0, Numbers{std::bit_cast<std::uint64_t>(1.0), text});
    batches[0].event(0, 1, Numbers{std::bit_cast<std::uint64_t>(std::nan("")), text});
    const ParquetTable table = read_parquet(single_file("parquet", schema, batches));
    CHECK_FALSE(table["real"].chunks.at(0).least);
    CHECK_FALSE(table["text"].chunks.at(0).least);
    CHECK(table["position"].chunks.at(0).least == stored(0, 8));
}

TEST_CASE("missing values and lists survive, in a folder and in one file") {
    Schema schema;
    const ScopeId top = schema.declare(Scope{"top", none, "", none});
    schema.declare(
        make_track(Track::Kind::stream, top, "read", ordinals,
                   {field("id", Type::u32), field("data", Type::u64, true), field("name", Type::text, true)}));
    schema.declare(make_track(Track::Kind::notes, top, "notes", ordinals));
    schema.declare(make_track(Track::Kind::event_type, top, "never", ordinals, {field("id", Type::u8)}));
    const std::uint64_t a = schema.intern("a"), b = schema.intern("b");
    std::vector<Batch> batches(2);
    batches[0].interval(0, 10, 5, std::vector<Attribute>{{0, 7}, {1, 1}, {1, 2}, {2, a}});
    batches[0].interval(0, 11, 0);
    batches[0].note(1, 12, "a note, \"quoted\"");
    batches[1].interval(0, 12, 1, std::vector<Attribute>{{1, 3}, {2, b}, {2, a}});
    batches[1].note(1, 13, "");
    const test::TemporaryFolder place;
    write_folder(place / "out", "parquet", schema, batches);
    const ParquetTable reads = read_table(place / "out" / "read.parquet");
    CHECK(numbers_of(reads["end"]) == std::vector<std::int64_t>{15, 11, 13});
    CHECK(numbers_of(reads["id"]) == std::vector<std::int64_t>{7, -1, -1});
    CHECK(reads["id"].repetition == 1);
    CHECK(reads["id"].chunks.at(0).nulls == 2);
    CHECK(texts_of(reads["data"]) == "[1,2] [] [3]");
    CHECK(texts_of(reads["name"]) == "[a] [] [b,a]");
    CHECK(texts_of(read_table(place / "out" / "notes.parquet")["text"]) == "[a note, \"quoted\"] []");
    const ParquetTable never = read_table(place / "out" / "never.parquet");
    CHECK(never.columns.size() == 2);
    CHECK(never.group_rows.empty());

    // Rows of different tables share the columns of one file.
    const ParquetTable one = read_parquet(single_file("parquet", schema, batches));
    CHECK(texts_of(one["track"]) == "[read] [read] [read] [notes] [notes]");
    CHECK(texts_of(one["kind"]) == "[interval] [interval] [interval] [note] [note]");
    CHECK(numbers_of(one["id"]) == std::vector<std::int64_t>{7, -1, -1, -1, -1});
    CHECK(texts_of(one["data"]) == "[1,2] [] [3] [] []");
    CHECK(texts_of(one["text"]) == "[] [] [] [a note, \"quoted\"] []");
    CHECK(numbers_of(one["id_u8"]) == std::vector<std::int64_t>(5, -1));

    write_folder(place / "csv", "csv", schema, batches);
    CHECK(test::read_text(place / "csv" / "read.csv") ==
          "begin,end,duration,id,data,name\r\n10,15,5,7,\"[1,2]\",\"[\"\"a\"\"]\"\r\n11,11,0,,[],[]\r\n"
          "12,13,1,,[3],\"[\"\"b\"\",\"\"a\"\"]\"\r\n");
    CHECK(test::read_text(place / "csv" / "notes.csv") ==
          "position,text\r\n12,\"a note, \"\"quoted\"\"\"\r\n13,\"\"\r\n");
    const Bytes csv = single_file("csv", schema, batches);
    CHECK(std::string(reinterpret_cast<const char*>(csv.data()), csv.size())
              .starts_with("track,kind,begin,end,duration,id,data,name,position,text,id_u8\r\n"
                           "read,interval,10,15,5,7,\"[1,2]\",\"[\"\"a\"\"]\",,,\r\n"));
}

TEST_CASE("long tables have several row groups, each in the encoding that suits its values") {
    Schema schema;
    const ScopeId top = schema.declare(Scope{"top", none, "", none});
    schema.declare(
        make_track(Track::Kind::stream, top, "work", ordinals,
                   {field("random", Type::u64), field("few", Type::u16), field("some", Type::u32),
                    field("list", Type::i32, true), field("real", Type::f64), field("flag", Type::boolean)}));
    std::mt19937_64 random(7);
    constexpr std::size_t rows = 130'000;
    std::vector<Batch> batches;
    std::vector<std::vector<Attribute>> expected;
    for (std::size_t row = 0; row < rows; ++row) {
        if (row % 500 == 0) batches.emplace_back();
        std::vector<Attribute> values{{0, random()}, {1, random() % 5}};
        if (random() % 3 != 0) values.push_back({2, random() >> 32});
        for (std::uint64_t i = random() % 4; i > 0; --i)
            values.push_back({3, static_cast<std::uint64_t>(static_cast<std::int64_t>(random() % 100) - 50)});
        values.push_back({4, std::bit_cast<std::uint64_t>(static_cast<double>(random()))});
        values.push_back({5, random() % 2});
        batches.back().interval(0, static_cast<Tick>(row * 3), row % 17, values);
        expected.push_back(std::move(values));
    }
    for (const char* compression : {"zstd", "none"}) {
        CAPTURE(compression);
        Settings settings;
        for (const Option& option : find_format(targets(), "parquet")->options)
            if (option.key == "parquet-compression") settings.set(option, compression);
        const Bytes file = single_file("parquet", schema, batches, settings);
        const ParquetTable table = read_parquet(file);
        REQUIRE(table.group_rows.size() == 2);
        CHECK(table.group_rows[0] >= 122'880);
        CHECK(table["begin"].chunks[0].encodings == std::vector<int>{5});
        CHECK(table["random"].chunks[0].encodings == std::vector<int>{0});
        CHECK(table["few"].chunks[0].encodings == std::vector<int>{8});
        CHECK(table["real"].chunks[0].encodings == std::vector<int>{9});
        CHECK(table["list"].chunks[0].encodings.size() >= 2);  // several pages
        CHECK(table["begin"].chunks[1].least == stored(static_cast<std::uint64_t>(table.group_rows[0]) * 3, 8));
        std::size_t wrong = 0;
        const char* const names[] = {"random", "few", "some", "list", "real", "flag"};
        for (std::uint32_t at = 0; at < std::size(names); ++at) {
            const ParquetColumn& column = table[names[at]];
            const std::size_t width = column.physical == 1 ? 4 : 8;
            for (std::size_t row = 0; row < rows; ++row) {
                std::vector<ParquetColumn::Value> values;
                for (const Attribute& value : expected[row])
                    if (value.field == at)
                        values.push_back({width == 4 ? static_cast<std::int32_t>(value.value)
                                                     : static_cast<std::int64_t>(value.value),
                                          {}});
                wrong += values == column.rows[row] ? 0 : 1;
            }
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("tables share the memory: the largest one is written first") {
    Schema schema;
    const ScopeId top = schema.declare(Scope{"top", none, "", none});
    constexpr std::uint32_t tracks = 300;
    for (std::uint32_t i = 0; i < tracks; ++i)
        schema.declare(make_track(Track::Kind::event_type, top, "event" + std::to_string(i), ordinals,
                                  {field("value", Type::u64)}));
    std::vector<Batch> batches(40);
    for (std::size_t b = 0; b < batches.size(); ++b)
        for (std::uint32_t i = 0; i < tracks; ++i)
            for (std::size_t times = i == 5 ? 1000 : 1; times > 0; --times)
                batches[b].event(i, static_cast<Tick>(b), Numbers{i * b});
    const test::TemporaryFolder place;
    Settings settings;
    for (const Option& option : find_format(targets(), "parquet")->options)
        if (option.key == "parquet-memory") settings.set(option, "256K");
    write_folder(place / "out", "parquet", schema, batches, settings);
    for (const std::uint32_t i : {0U, 5U, 299U}) {
        const ParquetTable table = read_table(place / "out" / ("event" + std::to_string(i) + ".parquet"));
        const auto& rows = table["value"].rows;
        REQUIRE(rows.size() == batches.size() * (i == 5 ? 1000 : 1));
        CHECK(rows.back().front().number == static_cast<std::int64_t>(i * (batches.size() - 1)));
        CHECK(table.group_rows.size() == (i == 5 ? 3 : 1));
    }
}

}  // namespace hwtrace::tables_test
