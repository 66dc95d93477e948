// Tests writing the signals of any trace as flux streams, which must be read back unchanged and equal the emitter's
// bytes.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "codec/losses.hpp"
#include "codec/writer.hpp"
#include "flux/encode.hpp"
#include "flux/options.hpp"
#include "formats/flux_support.hpp"
#include "hwtrace/flux_emitter.h"
#include "io/appender.hpp"
#include "io/output.hpp"

namespace flux_writer_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;
using Bytes = std::vector<std::byte>;

constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t least_signed = std::uint64_t{1} << 63;

struct How {
    std::string version = "source", pack = "none", block = "64K", ring = {};
};

std::vector<How> every_way() {
    std::vector<How> ways;
    for (const char* const version : {"6", "4"}) {
        ways.push_back({version});
        for (const char* const pack : {"lz4", "fastlz", "zlib", "gzip"})
            for (const char* const block : {"1", "100", "64K"})
                ways.push_back({version, pack, block});
    }
    return ways;
}

/// A schema and batches of records.
struct Trace {
    Schema schema;
    std::vector<Batch> batches = std::vector<Batch>(1);

    Batch& batch() {
        if (batches.empty() || batches.back().full()) batches.emplace_back();
        return batches.back();
    }
    TrackId signal(ScopeId scope, std::string_view name, std::vector<Field> fields, TimeBase time = picoseconds) {
        return schema.declare(make_track(Track::Kind::signal, scope, name, time, std::move(fields)));
    }
    void no_value(TrackId track, Tick time) {
        batch().change(track, time, std::span<const Attribute>()).flags |= record_no_value;
    }
};

Bytes written(const Trace& trace, const How& how, Losses& losses) {
    Bytes bytes;
    const auto output = open_memory_output("made", [&](Bytes all) { bytes = std::move(all); });
    Settings settings;
    settings.set(flux::options[0], how.version);
    settings.set(flux::options[1], how.pack);
    if (how.pack != "none") settings.set(flux::options[2], how.block);
    settings.set(flux::options[3], how.ring);
    const auto writer = flux_format.create(*output, trace.schema, settings, losses);
    for (const Batch& batch : trace.batches)
        writer->write(batch);
    writer->finish();
    output->commit();
    return bytes;
}

/// The records and findings of a stream.
struct Whole {
    explicit Whole(Bytes stream) : bytes(std::move(stream)), input(Input::memory("stream", bytes)) {
        settings.check = CheckLevel::full;
        reader = flux_format.open(input, settings, findings);
        Batch batch;
        for (; reader->read(batch); batch.clear())
            for (const Record& record : batch.records())
                trace.batch().copy(batch, record, record.track);
        const Schema& schema = reader->schema();
        for (const Scope& scope : schema.scopes())
            trace.schema.declare(scope);
        for (const Enum& enumeration : schema.enums())
            trace.schema.declare(enumeration);
        for (const Track& track : schema.tracks())
            trace.schema.declare(track);
        for (const Metadata& fact : schema.metadata())
            trace.schema.describe(fact.key, fact.value);
        for (StringId id = 0; id < schema.string_count(); ++id)
            trace.schema.append(schema.text(id));
        for (const auto& [rule, count] : findings.totals())
            rules.push_back(std::string(rule) + " " + std::to_string(count));
    }
    Bytes bytes;
    Settings settings;
    Input input;
    Findings findings;
    std::unique_ptr<Reader> reader;
    Trace trace;
    Lines rules;
};

std::string characters(std::uint64_t bits, unsigned width) {
    std::string text;
    for (unsigned i = width; i-- > 0;)
        text += (bits >> i & 1) != 0 ? '1' : '0';
    return text;
}

/// Returns the value as text. The form does not depend on the field that holds the value.
std::string meaning(const Schema& schema, const Field& field, std::uint64_t cell) {
    if (field.width != 0) return characters(cell, field.width);
    switch (field.type) {
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
            return std::to_string(static_cast<std::int64_t>(cell));
        case Type::enumeration: {
            const std::string* const label = schema.enums()[field.enumeration].label(cell);
            return std::to_string(cell) + (label == nullptr ? "" : "(" + *label + ")");
        }
        case Type::f32:
            return "f" + std::to_string(cell);
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            return "d" + std::to_string(cell);
        case Type::blob:
            return "bytes " + hex_of(std::as_bytes(std::span(schema.text(static_cast<StringId>(cell)))));
        default:
            return holds_text(field.type) ? std::string(schema.text(static_cast<StringId>(cell)))
                                          : std::to_string(cell);
    }
}

/// Returns the values of all changes as text, in order.
Lines lines_of(const Trace& trace) {
    Lines lines;
    for (const Batch& batch : trace.batches)
        for (const Record& record : batch.records()) {
            const Track& track = trace.schema.tracks()[record.track];
            if (record.kind != Kind::change) continue;
            std::string line = track.name + " @" + std::to_string(record.time);
            if (record.value != 0) line += " mark " + std::to_string(record.value);
            if ((record.flags & record_no_value) != 0) line += " none";
            for (const Attribute& value : batch.attributes(record))
                line += " " + track.fields[value.field].name + "=" +
                        meaning(trace.schema, track.fields[value.field], value.value);
            lines.push_back(std::move(line));
        }
    return lines;
}

/// Returns the first two lines that differ; none if all are equal.
Lines difference(const Lines& made, const Lines& expected) {
    const auto [a, b] = std::ranges::mismatch(made, expected);
    if (a == made.end() && b == expected.end()) return {};
    return {a == made.end() ? "(end)" : *a, b == expected.end() ? "(end)" : *b};
}

Lines facts_of(const Schema& schema) {
    Lines lines;
    for (const Metadata& fact : schema.metadata())
        lines.push_back(fact.key + "=" + fact.value);
    return lines;
}

/// Returns the bytes of both files from the first difference on, in hexadecimal; none if they are equal.
Lines difference(const Bytes& made, const Bytes& expected) {
    const auto shared = static_cast<std::size_t>(std::ranges::mismatch(made, expected).in1 - made.begin());
    if (shared == made.size() && shared == expected.size()) return {};
    const auto from_there = [&](const Bytes& bytes) {
        const auto rest = std::span(bytes).subspan(shared - std::min<std::size_t>(shared, 16));
        return hex_of(rest.first(std::min<std::size_t>(rest.size(), 48)));
    };
    return {from_there(made), from_there(expected)};
}

void check_same(const Trace& made, const Trace& expected) {
    CHECK(difference(lines_of(made), lines_of(expected)) == Lines{});
    CHECK(difference(facts_of(made.schema), facts_of(expected.schema)) == Lines{});
    CHECK(made.schema.scopes() == expected.schema.scopes());
    CHECK(made.schema.enums() == expected.schema.enums());
    CHECK(made.schema.tracks() == expected.schema.tracks());
}

constexpr std::string_view negative_or_large = "FLX022";  // ambiguous in version 4

/// Checks that a trace is read back unchanged. Only the rule `harmless` may have findings.
void check_all_back(const Trace& trace, const How& how, std::string_view harmless = "-") {
    CAPTURE(how.version);
    CAPTURE(how.pack);
    CAPTURE(how.block);
    Losses losses;
    Whole back(written(trace, how, losses));
    CHECK(losses.none());
    std::erase_if(back.rules, [&](const std::string& rule) { return rule.starts_with(harmless); });
    CHECK(back.rules == Lines{});
    CHECK(difference(lines_of(back.trace), lines_of(trace)) == Lines{});
    // A second round trip changes nothing.
    Losses again;
    const Whole once_more(written(back.trace, {"source", how.pack, how.block}, again));
    CHECK(again.none());
    check_same(once_more.trace, back.trace);
}

std::vector<std::uint64_t> edge_numbers() {
    std::vector<std::uint64_t> all{0, greatest, least_signed, least_signed - 1};
    for (unsigned bit = 1; bit < 64; ++bit)
        for (const std::uint64_t near :
             {(std::uint64_t{1} << bit) - 1, std::uint64_t{1} << bit, std::uint64_t{0} - (std::uint64_t{1} << bit),
              std::uint64_t{0} - (std::uint64_t{1} << bit) - 1})
            all.push_back(near);
    return all;
}

std::vector<double> edge_floats() {
    using limits = std::numeric_limits<double>;
    return {0.0,
            -0.0,
            1.0,
            -1.5,
            limits::min(),
            limits::max(),
            limits::lowest(),
            limits::denorm_min(),
            limits::infinity(),
            -limits::infinity(),
            limits::quiet_NaN(),
            0.1};
}

std::vector<std::string> edge_texts() {
    return {"",
            "x",
            std::string(1, '\0'),
            "\xC3\xA4",
            std::string(127, 'a'),
            std::string(128, 'b'),
            std::string(70'000, 'c'),
            "line\nline"};
}

/// Returns vectors of `width` states.
std::vector<std::string> edge_states(std::size_t width, std::string_view states, std::mt19937_64& random) {
    std::vector<std::string> all;
    for (const char state : states)
        all.emplace_back(width, state);
    for (std::size_t i = 0; i < 40; ++i) {
        std::string text(width, states[random() % states.size()]);
        const std::size_t changed = random() % (width + 1);
        for (std::size_t at = width - changed; at < width; ++at)
            text[at] = states[random() % states.size()];
        all.push_back(std::move(text));
    }
    return all;
}

Field vector_of(std::uint8_t width) {
    Field field{"value", Type::u64};
    field.width = width;
    return field;
}

/// A stream that the C emitter writes.
struct Emitted {
    flux_buffer buffer{};
    flux_trace trace{};
    std::vector<std::uint8_t> memory;
    std::vector<flux_item> items = std::vector<flux_item>(64);

    explicit Emitted(std::uint32_t max_item, std::uint8_t version = FLUX_VERSION_6, std::size_t size = 1 << 20)
        : memory(size) {
        REQUIRE(flux_buffer_init(&buffer, memory.data(), static_cast<std::uint32_t>(memory.size()), nullptr) ==
                FLUX_OK);
        add(trace, 0, max_item, version, items);
    }
    void add(flux_trace& other, std::uint32_t id, std::uint32_t max_item, std::uint8_t version,
             std::vector<flux_item>& known) {
        REQUIRE(flux_trace_init(&other, id, version, max_item, 64u << 10, known.data()) == FLUX_OK);
        REQUIRE(flux_trace_attach(&other, &buffer) == FLUX_OK);
    }
    Bytes bytes() const {
        std::uint32_t size = 0;
        const std::uint8_t* const at = flux_buffer_bytes(&buffer, &size);
        const auto all = std::as_bytes(std::span(at, size));
        return {all.begin(), all.end()};
    }
};

std::uint8_t with_flag(unsigned type, unsigned flag) {
    return static_cast<std::uint8_t>(type | flag);
}

void ok(flux_result result) {
    CHECK(std::string(flux_result_text(result)) == flux_result_text(FLUX_OK));
}

}  // namespace

TEST_CASE("integers, floats, texts and bytes with extreme values are restored from flux bit by bit") {
    Trace trace;
    const EnumId states = trace.schema.declare(Enum{"e", {{0, "idle"}, {1, ""}, {greatest >> 1, "last"}}});
    const ScopeId top = trace.schema.declare(Scope{"top", none, {}, none});
    const TrackId number = trace.signal(top, "number", {Field{"value", Type::i64}});
    const TrackId natural = trace.signal(top, "natural", {Field{"value", Type::u64}});
    const TrackId event = trace.signal(top, "e", {Field{"value", Type::enumeration, states}});
    const TrackId single = trace.signal(top, "single", {Field{"value", Type::f32}});
    const TrackId real = trace.signal(top, "real", {Field{"value", Type::f64}});
    const TrackId text = trace.signal(top, "text", {Field{"value", Type::text}});
    const TrackId blob = trace.signal(top, "blob", {Field{"value", Type::blob}});
    Tick time = 0;
    const auto put = [&](TrackId track, std::uint64_t cell) {
        trace.batch().change(track, ++time, Attribute{0, cell});
    };
    for (const std::uint64_t value : edge_numbers()) {
        put(number, value);
        put(natural, value);
        put(event, value);
    }
    for (const double value : edge_floats()) {
        put(single, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
        put(real, std::bit_cast<std::uint64_t>(value));
    }
    for (const std::uint32_t nan : {0x7F80'0001u, 0x7FC1'2345u, 0xFFFF'FFFFu})
        put(single, nan);
    put(real, 0x7FF0'0000'0000'0001u);
    for (const std::string& value : edge_texts()) {
        put(text, trace.schema.intern(value));
        put(blob, trace.schema.intern(value));
    }
    for (const TrackId track : {number, natural, event, single, real, text, blob})
        trace.no_value(track, ++time);
    for (const How& how : every_way())
        check_all_back(trace, how, how.version == "4" ? negative_or_large : "-");
}

TEST_CASE("vectors of any width with two, four and sixteen states are restored from flux") {
    std::mt19937_64 random(5);
    Trace trace;
    const ScopeId top = trace.schema.declare(Scope{"top", none, {}, none});
    Tick time = 0;
    for (const std::uint8_t width : std::to_array<std::uint8_t>({1, 2, 7, 8, 9, 31, 63, 64})) {
        const TrackId track =
            trace.signal(top, "v" + std::to_string(width), {vector_of(width), Field{"value", Type::logic}});
        const std::uint64_t all = width == 64 ? greatest : (std::uint64_t{1} << width) - 1;
        for (const std::uint64_t value : edge_numbers())
            trace.batch().change(track, ++time, Attribute{0, value & all});
        for (const std::string_view kinds : {"ZX", "01ZX", "01ZXLHUW-JKMNOP#"})
            for (const std::string& value : edge_states(width, kinds, random))
                trace.batch().change(track, ++time, Attribute{1, trace.schema.intern(value)});
        trace.no_value(track, ++time);
    }
    for (const How& how : every_way())
        check_all_back(trace, how);
}

TEST_CASE("vectors of more than 64 states from a flux source are restored") {
    std::mt19937_64 random(6);
    for (const std::size_t width : std::to_array<std::size_t>({65, 128, 512})) {
        CAPTURE(width);
        Emitted made(1);
        ok(flux_write_head(&made.trace, "t", ""));
        ok(flux_add_signal(&made.trace, 1, 0, "v", "", FLUX_LOGIC,
                           ("default<bits=" + std::to_string(width) + ">").c_str()));
        ok(flux_open(&made.trace, 0, "ns", 0, 0));
        Lines expected;
        std::int64_t time = 0;
        for (const std::string_view kinds : {"01", "01ZX", "01ZXLHUW-JKMNOP#"})
            for (const std::string& value : edge_states(width, kinds, random)) {
                ok(flux_write_logic(&made.trace, 1, flux_at(++time), '0', static_cast<std::uint32_t>(width),
                                    value.c_str()));
                expected.push_back("v @" + std::to_string(time) + " value=" + value);
            }
        ok(flux_close(&made.trace, 0, time));
        const Whole whole(made.bytes());
        CHECK(difference(lines_of(whole.trace), expected) == Lines{});
        for (const How& how : every_way()) {
            Losses losses;
            CHECK(difference(lines_of(Whole(written(whole.trace, how, losses)).trace), expected) == Lines{});
        }
    }
}

TEST_CASE("logic without a stated width keeps all its states in flux") {
    Trace trace;
    const ScopeId top = trace.schema.declare(Scope{"top", none, {}, none});
    const TrackId track = trace.signal(top, "v", {Field{"value", Type::logic}});
    Tick time = 0;
    for (const std::string_view value : {"0", "01ZX", "ZZZZZZZZ", "0000000000000000000000000000000000000000000001"})
        trace.batch().change(track, ++time, Attribute{0, trace.schema.intern(value)});
    for (const How& how : every_way())
        check_all_back(trace, how);
}

TEST_CASE("values that a flux signal cannot hold are counted and predicted as losses") {
    Trace trace;
    const ScopeId top = trace.schema.declare(Scope{"top", none, {}, none});
    const TrackId number = trace.signal(top, "number", {Field{"value", Type::u8}});
    Field three{"value", Type::u8}, four{"value", Type::logic};
    three.width = 3;
    four.width = 4;
    const TrackId vector = trace.signal(top, "vector", {three}), logic = trace.signal(top, "logic", {four});
    trace.batch().change(number, 1, Attribute{0, 7});
    trace.batch().change(vector, 1, Attribute{0, 7});
    trace.batch().change(logic, 1, Attribute{0, trace.schema.intern("01XZ")});
    trace.no_value(number, 2);
    Losses nothing;
    written(trace, {}, nothing);
    CHECK(nothing.none());

    trace.batch().change(number, 3, std::array<Attribute, 2>{Attribute{0, 1}, Attribute{0, 2}});
    trace.batch().change(number, 4, std::span<const Attribute>());
    trace.batch().change(vector, 5, Attribute{0, 9});
    trace.batch().change(logic, 6, Attribute{0, trace.schema.intern("01xz")});
    trace.batch().change(logic, 7, Attribute{0, trace.schema.intern("01")});
    Losses losses;
    const Bytes stream = written(trace, {}, losses);
    const std::map<std::pair<Loss, std::string>, std::uint64_t> expected{{{Loss::type_changed, "number"}, 2},
                                                                         {{Loss::value_narrowed, "vector"}, 1},
                                                                         {{Loss::value_narrowed, "logic"}, 2}};
    std::vector<ExpectedLoss> foretold;
    flux_format.writes.foresee(trace.schema, {}, foretold);
    for (const auto& one : expected) {
        const auto& loss = one.first;
        CAPTURE(loss.second);
        REQUIRE(losses.entries().contains(loss));
        CHECK(losses.entries().at(loss).count == one.second);
        CHECK(std::ranges::any_of(foretold, [&](const ExpectedLoss& known) {
            return known.loss == loss.first && known.subject == loss.second;
        }));
    }
    CHECK(losses.entries().size() == expected.size());
    CHECK(Whole(stream).findings.kept().empty());
}

TEST_CASE("arrays of 0 to 300 elements, structs and marks are restored from flux") {
    Trace trace;
    const EnumId states = trace.schema.declare(Enum{"state", {{0, "idle"}, {7, "busy"}}});
    const ScopeId top = trace.schema.declare(Scope{"top", none, {}, none});
    const std::vector<Field> elements{
        Field{"value", Type::i64, none, true},           Field{"value", Type::u64, none, true},
        Field{"value", Type::f32, none, true},           Field{"value", Type::f64, none, true},
        Field{"value", Type::enumeration, states, true}, Field{"value", Type::text, none, true}};
    std::vector<TrackId> arrays;
    for (const Field& field : elements)
        arrays.push_back(trace.signal(top, std::string(name_of(field.type)), {field}));
    std::vector<Field> members;
    for (const Field& field : elements) {
        Field member = field;
        member.name = "m." + std::string(name_of(field.type));
        member.repeated = false;
        members.push_back(member);
        member.name = "all " + member.name;
        member.repeated = true;
        members.push_back(member);
    }
    members.push_back(Field{"bytes", Type::blob});
    members.push_back(Field{"7", Type::i64});
    members.push_back(Field{"", Type::i64});
    const TrackId record = trace.signal(top, "record", members);
    const TrackId empty = trace.signal(top, "empty", {});
    std::mt19937_64 random(11);
    const auto cell = [&](const Field& field) -> std::uint64_t {
        if (holds_text(field.type)) return trace.schema.intern(std::string(random() % 200, 'x'));
        if (field.type == Type::f32) return random() & 0xFFFF'FFFF;
        return random() >> (random() % 64);
    };
    Tick time = 0;
    std::vector<Attribute> values;
    for (const How& how : every_way()) {
        const bool is_old = how.version == "4";
        trace.batches.clear();
        for (const int count : {0, 1, 2, 127, 128, 300})
            for (std::size_t i = 0; i < arrays.size(); ++i) {
                if (is_old && elements[i].type == Type::text) continue;  // version 4 has no text type
                values.clear();
                for (int n = 0; n < count; ++n)
                    values.push_back({0, cell(elements[i])});
                trace.batch().change(arrays[i], ++time, values);
            }
        for (unsigned mark = 0; mark <= (is_old ? 1u : 255u); ++mark) {
            values.clear();
            for (std::uint32_t field = 0; field < members.size(); ++field) {
                if (random() % 3 == 0 || (is_old && members[field].repeated)) continue;
                for (std::size_t n = members[field].repeated ? 1 + random() % 20 : 1; n > 0; --n)
                    values.push_back({field, cell(members[field])});
            }
            trace.batch().change(record, ++time, values, mark);
            trace.batch().change(empty, ++time, std::span<const Attribute>(), mark);
        }
        trace.no_value(record, ++time);
        check_all_back(trace, how, is_old ? negative_or_large : "-");
    }
}

TEST_CASE("negative positions, far jumps and several domains are restored from flux") {
    constexpr Tick far = Tick{1} << 62;
    const std::vector<Tick> times{-far,
                                  -far,
                                  -(Tick{1} << 33),
                                  -1,
                                  0,
                                  0,
                                  1,
                                  (Tick{1} << 32),
                                  (Tick{1} << 33),
                                  (Tick{3} << 32) - 1,
                                  far,
                                  std::numeric_limits<Tick>::max()};
    for (const bool several : {false, true}) {
        Trace trace;
        const ScopeId top = trace.schema.declare(Scope{"top", none, {}, none});
        std::vector<TrackId> tracks;
        for (const TimeBase base : several
                                       ? std::vector{picoseconds, TimeBase{TimeBase::Kind::cycles, 1, 1'000'000'000},
                                                     ordinals, TimeBase{TimeBase::Kind::cycles, 1, 0}}
                                       : std::vector{picoseconds, picoseconds})
            tracks.push_back(trace.signal(top, "s" + std::to_string(tracks.size()), {Field{"value", Type::i64}}, base));
        for (const Tick time : times)
            for (const TrackId track : tracks)
                trace.batch().change(track, time, Attribute{0, 1});
        for (const How& how : every_way())
            check_all_back(trace, how);
    }
}

TEST_CASE("ticks become whole steps of a domain in flux, and an overflow is reported") {
    Trace trace;
    const TrackId track = trace.signal(trace.schema.declare(Scope{"top", none, {}, none}), "s",
                                       {Field{"value", Type::i64}}, TimeBase{TimeBase::Kind::cycles, 3, 1'000'000'000});
    trace.batch().change(track, 5, Attribute{0, 1});
    trace.batch().change(track, Tick{1} << 62, Attribute{0, 1});
    Losses losses;
    const Whole back(written(trace, {}, losses));
    CHECK(lines_of(back.trace) == Lines{"s @15 value=1", "s @9223372036854775807 value=1"});
    CHECK(losses.entries().at({Loss::time_rounded, "s"}).count == 1);
}

TEST_CASE("features missing in version 4 of flux are counted as losses") {
    Trace trace;
    const ScopeId top = trace.schema.declare(Scope{"top", none, {}, none});
    const TrackId number = trace.signal(top, "n", {Field{"value", Type::i64}});
    const TrackId texts = trace.signal(top, "t", {Field{"value", Type::text, none, true}});
    trace.batch().change(number, 1, Attribute{0, 1}, 2);
    trace.batch().change(texts, 2, Attribute{0, trace.schema.intern("x")});
    trace.batch().change(number, 3, Attribute{0, 2}, 1);
    Losses losses;
    const Whole back(written(trace, {"4"}, losses));
    CHECK(lines_of(back.trace) == Lines{"n @1 mark 1 value=1", "n @3 mark 1 value=2"});
    CHECK(losses.entries().at({Loss::value_narrowed, "n"}).count == 1);
    CHECK(losses.entries().at({Loss::part_dropped, "t"}).count == 1);
}

TEST_CASE("metadata of other formats, scopes without a root and signals without a scope are restored from flux") {
    Trace trace;
    trace.schema.describe("waits.version", "3");
    trace.schema.describe("waits.version", "");
    trace.schema.describe("", std::string(60'000, 'x'));
    trace.schema.describe("flux.x", "no fact of it");
    const ScopeId a = trace.schema.declare(Scope{"a", none, {}, none});
    const ScopeId b = trace.schema.declare(Scope{"b", none, {}, none, 9});
    const ScopeId c = trace.schema.declare(Scope{"c", b, {}, none, 9});
    for (const ScopeId scope : {a, b, c, none})
        trace.batch().change(trace.signal(scope, "s", {Field{"value", Type::i64}}), 1, Attribute{0, 1});
    for (const How& how : every_way()) {
        check_all_back(trace, how);
        Losses losses;
        const Whole back(written(trace, how, losses));
        std::vector<Metadata> others;
        for (const Metadata& fact : back.trace.schema.metadata())
            if (!fact.key.starts_with("flux.0.")) others.push_back(fact);
        CHECK(others == std::vector<Metadata>(trace.schema.metadata().begin(), trace.schema.metadata().end()));
        Lines paths;
        for (const Track& track : back.trace.schema.tracks())
            paths.push_back(flux_path(back.trace.schema, track));
        CHECK(paths == Lines{"/a/s", "/b/s", "/b/c/s", "/s"});
    }
}

TEST_CASE("parallel traces, nested structs, references, relations, labels and indexes are rewritten unchanged") {
    Emitted made(20);
    std::vector<flux_item> more(64);
    flux_trace second{};
    made.add(second, 9, 5, FLUX_VERSION_6, more);
    ok(flux_write_head(&made.trace, "first", "what it is"));
    ok(flux_add_scope(&made.trace, 3, 0, "scope", "in it"));
    ok(flux_add_signal(&made.trace, 20, 3, "record", "nested", FLUX_STRUCT, "default<x=1>"));
    ok(flux_add_signals(&made.trace, 5, 7, 3, "row", "alike", FLUX_INTEGER, ""));
    ok(flux_add_signal(&made.trace, 8, 0, "list", "", FLUX_INTEGER_ARRAY, ""));
    ok(flux_add_reference(&made.trace, 20, 0, "same", "elsewhere"));
    ok(flux_add_scattered(&made.trace, 11, 0, "wide", "", FLUX_LOGIC, "default<bits=8>", 0, 7));
    ok(flux_add_scattered(&made.trace, 12, 0, "wide", "", FLUX_LOGIC, "default<bits=8>", 8, 15));
    ok(flux_open(&made.trace, 0, "us", -5, 3));
    ok(flux_define_member(&made.trace, 20, 0, FLUX_NO_PARENT, "sub", FLUX_MEMBER_STRUCT, ""));
    ok(flux_define_member(&made.trace, 20, 4, 0, "deep", with_flag(FLUX_MEMBER_STRUCT, FLUX_MEMBER_HIDDEN), ""));
    ok(flux_define_member(&made.trace, 20, 5, 4, "number", with_flag(FLUX_MEMBER_INTEGER, FLUX_MEMBER_UNTIL_CHANGE),
                          "df=Hex"));
    ok(flux_define_member(&made.trace, 20, 6, FLUX_NO_PARENT, "text", FLUX_MEMBER_TEXT, ""));
    ok(flux_define_index(&made.trace, 8, 1, "second one"));
    ok(flux_define_enum(&made.trace, 5, FLUX_ENUM_RELATION_TARGET, "\\scope\\record", 1));
    ok(flux_define_enum(&made.trace, 5, FLUX_ENUM_RELATION_STYLE, "next/00FF00/solid/normal", 1));
    ok(flux_define_enum(&made.trace, 5, FLUX_ENUM_LABEL_STYLE, "text/00FF00/star", 1));
    ok(flux_write_head(&second, "second", ""));
    ok(flux_add_signal(&second, 5, 0, "text", "", FLUX_TEXT, ""));
    ok(flux_open(&second, 5, "idx", 100, 0));
    const flux_member number = flux_member_flags(flux_member_integer64(5, -77), FLUX_MEMBER_UNTIL_CHANGE);
    const flux_member deep = flux_member_flags(flux_member_struct(4, &number, 1), FLUX_MEMBER_HIDDEN);
    const std::array<flux_member, 2> members{flux_member_struct(0, &deep, 1), flux_member_text(6, "said")};
    const std::array<std::int64_t, 3> list{1, -2, std::int64_t{1} << 40};
    const flux_array array{list.data(), 3, FLUX_INT64, false};
    for (std::int64_t time = 0; time < 50; ++time) {
        ok(flux_write_struct(&made.trace, 20, flux_tagged(flux_at(time * 10), static_cast<std::uint8_t>(time)),
                             members.data(), 2));
        ok(flux_write_text(&second, 5, flux_at(100 + time), time % 2 == 0 ? "" : "said"));
        ok(flux_write_integer(&made.trace, 5, flux_at(time * 10), time));
        ok(flux_write_relation(&made.trace, 5, FLUX_DELTA, 1, 1, -3, 0));
        ok(flux_write_label(&made.trace, 5, 1, 0, 0));
        ok(flux_write_array(&made.trace, 8, flux_after(1), &array));
        ok(flux_write_logic(&made.trace, time % 2 == 0 ? 11 : 12, flux_after(0), '0', 8, "0101ZX01"));
        if (time % 9 == 0) ok(flux_write_none(&made.trace, 7, flux_after(2)));
    }
    ok(flux_close(&second, 5, 500));
    ok(flux_close(&made.trace, 0, 1000));
    const Whole whole(made.bytes());
    CHECK(whole.rules == Lines{});
    const FluxReading expected(made.bytes());
    CHECK(expected.records_of("9/5").size() == 50);
    CHECK(expected.records_of("0/20").size() == 50);
    for (How how : every_way()) {
        if (how.version == "4") continue;
        how.version = "source";
        CAPTURE(how.pack);
        CAPTURE(how.block);
        Losses losses;
        const FluxReading back(written(whole.trace, how, losses));
        CHECK(losses.none());
        CHECK(back.rules == Lines{});
        CHECK(difference(back.records, expected.records) == Lines{});
        CHECK(back.schema().scopes() == expected.schema().scopes());
        CHECK(back.schema().enums() == expected.schema().enums());
        CHECK(back.schema().tracks() == expected.schema().tracks());
        CHECK(difference(facts_of(back.schema()), facts_of(expected.schema())) == Lines{});
    }
}

TEST_CASE("unused texts of relations and labels keep their ids beside used texts") {
    Emitted made(4);
    ok(flux_write_head(&made.trace, "t", ""));
    ok(flux_add_signal(&made.trace, 1, 0, "a", "", FLUX_INTEGER, ""));
    ok(flux_open(&made.trace, 0, "ns", 0, 0));
    const auto text = [&](std::uint32_t use, const char* name, std::uint32_t number) {
        ok(flux_define_enum(&made.trace, 1, use, name, number));
    };
    text(FLUX_ENUM_RELATION_TARGET, "\\nobody", 1);
    text(FLUX_ENUM_RELATION_TARGET, "\\a", 2);
    text(FLUX_ENUM_RELATION_TARGET, "\\b", 7);
    text(FLUX_ENUM_RELATION_TARGET, "\\nor this", 3);
    text(FLUX_ENUM_RELATION_STYLE, "next/00FF00/line/normal", 1);
    text(FLUX_ENUM_RELATION_STYLE, "unused/FF0000/line/normal", 2);
    text(FLUX_ENUM_LABEL_STYLE, "unused/00FF00/star", 1);
    text(FLUX_ENUM_LABEL_STYLE, "x/00FF00/star", 2);
    for (std::int64_t time = 0; time < 4; ++time) {
        ok(flux_write_integer(&made.trace, 1, flux_at(time), time));
        ok(flux_write_relation(&made.trace, 1, FLUX_DELTA, time == 3 ? 7 : 2, 1, 1, 0));
        ok(flux_write_label(&made.trace, 1, 2, 0, 0));
    }
    // A label that is redefined before its first use has only the new text. That text is unused as well.
    text(FLUX_ENUM_LABEL_STYLE, "nobody's/00FF00/star", 1);
    ok(flux_close(&made.trace, 0, 4));
    const Whole whole(made.bytes());
    CHECK(whole.rules == Lines{});
    const FluxReading expected(made.bytes());
    const auto fact = [](const FluxReading& reading, const char* key) {
        const std::string* value = reading.schema().metadata(key);
        return value == nullptr ? std::string("none") : *value;
    };
    CHECK(fact(expected, "flux.0.1.label.1.1") == "\\nobody");
    CHECK(fact(expected, "flux.0.1.label.1.2") == "none");
    CHECK(fact(expected, "flux.0.1.label.1.3") == "\\nor this");
    CHECK(fact(expected, "flux.0.1.label.2.2") == "unused/FF0000/line/normal");
    CHECK(fact(expected, "flux.0.1.label.3.1") == "nobody's/00FF00/star");
    for (How how : every_way()) {
        if (how.version == "4") continue;
        how.version = "source";
        CAPTURE(how.pack);
        Losses losses;
        const Bytes first = written(whole.trace, how, losses);
        CHECK(losses.none());
        const FluxReading back(first);
        CHECK(back.rules == Lines{});
        CHECK(difference(back.records, expected.records) == Lines{});
        CHECK(difference(facts_of(back.schema()), facts_of(expected.schema())) == Lines{});
        CHECK(written(Whole(first).trace, how, losses) == first);
    }
}

namespace {

/// Returns a recording that reopens the root, a scope and single signals in other domains.
Bytes recording(std::uint8_t version) {
    Emitted made(4, version);
    flux_trace* const to = &made.trace;
    const auto number = [&](std::uint32_t item, std::int64_t position) {
        ok(flux_write_integer(to, item, flux_at(position), position));
    };
    ok(flux_write_head(to, "t", "opened again"));
    ok(flux_add_scope(to, 1, 0, "s", ""));
    ok(flux_add_signal(to, 2, 1, "a", "", FLUX_INTEGER, ""));
    ok(flux_add_signal(to, 3, 1, "b", "", FLUX_STRUCT, ""));
    ok(flux_add_signal(to, 4, 0, "c", "", FLUX_EVENT, ""));
    ok(flux_add_reference(to, 2, 0, "same", ""));
    ok(flux_open(to, 0, "ns", 5, 0));
    ok(flux_define_member(to, 3, 0, FLUX_NO_PARENT, "m", FLUX_MEMBER_INTEGER, ""));
    ok(flux_define_enum(to, 4, FLUX_ENUM_GLOBAL, "on", 1));
    number(2, 10);
    ok(flux_write_none(to, 3, flux_at(12)));  // a sample with members would have a padded size
    ok(flux_write_event(to, 4, flux_after(1), 1));
    ok(flux_close(to, 0, 20));
    ok(flux_open(to, 0, "us", 1, 4));  // goes back in time, in another domain
    number(2, 3);
    ok(flux_close(to, 0, 3));
    ok(flux_open(to, 1, "idx", -7, 0));
    ok(flux_open(to, 4, "ns", 0, 0));
    for (std::int64_t time = 0; time < 3; ++time) {
        number(2, time);
        ok(flux_write_event(to, 4, flux_at(time), 1));
    }
    ok(flux_close(to, 4, 2));
    ok(flux_close(to, 1, 3));
    ok(flux_open(to, 4, "ns", 0, 0));  // goes back in time, in the same domain
    ok(flux_write_event(to, 4, flux_at(1), 0));
    ok(flux_close(to, 4, 9));
    return made.bytes();
}

}  // namespace

TEST_CASE("a stream that opens items repeatedly, in several domains, and restarts is rewritten byte for byte") {
    for (const std::uint8_t version : {std::uint8_t{FLUX_VERSION_4}, std::uint8_t{FLUX_VERSION_6}}) {
        Bytes stream = recording(version);
        for (const int recordings : {1, 2, 3}) {
            CAPTURE(int{version});
            CAPTURE(recordings);
            Whole whole(stream);
            CHECK(whole.rules == Lines{});
            CHECK(whole.trace.schema.tracks()[0].time == TimeBase{TimeBase::Kind::seconds, 1, 1'000'000'000});
            Losses losses;
            CHECK(difference(written(whole.trace, {"source"}, losses), stream) == Lines{});
            CHECK(losses.none());
            const Bytes other = written(whole.trace, {version == FLUX_VERSION_4 ? "6" : "4", "lz4", "100"}, losses);
            CHECK(losses.none());
            Whole back(other);
            CHECK(back.rules == Lines{});
            CHECK(difference(lines_of(back.trace), lines_of(whole.trace)) == Lines{});
            const Bytes more = recording(version);
            stream.insert(stream.end(), more.begin(), more.end());
        }
    }
}

TEST_CASE("items with positions of several domains are opened at their samples if no record states an OPEN") {
    constexpr TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};
    constexpr TimeBase microseconds{TimeBase::Kind::seconds, 1, 1'000'000};
    Trace trace;
    Scope top{"t", none, {}, none};
    top.native_id = 0;
    const ScopeId scope = trace.schema.declare(top);
    std::vector<TrackId> tracks;
    for (const TimeBase base : {nanoseconds, microseconds, ordinals}) {
        Track track = make_track(Track::Kind::signal, scope, "s", base, {Field{"value", Type::i64}});
        track.native_id = 1;
        tracks.push_back(trace.schema.declare(std::move(track)));
    }
    for (const auto& [key, value] : {std::pair("flux.0.version", "6"),
                                     {"flux.0.1.type", "integer"},
                                     {"flux.0.open.0.domain", "ns"},
                                     {"flux.0.close.0", "100"}})
        trace.schema.describe(key, value);
    for (Tick time = 0; time < 30; ++time)
        trace.batch().change(tracks[static_cast<std::size_t>(time / 5 % 3)], 30 - time % 7, Attribute{0, 1});
    Losses losses;
    Whole back(written(trace, {"6"}, losses));
    for (const auto& [what, entry] : losses.entries())
        CHECK(what.first == Loss::order_changed);
    CHECK(difference(lines_of(back.trace), lines_of(trace)) == Lines{});
    for (const Batch& batch : back.trace.batches)
        for (const Record& record : batch.records())
            if (record.kind == Kind::change)
                CHECK(back.trace.schema.tracks()[record.track].native_id == std::uint64_t{1});
}

namespace {

/// Returns a ring with its unused bytes set to 0. Its sections begin at `at`.
Bytes without_garbage(Bytes ring, std::size_t at) {
    while (at < ring.size()) {
        const auto number = [&](std::size_t place) {
            return std::to_integer<std::size_t>(ring[place]) | std::to_integer<std::size_t>(ring[place + 1]) << 8;
        };
        const std::size_t size = number(at + 3), used = number(at + 5), content = at + 7;
        std::fill(ring.begin() + static_cast<std::ptrdiff_t>(content + used),
                  ring.begin() + static_cast<std::ptrdiff_t>(content + size), std::byte{0});
        at = content + size;
    }
    return ring;
}

}  // namespace

TEST_CASE("a written ring equals a target's ring byte for byte, and overwritten records are counted") {
    constexpr TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};
    for (const std::uint32_t sections : {1u, 2u, 4u, 16u})
        for (const int samples : {0, 1, 20, 60, 150, 4'000}) {
            CAPTURE(sections);
            CAPTURE(samples);
            Trace trace;
            const ScopeId top = trace.schema.declare(Scope{"t", none, {}, none});
            const TrackId number = trace.signal(top, "number", {Field{"value", Type::i64}}, nanoseconds);
            const TrackId real = trace.signal(top, "real", {Field{"value", Type::f64}}, nanoseconds);
            const TrackId text = trace.signal(top, "text", {Field{"value", Type::text}}, nanoseconds);
            Emitted made(3, FLUX_VERSION_6, 2'048);
            flux_trace* const to = &made.trace;
            ok(flux_write_head(to, "t", ""));
            ok(flux_add_signal(to, 1, 0, "number", "", FLUX_INTEGER, ""));
            ok(flux_add_signal(to, 2, 0, "real", "", FLUX_FLOAT, ""));
            ok(flux_add_signal(to, 3, 0, "text", "", FLUX_TEXT, ""));
            ok(flux_open(to, 0, "ns", 0, 0));
            ok(flux_buffer_divide(&made.buffer, sections));
            std::mt19937_64 random(7);
            std::int64_t time = 0;
            for (int i = 0; i < samples; ++i) {
                time +=
                    static_cast<std::int64_t>(random() % 9 == 0 ? std::uint64_t{1} << (random() % 36) : random() % 3);
                const flux_when when = flux_tagged(flux_at(time), static_cast<std::uint8_t>(random() % 3));
                const std::uint64_t value = random() >> (random() % 64);
                const std::string word(random() % 40, 'x');
                switch (random() % 3) {
                    case 0:
                        ok(flux_write_integer(to, 1, when, static_cast<std::int64_t>(value)));
                        trace.batch().change(number, time, Attribute{0, value}, when.tag);
                        break;
                    case 1:
                        ok(flux_write_double(to, 2, when, std::bit_cast<double>(value)));
                        trace.batch().change(real, time, Attribute{0, value}, when.tag);
                        break;
                    default:
                        ok(flux_write_text(to, 3, when, word.c_str()));
                        trace.batch().change(text, time, Attribute{0, trace.schema.intern(word)}, when.tag);
                }
            }
            ok(flux_close(to, 0, time));
            Losses losses;
            const Bytes ours = written(trace, {.version = "6", .ring = "2K:" + std::to_string(sections)}, losses);
            const auto front = static_cast<std::size_t>(made.buffer.sections - made.memory.data());
            CHECK(difference(without_garbage(ours, front), without_garbage(made.bytes(), front)) == Lines{});

            const Whole back(ours);
            const Lines kept = lines_of(back.trace), all = lines_of(trace);
            std::uint64_t lost = 0;
            for (const auto& [what, entry] : losses.entries()) {
                CHECK(what == Losses::Key{Loss::part_dropped, "flux-ring"});
                lost += entry.count;
            }
            CHECK(kept.size() + lost == all.size());
            CHECK(difference(kept, Lines(all.end() - static_cast<std::ptrdiff_t>(kept.size()), all.end())) == Lines{});
            if (samples < 21) CHECK(lost == 0);
            if (samples > 149) CHECK(lost != 0);
            CHECK(kept.empty() == all.empty());
        }
}

TEST_CASE(
    "sections of a ring are self-contained: each states the traces, domains, relations and labels that it needs") {
    Emitted made(4);
    std::vector<flux_item> more(64);
    flux_trace second{};
    made.add(second, 9, 1, FLUX_VERSION_6, more);
    ok(flux_write_head(&made.trace, "first", ""));
    ok(flux_add_signal(&made.trace, 1, 0, "a", "", FLUX_INTEGER, ""));
    ok(flux_add_signal(&made.trace, 2, 0, "b", "", FLUX_EVENT, ""));
    ok(flux_open(&made.trace, 0, "ns", 0, 0));
    ok(flux_define_enum(&made.trace, 2, FLUX_ENUM_GLOBAL, "on", 1));
    ok(flux_define_enum(&made.trace, 1, FLUX_ENUM_RELATION_TARGET, "\\b", 1));
    ok(flux_define_enum(&made.trace, 1, FLUX_ENUM_RELATION_STYLE, "next/00FF00/line/normal", 1));
    ok(flux_write_head(&second, "second", ""));
    ok(flux_add_signal(&second, 1, 0, "c", "", FLUX_TEXT, ""));
    ok(flux_open(&second, 0, "us", 0, 0));
    ok(flux_write_integer(&made.trace, 1, flux_at(3), 3));
    ok(flux_close(&made.trace, 0, 3));
    ok(flux_open(&made.trace, 0, "ps", 0,
                 0));  // another domain, which the head of the ring does not state
    for (std::int64_t time = 0; time < 500; ++time) {
        ok(flux_write_integer(&made.trace, 1, flux_at(time), time));
        ok(flux_write_relation(&made.trace, 1, FLUX_DELTA, 1, 1, 4, 0));
        ok(flux_write_event(&made.trace, 2, flux_at(time), 1));
        if (time % 3 == 0) ok(flux_write_text(&second, 1, flux_at(time), "said"));
    }
    Whole whole(made.bytes());
    const FluxReading expected(made.bytes());
    for (const char* const ring : {"1K", "2000:7", "3K:3", "64K"}) {
        CAPTURE(ring);
        Losses losses;
        const FluxReading back(written(whole.trace, {.version = "source", .ring = ring}, losses));
        for (const auto& [what, entry] : losses.entries())
            CHECK((what.second == "flux-ring" || what.second == "flux.relation"));
        for (const std::string_view rule : {"FLX003", "FLX009", "FLX017", "FLX018", "FLX019", "FLX023", "FLX024"})
            CHECK(back.total(rule) == 0);
        for (const std::string_view front : {"0/1", "0/2", "9/1", "0 @"}) {
            const Lines kept = back.records_of(front), all = expected.records_of(front);
            CAPTURE(front);
            REQUIRE(kept.size() <= all.size());
            CHECK(kept.size() > 1);
            const bool has_relations = front == "0 @";
            const Lines newest(all.end() - static_cast<std::ptrdiff_t>(kept.size()), all.end());
            if (!has_relations || losses.entries().size() < 2) CHECK(difference(kept, newest) == Lines{});
        }
    }
    for (const char* const wrong : {"100", "1K:0", "1K:100", "1K:", "x", "1M:4", "1K:4:4"}) {
        CAPTURE(wrong);
        Losses losses;
        CHECK_THROWS_AS(written(whole.trace, {.version = "source", .ring = wrong}, losses), Error);
    }
    Losses losses;
    CHECK_THROWS_AS(written(whole.trace, {.version = "source", .pack = "lz4", .ring = "1K"}, losses), Error);
}

TEST_CASE("items and members keep their ids, of any size and in any order") {
    using flux::Tag;
    Appender out;
    const auto text = [&](std::string_view value) { flux::append_text(out, value); };
    const auto tag = [&](Tag value) { flux::append_tag(out, value); };
    constexpr std::uint64_t last = (std::uint64_t{1} << 61) - 1;
    tag(Tag::head);
    out.text("flux");
    out.le(std::uint8_t{6});
    out.leb128(0);
    text("t");
    text("");
    out.le(std::uint8_t{0});
    out.leb128(last);
    out.leb128(64u << 10);
    for (const std::uint64_t item : {last, std::uint64_t{1} << 29, std::uint64_t{7}}) {
        tag(Tag::signal);
        out.leb128(item);
        out.leb128(0);
        text(std::to_string(item));
        text("");
        out.le(static_cast<std::uint8_t>(flux::SignalType::structure));
        text("");
    }
    tag(Tag::open);
    out.leb128(0);
    text("ns");
    out.zeros(2);
    for (const unsigned member : {20u, 21u, 10u, 0u, 1u, 4'000'000u}) {
        tag(Tag::member);
        out.leb128(last);
        out.leb128(member);
        out.leb128(0);
        text("m" + std::to_string(member));
        out.le(static_cast<std::uint8_t>(flux::MemberType::integer));
        text("");
    }
    for (const unsigned member : {10u, 0u, 4'000'000u}) {
        Appender value;
        value.leb128(member);
        value.le(static_cast<std::uint8_t>(flux::MemberType::integer));
        value.le(std::uint8_t{1});
        value.le(std::uint8_t{77});
        out.leb128(last << 3);
        out.leb128(value.size() << 4 | 1);
        out.bytes(value.span());
    }
    tag(Tag::close);
    out.zeros(2);
    const Bytes stream(out.span().begin(), out.span().end());
    const Whole whole(stream);
    CHECK(whole.rules == Lines{});
    Losses losses;
    CHECK(difference(written(whole.trace, {"source"}, losses), stream) == Lines{});
    CHECK(losses.none());
}

TEST_CASE("an array of enumeration values in an integer member is restored as an array of enumeration values") {
    using flux::MemberType;
    Appender out;
    flux::append_tag(out, flux::Tag::head);
    out.text("flux");
    out.le(std::uint8_t{6});
    out.leb128(0);
    flux::append_text(out, "t");
    flux::append_text(out, "");
    out.le(std::uint8_t{0});
    out.leb128(1);
    out.leb128(64u << 10);
    flux::append_tag(out, flux::Tag::signal);
    out.leb128(1);
    out.leb128(0);
    flux::append_text(out, "s");
    flux::append_text(out, "");
    out.le(static_cast<std::uint8_t>(flux::SignalType::structure));
    flux::append_text(out, "");
    flux::append_tag(out, flux::Tag::open);
    out.leb128(0);
    flux::append_text(out, "ns");
    out.zeros(2);
    flux::append_tag(out, flux::Tag::member);
    out.leb128(1);
    out.leb128(0);
    out.leb128(0);
    flux::append_text(out, "m");
    out.le(static_cast<std::uint8_t>(MemberType::integer_array));
    flux::append_text(out, "");
    Appender elements;
    elements.leb128(3);
    for (const std::uint64_t number : {std::uint64_t{5}, (std::uint64_t{1} << 63) + 5, std::uint64_t{7}}) {
        const bool is_small = number < 0x80;
        elements.leb128(is_small ? 1 : 9);  // includes a sign byte
        if (is_small) {
            elements.le(static_cast<std::uint8_t>(number));
        } else {
            elements.le(number);
            elements.le(std::uint8_t{0});
        }
    }
    Appender value;
    value.leb128(0);
    value.le(static_cast<std::uint8_t>(MemberType::enumeration_array));
    value.leb128(elements.size());
    value.bytes(elements.span());
    out.leb128(1u << 3);
    out.leb128(value.size() << 4 | 1);
    out.bytes(value.span());
    flux::append_tag(out, flux::Tag::close);
    out.zeros(2);
    const Bytes stream(out.span().begin(), out.span().end());
    const Whole whole(stream);
    CHECK(whole.rules == Lines{"FLX028 1"});
    Losses losses;
    CHECK(difference(written(whole.trace, {"source"}, losses), stream) == Lines{});
    CHECK(losses.none());
}

TEST_CASE("a member renamed by a later recording, or undefined, keeps its values separate") {
    Bytes stream;
    for (const char* const label : {"first", "second", static_cast<const char*>(nullptr), "first"}) {
        Emitted made(1);
        ok(flux_write_head(&made.trace, "t", ""));
        ok(flux_add_signal(&made.trace, 1, 0, "s", "", FLUX_STRUCT, ""));
        ok(flux_open(&made.trace, 0, "ns", 0, 0));
        ok(flux_define_member(&made.trace, 1, 0, FLUX_NO_PARENT, "zero", FLUX_MEMBER_INTEGER, ""));
        if (label != nullptr) ok(flux_define_member(&made.trace, 1, 5, FLUX_NO_PARENT, label, FLUX_MEMBER_INTEGER, ""));
        const std::array<flux_member, 2> members{flux_member_integer64(label == nullptr ? 9 : 5, 7),
                                                 flux_member_integer64(0, -1)};
        ok(flux_write_struct(&made.trace, 1, flux_at(3), members.data(), 2));
        ok(flux_close(&made.trace, 0, 3));
        const Bytes one = made.bytes();
        stream.insert(stream.end(), one.begin(), one.end());
    }
    const Whole whole(stream);
    Losses losses;
    const Whole back(written(whole.trace, {"source"}, losses));
    for (const auto& [what, entry] : losses.entries()) {
        CHECK(what.first == Loss::metadata_dropped);
        CHECK(what.second.starts_with("flux.0.1.member_number."));
    }
    CHECK(lines_of(whole.trace) ==
          Lines{"s @3 first=7 zero=-1", "s @3 second=7 zero=-1", "s @3 9=7 zero=-1", "s @3 first=7 zero=-1"});
    CHECK(difference(lines_of(back.trace), lines_of(whole.trace)) == Lines{});
}

TEST_CASE("a loss is reported if a later recording redefines an item") {
    Bytes stream;
    for (const flux_type type : {FLUX_INTEGER, FLUX_EVENT}) {
        Emitted made(1);
        ok(flux_write_head(&made.trace, "t", ""));
        ok(flux_add_signal(&made.trace, 1, 0, "s", "", type, ""));
        ok(flux_open(&made.trace, 0, type == FLUX_EVENT ? "us" : "ns", 0, 0));
        ok(flux_write_event(&made.trace, 1, flux_at(3), 1));
        const Bytes one = made.bytes();
        stream.insert(stream.end(), one.begin(), one.end());
    }
    const Whole whole(stream);
    Losses losses;
    written(whole.trace, {"source"}, losses);
    CHECK(losses.entries().contains({Loss::metadata_dropped, "flux.0.1.type"}));
    std::vector<ExpectedLoss> expected;
    flux_format.writes.foresee(whole.trace.schema, {}, expected);
    CHECK(std::ranges::any_of(expected, [](const ExpectedLoss& loss) { return loss.subject == "flux.0.1.type"; }));
}

TEST_CASE("missing parts of a stream that the writer does not add are reported") {
    const auto assumptions = [](const Bytes& stream) {
        const Whole whole(stream);
        Losses losses;
        CHECK(difference(written(whole.trace, {"source"}, losses), stream) == Lines{});
        CHECK(losses.none());
        return losses.assumptions();
    };
    Emitted without_head(1);
    ok(flux_add_signal(&without_head.trace, 1, 0, "i", "", FLUX_INTEGER, ""));
    ok(flux_open(&without_head.trace, 0, "ns", 0, 0));
    ok(flux_write_integer(&without_head.trace, 1, flux_at(3), 3));
    ok(flux_close(&without_head.trace, 0, 3));
    REQUIRE(assumptions(without_head.bytes()).size() == 1);
    CHECK(assumptions(without_head.bytes())[0].starts_with("the trace has no HEAD"));

    Bytes samples;  // without definitions; the receiver has them
    for (const unsigned byte :
         {0x10u, 0x11u, 1u, 0x0Au, 5u, 0x2Au, 7u, 8u, 0x10u, 0u, 0x9Au, 1u, 2u, 0x45u, 0u, 0u, 0xC0u, 0x3Fu})
        samples.push_back(static_cast<std::byte>(byte));
    CHECK(assumptions(samples).size() == 1);

    Emitted whole(1);
    ok(flux_write_head(&whole.trace, "t", ""));
    ok(flux_add_signal(&whole.trace, 1, 0, "f", "", FLUX_FLOAT, ""));
    ok(flux_open(&whole.trace, 0, "ns", 0, 0));
    ok(flux_write_float(&whole.trace, 1, flux_at(3), 1.5f));
    CHECK(assumptions(whole.bytes()).empty());
}

TEST_CASE("values that do not fit their signal's type are a loss, and the written flux is valid") {
    Emitted made(1);
    ok(flux_write_head(&made.trace, "t", ""));
    ok(flux_add_signal(&made.trace, 1, 0, "f", "", FLUX_FLOAT, ""));
    ok(flux_open(&made.trace, 0, "ns", 0, 0));
    ok(flux_write_float(&made.trace, 1, flux_at(3), 1.5f));
    Bytes stream = made.bytes();
    for (const unsigned byte : {8u, 0x21u, 1u, 2u})  // an integer value in a float signal
        stream.push_back(static_cast<std::byte>(byte));
    const Whole whole(stream);
    Losses losses;
    const Bytes output = written(whole.trace, {"source"}, losses);
    REQUIRE(losses.entries().contains({Loss::part_dropped, "f"}));
    CHECK(losses.entries().at({Loss::part_dropped, "f"}).first == "2 bytes at 3");
    std::vector<ExpectedLoss> expected;
    flux_format.writes.foresee(whole.trace.schema, {}, expected);
    CHECK(std::ranges::any_of(expected, [](const ExpectedLoss& loss) { return loss.subject == "f"; }));

    Whole again(output);
    const std::span<const Record> records = again.trace.batch().records();
    REQUIRE(records.size() == 2);
    CHECK((records[1].flags & record_no_value) != 0);
    CHECK(records[1].time == 3);
}

TEST_CASE("only possible losses are predicted") {
    Emitted made(1);
    ok(flux_write_head(&made.trace, "t", ""));
    ok(flux_add_signal(&made.trace, 1, 0, "i", "", FLUX_INTEGER, ""));
    ok(flux_open(&made.trace, 0, "ns", 0, 0));
    ok(flux_write_integer(&made.trace, 1, flux_tagged(flux_at(3), 9), 3));
    const Whole whole(made.bytes());
    const auto foretold = [](const Schema& schema, const std::string& version) {
        Settings settings;
        settings.set(flux::options[0], version);
        std::vector<ExpectedLoss> expected;
        flux_format.writes.foresee(schema, settings, expected);
        Lines lines;
        for (const ExpectedLoss& loss : expected)
            lines.push_back(std::string(name_of(loss.loss)) + " " + loss.subject);
        return lines;
    };
    CHECK(foretold(whole.trace.schema, "source") == Lines{"order-changed positions"});
    CHECK(foretold(whole.trace.schema, "4") == Lines{"order-changed positions", "value-narrowed *"});
    Trace trace;
    const ScopeId top = trace.schema.declare(Scope{"t", none, {}, none});
    trace.signal(top, "s", {Field{"value", Type::i64}});
    CHECK(foretold(trace.schema, "6") == Lines{"type-changed s"});
    trace.signal(top, "slow", {Field{"value", Type::i64}}, TimeBase{TimeBase::Kind::seconds, 3, 1'000});
    CHECK(foretold(trace.schema, "6") == Lines{"type-changed s", "time-rounded slow", "type-changed slow"});
}

TEST_CASE("the writer's bytes equal the C emitter's bytes for the same samples") {
    Trace trace;
    const ScopeId top = trace.schema.declare(Scope{"t", none, {}, none});
    const ScopeId scope = trace.schema.declare(Scope{"s", top, {}, none});
    constexpr TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};
    const TrackId number = trace.signal(scope, "number", {Field{"value", Type::i64}}, nanoseconds);
    const TrackId natural = trace.signal(scope, "natural", {Field{"value", Type::u64}}, nanoseconds);
    const TrackId single = trace.signal(top, "single", {Field{"value", Type::f32}}, nanoseconds);
    const TrackId real = trace.signal(top, "real", {Field{"value", Type::f64}}, nanoseconds);
    const TrackId text = trace.signal(top, "text", {Field{"value", Type::text}}, nanoseconds);
    const TrackId vector = trace.signal(top, "vector", {vector_of(20), Field{"value", Type::logic}}, nanoseconds);
    const TrackId blob = trace.signal(top, "blob", {Field{"value", Type::blob}}, nanoseconds);

    Emitted made(8);
    flux_trace* const to = &made.trace;
    ok(flux_write_head(to, "t", ""));
    ok(flux_add_scope(to, 1, 0, "s", ""));
    ok(flux_add_signal(to, 2, 1, "number", "", FLUX_INTEGER, ""));
    ok(flux_add_signal(to, 3, 1, "natural", "", FLUX_INTEGER, ""));
    ok(flux_add_signal(to, 4, 0, "single", "", FLUX_FLOAT, ""));
    ok(flux_add_signal(to, 5, 0, "real", "", FLUX_FLOAT, ""));
    ok(flux_add_signal(to, 6, 0, "text", "", FLUX_TEXT, ""));
    ok(flux_add_signal(to, 7, 0, "vector", "", FLUX_LOGIC, "default<bits=20>"));
    ok(flux_add_signal(to, 8, 0, "blob", "", FLUX_BINARY, ""));
    ok(flux_open(to, 0, "ns", 0, 0));

    std::mt19937_64 random(3);
    std::int64_t time = 0;
    const auto at = [&] { return flux_tagged(flux_at(time), static_cast<std::uint8_t>(random() % 4)); };
    const auto put = [&](TrackId track, std::uint32_t field, std::uint64_t cell, const flux_when& when) {
        trace.batch().change(track, time, Attribute{field, cell}, when.tag);
        time += static_cast<std::int64_t>(random() % 3 == 0 ? 0 : random() >> (34 + random() % 30));
    };
    for (const std::uint64_t value : edge_numbers()) {
        flux_when when = at();
        ok(flux_write_integer(to, 2, when, static_cast<std::int64_t>(value)));
        put(number, 0, value, when);
        when = at();
        ok(flux_write_unsigned(to, 3, when, value));
        put(natural, 0, value, when);
        when = at();
        const std::string bits = characters(value & 0xF'FFFF, 20);
        ok(flux_write_logic(to, 7, when, '0', 20, bits.c_str()));
        put(vector, 0, value & 0xF'FFFF, when);
    }
    for (const double value : edge_floats()) {
        flux_when when = at();
        ok(flux_write_float(to, 4, when, static_cast<float>(value)));
        put(single, 0, std::bit_cast<std::uint32_t>(static_cast<float>(value)), when);
        when = at();
        ok(flux_write_double(to, 5, when, value));
        put(real, 0, std::bit_cast<std::uint64_t>(value), when);
    }
    for (const std::string& value : edge_texts()) {
        flux_when when = at();
        const auto size = static_cast<std::uint32_t>(value.size());
        ok(flux_write_characters(to, 6, when, value.data(), size));
        put(text, 0, trace.schema.intern(value), when);
        when = at();
        ok(flux_write_binary(to, 8, when, value.data(), size));
        put(blob, 0, trace.schema.intern(value), when);
    }
    for (const std::string_view kinds : {"01ZX", "01ZXLHUW-JKMNOP#"})
        for (const std::string& value : edge_states(20, kinds, random)) {
            const flux_when when = at();
            ok(flux_write_logic(to, 7, when, '0', 20, value.c_str()));
            put(vector, 1, trace.schema.intern(value), when);
        }
    trace.no_value(number, time);
    ok(flux_write_none(to, 2, flux_at(time)));
    ok(flux_close(to, 0, time));

    Losses losses;
    const Bytes ours = written(trace, {"6"}, losses), theirs = made.bytes();
    CHECK(losses.none());
    CHECK(difference(ours, theirs) == Lines{});
}

}  // namespace flux_writer_test
