// Laws of the FTR writer: it writes the same bytes as the library, and every trace is restored.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <sstream>

#include "convert/model_dump.hpp"
#include "domain/conventions.hpp"
#include "formats.hpp"
#include "io/output.hpp"
#include "io/text_output.hpp"
#include "laws/law_support.hpp"
#include "support/corpus.hpp"
#include "support/hex.hpp"

namespace ftr_laws {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Chosen = std::vector<std::pair<std::string_view, std::string>>;

const Format& ftr() {
    return *find_format(formats(), "ftr");
}

Settings settings_of(const Chosen& chosen) {
    Settings settings;
    for (const auto& [key, value] : chosen)
        for (const Option& option : ftr().options)
            if (option.key == key) settings.set(option, value);
    return settings;
}

/// The options that make the output equal to LWTR4SC's.
const Chosen upstream{{"ftr-doubles", "binary64"}, {"ftr-block-times", "stream"}, {"ftr-text", "bytes"}};

Bytes rewritten(const Bytes& file, const Chosen& chosen, Losses* losses = nullptr) {
    Choices choices;
    choices.settings = settings_of(chosen);
    Rewritten again = convert_bytes(file, ftr(), ftr(), choices);
    CHECK(again.unexpected() == std::vector<std::string>{});
    if (losses != nullptr) *losses = again.losses;
    return again.bytes;
}

/// A trace under construction, and the losses of writing it.
struct Trace {
    Schema schema;
    Batch batch;
    Losses losses;

    ScopeId stream(std::string name, std::optional<std::uint64_t> number = {}, ScopeId parent = none) {
        return schema.declare(Scope{std::move(name), parent, "kind", none, number});
    }
    TrackId generator(ScopeId scope, std::string name, std::vector<Field> fields, TimeBase time = picoseconds,
                      std::optional<std::uint64_t> number = {}) {
        Track track;
        track.kind = Track::Kind::stream;
        track.scope = scope;
        track.name = std::move(name);
        track.time = time;
        track.fields = std::move(fields);
        track.native_id = number;
        return schema.declare(std::move(track));
    }
    TrackId relation(std::string name, std::vector<Field> fields = {{"from", Type::u64}, {"to", Type::u64}}) {
        Track track;
        track.kind = Track::Kind::relation_type;
        track.name = std::move(name);
        track.time = picoseconds;
        track.fields = std::move(fields);
        return schema.declare(std::move(track));
    }
    void interval(TrackId track, Tick begin, std::uint64_t duration, std::vector<Attribute> attributes = {}) {
        batch.interval(track, begin, duration, attributes);
    }
    void relate(TrackId track, std::vector<std::uint64_t> cells, Tick time = 0) { batch.relation(track, time, cells); }

    Bytes file(const Chosen& chosen = {}) {
        Bytes bytes;
        losses = {};
        const Settings settings = settings_of(chosen);
        const auto output = open_memory_output("trace", [&](Bytes all) { bytes = std::move(all); });
        const auto writer = ftr().create(*output, schema, settings, losses);
        writer->write(batch);
        writer->finish();
        output->commit();
        std::vector<ExpectedLoss> foretold;
        ftr().writes.foresee(schema, settings, foretold);
        Rewritten rewritten{{}, losses, foretold};
        CHECK(rewritten.unexpected() == std::vector<std::string>{});
        return bytes;
    }
    std::string dump() const {
        TextOutput text(-1);
        dump_schema(schema, text);
        dump_records(schema, batch, text);
        return std::string(text.text());
    }
    std::uint64_t lost(Loss loss, const std::string& subject) const {
        const auto found = losses.entries().find({loss, subject});
        return found == losses.entries().end() ? 0 : found->second.count;
    }
};

Field number_field() {
    return {"id", Type::u64};
}
Field field(std::string name, Type type, Phase phase = Phase::record) {
    Field made{std::move(name), type};
    made.phase = phase;
    return made;
}

std::string hex(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte byte : bytes) {
        constexpr std::string_view digits = "0123456789abcdef";
        text += digits[std::to_integer<unsigned>(byte) >> 4];
        text += digits[std::to_integer<unsigned>(byte) & 15u];
    }
    return text;
}

bool contains(const Bytes& file, std::string_view digits) {
    return hex(file).find(digits) != std::string::npos;
}

Story good_story(const Bytes& file) {
    Story story = read_story(file, ftr(), CheckLevel::full);
    CAPTURE(story.findings);
    CHECK(story.good());
    return story;
}

/// Returns the cells of all intervals of a file.
std::vector<std::uint64_t> read_values(const Bytes& file) {
    Input input = Input::memory("file", file);
    Findings findings;
    const Settings settings;
    const auto reader = ftr().open(input, settings, findings);
    std::vector<std::uint64_t> values;
    Batch batch;
    for (; reader->read(batch); batch.clear())
        for (const Record& record : batch.records())
            for (const Attribute& attribute : batch.attributes(record))
                values.push_back(attribute.value);
    return values;
}

}  // namespace

TEST_CASE("files of the recording library are written again byte for byte") {
    for (const char* const name :
         {"lwtr4sc/lwtr_example", "lwtr4sc/lwtr_event_example", "alltypes/alltypes", "edge/blocks"}) {
        for (const bool compressed : {false, true}) {
            const auto path = corpus(std::string("ftr/").append(name).append(compressed ? "_c.ftr" : "_u.ftr"));
            if (!path) continue;
            CAPTURE(name);
            CAPTURE(compressed);
            const Bytes file = read_file(*path);
            CHECK(rewritten(file, upstream) == file);
        }
    }
    // These files have a resolution other than 1 ps, relations of three elements, or no transactions.
    for (const char* const name :
         {"alltypes/alltypes_fs_u.ftr", "scviewer/my_db.ftr", "scviewer/my_db_c.ftr", "edge/nodata_c.ftr"}) {
        const auto path = corpus(std::string("ftr/").append(name));
        if (!path) continue;
        CAPTURE(name);
        const Bytes file = read_file(*path);
        Chosen chosen = upstream;
        chosen.emplace_back("ftr-relations", "source");
        CHECK(rewritten(file, chosen) == file);
    }
    // The writer of this file was killed. Rewriting adds only the end mark.
    if (const auto path = corpus("ftr/edge/unfinished_u.ftr")) {
        Bytes file = read_file(*path);
        const Bytes again = rewritten(file, upstream);
        file.push_back(std::byte{0xFF});
        CHECK(again == file);
    }
}

TEST_CASE("a stream, a generator and a transaction are encoded as the format specification describes") {
    Trace trace;
    const ScopeId stream = trace.stream("s", 1);
    const TrackId generator =
        trace.generator(stream, "g", {number_field(), field("a", Type::u64, Phase::begin)}, picoseconds, 2);
    trace.interval(generator, 5, 10, {{0, 3}, {1, 255}});
    const std::string head = R"(
        d9 d9 f7 9f
        c6 44  82 2b c1 00                                       # 10^-12 s, created at 0
        c8 4f  a4  00 60  01 61 73  02 64 6b 69 6e 64  03 61 67  # "", s, kind, g
        ca 4c  9f  d0 83 01 01 02  d1 83 02 03 01  ff            # stream 1, generator 2
        c8 44  a1  04 61 61                                      # a
    )";
    const std::string upstream_block = R"(
        cc 84 01 05 0f 50  9f  82  c6 84 03 02 05 0f  c7 83 04 03 19 00 ff  ff
        ff
    )";
    const std::string canonical_block = R"(
        cc 84 01 05 0f 4f  9f  82  c6 84 03 02 05 0f  c7 83 04 03 18 ff  ff
        ff
    )";
    CHECK(hex(trace.file()) == hex(assemble(head + upstream_block, {}).bytes));
    CHECK(trace.losses.none());
    CHECK(hex(trace.file({{"ftr-ints", "canonical"}})) == hex(assemble(head + canonical_block, {}).bytes));
}

TEST_CASE("integers have the library's widths, or the shortest ones") {
    Trace trace;
    const TrackId generator = trace.generator(
        trace.stream("s", 1), "g", {number_field(), field("u", Type::u64), field("i", Type::i64)}, picoseconds, 2);
    const auto written = [&](std::uint32_t which, std::uint64_t value, std::string_view ints) {
        trace.batch.clear();
        trace.interval(generator, 0, 0, {{0, 1}, {which, value}});
        const std::string all = hex(trace.file({{"ftr-ints", std::string(ints)}}));
        const std::size_t at = all.find(which == 1 ? "c8830403" : "c8830402");
        REQUIRE(at != std::string::npos);
        return all.substr(at + 8, all.size() - at - 8 - 4);
    };
    struct Row {
        std::uint64_t value;
        const char* upstream;
        const char* canonical;
    };
    for (const Row& row :
         {Row{23, "17", "17"}, Row{24, "1818", "1818"}, Row{254, "18fe", "18fe"}, Row{255, "1900ff", "18ff"},
          Row{65'534, "19fffe", "19fffe"}, Row{65'535, "1a0000ffff", "19ffff"},
          Row{4'294'967'294, "1afffffffe", "1afffffffe"}, Row{4'294'967'295, "1b00000000ffffffff", "1affffffff"},
          Row{~std::uint64_t{0}, "1bffffffffffffffff", "1bffffffffffffffff"}}) {
        CHECK(written(1, row.value, "upstream") == row.upstream);
        CHECK(written(1, row.value, "canonical") == row.canonical);
    }
    CHECK(written(2, ~std::uint64_t{0}, "upstream") == "20");
    CHECK(written(2, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::min()), "upstream") ==
          "3b7fffffffffffffff");
}

TEST_CASE("numbers are stored as binary32, with the exact digits in a mark") {
    Trace trace;
    const TrackId generator = trace.generator(
        trace.stream("s", 1), "g", {number_field(), field("d", Type::f64), field("x", Type::fixed)}, picoseconds, 2);
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    const auto written = [&](std::uint64_t value, std::string_view doubles) {
        trace.batch.clear();
        trace.interval(generator, 0, 0, {{0, 1}, {1, value}});
        const std::string all = hex(trace.file({{"ftr-doubles", std::string(doubles)}}));
        const std::size_t at = std::min(all.find("c8830404"), all.find("c8830a04"));  // 10: behind the metadata's names
        REQUIRE(at != std::string::npos);
        return all.substr(at + 8, all.size() - at - 8 - 4);
    };
    CHECK(written(bits(2.5), "auto") == "fa40200000");
    CHECK(written(bits(-0.0), "auto") == "fa80000000");
    CHECK(written(bits(2.5), "binary64") == "fb4004000000000000");
    // A mark follows: a record attribute of type 2 with the difference of the bits.
    const auto marked = [&](std::uint64_t value) {
        const std::string text = written(value, "auto");
        return text.size() > 18 ? text.substr(0, 14) + " " + text.substr(16) : text;
    };
    CHECK(marked(bits(0.1)) == "fa3dcccccdc883 023a06666665");
    CHECK(marked(bits(2.5)) == "fa40200000");
    CHECK(marked(bits(1e300)).starts_with("fa7f800000c883 02"));
    CHECK(marked(bits(std::numeric_limits<double>::infinity())) == "fa7f800000");
    CHECK(marked(0x7FF8'0000'0000'0000) == "fa7fc00000");
    CHECK(marked(0x7FF8'0000'0000'0001) == "fa7fc00000c883 0201");            // the payload
    CHECK(marked(0x7FF4'0000'0000'0000).starts_with("fa7fe00000c883 023b"));  // readers make the NaN quiet
    CHECK(trace.losses.none());
    for (const std::uint64_t value : {bits(0.1), bits(-1e300), bits(5e-324), bits(1e-40), bits(16777217.0),
                                      std::uint64_t{0x7FF8'0000'0000'0001}, std::uint64_t{0xFFF4'0000'1234'0000}}) {
        trace.batch.clear();
        trace.interval(generator, 0, 0, {{0, 1}, {1, value}, {2, value}, {1, bits(2.5)}, {1, value}});
        CHECK(read_values(trace.file()) == std::vector<std::uint64_t>{1, value, value, bits(2.5), value});
        CHECK(trace.losses.none());
    }
    CHECK(written(bits(0.1), "binary32") == "fa3dcccccd");
    CHECK(trace.lost(Loss::value_narrowed, "g.d") == 1);
    CHECK(written(bits(1e300), "binary32") == "fa7f800000");
    CHECK(trace.lost(Loss::value_narrowed, "g.d") == 1);
    trace.batch.clear();
    trace.interval(generator, 0, 0, {{0, 1}, {2, bits(-2.25)}});
    CHECK(contains(trace.file(), "c8830407fac0100000"));
}

TEST_CASE("transactions in a block are in source order if streams have ids, otherwise in order of ends") {
    const auto make = [](bool numbered) {
        Trace trace;
        const TrackId generator =
            trace.generator(trace.stream("s", numbered ? std::optional<std::uint64_t>(1) : std::nullopt), "g",
                            {number_field()}, picoseconds, 2);
        trace.interval(generator, 0, 30, {{0, 1}});
        trace.interval(generator, 10, 5, {{0, 2}});
        trace.interval(generator, 11, 4, {{0, 3}});
        return trace;
    };
    Trace trace = make(true);
    CHECK(read_story(trace.file(), ftr()).records ==
          "0 interval s/g duration=30 id=0x1\n10 interval s/g duration=5 id=0x2\n11 interval s/g duration=4 id=0x3\n");
    CHECK(trace.losses.none());
    const std::string by_end =
        "10 interval s/g duration=5 id=0x2\n11 interval s/g duration=4 id=0x3\n0 interval s/g duration=30 id=0x1\n";
    CHECK(read_story(trace.file({{"ftr-order", "end"}}), ftr()).records == by_end);
    trace = make(false);
    CHECK(read_story(trace.file(), ftr()).records == by_end);
    CHECK(trace.losses.none());
    CHECK(read_story(trace.file({{"ftr-order", "source"}}), ftr()).records.starts_with("0 interval"));
    // The order of two transactions that start at the same time must be preserved.
    trace.interval(0, 20, 3, {{0, 4}});
    trace.interval(0, 20, 2, {{0, 5}});
    trace.file();
    CHECK(trace.lost(Loss::order_changed, "g") == 1);
}

TEST_CASE("blocks end after 65536 bytes and state their times or the times of the stream") {
    Trace trace;
    const TrackId generator =
        trace.generator(trace.stream("s", 1), "g", {number_field(), field("t", Type::text)}, picoseconds, 2);
    const StringId text = trace.schema.intern("text");
    for (std::uint64_t i = 0; i < 12'000; ++i)
        trace.interval(generator, static_cast<Tick>(1000 + i), 1, {{0, i + 1}, {1, text}});
    const Bytes own = trace.file();
    CHECK(good_story(own).findings == std::vector<std::string>{});
    CHECK(contains(own, "cc84011903e8"));
    const Bytes cumulative = trace.file({{"ftr-block-times", "stream"}});
    const Story story = good_story(cumulative);
    CHECK(story.finding_count == 1);  // the block states times that its transactions do not have
    CHECK(story.records == good_story(own).records);
    CHECK(good_story(trace.file({{"ftr-compression", "lz4"}})).records == story.records);
}

TEST_CASE("streams that fill slowly are written together before they take too much memory, and each keeps its order") {
    Trace trace;
    std::vector<TrackId> generators;
    for (std::uint64_t i = 0; i < 900; ++i)
        generators.push_back(trace.generator(trace.stream("s", i + 1), "g", {number_field(), field("t", Type::u64)},
                                             picoseconds, i + 1));
    Bytes bytes;
    Losses losses;
    const Settings settings;
    const auto output = open_memory_output("trace", [&](Bytes all) { bytes = std::move(all); });
    const auto writer = ftr().create(*output, trace.schema, settings, losses);
    std::uint64_t number = 0;
    for (int round = 0; round < 160; ++round) {
        trace.batch.clear();
        for (const TrackId generator : generators) {
            std::array<Attribute, 20> attributes;
            attributes.fill({1, ~std::uint64_t{0}});
            attributes[0] = {0, ++number};
            trace.batch.interval(generator, round, 1, attributes);
        }
        writer->write(trace.batch);
    }
    writer->finish();
    output->commit();
    const Story story = read_story(bytes, ftr(), CheckLevel::structure);
    CHECK(story.silent());
    CHECK(static_cast<std::uint64_t>(std::count(story.records.begin(), story.records.end(), '\n')) == number);
}

TEST_CASE("a dictionary has all texts of the source in order, or only the used texts") {
    Trace trace;
    const TrackId generator =
        trace.generator(trace.stream("s", 1), "g", {number_field(), field("t", Type::text)}, picoseconds, 2);
    for (const char* const text : {"", "unused", "g", "late", "kind", "s", "t"})
        trace.schema.intern(text);
    trace.schema.append("late");  // this string is interned a second time
    trace.interval(generator, 0, 0, {{0, 1}, {1, 3}});
    trace.interval(generator, 0, 0, {{0, 2}, {1, 7}});
    trace.interval(generator, 0, 0, {{0, 3}, {1, 0}});
    // The dictionary chunk before the directory holds exactly "", unused, g, late, kind and s, with keys 0 to 5.
    CHECK(contains(trace.file(),
                   "a6006001"
                   "66756e75736564"
                   "026167"
                   "03646c617465"
                   "04646b696e64"
                   "056173"));
    CHECK(contains(trace.file(), "c883060a03"));  // t has id 6 and value 3
    const Bytes used = trace.file({{"ftr-dictionary", "used"}});
    CHECK_FALSE(contains(used, "756e75736564"));
    CHECK(read_story(used, ftr()).records == read_story(trace.file(), ftr()).records);
}

TEST_CASE("relations have five elements, or three if --ftr-relations asks for the form of the source") {
    Trace trace;
    const TrackId one = trace.generator(trace.stream("s", 1), "g", {number_field()}, picoseconds, 2);
    const TrackId two = trace.generator(trace.stream("t", 7), "h", {number_field()}, picoseconds, 8);
    const TrackId plain = trace.relation("after");
    const TrackId full = trace.relation("with", {{"from", Type::u64},
                                                 {"to", Type::u64},
                                                 {"weight", Type::u8},
                                                 {"source_stream", Type::u64},
                                                 {"sink_stream", Type::u64}});
    trace.relate(plain, {10, 20});  // before the transactions that it connects
    trace.interval(one, 0, 1, {{0, 10}});
    trace.interval(two, 0, 1, {{0, 20}});
    trace.relate(plain, {20, 10});
    trace.relate(plain, {10, 99});
    trace.relate(full, {10, 20, 5, 3, 4});
    const std::string restored = good_story(trace.file()).records;
    CHECK(restored.find("relation after from=10 to=20\n") != std::string::npos);
    CHECK(restored.find("relation after from=10 to=99\n") != std::string::npos);
    CHECK(contains(trace.file(), "0a14010785"));  // 10 to 20, streams 1 and 7, then the head of another relation
    CHECK(contains(trace.file({{"ftr-relations", "source"}}), "0a1483"));
    CHECK(trace.lost(Loss::field_dropped, "with.weight") == 1);
    CHECK(trace.lost(Loss::relation_dropped, "after") == 0);
    const Story looked_up = good_story(trace.file({{"ftr-relations", "streams"}}));
    CHECK(looked_up.records.find("relation after from=10 to=20 source_stream=1 sink_stream=7\n") != std::string::npos);
    CHECK(looked_up.records.find("relation after from=20 to=10 source_stream=7 sink_stream=1\n") != std::string::npos);
    CHECK(looked_up.records.find("relation with from=10 to=20 source_stream=3 sink_stream=4\n") != std::string::npos);
    CHECK(looked_up.records.find("relation after from=10 to=99 source_stream=1 sink_stream=1\n") != std::string::npos);
    CHECK(trace.lost(Loss::relation_dropped, "after") == 0);
}

TEST_CASE("texts that are not UTF-8 are replaced and counted, or kept") {
    Trace trace;
    const TrackId generator =
        trace.generator(trace.stream("s", 1), "g", {number_field(), field("t", Type::text)}, picoseconds, 2);
    trace.interval(generator, 0, 0, {{0, 1}, {1, trace.schema.intern("a\xFF")}});
    CHECK(good_story(trace.file()).records == "0 interval s/g duration=0 id=0x1 t=\"a\xEF\xBF\xBD\"\n");
    CHECK(trace.lost(Loss::value_narrowed, "dictionary") == 1);
    CHECK(contains(trace.file({{"ftr-text", "bytes"}}), "61ff"));
    CHECK(trace.losses.none());
}

TEST_CASE("the creation time is taken from the source or the option, or is 0") {
    Trace trace;
    trace.generator(trace.stream("s", 1), "g", {number_field()}, picoseconds, 2);
    CHECK(contains(trace.file(), "c644822bc100"));
    CHECK(contains(trace.file({{"ftr-epoch", "1679130205"}}), "c648822bc11a64157e5d"));
    CHECK(contains(trace.file({{"ftr-epoch", "-2"}}), "c644822bc121"));
    CHECK(contains(trace.file({{"ftr-epoch", "0.5"}}), "c64c822bc1fb3fe0000000000000"));
    CHECK_THROWS_AS(trace.file({{"ftr-epoch", "yesterday"}}), Error);
    trace.schema.describe("ftr.epoch", "7");
    CHECK(contains(trace.file(), "c644822bc107"));
    CHECK(contains(trace.file({{"ftr-epoch", "8"}}), "c644822bc108"));
}

TEST_CASE("any stated creation time is kept") {
    const auto file_of = [](std::string_view item) {
        Trace trace;
        trace.generator(trace.stream("s", 1), "g", {number_field()}, picoseconds, 2);
        trace.schema.describe("ftr.epoch", "0");
        std::string digits = hex(trace.file());
        const std::string usual = "c644822bc100";
        REQUIRE(digits.find(usual) != std::string::npos);
        const std::size_t size = 3 + item.size() / 2;
        constexpr std::string_view hex_digits = "0123456789abcdef";
        std::string info = "c64";
        info += hex_digits[size];
        digits.replace(digits.find(usual), usual.size(), info + "822bc1" + std::string(item));
        return assemble(digits, {}).bytes;
    };
    struct Row {
        const char* item;
        const char* text;
    };
    for (const Row& row :
         {Row{"1bffffffffffffffff", "18446744073709551615"}, Row{"1b8000000000000000", "9223372036854775808"},
          Row{"3b7fffffffffffffff", "-9223372036854775808"}, Row{"3b8000000000000000", "-9223372036854775809"},
          Row{"3bffffffffffffffff", "-18446744073709551616"}, Row{"20", "-1"}, Row{"fb7ff0000000000000", "inf"},
          Row{"fbfff0000000000000", "-inf"}, Row{"fb7ff8000000000000", "nan"},
          Row{"fb43e0000000000000", "9223372036854775808.0"}, Row{"fb8000000000000000", "-0.0"}}) {
        CAPTURE(row.text);
        const Bytes file = file_of(row.item);
        CHECK(read_story(file, ftr()).schema.find("\"ftr.epoch\" = \"" + std::string(row.text) + "\"\n") !=
              std::string::npos);
        Losses losses;
        CHECK(rewritten(file, {}, &losses) == file);
        CHECK(losses.none());
    }
}

TEST_CASE("metadata that has the key of the creation time but no time is kept unchanged") {
    Trace trace;
    trace.generator(trace.stream("s", 1), "g", {number_field()}, picoseconds, 2);
    trace.schema.describe("ftr.epoch", "yesterday");
    const Bytes file = trace.file();
    CHECK(trace.losses.none());
    CHECK(contains(file, "c644822bc100"));
    const std::string schema = good_story(file).schema;
    CHECK(schema.find("\"ftr.epoch\" = \"yesterday\"") != std::string::npos);
    CHECK(schema.find("\"ftr.epoch\" = \"0\"") == std::string::npos);
    CHECK(good_story(rewritten(file, {})).schema == schema);
}

TEST_CASE("a file has its source's time unit, or picoseconds if the unit is not a power of ten of a second") {
    const auto written = [](TimeBase base, Tick begin, std::uint64_t duration, Trace& trace) {
        const TrackId generator = trace.generator(trace.stream("s", 1), "g", {number_field()}, base, 2);
        trace.interval(generator, begin, duration, {{0, 1}});
        return trace.file();
    };
    struct Row {
        TimeBase base;
        const char* exponent;
    };
    for (const Row& row :
         {Row{{TimeBase::Kind::seconds, 1, 1'000'000'000'000'000}, "2e"},
          Row{{TimeBase::Kind::seconds, 1, 100'000'000'000}, "2a"},
          Row{{TimeBase::Kind::seconds, 1, 1'000'000'000}, "28"}, Row{{TimeBase::Kind::seconds, 1, 1'000'000}, "25"},
          Row{{TimeBase::Kind::seconds, 1, 1}, "00"}, Row{{TimeBase::Kind::seconds, 1000, 1}, "03"}}) {
        Trace trace;
        const Bytes file = written(row.base, 7, 5, trace);
        CHECK(contains(file, std::string("c64482").append(row.exponent).append("c100")));
        CHECK(contains(file, "c6840102070c"));
        CHECK(trace.losses.none());
        CHECK(read_story(file, ftr()).schema.find("hwtrace") == std::string::npos);
    }
    // A cycle lasts 2.5 ns here, and a third of a nanosecond below.
    Trace cycles;
    CHECK(contains(written({TimeBase::Kind::cycles, 1, 400'000'000}, 7, 5, cycles),
                   "c6840102194"
                   "45c197530"));
    CHECK(cycles.losses.none());
    Trace thirds;
    CHECK(contains(written({TimeBase::Kind::cycles, 1, 3'000'000'000}, 1, 2, thirds), "c684010219014d1903e8"));
    CHECK(thirds.losses.none());  // 333 and 1000 ps in the file become the original cycles again
    Trace too_fine;               // a cycle lasts a third of a picosecond
    written({TimeBase::Kind::cycles, 1, 3'000'000'000'000}, 1, 2, too_fine);
    CHECK(too_fine.lost(Loss::time_rounded, "g") == 1);
    Trace before;
    CHECK(contains(written(picoseconds, -3, 5, before),
                   "c684010200"
                   "02"));
    CHECK(before.lost(Loss::time_rounded, "g") == 1);
    Trace late;
    CHECK(contains(written(picoseconds, 1, ~std::uint64_t{0}, late), "c6840102011b7fffffffffffffff"));
    CHECK(late.lost(Loss::time_rounded, "g") == 1);
}

TEST_CASE("if a trace has two time bases, the file has the finer one") {
    Trace trace;
    const TimeBase nanoseconds{TimeBase::Kind::seconds, 1, 1'000'000'000};
    const ScopeId stream = trace.stream("s", 1);
    const TrackId coarse = trace.generator(stream, "g", {number_field(), field("t", Type::time)}, nanoseconds, 2);
    const TrackId fine = trace.generator(stream, "h", {number_field()}, picoseconds, 3);
    trace.interval(coarse, 3, 2, {{0, 1}, {1, 4}});
    trace.interval(fine, 7, 1, {{0, 2}});
    const Bytes file = trace.file();
    CHECK(trace.losses.none());
    CHECK(contains(file,
                   "c684010219"
                   "0bb8191388"));
    const Story story = good_story(file);
    CHECK(story.records == "3 interval s/g duration=2 id=0x1 t=4\n7 interval s/h duration=1 id=0x2\n");
}

TEST_CASE("facts that a directory cannot hold are restored from a mark") {
    Trace trace;
    trace.schema.describe("other.fact", "a value");
    trace.schema.describe("other.bytes", std::string("\xFF\x00\x7F", 3));
    trace.schema.declare(Clock{"clk", 2500});
    const EnumId colours = trace.schema.declare(Enum{"colour", {{1, "red"}, {9, "green"}, {70'000, "blue"}}});
    const ScopeId root = trace.schema.declare(Scope{"chip", none, {}, 0});
    const ScopeId core = trace.stream("core 0", {}, root);
    trace.stream("idle", {}, root);
    std::vector<Field> fields;
    for (const Type type : {Type::u8, Type::u16, Type::u32, Type::u64, Type::i8, Type::i16, Type::i32, Type::i64,
                            Type::f32, Type::f64, Type::boolean, Type::text, Type::label, Type::bits, Type::logic,
                            Type::fixed, Type::ufixed, Type::pointer, Type::time})
        fields.push_back(field(std::string(name_of(type)), type, Phase::unknown));
    fields[3].width = 48;
    Field colour = field("colour", Type::enumeration, Phase::end);
    colour.enumeration = colours;
    colour.repeated = true;
    fields.push_back(colour);
    const TimeBase cycles{TimeBase::Kind::cycles, 1, 400'000'000};
    const TrackId track = trace.generator(core, "work", fields, cycles);
    const TrackId bare = trace.generator(none, "alone", {}, cycles);
    const StringId text = trace.schema.intern("0110");
    trace.interval(track, 3, 4,
                   {{0, 255},
                    {1, 65'535},
                    {2, 7},
                    {3, ~std::uint64_t{0}},
                    {4, static_cast<std::uint64_t>(-128)},
                    {5, static_cast<std::uint64_t>(-5)},
                    {6, 5},
                    {7, static_cast<std::uint64_t>(-9)},
                    {8, std::bit_cast<std::uint32_t>(0.1f)},
                    {9, std::bit_cast<std::uint64_t>(0.1)},
                    {10, 1}});
    trace.interval(track, 5, 9,
                   {{11, text},
                    {12, text},
                    {13, text},
                    {14, text},
                    {15, std::bit_cast<std::uint64_t>(-1.5)},
                    {16, std::bit_cast<std::uint64_t>(1.5)},
                    {17, 0xFFFF},
                    {18, 12},
                    {19, 9},
                    {19, 70'000},
                    {19, 1}});
    trace.interval(bare, 20, 0);
    const Bytes file = trace.file();
    CAPTURE(trace.losses.entries().size());
    CHECK(trace.losses.none());
    const Story story = good_story(file);
    std::string expected = trace.dump();
    CHECK(story.records == expected.substr(expected.find("\n3 interval") + 1));
    // Declarations are read back sorted by kind, and the creation time is added. Compare line by line.
    for (std::istringstream lines(expected.substr(0, expected.find("\n3 interval") + 1)); lines;) {
        std::string line;
        if (std::getline(lines, line)) CHECK(story.schema.find(line + "\n") != std::string::npos);
    }
    CHECK(story.schema.find("hwtrace.ftr") == std::string::npos);
    // A second round trip changes nothing.
    const Bytes again = rewritten(file, {});
    CHECK(good_story(again).records == story.records);
    CHECK(good_story(again).schema == story.schema);
    CHECK(rewritten(again, {}) == again);
}

TEST_CASE("bytes are stored as texts and restored if they are UTF-8 or if texts are kept verbatim") {
    Trace trace;
    const TrackId track =
        trace.generator(trace.stream("s", 1), "g", {number_field(), field("raw", Type::blob)}, picoseconds, 2);
    trace.schema.intern("before");
    trace.interval(track, 0, 0, {{0, 1}, {1, trace.schema.intern("a\x01z")}});
    const Story story = good_story(trace.file());
    CHECK(trace.losses.none());
    CHECK(story.records.find("raw=bytes:61017a\n") != std::string::npos);
    trace.interval(track, 1, 0, {{0, 2}, {1, trace.schema.intern("\xFF\x02")}});
    CHECK(read_story(trace.file({{"ftr-text", "bytes"}}), ftr()).records.find("raw=bytes:ff02\n") != std::string::npos);
    CHECK(trace.losses.none());
    trace.file();
    CHECK(trace.lost(Loss::value_narrowed, "dictionary") == 1);
}

TEST_CASE("times in attributes are restored like times of intervals, in whole ticks or not") {
    Trace trace;
    const TimeBase thirds{TimeBase::Kind::cycles, 1, 3'000'000'000};
    const TrackId track =
        trace.generator(trace.stream("s", 1), "g", {number_field(), field("at", Type::time)}, thirds, 2);
    trace.interval(track, 3, 3, {{0, 1}, {1, 3000}});
    trace.interval(track, 5, 0, {{0, 2}, {1, 5}});
    const Bytes file = trace.file();
    CHECK(trace.losses.none());
    const std::string same = "3 interval s/g duration=3 id=0x1 at=3000\n5 interval s/g duration=0 id=0x2 at=5\n";
    CHECK(read_story(file, ftr()).records == same);
    CHECK(rewritten(file, {}) == file);
}

TEST_CASE("ambiguous labels are counted") {
    Trace trace;
    const EnumId colours = trace.schema.declare(Enum{"colour", {{1, "red"}, {2, "red"}}});
    Field colour = field("colour", Type::enumeration);
    colour.enumeration = colours;
    const TrackId track = trace.generator(trace.stream("s", 1), "g", {number_field(), colour}, picoseconds, 2);
    trace.interval(track, 0, 0, {{0, 1}, {1, 1}});
    trace.file();
    CHECK(trace.losses.none());
    trace.interval(track, 0, 0, {{0, 2}, {1, 2}});
    trace.interval(track, 0, 0, {{0, 3}, {1, 77}});
    CHECK(read_story(trace.file(), ftr()).records.ends_with("colour=77\n"));
    CHECK(trace.lost(Loss::type_changed, "g.colour") == 2);
}

TEST_CASE("indistinguishable attributes are counted") {
    Trace trace;
    const TrackId track = trace.generator(
        trace.stream("s", 1), "g",
        {number_field(), field("a", Type::u8, Phase::unknown), field("a", Type::u64, Phase::begin)}, picoseconds, 2);
    trace.interval(track, 0, 0, {{0, 1}, {1, 1}});
    trace.file();
    CHECK(trace.losses.none());
    trace.interval(track, 0, 0, {{0, 1}, {2, 1}});
    trace.file();
    CHECK(trace.lost(Loss::type_changed, "g.a") == 1);
}

TEST_CASE("ids that two streams or generators share, and intervals without an id, are counted") {
    Trace trace;
    const TrackId one = trace.generator(trace.stream("s", 5), "g", {number_field()}, picoseconds, 5);
    const TrackId two = trace.generator(trace.stream("t", 5), "h", {number_field()}, picoseconds, 5);
    trace.interval(one, 0, 0, {{0, 1}});
    trace.interval(two, 0, 0);
    const Story story = good_story(trace.file());
    CHECK(story.records.find("interval t/h") != std::string::npos);
    CHECK(trace.lost(Loss::name_changed, "t") == 1);
    CHECK(trace.lost(Loss::name_changed, "h") == 1);
    CHECK(trace.lost(Loss::type_changed, "h") == 1);
}

TEST_CASE("a damaged mark is ordinary metadata") {
    Trace trace;
    trace.schema.declare(Clock{"clk", 1000});
    const TrackId track = trace.generator(trace.stream("s"), "g", {field("a", Type::u8)}, picoseconds);
    trace.interval(track, 0, 1, {{0, 5}});
    const Bytes file = trace.file();
    const std::string whole = hex(file);
    std::string digits;
    for (const char c : std::string("hwtrace-ftr-schema"))
        digits += hex(std::span(reinterpret_cast<const std::byte*>(&c), 1));
    const std::size_t begin = whole.find(digits) / 2;
    REQUIRE(begin < file.size());
    // Changes every byte of the mark in several ways. The reader must not crash, and must deliver the interval,
    // whatever its name.
    std::size_t ignored = 0;
    for (std::size_t at = begin; at < begin + 90; ++at) {
        for (const unsigned flip : {1u, 2u, 16u, 64u}) {
            Bytes damaged = file;
            damaged[at] ^= static_cast<std::byte>(flip);
            const Story story = read_story(damaged, ftr());
            CHECK(std::count(story.records.begin(), story.records.end(), '\n') == 1);
            if (story.schema.find("hwtrace.ftr.schema") != std::string::npos) ++ignored;
        }
    }
    CHECK(ignored > 50);
}

TEST_CASE("transaction ids do not wrap, and no id is assigned twice") {
    constexpr std::uint64_t greatest = ~std::uint64_t{0};
    Trace trace;
    const TrackId track = trace.generator(trace.stream("s", 1), "g", {number_field()}, picoseconds, 2);
    trace.interval(track, 0, 1, {{0, greatest}});
    trace.interval(track, 0, 1, {{0, 7}});
    trace.schema.describe("other.fact", "one");
    trace.schema.describe("another.fact", "two");
    const Story story = read_story(trace.file(), ftr(), CheckLevel::semantic);
    CHECK(story.good());
    CHECK(story.schema.find("\"another.fact\" = \"two\"") != std::string::npos);
    CHECK(contains(trace.file(), "c684080400"));  // the first attribute has id 8
    // The trace is refused if every id may be in use.
    trace.interval(track, 0, 1, {{0, greatest >> 1}});
    trace.interval(track, 0, 1, {{0, (greatest >> 1) + 1}});
    CHECK_THROWS_AS(trace.file(), Error);
}

TEST_CASE("assigned ids do not collide with stated ids") {
    constexpr std::uint64_t first = (std::uint64_t{1} << 48) + 1;
    Trace trace;
    const ScopeId stream = trace.stream("s", 1);
    const TrackId stated = trace.generator(stream, "g", {number_field()}, picoseconds, 2);
    const TrackId bare = trace.generator(stream, "h", {}, picoseconds, 3);
    trace.interval(stated, 0, 1, {{0, first}});
    trace.interval(bare, 0, 1);
    trace.file();
    CHECK(trace.losses.none());
    trace.interval(stated, 0, 1, {{0, first + 1}});  // has the id that the writer assigned to the other interval
    trace.interval(stated, 0, 1, {{0, first + 7}});
    const Story story = read_story(trace.file(), ftr(), CheckLevel::semantic);
    CHECK(story.good());
    CHECK(trace.lost(Loss::name_changed, "g") == 1);
}

TEST_CASE("every STF trace, and a slice of it, survives FTR and becomes the same file") {
    const Format& stf = *find_format(formats(), "stf");
    std::size_t whole = 0, parts = 0;
    for (const Sample& sample : good_samples()) {
        if (sample.format != &stf) continue;
        CAPTURE(sample.name);
        const Bytes own = convert_bytes(sample.content.bytes, stf, stf).bytes;
        const Rewritten there = convert_bytes(own, stf, ftr());
        CHECK(there.losses.none());
        CHECK(there.unexpected() == std::vector<std::string>{});
        const Rewritten back = convert_bytes(there.bytes, ftr(), stf);
        CHECK(back.losses.none());
        CHECK(back.bytes == own);
        ++whole;

        Choices part;
        part.range = Range{Range::Unit::record, 3, 20};
        const Bytes wanted = convert_bytes(own, stf, stf, part).bytes;
        CHECK(convert_bytes(there.bytes, ftr(), stf, part).bytes == wanted);
        const Bytes cut = convert_bytes(there.bytes, ftr(), ftr(), part).bytes;
        CHECK(read_story(cut, ftr(), CheckLevel::full).good());
        CHECK(convert_bytes(cut, ftr(), stf).bytes == wanted);
        ++parts;
    }
    CHECK(whole >= at_least(15));
    CHECK(parts == whole);
}

}  // namespace ftr_laws
