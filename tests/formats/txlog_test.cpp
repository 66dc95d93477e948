// Tests reading and writing transaction logs: the records of each statement, and logs made from other traces. Real logs
// are compared with the FTR files of the same runs.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <map>
#include <sstream>
#include <tuple>
#include <utility>

#include "codec/format.hpp"
#include "domain/conventions.hpp"
#include "domain/transaction_types.hpp"
#include "domain/value_text.hpp"
#include "formats.hpp"
#include "io/error.hpp"
#include "support/corpus.hpp"
#include "support/lines.hpp"
#include "txlog/statement.hpp"
#include "txlog/values.hpp"

namespace txlog_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Bytes = std::vector<std::byte>;
using Lines = std::vector<std::string>;

Bytes bytes_of(std::string_view text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
}

std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

const Format& txlog_format() {
    return *find_format(formats(), "txlog");
}

constexpr std::string_view stream = "scv_tr_stream (ID 1, name \"bus\", kind \"b\")\n";
constexpr std::string_view generator = "scv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n)\n";

/// Returns a log of one stream and one generator without attributes, followed by `lines`.
std::string log(std::string_view lines) {
    return std::string(stream).append(generator).append(lines);
}

/// Reads a whole log. The input is consumed, so use `reader` only for its schema and metadata.
struct Reading {
    Bytes bytes;
    Input input;
    Findings findings;
    Settings settings;
    std::unique_ptr<Reader> reader;
    Lines records, rules;

    explicit Reading(Bytes file, Limits limits = {}) : bytes(std::move(file)), input(Input::memory("log", bytes)) {
        settings.limits = limits;
        reader = txlog_format().open(input, settings, findings);
        Batch batch;
        while (reader->read(batch)) {
            for (const Record& record : batch.records())
                records.push_back(line(batch, record));
            batch.clear();
        }
        for (const Finding& finding : findings.kept())
            rules.emplace_back(finding.rule->id);
    }
    explicit Reading(std::string_view text, Limits limits = {}) : Reading(bytes_of(text), limits) {}

    const Schema& schema() const { return reader->schema(); }
    std::string fact(std::string_view key) const {
        for (const Fact& fact : reader->facts())
            if (fact.key == key) return text_of(fact);
        return {};
    }

private:
    /// Returns a record as a line: "read 0+10: id=1, begin addr=3" or "relation r 10: from=1, to=2".
    std::string line(const Batch& batch, const Record& record) const {
        const Track& track = schema().tracks()[record.track];
        TextOutput out(-1);
        out.put(record.kind == Kind::relation ? "relation " : "");
        out.put(track.name);
        out.put(' ');
        out.decimal_signed(record.time);
        if (record.kind == Kind::interval) {
            out.put('+');
            out.decimal(record.value);
        }
        std::string_view separator = ": ";
        const auto put = [&](std::uint32_t index, std::uint64_t cell) {
            const Field& field = track.fields.at(index);
            out.put(std::exchange(separator, ", "));
            out.put(name_of(field.phase));
            if (field.phase != Phase::unknown) out.put(' ');
            out.put(field.name);
            out.put('=');
            if (field.phase == Phase::unknown)
                out.decimal(cell);
            else
                append_value(schema(), field, cell, out);
        };
        if (record.kind == Kind::interval)
            for (const Attribute& attribute : batch.attributes(record))
                put(attribute.field, attribute.value);
        else
            for (std::uint32_t index = 0; index < record.count; ++index)
                put(index, batch.cells(record)[index]);
        return std::string(out.text());
    }
};

struct Writing {
    std::string text;
    Losses losses;

    Writing(const Schema& schema, const std::function<void(Batch&)>& fill) {
        const Settings settings;
        const auto output = open_memory_output("log", [&](Bytes bytes) { text = text_of(bytes); });
        const auto writer = txlog_format().create(*output, schema, settings, losses);
        Batch batch;
        fill(batch);
        writer->write(batch);
        writer->finish();
        output->commit();
    }
    Lines lost() const {
        Lines names;
        for (const auto& [key, entry] : losses.entries())
            names.push_back(std::string(name_of(key.first)).append(" ").append(key.second));
        return names;
    }
};

/// Converts a file to a log. Reads it twice, as hwtrace-convert does: first the schema, then the records.
Bytes converted_to_log(const Bytes& file, const Format& from) {
    const Settings settings;
    Findings findings;
    Input first = Input::memory("file", file), second = Input::memory("file", file);
    const auto scout = from.open(first, settings, findings), reader = from.open(second, settings, findings);
    Batch batch;
    for (; scout->read(batch); batch.clear()) {
    }
    Bytes made;
    Losses losses;
    const auto output = open_memory_output("log", [&](Bytes bytes) { made = std::move(bytes); });
    const auto writer = txlog_format().create(*output, scout->schema(), settings, losses);
    for (; reader->read(batch); batch.clear())
        writer->write(batch);
    writer->finish();
    output->commit();
    return made;
}

Track stream_track(ScopeId scope, std::string name, TimeBase time, std::vector<Field> fields) {
    Track track;
    track.kind = Track::Kind::stream;
    track.scope = scope;
    track.name = std::move(name);
    track.time = time;
    track.fields = {Field{.name = std::string(conventions::interval_id), .type = Type::u64}};
    track.fields.insert(track.fields.end(), fields.begin(), fields.end());
    return track;
}

Lines lines_of(const std::string& text) {
    std::istringstream in(text);
    Lines lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

}  // namespace

// --- reading ---------------------------------------------------------------------------------------------------------

TEST_CASE("a transaction of SCV has the attributes that its generator declares, in their phases") {
    const Reading log(std::string(stream) +
                      "scv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n"
                      "begin_attribute (ID 0, name \"addr\", type \"UNSIGNED\")\n"
                      "begin_attribute (ID 1, name \"mask\", type \"BIT_VECTOR[4]\")\n"
                      "end_attribute (ID 2, name \"<anonymous>\", type \"STRING\")\n"
                      ")\n"
                      "tx_begin 7 2 1 ns\n"
                      "a 3\n"
                      "a \"0101\"\n"
                      "tx_begin 8 2 1 ns\n"
                      "a UNDEFINED\n"
                      "a UNDEFINED\n"
                      "tx_record_attribute 7 \"size\" INTEGER = -4\n"
                      "tx_relation \"after\" 8 7\n"
                      "tx_end 8 2 2 ns\n"
                      "a \"done\"\n"
                      "tx_end 7 2 3 ns\n"
                      "a \"\"\n");
    CHECK(log.rules == Lines{});
    CHECK(log.records == Lines{"relation after 1000: from=7, to=8", "read 1000+1000: id=8, end =\"done\"",
                               "read 1000+2000: id=7, begin addr=0x3, begin mask=\"0101\", record size=-4, end =\"\""});
    CHECK(log.schema().scopes().front().protocol == "b");
    CHECK(log.schema().scopes().front().native_id == 1);
    CHECK(log.schema().tracks().front().native_id == 2);
    CHECK(log.fact("dialect") == "SCV");
}

TEST_CASE("attributes of LWTR4SC have only the phase `record`") {
    const Reading log(
        txlog_test::log("tx_begin 1 2 0 s\n"
                        "tx_record_attribute 1 \"m\" STRING = \"ADD\"\n"
                        "tx_record_attribute 1 \"m\" UNSIGNED = 4\n"
                        "tx_record_attribute 1 \"m\" STRING = \"ok\"\n"
                        "tx_end 1 2 5 ns\n"));
    CHECK(log.rules == Lines{});
    CHECK(log.records == Lines{"read 0+5000: id=1, record m=\"ADD\", record m=4, record m=\"ok\""});
    CHECK(log.schema().tracks().front().fields.size() == 3);
    CHECK(log.fact("dialect") == "LWTR");
}

TEST_CASE("times are exact: in picoseconds, or in femtoseconds if one needs them") {
    const std::string coarse =
        txlog_test::log("tx_begin 1 2 1000 fs\ntx_end 1 2 1.5 ns\ntx_begin 2 2 3 us\ntx_end 2 2 2 s\n");
    CHECK(Reading(coarse).records == Lines{"read 1+1499: id=1", "read 3000000+1999997000000: id=2"});
    CHECK(Reading(coarse).schema().tracks().front().time == picoseconds);
    const Reading fine(txlog_test::log("tx_begin 1 2 1001 fs\ntx_end 1 2 2 ms\n"));
    CHECK(fine.records == Lines{"read 1001+1999999998999: id=1"});
    CHECK(fine.schema().tracks().front().time.den == 1'000'000'000'000'000);
    const Reading attribute(
        txlog_test::log("tx_begin 1 2 0 s\ntx_record_attribute 1 \"t\" TIME = 7 fs\ntx_end 1 2 0 s\n"));
    CHECK(attribute.records == Lines{"read 0+0: id=1, record t=7"});
}

TEST_CASE("times are parsed from text and printed exactly") {
    using txlog::parse_time;
    using txlog::ticks;
    CHECK(parse_time("100 ns")->digits == 1);
    CHECK(parse_time("100 ns")->exponent == -7);
    CHECK(parse_time("0 s")->digits == 0);
    CHECK(parse_time("1.50 us")->exponent == -7);
    for (const char* const wrong : {"", "100", "100ns", "-1 ns", "1 hour", "1. ns", ".5 ns", "0.1 fs", "1 ns ago",
                                    "99999999999999999999 ns", "1.00000000000000000000001 s"})
        CHECK_FALSE(parse_time(wrong).has_value());
    CHECK(ticks({9'223'372'036'854'775'807, -12}, -12) == std::numeric_limits<std::int64_t>::max());
    CHECK_FALSE(ticks({9'223'372'036'854'775'808u, -12}, -12).has_value());
    CHECK_FALSE(ticks({1, -15}, -12).has_value());
    for (const auto& [units, exponent, text] :
         std::vector<std::tuple<std::uint64_t, int, std::string>>{{0, -12, "0 s"},
                                                                  {100'000, -12, "100 ns"},
                                                                  {1500, -12, "1500 ps"},
                                                                  {3'000'000, -12, "3 us"},
                                                                  {1'000'000'000'000, -12, "1 s"},
                                                                  {5'000'000'000'000'000, -12, "5000 s"},
                                                                  {1333, -15, "1333 fs"},
                                                                  {2000, -15, "2 ps"}}) {
        Appender out;
        txlog::append_time(units, exponent, out);
        CHECK(text_of(out.span()) == text);
    }
}

TEST_CASE("a text ends at the last quote of its line, or of the last line that can belong to it") {
    const Reading log(
        txlog_test::log("tx_begin 1 2 0 s\n"
                        "tx_record_attribute 1 \"q\" STRING = \"say \"hi\"\"\n"
                        "tx_record_attribute 1 \"n\" STRING = \"say \"hi\"\n"
                        "\n"
                        "a newline\"\n"
                        "tx_record_attribute 1 \"u\" STRING = \"closed\"\n"
                        "nothing of it\n"
                        "tx_record_attribute 1 \"o\" STRING = \"open\n"
                        "tx_record_attribute 1 \"a \" = b\" STRING = \"x\" STRING = \"y\"\n"
                        "tx_end 1 2 0 s\n"));
    CHECK(log.records ==
          Lines{"read 0+0: id=1, record q=\"say \\\"hi\\\"\", record n=\"say \\\"hi\\\"\\n\\na newline\", "
                "record u=\"closed\", record o=\"open\", record a \" = b=\"x\\\" STRING = \\\"y\""});
    CHECK(log.rules == Lines{"TXL021", "TXL022", "TXL021", "TXL002", "TXL023", "TXL024", "TXL021"});
}

TEST_CASE("values match their types or are omitted") {
    const auto value = [](std::string_view type, std::string_view text) {
        return txlog::parse_value(*txlog::type_of(type), text, -12);
    };
    using State = txlog::Value::State;
    CHECK(value("UNSIGNED", "18446744073709551615").cell == ~std::uint64_t{0});
    CHECK(value("UNSIGNED", "-1").cell == ~std::uint64_t{0});
    CHECK(value("UNSIGNED", "-1").is_negative);
    CHECK(value("INTEGER", "-9223372036854775808").cell == std::uint64_t{1} << 63);
    CHECK(value("INTEGER", "-9223372036854775809").state == State::wrong);
    CHECK(value("INTEGER", "9223372036854775808").type == Type::u64);
    CHECK(value("POINTER", "0xffffffffffffffff").cell == ~std::uint64_t{0});
    CHECK(value("BOOLEAN", "true").cell == 1);
    CHECK(value("BOOLEAN", "0").cell == 0);
    CHECK(value("BOOLEAN", "yes").state == State::wrong);
    CHECK(value("FLOATING_POINT_NUMBER", "-0.5").cell == std::bit_cast<std::uint64_t>(-0.5));
    CHECK(value("FLOATING_POINT_NUMBER", "1e").state == State::wrong);
    CHECK(value("TIME", "\"42 ns\"").cell == 42'000);
    CHECK(value("LOGIC_VECTOR[2]", "\"XZ\"").text == "XZ");
    CHECK(value("ENUMERATION", "red").text == "red");
    CHECK(value("STRING", "UNDEFINED").state == State::absent);
    CHECK(value("STRING", "\"UNDEFINED\"").text == "UNDEFINED");
    CHECK(txlog::type_of("STRING[4]") == nullptr);
    CHECK(txlog::type_of("BIT_VECTOR[x]") == nullptr);
    CHECK(txlog::type_of("NONE") == nullptr);
}

TEST_CASE("the memory of open transactions is bounded") {
    std::string lines;
    for (int id = 1; id < 2000; ++id)
        lines += "tx_begin " + std::to_string(id) + " 2 0 s\n";
    Limits limits;
    limits.block = 50'000;
    CHECK_THROWS_AS(Reading(txlog_test::log(lines), limits), Error);
    CHECK(Reading(txlog_test::log(lines)).records.size() == 1999);
    Limits few;
    few.schema_objects = 5;
    CHECK_THROWS_AS(
        Reading(txlog_test::log("tx_relation \"a\" 1 2\ntx_relation \"b\" 1 2\ntx_relation \"c\" 1 2\n"), few), Error);
}

// --- writing ---------------------------------------------------------------------------------------------------------

TEST_CASE("a trace is written in time order and read back unchanged") {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{"top bus", none, "b", none, 1});
    const TrackId track =
        schema.declare(stream_track(scope, "g", picoseconds,
                                    {Field{.name = "a", .type = Type::u64, .phase = Phase::begin},
                                     Field{.name = "r", .type = Type::text, .phase = Phase::record},
                                     Field{.name = "e", .type = Type::boolean, .phase = Phase::end}}));
    const StringId text = schema.intern("x \"y\"");
    const Writing log(schema, [&](Batch& batch) {
        batch.interval(track, 5, 5, std::vector<Attribute>{{0, 2}, {2, text}});
        batch.interval(track, 0, 20, std::vector<Attribute>{{0, 1}, {1, 9}, {3, 1}});
    });
    CHECK(log.lost() == Lines{});
    CHECK(lines_of(log.text) == Lines{"scv_tr_stream (ID 1, name \"top bus\", kind \"b\")",
                                      "scv_tr_generator (ID 2, name \"g\", scv_tr_stream 1,",
                                      "begin_attribute (ID 0, name \"a\", type \"UNSIGNED\")",
                                      "end_attribute (ID 1, name \"e\", type \"BOOLEAN\")", ")", "tx_begin 1 2 0 s",
                                      "a 9", "tx_begin 2 2 5 ps", "a UNDEFINED",
                                      "tx_record_attribute 2 \"r\" STRING = \"x \"y\"\"", "tx_end 2 2 10 ps",
                                      "a UNDEFINED", "tx_end 1 2 20 ps", "a true"});
    CHECK(Reading(log.text).records ==
          Lines{"g 5+5: id=2, record r=\"x \\\"y\\\"\"", "g 0+20: id=1, begin a=9, end e=1"});
}

TEST_CASE("if two transactions share an id, the first one keeps it in a log; times that are too large are clamped") {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{"s", none, "b", none, 1});
    const TrackId track = schema.declare(
        stream_track(scope, "g", picoseconds, {Field{.name = "t", .type = Type::time, .phase = Phase::begin}}));
    const Writing log(schema, [&](Batch& batch) {
        batch.interval(track, 10, 10, std::array{Attribute{0, 1}});
        batch.interval(track, 15, 10, std::array{Attribute{0, 1}, Attribute{1, ~std::uint64_t{0}}});
    });
    CHECK(log.lost() == Lines{"type-changed g", "time-rounded g", "name-changed g"});
    CHECK(log.text.find("tx_begin 281474976710656 ") != std::string::npos);
    CHECK(log.text.find("\"9223372036854775807 ps\"") != std::string::npos);
    Findings findings;
    Settings settings;
    settings.check = CheckLevel::full;
    const Bytes file = bytes_of(log.text);
    Input input = Input::memory("log", file);
    const auto reader = txlog_format().open(input, settings, findings);
    Batch batch;
    while (reader->read(batch))
        batch.clear();
    CHECK(findings.total_at_least(Severity::warning) == 0);
}

TEST_CASE("losses of a log are counted and predicted") {
    Schema schema;
    const ScopeId top = schema.declare(Scope{"top", none, {}, none, {}});
    const ScopeId scope = schema.declare(Scope{"a\"b", top, {}, none, {}});
    const EnumId colours = schema.declare(Enum{"colour", {{1, "red"}}});
    const TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};
    const TrackId track = schema.declare(
        stream_track(scope, "g", nanoseconds,
                     {Field{.name = "the text", .type = Type::text, .phase = Phase::record},
                      Field{.name = "when", .type = Type::time, .phase = Phase::record},
                      Field{.name = "colour", .type = Type::enumeration, .enumeration = colours, .phase = Phase::begin},
                      Field{.name = "plain", .type = Type::u8}}));
    schema.describe("ftr.epoch", "7");
    const StringId text = schema.intern("one\ntwo");
    const Writing log(schema, [&](Batch& batch) {
        batch.interval(track, 3, 4, std::vector<Attribute>{{0, 1}, {1, text}, {2, 42}, {3, 1}, {3, 2}, {4, 5}});
        batch.interval(track, -1, 2, std::vector<Attribute>{{0, 2}});
    });
    CHECK(lines_of(log.text) == Lines{"scv_tr_stream (ID 1, name \"top.a'b\", kind \"<no_stream_kind>\")",
                                      "scv_tr_generator (ID 2, name \"g\", scv_tr_stream 1,",
                                      "begin_attribute (ID 0, name \"colour\", type \"ENUMERATION\")",
                                      "begin_attribute (ID 1, name \"plain\", type \"UNSIGNED\")", ")",
                                      "tx_begin 2 2 0 s", "a UNDEFINED", "a UNDEFINED", "tx_end 2 2 1 ns",
                                      "tx_begin 1 2 3 ns", "a \"red\"", "a 5",
                                      "tx_record_attribute 1 \"the_text\" STRING = \"one two\"",
                                      "tx_record_attribute 1 \"when\" STRING = \"42 ns\"",
                                      "tx_record_attribute 1 \"colour\" ENUMERATION = \"2\"", "tx_end 1 2 7 ns"});
    CHECK(log.lost() == Lines{"value-narrowed g", "type-changed g", "time-rounded g", "order-changed g",
                              "order-changed records", "name-changed the text", "name-changed top.a\"b",
                              "scope-flattened a\"b", "scope-flattened top", "metadata-dropped ftr.epoch",
                              "part-dropped colour", "part-dropped timescale"});
    std::vector<ExpectedLoss> foretold;
    txlog_format().writes.foresee(schema, {}, foretold);
    for (const auto& [key, entry] : log.losses.entries()) {
        const Losses::Key lost = key;
        CAPTURE(lost.second);
        CHECK(std::any_of(foretold.begin(), foretold.end(), [&](const ExpectedLoss& loss) {
            return loss.loss == lost.first && (loss.subject == lost.second || loss.subject == "*");
        }));
    }
}

TEST_CASE("a log grows with its records, however many attributes their generator has") {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{"s", none, {}, none, 1});
    constexpr std::uint32_t attributes = 2000;
    for (const Phase phase : {Phase::unknown, Phase::begin, Phase::end}) {
        CAPTURE(phase);
        std::vector<Field> fields;
        for (std::uint32_t i = 0; i < attributes; ++i)
            fields.push_back(Field{.name = "a" + std::to_string(i), .type = Type::u64, .phase = phase});
        Schema many = schema;
        const TrackId track = many.declare(stream_track(scope, "g", picoseconds, std::move(fields)));
        const Writing log(many, [&](Batch& batch) {
            for (std::uint32_t i = 0; i < attributes; ++i)
                batch.interval(track, i, 1, std::vector<Attribute>{{0, i}, {i + 1, i}});
        });
        CHECK(log.text.size() < attributes * std::size_t{2000});
        CHECK(log.losses.entries().contains({Loss::type_changed, "g"}));
        const Reading read(log.text);
        REQUIRE(read.records.size() == attributes);
        CHECK(read.records.front().starts_with("g 0+1: id=0, "));
        CHECK(read.records.front().find(" a0=") != std::string::npos);
        CHECK(read.records.back().starts_with("g 1999+1: id=1999, record a1999="));
    }
}

TEST_CASE("femtoseconds are kept if some time needs them") {
    Schema schema;
    const ScopeId scope = schema.declare(Scope{"s", none, {}, none, 1});
    const TimeBase femtoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000'000'000};
    const TrackId track = schema.declare(stream_track(scope, "g", femtoseconds, {}));
    const auto fill = [&](Tick begin) {
        return Writing(schema, [&](Batch& batch) {
            batch.interval(track, begin, 1000, std::vector<Attribute>{{0, 1}});
        });
    };
    CHECK(fill(1001).lost() == Lines{});
    CHECK(Reading(fill(1001).text).records == Lines{"g 1001+1000: id=1"});
    CHECK(fill(1000).lost() == Lines{"part-dropped timescale"});
    CHECK(Reading(fill(1000).text).records == Lines{"g 1+1: id=1"});
}

TEST_CASE("a NaN with a payload is counted as a loss; every other number is restored bit for bit") {
    const TransactionType& type = *find_transaction_type("FLOATING_POINT_NUMBER");
    for (const std::uint64_t bits :
         {std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1}, std::uint64_t{0x7FF0'0000'0000'0000},
          std::uint64_t{0x3FB9'9999'9999'999A}, std::uint64_t{0x7FEF'FFFF'FFFF'FFFF},
          std::uint64_t{0x7FF0'0000'0000'0001}, std::uint64_t{0xFFF8'0000'0000'1234}}) {
        Appender out;
        const bool comes_back = txlog::append_value(type, bits, out);
        const txlog::Value value = txlog::parse_value(type, text_of(out.span()), -12);
        CHECK(value.state == txlog::Value::State::good);
        CHECK(comes_back == (value.cell == bits));
        CHECK(comes_back == (bits != 0x7FF0'0000'0000'0001 && bits != 0xFFF8'0000'0000'1234));
    }
}

// --- real logs beside the FTR files of the same runs -----------------------------------------------------------------

namespace {

/// A run in the layout of the golden dumps, without the data that a log cannot state.
struct Run {
    Lines declarations;
    std::map<std::uint64_t, std::string> transactions;  ///< "tx 2 gen 5 start 10000 end 15000"
    std::map<std::uint64_t, Lines> attributes;
    std::vector<std::string> relations;  ///< sorted
};

/// Reads the golden dump of an FTR file. Times are printed as recorders write them. With `phases`, attributes have
/// their phase.
Run golden_run(const std::filesystem::path& path, bool phases) {
    Run run;
    std::uint64_t id = 0;
    int exponent = -12;
    for (std::string line : lines_of(read_text(path))) {
        if (line.starts_with("info timescale=")) exponent = std::stoi(line.substr(15));
        if (line.starts_with("stream ") || line.starts_with("generator ")) run.declarations.push_back(line);
        if (line.starts_with("tx ")) {
            id = std::stoull(line.substr(3));
            const std::size_t at = line.find(" stream ");
            line.erase(at, line.find(" start ") - at);
            run.transactions[id] = line;
        }
        if (line.starts_with("   ")) {
            line.erase(0, 3);
            if (!phases) line.replace(0, line.find(' '), "RECORD");
            if (const std::size_t at = line.rfind("\" TIME "); at != std::string::npos) {
                Appender text;
                txlog::append_time(std::stoull(line.substr(at + 7)), exponent, text);
                line = line.substr(0, at) + "\" STRING \"" + text_of(text.span()) + '"';
            }
            run.attributes[id].push_back(line);
        }
        if (line.starts_with("relation ")) run.relations.push_back(line.substr(0, line.find(" source_stream")));
    }
    std::sort(run.relations.begin(), run.relations.end());
    return run;
}

std::string_view upper(Phase phase) {
    return phase == Phase::begin ? "BEGIN" : phase == Phase::end ? "END" : "RECORD";
}

Run text_run(const Bytes& file) {
    Run run;
    Input input = Input::memory("log", file);
    Findings findings;
    const Settings settings;
    const auto reader = txlog_format().open(input, settings, findings);
    const Schema& schema = reader->schema();
    Batch batch;
    for (; reader->read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            const Track& track = schema.tracks()[record.track];
            if (record.kind == Kind::relation) {
                const auto ends = batch.cells(record);
                run.relations.push_back("relation \"" + track.name + "\" source " + std::to_string(ends[0]) + " sink " +
                                        std::to_string(ends[1]));
                continue;
            }
            const auto attributes = batch.attributes(record);
            const std::uint64_t id = attributes.front().value;
            run.transactions[id] = "tx " + std::to_string(id) + " gen " + std::to_string(track.native_id.value_or(0)) +
                                   " start " + std::to_string(record.time) + " end " +
                                   std::to_string(record.time + static_cast<Tick>(record.value));
            for (const Attribute& attribute : attributes.subspan(1)) {
                const Field& field = track.fields[attribute.field];
                TextOutput out(-1);
                out.put(upper(field.phase));
                out.put(" \"" + field.name + "\" ");
                out.put(transaction_type_of(field.type).name);
                out.put(' ');
                if (field.type == Type::boolean)
                    out.put(attribute.value != 0 ? "true" : "false");
                else if (field.type == Type::u64)
                    out.decimal(attribute.value);
                else
                    append_value(schema, field, attribute.value, out);
                run.attributes[id].emplace_back(out.text());
            }
        }
    }
    for (const Scope& scope : schema.scopes())
        run.declarations.push_back("stream " + std::to_string(*scope.native_id) + " \"" + scope.name + "\" \"" +
                                   scope.protocol + '"');
    for (const Track& track : schema.tracks())
        if (track.kind == Track::Kind::stream)
            run.declarations.push_back("generator " + std::to_string(*track.native_id) + " \"" + track.name +
                                       "\" stream " + std::to_string(*schema.scopes()[track.scope].native_id));
    std::sort(run.relations.begin(), run.relations.end());
    return run;
}

/// Returns the lines that only one of the runs has: "+4 ..." in `text`, "-4 ..." in `golden`. 4 is the id of the
/// transaction.
Lines differences(const Run& text, const Run& golden) {
    Lines lines;
    for (const auto& [id, all] : golden.transactions) {
        const auto find = [id = id](const Run& run) {
            const auto found = run.attributes.find(id);
            return found == run.attributes.end() ? Lines{} : found->second;
        };
        Lines ours = find(text);
        for (const std::string& attribute : find(golden)) {
            const auto same = std::find(ours.begin(), ours.end(), attribute);
            if (same == ours.end())
                lines.push_back("-" + std::to_string(id) + ' ' + attribute);
            else
                ours.erase(same);
        }
        for (const std::string& attribute : ours)
            lines.push_back("+" + std::to_string(id) + ' ' + attribute);
    }
    return lines;
}

Lines without_times(const std::map<std::uint64_t, std::string>& transactions) {
    Lines lines;
    for (const auto& [id, line] : transactions)
        lines.push_back(line.substr(0, line.find(" start ")));
    return lines;
}

}  // namespace

TEST_CASE("the log of SCViewer's example equals its FTR file") {
    const auto file = corpus("ftr/scviewer/my_db.txlog");
    const auto golden = corpus("ftr/scviewer/my_db.ftr.golden.txt");
    if (!file || !golden) return;
    const Run text = text_run(read_file(*file)), binary = golden_run(*golden, true);
    CHECK(text.declarations == binary.declarations);
    CHECK(text.transactions == binary.transactions);
    CHECK(text.attributes == binary.attributes);
    CHECK(text.relations == binary.relations);
    CHECK(text.transactions.size() == 54);
}

TEST_CASE("logs of LWTR4SC's examples equal their FTR files, except for phases and differences of its back ends") {
    struct Example {
        std::string name;
        std::size_t transactions;
        // The numbers of attributes of unnamed begins or ends, which only the text log has. Such an attribute is called
        // "unnamed" or is a member of a structure. The name of such a member starts with an uninitialised byte
        // ("3addr", "%addr").
        std::size_t unnamed, garbled;
        std::size_t unnamed_ends;  ///< end values that have the begin's name in the log and are missing in FTR
        std::size_t renamed_ends;  ///< end values that have the begin's name in the log and the end's name in FTR
    };
    const std::vector<Example> examples{{"lwtr_example", 54, 36, 12, 12, 0}, {"lwtr_event_example", 84, 0, 0, 0, 10}};
    for (const Example& example : examples) {
        CAPTURE(example.name);
        const auto golden = corpus("ftr/lwtr4sc/" + example.name + "_u.ftr.golden.txt");
        const auto file = corpus("ftr/lwtr4sc/" + example.name + ".lwtrt");
        if (!golden || !file) return;
        const Run binary = golden_run(*golden, false), text = text_run(read_file(*file));
        CHECK(text.declarations == binary.declarations);
        CHECK(text.transactions == binary.transactions);
        CHECK(text.relations == binary.relations);
        CHECK(text.transactions.size() == example.transactions);
        std::map<std::string, std::size_t> kinds;
        for (const std::string& line : differences(text, binary)) {
            const std::size_t quote = line.find('"');
            const std::string name = line.substr(quote + 1, line.find('"', quote + 1) - quote - 1);
            const bool is_garbled = name.size() == 5 && (name.ends_with("addr") || name.ends_with("data"));
            ++kinds[line.front() + (is_garbled ? "?" : name)];
        }
        std::map<std::string, std::size_t> listed{{"+unnamed", example.unnamed},
                                                  {"+?", example.garbled},
                                                  {"+addr", example.unnamed_ends},
                                                  {"+mnemonic", example.renamed_ends},
                                                  {"-result", example.renamed_ends}};
        std::erase_if(listed, [](const auto& kind) { return kind.second == 0; });
        CHECK(kinds == listed);
        for (const std::string packed : {".lwtrt.gz", ".lwtrt.lz"}) {
            CAPTURE(packed);
            const auto again = corpus("ftr/lwtr4sc/" + example.name + packed);
            if (!again) return;
            const Run other = text_run(read_file(*again));
            CHECK(other.transactions == text.transactions);
            CHECK(other.relations == text.relations);
            // The gzip back end treats "%a" and "%d" as printf formats and writes arbitrary values.
            CHECK(differences(other, text).size() == (packed == ".lwtrt.gz" && example.garbled != 0 ? 4 : 0));
        }
    }
}

TEST_CASE("logs of all types equal their FTR files, except for the differences of LWTR4SC's text back end") {
    // The log states end values under the names of begin attributes. It calls an unnamed begin attribute "unnamed".
    const Lines listed{"-1 RECORD \"fin\" STRING \"done\"", "+1 RECORD \"beg\" STRING \"done\"",
                       "-2 RECORD \"flag\" BOOLEAN true", "+2 RECORD \"d\" BOOLEAN true",
                       "+8 RECORD \"unnamed\" STRING \"lost?\""};
    for (const std::string part : {"", "_fs", "_ns", "_10ps"}) {
        CAPTURE(part);
        const auto file = corpus("ftr/alltypes/alltypes" + part + "_t.lwtrt");
        const auto golden = corpus("ftr/alltypes/alltypes" + part + "_u.ftr.golden.txt");
        if (!file || !golden) return;
        const Run text = text_run(read_file(*file)), binary = golden_run(*golden, false);
        CHECK(text.declarations == binary.declarations);
        // If the resolution is not a picosecond, the FTR back end writes wrong times
        // (formats/ftr/README.md#info-chunk).
        if (part.empty()) CHECK(text.transactions == binary.transactions);
        CHECK(without_times(text.transactions) == without_times(binary.transactions));
        CHECK(text.relations == binary.relations);
        CHECK(differences(text, binary) == listed);
    }
}

TEST_CASE("a cut log is reported and delivers every complete statement") {
    const auto file = corpus("ftr/scviewer/my_db_truncated.txlog");
    if (!file) return;
    const Reading log(read_file(*file));
    CHECK(log.rules == Lines{"TXL027", "TXL014", "TXL014"});
    CHECK(log.findings.effect() == Effect::incomplete);
    CHECK(log.fact("transactions") == "51");
    CHECK(log.records.size() == 84);
}

TEST_CASE("a last line that no more characters could complete does not count as cut") {
    const std::string declared = std::string(stream) +
                                 "scv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n"
                                 "begin_attribute (ID 0, name \"flag\", type \"BOOLEAN\")\n"
                                 "begin_attribute (ID 1, name \"level\", type \"FLOATING_POINT_NUMBER\")\n"
                                 "begin_attribute (ID 2, name \"at\", type \"TIME\")\n)\n"
                                 "tx_begin 1 2 10 ns\n";
    const std::string values = "a true\na -1.5e+3\na 20 ns\n";
    const std::string rest = "tx_record_attribute 1 \"n\" INTEGER = -12\ntx_end 1 2 30 ns\ntx_relation \"of\" 1 1\n";
    const std::string whole = declared + values + rest;
    REQUIRE(Reading(whole).rules == Lines{});
    for (std::size_t size = declared.size(); size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK(Reading(whole.substr(0, size)).findings.verdict() != Verdict::invalid);
    }
    using Wrong = std::pair<std::string, std::string>;
    for (const Wrong& wrong :
         {Wrong{"a trux", "TXL018"}, Wrong{"a true\na 1.5x", "TXL018"}, Wrong{"a true\na 1.5\na 20 xs", "TXL018"},
          Wrong{values + "tx_end 1 x", "TXL004"}, Wrong{values + "tx_ends", "TXL002"},
          Wrong{values + "tx_record_attribute 1 \"n\" INTEGER = 1x", "TXL018"}}) {
        CAPTURE(wrong.first);
        const Reading log(declared + wrong.first);
        CHECK(log.findings.total(wrong.second) == 1);
        CHECK(log.findings.verdict() == Verdict::invalid);
    }
}

TEST_CASE("a log that is cut inside a text of several lines is incomplete") {
    const std::string declared = std::string(stream) + "scv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n)\n";
    const std::string begun = declared + "tx_begin 1 2 10 ns\n";
    const std::string text = "tx_record_attribute 1 \"note\" STRING = \"of\nthree\nlines\"\n";
    REQUIRE(Reading(begun + text + "tx_end 1 2 30 ns\n").findings.verdict() == Verdict::valid);
    const std::size_t first_end = text.find('\n') + 1;
    for (std::size_t size = first_end + 1; size < text.size() - 2; ++size) {
        CAPTURE(size);
        const Reading log(begun + text.substr(0, size));
        CHECK(log.findings.verdict() == Verdict::incomplete);
        CHECK(log.findings.total("TXL027") == 1);
        CHECK(log.findings.total("TXL023") == 0);
    }
    // If a string does not end before the next statement, the file does not count as cut.
    const Reading log(begun + text.substr(0, first_end) + "three\ntx_end 1 2 30 ns\n");
    CHECK(log.findings.total("TXL023") == 1);
    CHECK(log.findings.total("TXL002") == 1);
    CHECK(log.findings.verdict() == Verdict::invalid);
}

TEST_CASE("a log that is cut inside a time with decimals is incomplete") {
    const std::string declared = std::string(stream) +
                                 "scv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n"
                                 "begin_attribute (ID 0, name \"at\", type \"TIME\")\n)\n";
    const std::string rest =
        "tx_begin 1 2 0.000000280 s\na 1.5555 us\ntx_end 1 2 0.3234567 us\n"
        "tx_begin 2 2 0.4 us\na 2.123456 ns\ntx_end 2 2 0.5 us\n";
    REQUIRE(Reading(declared + rest).findings.verdict() == Verdict::valid);
    for (std::size_t size = 1; size < rest.size(); ++size) {
        CAPTURE(size);
        CHECK(Reading(declared + rest.substr(0, size)).findings.verdict() != Verdict::invalid);
    }
}

TEST_CASE("a log that is cut inside a time too long for femtoseconds is incomplete") {
    const std::string begun = std::string(stream) +
                              "scv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n"
                              "begin_attribute (ID 0, name \"at\", type \"TIME\")\n)\n"
                              "tx_begin 1 2 1 ns\n";
    for (const std::string time : {"10000000000000 ps", "20000000 ms", "9000000000000000000 fs"}) {
        REQUIRE(Reading(begun + "a " + time + "\ntx_end 1 2 5 ns\n").findings.verdict() == Verdict::valid);
        for (std::size_t size = 1; size < time.size(); ++size) {
            CAPTURE(time.substr(0, size));
            CHECK(Reading(begun + "a " + time.substr(0, size)).findings.verdict() == Verdict::incomplete);
        }
    }
}

TEST_CASE("a tick is a femtosecond if a value of a transaction needs it") {
    const std::string declared = std::string(stream) +
                                 "scv_tr_generator (ID 2, name \"read\", scv_tr_stream 1,\n"
                                 "begin_attribute (ID 0, name \"at\", type \"TIME\")\n)\n";
    const Reading log(declared + "tx_begin 1 2 1 ns\na 2.123456 ns\ntx_end 1 2 5 ns\n");
    CHECK(log.findings.verdict() == Verdict::valid);
    CHECK(log.findings.total("TXL018") == 0);
}

TEST_CASE("logs of SCV are rewritten byte for byte") {
    const auto real = corpus("ftr/scviewer/my_db.txlog");
    std::vector<std::filesystem::path> files{testdata("txlog/valid/bus.txlog")};
    if (real) files.push_back(*real);
    for (const auto& path : files) {
        const Bytes file = read_file(path);
        CHECK(text_of(converted_to_log(file, txlog_format())) == text_of(file));
    }
}

TEST_CASE(
    "the FTR file of SCViewer's example becomes its log, except for the places of relations and of simultaneous ends") {
    const auto file = corpus("ftr/scviewer/my_db.ftr"), log = corpus("ftr/scviewer/my_db.txlog");
    if (!file || !log) return;
    const Bytes made = converted_to_log(read_file(*file), *find_format(formats(), "ftr"));
    Lines ours = lines_of(text_of(made)), theirs = lines_of(read_text(*log));
    // Sort the lines. In FTR, relations have no time, and only the transactions of a stream are in order of their ends.
    std::sort(ours.begin(), ours.end());
    std::sort(theirs.begin(), theirs.end());
    CHECK(ours == theirs);
    // Our log has its statements in time order.
    CHECK(text_run(made).transactions == text_run(read_file(*log)).transactions);
    CHECK(Reading(made).rules == Lines{});
}

TEST_CASE("new ids do not wrap around into ids of streams") {
    Schema schema;
    constexpr std::uint64_t greatest = ~std::uint64_t{0};
    for (const std::uint64_t number : {greatest, greatest - 1, std::uint64_t{1}})
        schema.declare(Scope{"s" + std::to_string(number), none, {}, none, number});
    schema.declare(stream_track(none, "g", picoseconds, {}));
    schema.declare(stream_track(none, "h", picoseconds, {}));
    const Writing log(schema, [](Batch&) {});
    const Lines lines = lines_of(log.text);
    REQUIRE(lines.size() == 8);
    CHECK(lines[3] == "scv_tr_stream (ID 0, name \"trace\", kind \"<no_stream_kind>\")");
    CHECK(lines[4] == "scv_tr_generator (ID 2, name \"g\", scv_tr_stream 0,");
    CHECK(lines[6] == "scv_tr_generator (ID 3, name \"h\", scv_tr_stream 0,");
}

}  // namespace txlog_test
