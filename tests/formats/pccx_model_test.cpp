// Tests headers, payloads and traces of the pccx codec that occur in no real file.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/fnv1a.hpp"
#include "io/output.hpp"
#include "pccx/header.hpp"
#include "pccx/payload.hpp"
#include "pccx_support.hpp"
#include "support/corpus.hpp"
#include "support/lines.hpp"

namespace pccx_model_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

using Lines = std::vector<std::string>;
using Json = nlohmann::json;
constexpr std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();

/// A parsed header and its findings.
struct Parsed {
    pccx::Header header;
    Lines findings;  ///< rule and offset in the header
    std::optional<Failure> failure;
};

Parsed parsed(const std::string& text, const Limits& limits = {}) {
    constexpr std::uint64_t offset = 16;
    Parsed result;
    Findings findings;
    try {
        pccx::parse_header(text, offset, limits, findings, result.header);
    } catch (const Error& error) {
        result.failure = error.failure();
    }
    for (const Finding& finding : findings.kept())
        result.findings.push_back(std::string(finding.rule->id) + '@' + std::to_string(finding.offset - offset));
    return result;
}

/// Returns a finding of `rule` at the place of `marked` in the header `text`.
Lines at(std::string_view rule, const std::string& text, std::string_view marked) {
    const std::size_t place = text.find(marked);
    REQUIRE(place != std::string::npos);
    return {std::string(rule) + '@' + std::to_string(place)};
}

std::string with_trace(const std::string& trace) {
    return R"({"pccx_lab_version":"t","trace":)" + trace + R"(,"format_minor":1})";
}
std::string with_checksum(const std::string& checksum) {
    return R"({"pccx_lab_version":"t","payload":{"encoding":"raw","byte_length":0,"checksum_fnv64":)" + checksum + "}}";
}
std::string with_arch(const std::string& arch) {
    return R"({"pccx_lab_version":"t","arch":)" + arch + "}";
}

std::vector<TracedEvent> few_events() {
    return {{0, 0, 10, "DMA_READ", std::nullopt},
            {3, 10, 500, "MAC_COMPUTE", std::nullopt},
            {0, 5, 0, "API_CALL", "uca_wait"},
            {1, 40, 60, "DMA_WRITE", std::nullopt},
            {3, 999, 1, "BARRIER_SYNC", ""}};
}

std::vector<std::byte> slice(const Bytes& bytes, std::size_t begin) {
    return {bytes.begin() + static_cast<std::ptrdiff_t>(begin), bytes.end()};
}

Json header_of_file(const Bytes& file) {
    const auto length = load_le<std::uint64_t>(file.data() + 8);
    return Json::parse(as_text(std::span(file).subspan(16, static_cast<std::size_t>(length))));
}
Bytes payload_of_file(const Bytes& file) {
    return slice(file, static_cast<std::size_t>(16 + load_le<std::uint64_t>(file.data() + 8)));
}
std::uint64_t hash_of(const Bytes& bytes) {
    Fnv1a64 hash;
    hash.add(bytes);
    return hash.value();
}

/// A trace of another format that is written as a .pccx file.
struct Foreign {
    Schema schema;
    Batch batch;

    TrackId stream(ScopeId scope, std::string name, TimeBase time, std::vector<Field> attributes = {}) {
        Track track;
        track.kind = Track::Kind::stream;
        track.scope = scope;
        track.name = std::move(name);
        track.time = time;
        track.fields = std::move(attributes);
        return schema.declare(std::move(track));
    }
    Bytes written(const Settings& settings, Losses& losses) const {
        Bytes bytes;
        const auto output = open_memory_output("foreign", [&](Bytes all) { bytes = std::move(all); });
        const auto writer = pccx_format.create(*output, schema, settings, losses);
        writer->write(batch);
        writer->finish();
        output->commit();
        return bytes;
    }
};

Lines lost(const Losses& losses) {
    Lines lines;
    for (const auto& [key, entry] : losses.entries())
        lines.push_back(std::string(name_of(key.first)) + ' ' + key.second + ' ' + std::to_string(entry.count));
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// Returns true if the predicted losses, as --explain shows them, include all actual losses.
bool foretold(const Schema& schema, const Settings& settings, const Losses& losses) {
    std::vector<ExpectedLoss> expected;
    pccx_format.writes.foresee(schema, settings, expected);
    return std::all_of(losses.entries().begin(), losses.entries().end(), [&](const auto& entry) {
        return std::any_of(expected.begin(), expected.end(), [&](const ExpectedLoss& loss) {
            return loss.loss == entry.first.first && (loss.subject == "*" || loss.subject == entry.first.second);
        });
    });
}

}  // namespace

// --- numbers ---

TEST_CASE("real numbers have the shortest form, with a fraction or an exponent") {
    const std::vector<std::pair<double, std::string>> forms{
        {1.0, "1.0"},
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {65.54, "65.54"},
        {-2.5, "-2.5"},
        {0.1, "0.1"},
        {1.0 / 3.0, "0.3333333333333333"},
        {100.0, "100.0"},
        {1e15, "1000000000000000.0"},
        {1e16, "1e16"},
        {1e17, "1e17"},
        {1e21, "1e21"},
        {1.5e300, "1.5e300"},
        {1234567890123456.0, "1234567890123456.0"},
        {12345678901234567.0, "1.2345678901234568e16"},
        {123456789012345680.0, "1.2345678901234568e17"},
        {1e-4, "0.0001"},
        {1e-5, "0.00001"},
        {1e-6, "1e-6"},
        {1e-7, "1e-7"},
        {1.25e-7, "1.25e-7"},
        {0.000012345, "0.000012345"},
        {5e-324, "5e-324"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {1.7976931348623157e308, "1.7976931348623157e308"},
    };
    for (const auto& [value, text] : forms) {
        CHECK(pccx::real_text(value) == text);
        double again = 0;
        CHECK(std::from_chars(text.data(), text.data() + text.size(), again).ptr == text.data() + text.size());
        CHECK(again == value);
    }
}

TEST_CASE("real numbers in files of the reference are written in the same form") {
    const auto folder = corpus("pccx/gen");
    if (!folder) return;
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("tops_") || name == "tops_nan.pccx" || name == "tops_inf.pccx") continue;
        CAPTURE(name);
        const Bytes file = read_file(entry.path());
        const std::string text(as_text(std::span(file).subspan(16)));
        const std::size_t begin = text.find("\"peak_tops\":") + 12;
        const std::string stands = text.substr(begin, text.find('}', begin) - begin);
        CHECK(pccx::real_text(std::stod(stands)) == stands);
        ++files;
    }
    CHECK(files >= 6);
}

// --- header ---

TEST_CASE("a header has the values of the file, and the reference's defaults for missing keys") {
    const Parsed full = parsed(
        R"({"pccx_lab_version":"v","arch":{"mac_dims":[32,16],"isa_version":"1.1","peak_tops":65.54},)"
        R"("trace":{"cycles":18446744073709551615,"cores":4294967295,"clock_mhz":7},)"
        R"("payload":{"encoding":"flatbuf","byte_length":24,"checksum_fnv64":18446744073709551615},"format_minor":255})");
    CHECK(full.findings == Lines{});
    CHECK(full.header.lab_version == "v");
    CHECK(full.header.mac_dims == std::array<std::uint32_t, 2>{32, 16});
    CHECK(full.header.peak_tops == 65.54);
    CHECK(full.header.cycles == greatest);
    CHECK(full.header.cores == 4294967295u);
    CHECK(full.header.clock() == 7);
    CHECK(full.header.checksum == greatest);
    CHECK(full.header.format_minor == 255);

    const Parsed bare = parsed(R"({"pccx_lab_version":""})");
    CHECK(bare.findings == Lines{});
    CHECK(bare.header.clock() == 0);
    CHECK_FALSE(bare.header.cycles.has_value());
    const Parsed clockless = parsed(with_trace(R"({"cycles":1,"cores":2})"));
    CHECK(clockless.findings == Lines{});
    CHECK(clockless.header.clock() == 1000);
    const Parsed null = parsed(with_checksum("null"));
    CHECK(null.findings == Lines{});
    CHECK(null.header.checksum_null);
    CHECK(parsed(with_arch(R"({"mac_dims":[1,2],"isa_version":"","peak_tops":3})")).header.peak_tops == 3.0);
    CHECK(parsed(with_arch(R"({"mac_dims":[1,2],"isa_version":"","peak_tops":-3})")).header.peak_tops == -3.0);
}

TEST_CASE("each header value that the reference refuses causes a finding at its place, and the rest is read") {
    const auto check = [](const std::string& text, std::string_view rule, std::string_view marked) {
        CAPTURE(text);
        const Parsed result = parsed(text);
        CHECK(result.findings == at(rule, text, marked));
        CHECK_FALSE(result.failure.has_value());
    };
    check(R"({"format_minor":1})", "PCX006", "{");
    check(with_trace(R"({"cores":1})"), "PCX006", R"({"cores")");
    check(with_trace(R"({"cycles":1e2,"cores":1})"), "PCX007", "1e2");
    check(with_trace(R"({"cycles":1.0,"cores":1})"), "PCX007", "1.0");
    check(with_trace(R"({"cycles":-1,"cores":1})"), "PCX007", "-1");
    check(with_trace(R"({"cycles":18446744073709551616,"cores":1})"), "PCX007", "184467");
    check(with_trace(R"({"cycles":1,"cores":4294967296})"), "PCX007", "4294967296");
    check(with_trace(R"({"cycles":1,"cores":true})"), "PCX007", "true");
    check(with_trace(R"({"cycles":1,"cores":{"a":[1]}})"), "PCX007", R"({"a")");
    check(with_trace("null"), "PCX007", "null");
    check(with_trace("7"), "PCX007", "7");
    check(with_arch(R"({"mac_dims":[1],"isa_version":""})"), "PCX007", "[1]");
    check(with_arch(R"({"mac_dims":[1,2,3],"isa_version":""})"), "PCX007", "[1,2,3]");
    check(with_arch(R"({"mac_dims":[1,-2],"isa_version":""})"), "PCX007", "[1,-2]");
    check(with_arch(R"({"mac_dims":[1,[2]],"isa_version":""})"), "PCX007", "[1,[2]]");
    check(with_arch(R"({"mac_dims":{"a":1},"isa_version":""})"), "PCX007", R"({"a")");
    check(with_arch(R"({"mac_dims":[1,2],"isa_version":"","peak_tops":null})"), "PCX007", "null");
    check(with_arch(R"({"mac_dims":[1,2],"isa_version":"","peak_tops":"3"})"), "PCX007", R"("3")");
    check(R"({"pccx_lab_version":1})", "PCX007", "1");
    check(R"({"pccx_lab_version":"t","format_minor":256})", "PCX007", "256");
    check(R"({"pccx_lab_version":"t","pccx_lab_version":"u"})", "PCX008", R"("pccx_lab_version":"u")");
    check(R"({"pccx_lab_version":"t","x":1,"x":2})", "PCX009", R"("x":2)");
    check(with_trace("[1,2,3]"), "PCX010", "[1");
    check("[\"t\"]", "PCX010", "[");
    check("\xEF\xBB\xBF{\"pccx_lab_version\":\"t\"}", "PCX005", "\xEF");
    check(std::string("{\"pccx_lab_version\":\"t\"}") + std::string(3, '\0'), "PCX005", std::string(1, '\0'));
}

TEST_CASE("a header that is not a JSON object ends reading") {
    for (const char* const text : {"", " ", "{", "7", "\"t\"", "{\"a\":1,}", "{\"a\" 1}", "{} {}", "{\"a\":\"\xFF\"}",
                                   "{\"a\":01}", "{\"a\":nul}", "{/**/}", "{\"a\":1e400}"}) {
        CAPTURE(text);
        const Parsed result = parsed(text);
        CHECK(result.failure == Failure::input);
        REQUIRE_FALSE(result.findings.empty());
        CHECK(result.findings.back().starts_with("PCX004@"));
    }
}

TEST_CASE("the first of two equal keys counts; unknown keys are kept unchanged") {
    CHECK(parsed(R"({"pccx_lab_version":"t","format_minor":1,"format_minor":2})").header.format_minor == 1);
    const std::string text =
        R"({"pccx_lab_version":"t","arch":{"mac_dims":[1,2],"isa_version":"i","a":{"mac_dims":7}},"z":[1,-2,2.50,1e3,)"
        R"({"q":null,"r":[true,[]]}],"u":18446744073709551615})";
    const Parsed result = parsed(text);
    CHECK(result.findings == Lines{});
    CHECK(result.header.unknown[0] == R"("z":[1,-2,2.50,1e3,{"q":null,"r":[true,[]]}],"u":18446744073709551615)");
    CHECK(result.header.unknown[1] == R"("a":{"mac_dims":7})");
    CHECK(pccx::header_text(result.header) == text);
    // The reader resolves escapes, and the writer writes only necessary escapes.
    const Parsed escaped = parsed(R"({"pccx_lab_version":"\u00e9\/\"\\\u0001\n","\u0061":"\ud83d\ude00"})");
    CHECK(pccx::header_text(escaped.header) ==
          "{\"pccx_lab_version\":\"\xC3\xA9/\\\"\\\\\\u0001\\n\",\"a\":\"\xF0\x9F\x98\x80\"}");
}

TEST_CASE(
    "our own key keeps the first value that we wrote; all other values stay in place, however often they are "
    "written") {
    const std::string kept = R"({"metadata":[["a.b","c"]]})", other = R"({"metadata":[["d.e","f"]]})";
    const auto header = [](const std::string& members) { return R"({"pccx_lab_version":"t",)" + members + "}"; };
    struct {
        std::string members, kept, unknown;
    } const cases[] = {
        {R"("hwtrace":)" + kept, kept, ""},
        {R"("hwtrace":[7])", "", R"("hwtrace":[7])"},
        {R"("hwtrace":{"metadata":[]},"hwtrace":)" + kept, kept, R"("hwtrace":{"metadata":[]})"},
        {R"("hwtrace":{"metadata":[["a","b"]],"metadata":[["c","d"]]})", "",
         R"("hwtrace":{"metadata":[["a","b"]],"metadata":[["c","d"]]})"},
        {R"("a":1,"hwtrace":[7],"b":2)", "", R"("a":1,"hwtrace":[7],"b":2)"},
        {R"("hwtrace":[7],"b":2)", "", R"("hwtrace":[7],"b":2)"},
        {R"("a":1,"hwtrace":[7],"b":2,"hwtrace":{})", "", R"("a":1,"hwtrace":[7],"b":2,"hwtrace":{})"},
        {R"("hwtrace":[7],"b":2,"hwtrace":)" + kept, kept, R"("hwtrace":[7],"b":2)"},
        {R"("hwtrace":)" + kept + R"(,"b":2,"hwtrace":)" + other, kept, R"("b":2,"hwtrace":)" + other},
    };
    for (const auto& sample : cases) {
        CAPTURE(sample.members);
        const pccx::Header first = parsed(header(sample.members)).header;
        CHECK(first.kept == sample.kept);
        CHECK(first.unknown[0] == sample.unknown);
        const std::string text = pccx::header_text(first);
        const pccx::Header second = parsed(text).header;
        CHECK(second.kept == sample.kept);
        CHECK(second.unknown[0] == sample.unknown);
        CHECK(pccx::header_text(second) == text);
    }
}

TEST_CASE("a header is written in the reference's form, whatever the key order of the source") {
    const std::string text =
        R"({"pccx_lab_version":"v0.4.0","arch":{"mac_dims":[32,32],"isa_version":"1.1","peak_tops":65.54},)"
        R"("trace":{"cycles":5423940,"cores":32,"clock_mhz":1000},)"
        R"("payload":{"encoding":"bincode","byte_length":637295,"checksum_fnv64":13668806591801049621},"format_minor":1})";
    CHECK(pccx::header_text(parsed(text).header) == text);
    const Json json = Json::parse(text);  // sorts the keys
    const Parsed again = parsed(json.dump(3));
    CHECK(again.findings == Lines{});
    CHECK(pccx::header_text(again.header) == text);
}

TEST_CASE("a checksum may be a string: 0x, letters or 16 digits make it hexadecimal") {
    const std::vector<std::pair<std::string, std::uint64_t>> forms{
        {"\"0xcbf29ce4842223\"", 0xcbf29ce4842223},   {"\"cbf29ce484222325\"", 0xcbf29ce484222325},
        {"\"CBF29CE484222325\"", 0xcbf29ce484222325}, {"\"0X10\"", 16},
        {"\"1234567890123456\"", 0x1234567890123456}, {"\"12345678901234567\"", 12345678901234567},
        {"\"123456789012345\"", 123456789012345},     {"\"0\"", 0},
        {"\"18446744073709551615\"", greatest},       {"\"af\"", 0xaf},
    };
    for (const auto& form : forms) {
        const std::string& text = form.first;
        const std::uint64_t value = form.second;
        CAPTURE(text);
        const std::string header = with_checksum(text);
        const Parsed result = parsed(header);
        CHECK(result.header.checksum == value);
        CHECK(result.findings == at("PCX013", header, text));
    }
    for (const char* const text : {"\"\"", "\"0x\"", "\"0x10000000000000000\"", "\"18446744073709551616\"", "\"12 \"",
                                   "\"-1\"", "-1", "1.5", "1e3", "18446744073709551616", "true", "[1]"}) {
        CAPTURE(text);
        const std::string header = with_checksum(text);
        const Parsed result = parsed(header);
        CHECK_FALSE(result.header.checksum.has_value());
        const std::size_t place = header.find(std::string("fnv64\":") + text) + 7;
        CHECK(result.findings == Lines{"PCX007@" + std::to_string(place)});
    }
}

// --- bincode ---

namespace {

pccx::Layout told(const Bytes& payload, bool whole = true) {
    const Input input = Input::memory("payload", payload);
    return pccx::identify_bincode(input, 0, payload.size(), whole, 16, Limits{});
}

std::vector<TracedEvent> many_events(std::size_t count, bool names) {
    constexpr std::array<const char*, 4> types{"MAC_COMPUTE", "DMA_READ", "X", ""};
    std::vector<TracedEvent> events;
    for (std::size_t i = 0; i < count; ++i)
        events.push_back({i % 7, i * 3, i % 5, types[i % 4],
                          names && i % 3 == 0 ? std::optional(std::string(i % 9, 'n')) : std::nullopt});
    return events;
}

}  // namespace

TEST_CASE("the reader uses the bincode layout that fits the payload") {
    using pccx::Layout;
    for (const std::size_t count : {1u, 2u, 3u, 10u, 100u, 5000u}) {
        CAPTURE(count);
        CHECK(told(bincode(many_events(count, false), 5)) == Layout::bincode);
        CHECK(told(bincode(many_events(count, true), 5)) == Layout::bincode);
        CHECK(told(bincode(many_events(count, false), 4)) == Layout::bincode4);
    }
    CHECK(told(bincode({}, 4)) == Layout::bincode);  // both layouts are equal
    CHECK(told({}) == Layout::bincode);
    CHECK(told(Bytes(15)) == Layout::bincode);
}

TEST_CASE("a payload that was crafted to fit both layouts is read with five fields") {
    // The second event's duration ends in the byte 2, and its type is empty. If the event is read as four fields, it
    // begins one byte earlier, with the option byte. The 2 then becomes the length of a type of two NUL bytes.
    const std::vector<TracedEvent> events{{0, 0, 1, "A", std::nullopt},
                                          {0, 0, std::uint64_t{2} << 56, "", std::nullopt}};
    const Bytes both = bincode(events, 5);
    const std::vector<TracedEvent> other{{0, 0, 1, "A", std::nullopt}, {0, 0, 0, std::string(2, '\0'), std::nullopt}};
    CHECK(both == bincode(other, 4));
    CHECK(told(both) == pccx::Layout::bincode);
    CHECK(read_pccx(pccx_file(plain_header("bincode"), both)).events == events);
}

TEST_CASE("damage does not make the reader choose the other layout") {
    const std::vector<TracedEvent> events{
        {0, 0, 10, "MAC_COMPUTE", "abc"}, {1, 10, 20, "DMA_READ", "def"}, {1, 30, 2, "X", ""}};
    const Bytes payload = bincode(events, 5);
    for (const std::size_t place : {16u + 28 + 11, 16u + 28 + 11 + 9}) {  // option byte and name of the first event
        Bytes damaged = payload;
        damaged[place] = std::byte{0xFF};
        CHECK(told(damaged) == pccx::Layout::bincode);
    }
    Bytes longer = payload;
    longer.push_back(std::byte{0});
    CHECK(told(longer) == pccx::Layout::bincode);
    const Bytes four = bincode(many_events(200, false), 4);
    for (std::size_t cut = 200; cut < four.size(); cut += 97) {
        const Bytes part(four.begin(), four.begin() + static_cast<std::ptrdiff_t>(cut));
        CHECK(told(part, false) == pccx::Layout::bincode4);
    }
    const Bytes five = bincode(many_events(200, true), 5);
    for (std::size_t cut = 0; cut < five.size(); cut += 97) {
        const Bytes part(five.begin(), five.begin() + static_cast<std::ptrdiff_t>(cut));
        CHECK(told(part, false) == pccx::Layout::bincode);
    }
}

TEST_CASE("counts and lengths of any size cause findings, but no allocation") {
    const Bytes payload = bincode(few_events());
    const auto with = [&](std::size_t place, std::uint64_t value) {
        Bytes bytes = payload;
        store_le(bytes.data() + place, value);
        return read_pccx(pccx_file(plain_header("bincode"), bytes));
    };
    for (const std::uint64_t value : {greatest, greatest - 27, greatest / 2 + 1, std::uint64_t{1} << 40}) {
        CAPTURE(value);
        const PccxTrace count = with(8, value);
        CHECK(count.events == few_events());
        CHECK(count.rules.contains("PCX018"));
        const PccxTrace type = with(16 + 20, value);
        CHECK(type.events.size() == 4);
        CHECK(type.rules.contains("PCX021"));
        // The third event's name follows two events of 37 and 40 bytes, and the head, type and option of the third
        // event.
        const PccxTrace name = with(16 + 37 + 40 + 28 + 8 + 1, value);
        CHECK(name.events.size() == 4);
        CHECK(name.rules.contains("PCX021"));
    }
}

TEST_CASE("one flipped bit in an event costs at most that event, in both bincode layouts") {
    constexpr std::array<const char*, 4> types{"MAC_COMPUTE", "DMA_READ", "SYSTOLIC_STALL", "API_CALL"};
    for (const unsigned fields : {4u, 5u}) {
        CAPTURE(fields);
        std::vector<TracedEvent> events;
        for (std::size_t i = 0; i < 60; ++i)
            events.push_back(
                {i % 16, i * 13, 1000 + i * 7, types[i % 4],
                 fields == 5 && i % 4 == 3 ? std::optional("uca_call_" + std::to_string(i)) : std::nullopt});
        const Bytes payload = bincode(events, fields);
        const auto count_in = [](const std::vector<TracedEvent>& all, const TracedEvent& event) {
            return std::ranges::count(all, event);
        };
        std::size_t losses = 0;
        for (std::size_t bit = std::size_t{16} * 8; bit < payload.size() * 8; bit += 13) {
            CAPTURE(bit);
            Bytes damaged = payload;
            damaged[bit / 8] ^= std::byte{1} << (bit % 8);
            const PccxTrace trace = read_pccx(pccx_file(plain_header("bincode"), damaged));
            const auto invented = std::ranges::count_if(
                trace.events, [&](const TracedEvent& event) { return count_in(events, event) == 0; });
            const auto kept = static_cast<std::size_t>(std::ranges::count_if(
                events, [&](const TracedEvent& event) { return count_in(trace.events, event) != 0; }));
            CHECK(invented <= 1);
            CHECK(kept + 1 >= events.size());
            CHECK(trace.fact("layout") == (fields == 4 ? "bincode, four fields" : "bincode, five fields"));
            if (trace.events.size() < events.size()) {
                CHECK(trace.broken);
                ++losses;
            }
        }
        CHECK(losses > 100);
    }
}

TEST_CASE("several damaged events of a long payload are skipped, and unknown types of a whole one are kept") {
    std::vector<TracedEvent> events;
    for (std::size_t i = 0; i < 16'000; ++i)
        events.push_back({i % 16, i, 2, i % 2 == 0 ? "MAC_COMPUTE" : "DMA_WRITE", std::nullopt});
    Bytes payload = bincode(events);
    const auto place = [](std::size_t event) { return 16 + event / 2 * (28 + 11 + 1 + 28 + 9 + 1); };
    for (const std::size_t event : {0u, 400u, 402u, 9'000u})
        payload[place(event) + 20 + 2] = std::byte{1};  // the type is 65,536 bytes longer
    const PccxTrace trace = read_pccx(pccx_file(plain_header("bincode"), payload));
    CHECK(trace.events.size() == events.size() - 4);
    CHECK(trace.findings.size() >= 4);

    std::vector<TracedEvent> odd = many_events(300, true);
    for (std::size_t i = 0; i < odd.size(); i += 3)
        odd[i].type = std::string(100, 'x') + "\n";
    for (const unsigned fields : {4u, 5u}) {
        if (fields == 4)
            for (TracedEvent& event : odd)
                event.name.reset();
        CHECK(read_pccx(pccx_file(plain_header("bincode"), bincode(odd, fields))).events == odd);
    }
}

namespace {

/// Returns the offset of the event `number` in a payload.
std::size_t place_of(const std::vector<TracedEvent>& events, std::size_t number, unsigned fields) {
    const auto count = static_cast<std::ptrdiff_t>(number);
    return bincode({events.begin(), events.begin() + count}, fields).size();
}

std::vector<TracedEvent> own_events(std::size_t count) {
    std::vector<TracedEvent> events;
    for (std::size_t i = 0; i < count; ++i)
        events.push_back({i % 4, i, 2, i % 2 == 0 ? "VECTOR_ADD" : "SCATTER", std::nullopt});
    return events;
}

std::vector<TracedEvent> without(std::vector<TracedEvent> events, std::size_t number) {
    events.erase(events.begin() + static_cast<std::ptrdiff_t>(number));
    return events;
}

}  // namespace

TEST_CASE("an event with an implausible core is damaged if the checksum is wrong, in all binary layouts") {
    const auto file = [&](std::string encoding, const Bytes& payload, const Bytes& hashed) {
        Fnv1a64 checksum;
        checksum.add(hashed);
        std::string header = plain_header(encoding);
        header.replace(header.find("null"), 4, std::to_string(checksum.value()));
        return pccx_file(header, payload);
    };
    const auto check = [&](std::string_view encoding, const Bytes& sound, std::size_t core_at, std::size_t number) {
        Bytes damaged = sound;
        damaged[core_at + 1] ^= std::byte{8};  // core + 2048
        const std::vector<TracedEvent> events = read_pccx(file(std::string(encoding), sound, sound)).events;
        const PccxTrace changed = read_pccx(file(std::string(encoding), damaged, sound));
        CHECK(changed.events == without(events, number));
        CHECK(changed.rules.at("PCX038") == 1);
        const PccxTrace stated = read_pccx(file(std::string(encoding), damaged, damaged));
        CHECK(stated.events.size() == events.size());
        CHECK(stated.events[number].core == events[number].core + 2048);
        CHECK_FALSE(stated.rules.contains("PCX038"));
    };
    const std::vector<TracedEvent> events = many_events(30, true);
    for (const std::size_t number : {0u, 7u, 29u})
        check("bincode", bincode(events), place_of(events, number, 5), number);
    std::vector<FlatEvent> plain;
    for (std::uint32_t i = 0; i < 5; ++i)
        plain.push_back({i, i, 1, 6});
    Bytes named = flat(plain);
    append_names(named, {{1, "uca_one"}, {3, "uca_three"}, {4, "uca_four"}});
    for (const std::size_t number : {0u, 3u, 4u})
        check("flatbuf", named, number * 24, number);
}

TEST_CASE("a damaged length beyond the limit of strings is a finding, a long string is refused") {
    std::vector<TracedEvent> events;
    for (std::size_t i = 0; i < 100; ++i)
        events.push_back({i % 16, i, 2, "MAC_COMPUTE", "a name " + std::to_string(i)});
    Settings settings;
    settings.limits.string = 1000;
    for (const unsigned fields : {4u, 5u}) {
        CAPTURE(fields);
        const Bytes payload = bincode(events, fields);
        for (const std::size_t length_at : {20u, 28u + 11 + 1}) {  // of the type and of the name
            if (fields == 4 && length_at != 20) continue;
            Bytes damaged = payload;
            for (const std::uint64_t length : {2000u, 2001u}) {  // with four fields, an event follows 2000 bytes
                store_le(damaged.data() + place_of(events, 5, fields) + length_at, length);
                const PccxTrace trace = read_pccx(pccx_file(plain_header("bincode"), damaged), settings);
                CHECK_FALSE(trace.failure);
                CHECK(trace.rules.contains("PCX021"));
                CHECK(trace.events.size() == events.size() - 1);
            }
        }
        for (const bool is_type : {true, false}) {
            for (const std::size_t number : {5u, 99u}) {
                if (fields == 4 && !is_type) continue;
                std::vector<TracedEvent> odd = events;
                (is_type ? odd[number].type : *odd[number].name) = std::string(1001, 'x');
                const Bytes file = pccx_file(plain_header("bincode"), bincode(odd, fields));
                CHECK(read_pccx(file, settings).failure == Failure::limit);
            }
        }
    }
}

TEST_CASE("a damaged length names the limit that it exceeds: the payload or --max-string") {
    const std::vector<TracedEvent> events = few_events();
    Settings settings;
    settings.limits.string = 1000;
    const auto finding = [&](std::uint64_t length) {
        Bytes payload = bincode(events);
        store_le(payload.data() + 16 + 20, length);
        payload.resize(payload.size() + 3000);  // bytes that are no event
        const Bytes file = pccx_file(plain_header("bincode"), payload);
        Input input = Input::memory("trace", file);
        Findings findings;
        const auto reader = pccx_format.open(input, settings, findings);
        for (Batch batch; reader->read(batch);)
            batch.clear();
        for (const Finding& found : findings.kept())
            if (found.rule->id == "PCX021") return found.expected + ", not " + found.got.substr(0, found.got.find(';'));
        return std::string();
    };
    CHECK(finding(1001) ==
          "at most 1000 bytes (--max-string), or an event behind the string, not a string of 1001 bytes");
    const std::uint64_t left = bincode(events).size() + 3000 - 16 - 28;
    CHECK(finding(left + 1) ==
          "at most " + std::to_string(left) + " bytes, not a string of " + std::to_string(left + 1) + " bytes");
}

TEST_CASE("types that only damaged events have are not declared, and need no room") {
    std::vector<TracedEvent> events;
    for (std::size_t i = 0; i < 100; ++i)
        events.push_back({0, i, 2, "SYSTOLIC_STALL", std::nullopt});
    Settings settings;
    settings.limits.schema_objects = 4;
    for (const unsigned fields : {4u, 5u}) {
        CAPTURE(fields);
        Bytes payload = bincode(events, fields);
        constexpr std::size_t damaged = 12;
        for (std::size_t i = 0; i < damaged; ++i) {
            const std::size_t place = place_of(events, 5 * i + 3, fields);
            payload[place + 20] = static_cast<std::byte>(13 - i);          // SYSTOLIC_STAL, SYSTOLIC_STA, ...
            if (fields == 5) payload[place + 28 + 13 - i] = std::byte{0};  // the option behind it
        }
        const PccxTrace trace = read_pccx(pccx_file(plain_header("bincode"), payload), settings);
        CHECK_FALSE(trace.failure);
        CHECK(trace.events.size() == events.size() - damaged);
        CHECK_FALSE(trace.rules.contains("PCX032"));
    }
}

TEST_CASE("behind damage, reading continues with the types that the file had before") {
    const std::vector<TracedEvent> events = own_events(100);
    for (const unsigned fields : {4u, 5u}) {
        CAPTURE(fields);
        for (const std::size_t number : {3u, 50u, 98u}) {
            CAPTURE(number);
            Bytes payload = bincode(events, fields);
            store_le(payload.data() + place_of(events, number, fields) + 20, greatest);
            const PccxTrace trace = read_pccx(pccx_file(plain_header("bincode"), payload));
            CHECK(trace.events == without(events, number));
            CHECK(trace.rules.contains("PCX021"));
        }
    }
}

TEST_CASE("a wrong event count alone drops no event of an unusual type or core") {
    std::vector<TracedEvent> events;
    for (std::size_t i = 0; i < 100; ++i)
        events.push_back({i % 16, i, 2, i % 3 == 0 ? std::string(100, 'x') : "DMA_READ", std::nullopt});
    events[40].core = 1'000'000;
    for (const unsigned fields : {4u, 5u}) {
        CAPTURE(fields);
        for (const std::uint64_t count : {90u, 110u}) {
            CAPTURE(count);
            Bytes payload = bincode(events, fields);
            store_le(payload.data() + 8, count);
            const PccxTrace trace = read_pccx(pccx_file(plain_header("bincode"), payload));
            const std::size_t wanted = std::min<std::size_t>(events.size(), count);
            CHECK(trace.events ==
                  std::vector<TracedEvent>(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(wanted)));
            CHECK(trace.rules.contains(count < events.size() ? "PCX019" : "PCX018"));
            CHECK_FALSE(trace.rules.contains("PCX038"));
        }
    }
}

TEST_CASE("a payload without a stated encoding is recognised by its structure") {
    std::string header = plain_header("bincode");
    const std::string key = R"("encoding":"bincode",)";
    REQUIRE(header.find(key) != std::string::npos);
    header.erase(header.find(key), key.size());
    const std::vector<TracedEvent> events = few_events();
    const PccxTrace trace = read_pccx(pccx_file(header, bincode(events)));
    CHECK(trace.events == events);
    CHECK(trace.rules.contains("PCX006"));
    CHECK(read_pccx(pccx_file(header, flat({{0, 1, 2, 3}, {1, 5, 6, 4}}))).events.size() == 2);
    const Bytes other(48, std::byte{0xAB});
    CHECK(read_pccx(pccx_file(header, other)).opaque == other);
}

// --- flatbuf ---

namespace {

std::vector<FlatEvent> flat_events(std::size_t count) {
    std::vector<FlatEvent> events;
    for (std::size_t i = 0; i < count; ++i)
        events.push_back({static_cast<std::uint32_t>(i % 3), i * 2, 1, static_cast<std::uint32_t>(1 + i % 6)});
    return events;
}

PccxTrace read_flat(const Bytes& payload) {
    return read_pccx(pccx_file(plain_header("flatbuf"), payload));
}

Lines names_of(const PccxTrace& trace) {
    Lines names;
    for (const TracedEvent& event : trace.events)
        names.push_back(event.name.value_or("-"));
    return names;
}

constexpr std::uint32_t mark = 0x32434350;

}  // namespace

TEST_CASE("a name table must be at the end of the payload") {
    Bytes payload = flat(flat_events(3));
    append_names(payload, {{0, "a"}, {2, "bc"}});
    const PccxTrace trace = read_flat(payload);
    CHECK(trace.findings == Lines{});
    CHECK(names_of(trace) == Lines{"a", "-", "bc"});

    Bytes unordered = flat(flat_events(3));
    append_names(unordered, {{2, "bc"}, {0, "a"}, {1, "first"}, {1, "second"}});
    const PccxTrace sorted = read_flat(unordered);
    CHECK(names_of(sorted) == Lines{"a", "second", "bc"});
    CHECK(sorted.rules == std::map<std::string, std::uint64_t>{{"PCX025", 1}});

    Bytes nothing = flat(flat_events(2));
    append_names(nothing, {});
    CHECK(read_flat(nothing).findings == Lines{});
    CHECK(read_flat(nothing).events.size() == 2);
}

TEST_CASE("a core number that equals the mark is read as an event, with and without a name table") {
    std::vector<FlatEvent> events = flat_events(4);
    events[1].core = mark;
    const PccxTrace bare = read_flat(flat(events));
    CHECK(bare.events.size() == 4);
    CHECK(bare.rules.contains("PCX026"));
    CHECK_FALSE(bare.rules.contains("PCX024"));

    Bytes named = flat(events);
    append_names(named, {{3, "x"}});
    const PccxTrace trace = read_flat(named);
    CHECK(names_of(trace) == Lines{"-", "-", "-", "x"});
    CHECK(trace.rules.contains("PCX026"));
    CHECK_FALSE(trace.rules.contains("PCX024"));
}

TEST_CASE("names that precede the damage in a name table are used") {
    Bytes payload = flat(flat_events(3));
    append_names(payload, {{0, "a"}, {2, "bc"}});
    const std::size_t table = 72;
    Bytes more = payload;
    more.insert(more.end(), 2, std::byte{1});
    CHECK(names_of(read_flat(more)) == Lines{"a", "-", "bc"});
    CHECK(read_flat(more).rules.contains("PCX024"));
    Bytes cut = payload;
    cut.pop_back();
    CHECK(names_of(read_flat(cut)) == Lines{"a", "-", "-"});
    CHECK(read_flat(cut).rules.contains("PCX024"));
    Bytes count = payload;
    store_le(count.data() + table + 4, std::uint32_t{0xFFFF'FFFF});
    CHECK(names_of(read_flat(count)) == Lines{"a", "-", "bc"});
    CHECK(read_flat(count).rules.contains("PCX024"));
}

TEST_CASE("a payload full of marks takes no longer than other payloads of its size") {
    Appender marks;
    while (marks.size() < 2'000'000)
        marks.text("PCC2");
    marks.le(std::uint8_t{0});
    const Bytes payload(marks.span().begin(), marks.span().end());
    const auto begin = std::chrono::steady_clock::now();
    const PccxTrace trace = read_flat(payload);
    const auto took = std::chrono::steady_clock::now() - begin;
    CHECK_FALSE(trace.findings.empty());
    CHECK(took < std::chrono::seconds(10));  // a walk to the end from each mark would take hours
}

TEST_CASE("flat types without a name are numbered, and keep their number when written") {
    const std::vector<FlatEvent> events{{0, 0, 1, 6}, {0, 1, 1, 7}, {0, 2, 1, 0}, {0, 3, 1, 0xFFFF'FFFF}};
    const Bytes file = pccx_file(plain_header("flatbuf"), flat(events));
    const PccxTrace trace = read_pccx(file);
    CHECK(trace.events[0].type == "API_CALL");
    CHECK(trace.events[1].type == "UNKNOWN_7");
    CHECK(trace.events[2].type == "UNKNOWN");
    CHECK(trace.events[3].type == "UNKNOWN_4294967295");
    CHECK(trace.rules == std::map<std::string, std::uint64_t>{{"PCX032", 1}});  // both faults cause one finding
    CHECK(rewrite_pccx(file) == file);
}

// --- writing ---

TEST_CASE("every layout is written with and without a checksum, and reads as the same events") {
    const Bytes source = pccx_file(plain_header("bincode"), bincode(few_events()));
    for (const char* const layout : {"source", "bincode", "bincode4", "flatbuf", "json"}) {
        for (const char* const checksum : {"source", "number", "none"}) {
            CAPTURE(layout);
            CAPTURE(checksum);
            const Settings settings = pccx_settings({{"pccx-layout", layout}, {"pccx-checksum", checksum}});
            Losses losses;
            const Bytes file = rewrite_pccx(source, settings, losses);
            const PccxTrace trace = read_pccx(file);
            CHECK_FALSE(trace.broken);
            std::vector<TracedEvent> expected = few_events();
            const bool nameless = std::string(layout) == "bincode4";
            if (nameless)
                for (TracedEvent& event : expected)
                    event.name.reset();
            CHECK(trace.events == expected);
            CHECK(lost(losses) == (nameless ? Lines{"part-dropped api_name 2"} : Lines{}));
            const std::string encoding = nameless ? "bincode" : std::string(layout) == "source" ? "bincode" : layout;
            CHECK(trace.metadata.at("pccx.payload.encoding") == encoding);
            CHECK(trace.fact("checksum") == (std::string(checksum) == "number" ? "right" : "none"));
            // Rewriting the file with the source's layout and checksum setting gives the source again.
            Losses no_losses;
            if (!nameless)
                CHECK(rewrite_pccx(file, pccx_settings({{"pccx-layout", "bincode"}, {"pccx-checksum", "none"}}),
                                   no_losses) == source);
        }
    }
}

TEST_CASE("sorting by start is requested if flatbuf is made from another layout, or by option") {
    Schema other;
    Schema flat_source;
    flat_source.describe("pccx.version", "1.1");
    flat_source.describe("pccx.payload.encoding", "flatbuf");
    const auto asks = [](const Schema& schema, const char* layout, const char* order) {
        return pccx_format.writes.needs_time_order(schema,
                                                   pccx_settings({{"pccx-layout", layout}, {"pccx-order", order}}));
    };
    for (const char* const layout : {"source", "bincode", "bincode4", "flatbuf", "json"}) {
        CAPTURE(layout);
        CHECK(asks(other, layout, "start"));
        CHECK(asks(flat_source, layout, "start"));
        CHECK_FALSE(asks(other, layout, "source"));
        CHECK_FALSE(asks(flat_source, layout, "source"));
        CHECK(asks(other, layout, "auto") == (std::string(layout) == "flatbuf"));
        CHECK_FALSE(asks(flat_source, layout, "auto"));
    }
}

namespace {

/// Returns a trace whose metadata states a wrong header length, total and count.
Foreign misguided(const std::string& stated_length, const std::string& stated_events) {
    Foreign trace;
    Schema& schema = trace.schema;
    schema.describe("pccx.version", "1.1");
    schema.describe("pccx.pccx_lab_version", "t");
    schema.describe("pccx.trace.cycles", "1000");
    schema.describe("pccx.trace.cores", "16");
    schema.describe("pccx.payload.encoding", "bincode");
    schema.describe("pccx.payload.byte_length", stated_length);
    schema.describe("pccx.payload.checksum_fnv64", "1");
    schema.describe("pccx.payload.events", stated_events);
    schema.describe("pccx.format_minor", "1");
    const ScopeId core = schema.declare(Scope{"core2", none, {}, none});
    const TrackId track = trace.stream(core, "MAC_COMPUTE", {TimeBase::Kind::cycles, 1, 1'000'000'000});
    for (Tick start = 0; start < 5; ++start)
        trace.batch.interval(track, start * 100, 50);
    return trace;
}

}  // namespace

TEST_CASE("a header longer or shorter than predicted moves the payload, and counts are corrected") {
    const TemporaryFolder folder;
    for (const char* const length : {"0", "211", "18446744073709551615"}) {
        for (const char* const events : {"5", "0", "77"}) {
            CAPTURE(length);
            CAPTURE(events);
            const Foreign trace = misguided(length, events);
            Losses losses;
            const Bytes file = trace.written({}, losses);
            CHECK(losses.none());
            const PccxTrace read = read_pccx(file);
            CHECK(read.findings == Lines{});
            CHECK(read.events.size() == 5);
            CHECK(read.fact("checksum") == "right");
            const Bytes payload = payload_of_file(file);
            CHECK(header_of_file(file).at("payload").at("byte_length") == payload.size());
            CHECK(header_of_file(file).at("payload").at("checksum_fnv64") == hash_of(payload));

            const std::string path = folder / "trace.pccx";
            const auto output = open_file_output(path, Existing::replace);
            const Settings plain;
            const auto writer = pccx_format.create(*output, trace.schema, plain, losses);
            writer->write(trace.batch);
            writer->finish();
            output->commit();
            CHECK(read_file(path) == file);
        }
    }
}

TEST_CASE("an empty trace is written in every layout") {
    for (const char* const layout : {"bincode", "bincode4", "flatbuf", "json"}) {
        CAPTURE(layout);
        Foreign trace;
        Losses losses;
        const Bytes file = trace.written(pccx_settings({{"pccx-layout", layout}}), losses);
        CHECK(losses.none());
        const PccxTrace read = read_pccx(file);
        CHECK_FALSE(read.broken);
        CHECK(read.events.empty());
        CHECK(read.metadata.at("pccx.trace.cycles") == "0");
        CHECK(read.metadata.at("pccx.trace.cores") == "0");
    }
}

TEST_CASE("data that a layout cannot hold is a predicted loss") {
    SUBCASE("types without a number") {
        const Bytes source =
            pccx_file(plain_header("bincode"),
                      bincode({{0, 0, 1, "SOFTMAX", std::nullopt}, {0, 1, 2, "UNKNOWN_9", std::nullopt}}));
        const Settings settings = pccx_settings({{"pccx-layout", "flatbuf"}});
        Losses losses;
        const PccxTrace trace = read_pccx(rewrite_pccx(source, settings, losses));
        CHECK(trace.events[0].type == "UNKNOWN");
        CHECK(trace.events[1].type == "UNKNOWN_9");
        CHECK(lost(losses) == Lines{"name-changed SOFTMAX 1"});
        CHECK(foretold({}, settings, losses));
    }
    SUBCASE("long names are cut before a character that does not fit") {
        const std::string name = std::string(65'534, 'n') + "\xC3\xA9" + "x";
        const Bytes source = pccx_file(plain_header("bincode"), bincode({{0, 0, 1, "API_CALL", name}}));
        const Settings settings = pccx_settings({{"pccx-layout", "flatbuf"}});
        Losses losses;
        const PccxTrace trace = read_pccx(rewrite_pccx(source, settings, losses));
        CHECK(trace.events[0].name == std::string(65'534, 'n'));
        CHECK_FALSE(trace.broken);
        CHECK(lost(losses) == Lines{"value-narrowed api_name 1"});
        CHECK(foretold({}, settings, losses));
        Losses no_losses;
        const Bytes exact =
            pccx_file(plain_header("bincode"), bincode({{0, 0, 1, "API_CALL", std::string(65'535, 'n')}}));
        CHECK(read_pccx(rewrite_pccx(exact, settings, no_losses)).events[0].name == std::string(65'535, 'n'));
        CHECK(no_losses.none());
    }
    SUBCASE("texts that are not UTF-8") {
        const Bytes source = pccx_file(plain_header("bincode"), bincode({{0, 0, 1, "\xFF", "a\xFF"}}));
        Losses losses;
        const PccxTrace trace = read_pccx(rewrite_pccx(source, {}, losses));
        CHECK(trace.events[0].type == "\xEF\xBF\xBD");
        CHECK(trace.events[0].name == "a\xEF\xBF\xBD");
        CHECK(lost(losses) == Lines{"name-changed api_name 1", "name-changed \xFF 1"});
        CHECK(foretold({}, {}, losses));
    }
    SUBCASE("a total that only the payload has") {
        const Bytes source = pccx_file(plain_header("bincode"), bincode(few_events(), 5, 1234));
        const Settings settings = pccx_settings({{"pccx-layout", "flatbuf"}});
        Losses losses;
        rewrite_pccx(source, settings, losses);
        CHECK(lost(losses) == Lines{"metadata-dropped pccx.payload.total_cycles 1"});
        CHECK(foretold({}, settings, losses));
    }
}

TEST_CASE("an opaque payload keeps its bytes and cannot be written in another layout") {
    Bytes payload;
    for (unsigned i = 0; i < 100'000; ++i)
        payload.push_back(static_cast<std::byte>(i * 31));
    for (const char* const encoding : {"raw", "zstd"}) {
        const Bytes file = pccx_file(plain_header(encoding), payload);
        CHECK(read_pccx(file).opaque == payload);
        CHECK(rewrite_pccx(file) == file);
        Losses losses;
        try {
            rewrite_pccx(file, pccx_settings({{"pccx-layout", "bincode"}}), losses);
            FAIL("the payload was written in another layout");
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::usage);
        }
    }
    Losses losses;
    const Bytes events = pccx_file(plain_header("bincode"), bincode(few_events()));
    CHECK_THROWS_AS(rewrite_pccx(events, pccx_settings({{"pccx-layout", "raw"}}), losses), Error);
}

TEST_CASE("a core whose number equals the mark cannot be written as flatbuf") {
    const Bytes source = pccx_file(plain_header("bincode"), bincode({{mark, 0, 1, "DMA_READ", std::nullopt}}));
    CHECK(rewrite_pccx(source) == source);
    Losses losses;
    CHECK_THROWS_AS(rewrite_pccx(source, pccx_settings({{"pccx-layout", "flatbuf"}}), losses), Error);
}

TEST_CASE("a JSON payload has the form of the first generation") {
    const Bytes source =
        pccx_file(plain_header("bincode"), bincode({{1, 2, 3, "A\"\\\n", std::nullopt}, {0, greatest, 0, "", "\x01"}}));
    Losses losses;
    const Bytes file = rewrite_pccx(source, pccx_settings({{"pccx-layout", "json"}}), losses);
    CHECK(as_text(payload_of_file(file)) ==
          R"({"total_cycles":1000,"events":[{"core_id":1,"start_cycle":2,"duration":3,"event_type":"A\"\\\n"},)"
          R"({"core_id":0,"start_cycle":18446744073709551615,"duration":0,"event_type":"","api_name":"\u0001"}]})");
    CHECK(losses.none());
    CHECK(read_pccx(file).events == read_pccx(source).events);
}

TEST_CASE("JSON payloads may have any key order, white space, and the total after the events") {
    const std::string text =
        " {\n \"events\" : [ { \"duration\":3, \"core_id\" : 1 ,\"event_type\":\"}]\\\"\", \"start_cycle\":2, "
        "\"api_name\":null} ,"
        "\t{\"core_id\":0,\"start_cycle\":9,\"duration\":0,\"event_type\":\"\\u00e9\",\"api_name\":\"n\"}\n] , "
        "\"total_cycles\" : 1000 } \n";
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    const PccxTrace trace = read_pccx(pccx_file(plain_header("json"), {first, text.size()}));
    CHECK(trace.rules == std::map<std::string, std::uint64_t>{{"PCX032", 1}, {"PCX035", 1}});
    CHECK(trace.events == std::vector<TracedEvent>{{1, 2, 3, "}]\"", std::nullopt}, {0, 9, 0, "\xC3\xA9", "n"}});
    CHECK(trace.metadata.at("pccx.payload.total_cycles") == "1000");
}

// --- traces of other formats ---

TEST_CASE("a trace in picoseconds is written with a clock that keeps its times") {
    SUBCASE("the clock of the trace") {
        Foreign trace;
        trace.schema.declare(Clock{"clk", 2000});
        const ScopeId core = trace.schema.declare(Scope{"core1", none, {}, 0});
        const TrackId track = trace.stream(core, "RUN", picoseconds);
        trace.batch.interval(track, 4000, 2000);
        trace.batch.interval(track, 8000, 0);
        Losses losses;
        const PccxTrace read = read_pccx(trace.written({}, losses));
        CHECK(lost(losses) == Lines{"part-dropped clk 1", "scope-flattened core1 1", "type-changed RUN 1"});
        CHECK(read.metadata.at("pccx.trace.clock_mhz") == "500");
        CHECK(read.events == std::vector<TracedEvent>{{1, 2, 1, "RUN", std::nullopt}, {1, 4, 0, "RUN", std::nullopt}});
        trace.batch.interval(track, 9000, 500);  // does not begin at a cycle boundary
        CHECK(read_pccx(trace.written({}, losses)).events.back().start == 4);
        CHECK(losses.entries().contains({Loss::time_rounded, "RUN"}));
        CHECK(foretold(trace.schema, {}, losses));
    }
    SUBCASE("no clock: a cycle is a picosecond") {
        Foreign trace;
        const ScopeId core = trace.schema.declare(Scope{"core0", none, {}, none});
        trace.batch.interval(trace.stream(core, "RUN", picoseconds), 1, 3);
        Losses losses;
        const PccxTrace read = read_pccx(trace.written({}, losses));
        CHECK(lost(losses) == Lines{"scope-flattened core0 1", "type-changed RUN 1"});
        CHECK(read.metadata.at("pccx.trace.clock_mhz") == "1000000");
        CHECK(read.events == std::vector<TracedEvent>{{0, 1, 3, "RUN", std::nullopt}});
    }
}

TEST_CASE("scopes become cores: the number in the name, otherwise the lowest free number") {
    Foreign trace;
    Schema& schema = trace.schema;
    const ScopeId root = schema.declare(Scope{"top", none, {}, none});
    const ScopeId bus = schema.declare(Scope{"bus", root, {}, none});
    const ScopeId named = schema.declare(Scope{"core0", root, {}, none});
    const ScopeId again = schema.declare(Scope{"core0", bus, {}, none});
    const ScopeId padded = schema.declare(Scope{"core007", root, {}, none});
    for (const ScopeId scope : {bus, named, again, padded})
        trace.batch.interval(trace.stream(scope, "E", {TimeBase::Kind::cycles, 1, 1'000'000'000}), 0, 1);
    Losses losses;
    const PccxTrace read = read_pccx(trace.written({}, losses));
    CHECK(read.events.at(0).core == 1);
    CHECK(read.events.at(1).core == 0);
    CHECK(read.events.at(2).core == 2);
    CHECK(read.events.at(3).core == 3);
    CHECK(read.metadata.at("pccx.trace.cores") == "4");
    CHECK(lost(losses) == Lines{"scope-flattened bus 1", "scope-flattened core0 2", "scope-flattened core007 1",
                                "scope-flattened top 1"});
    CHECK(foretold(schema, {}, losses));
}

TEST_CASE("tracks of one name in one core become one type, which is a loss") {
    Foreign trace;
    const ScopeId root = trace.schema.declare(Scope{"npu", none, {}, none});
    const ScopeId core = trace.schema.declare(Scope{"core0", root, {}, none});
    const ScopeId other = trace.schema.declare(Scope{"core1", root, {}, none});
    for (const ScopeId scope : {core, core, other})
        trace.batch.interval(trace.stream(scope, "E", {TimeBase::Kind::cycles, 1, 1'000'000'000}), 0, 1);
    Losses losses;
    CHECK(read_pccx(trace.written({}, losses)).events.size() == 3);
    CHECK(lost(losses) == Lines{"name-changed E 1"});
    CHECK(foretold(trace.schema, {}, losses));
}

TEST_CASE("metadata of another format is kept under the key hwtrace and restored") {
    Foreign trace;
    trace.schema.describe("stf.version", "1.6");
    trace.schema.describe("note", "a \"b\" \xC3\xA9");
    trace.schema.describe("note", "again");
    trace.schema.describe("bytes", "\xFF");
    const ScopeId core = trace.schema.declare(Scope{"core0", none, {}, none});
    const TrackId track = trace.stream(core, "E", {TimeBase::Kind::cycles, 1, 0}, {{"size", Type::u32}});
    const std::array attributes{Attribute{0, 7}};
    trace.batch.interval(track, 1, 2, attributes);
    trace.batch.interval(track, -1, 2);
    Losses losses;
    const Bytes file = trace.written({}, losses);
    CHECK(lost(losses) ==
          Lines{"field-dropped E.size 1", "metadata-dropped bytes 1", "scope-flattened core0 1", "time-rounded E 1"});
    CHECK(foretold(trace.schema, {}, losses));
    CHECK(header_of_file(file).at("hwtrace").at("metadata").size() == 3);
    const PccxTrace read = read_pccx(file);
    CHECK(read.rules == std::map<std::string, std::uint64_t>{{"PCX032", 1}, {"PCX034", 1}});
    CHECK(read.metadata.at("stf.version") == "1.6");
    CHECK(read.metadata.at("note") == "a \"b\" \xC3\xA9");
    CHECK(rewrite_pccx(file) == file);
}

TEST_CASE("metadata that a header cannot hold is a loss and never makes the file unreadable") {
    for (const auto& fact : std::vector<std::pair<std::string, std::string>>{
             {"pccx.arch.peak_tops", "nan"},
             {"pccx.arch.peak_tops", "-inf"},
             {"pccx.arch.peak_tops", "1.0x"},
             {"pccx.arch.mac_dims", "[1]"},
             {"pccx.arch.mac_dims", "[1,4294967296]"},
             {"pccx.trace.cores", "-1"},
             {"pccx.trace.clock_mhz", "4294967296"},
             {"pccx.payload.checksum_fnv64", "0x1"},
             {"pccx.unknown_keys", "{\"a\":}"},
             {"pccx.unknown_keys", "[1]"},
             {"pccx.trace.unknown_keys", "{\"a\":1"},
             {"pccx.unknown_keys", " \t\n"},
             {"pccx.unknown_keys", std::string("{}\0}", 4)},
             {"pccx.trace.unknown_keys", std::string("{\"a\":1}\0\"x}", 11)},
             {"pccx.unknown_keys", "{\"a\":1,\"trace\":{}}"},
             {"pccx.trace.unknown_keys", "{\"cycl\\u0065s\":7}"},
             {"pccx.pccx_lab_version", "\xFF"},
             {"pccx.reserved", "65536"},
             {"pccx.trAce.cores", "4"},
         }) {
        const std::string& key = fact.first;
        const std::string& value = fact.second;
        CAPTURE(key);
        CAPTURE(value);
        Foreign trace;
        trace.schema.describe(key, value);
        const ScopeId core = trace.schema.declare(Scope{"core0", none, {}, none});
        trace.batch.interval(trace.stream(core, "DMA_READ", {TimeBase::Kind::cycles, 1, 1'000'000'000}), 1, 2);
        Losses losses;
        const PccxTrace read = read_pccx(trace.written({}, losses));
        CHECK(lost(losses) == Lines{"metadata-dropped " + key + " 1", "scope-flattened core0 1"});
        CHECK_FALSE(read.broken);
        CHECK(read.events.size() == 1);
    }
}

TEST_CASE("empty objects of unknown keys leave the header valid JSON") {
    for (const std::string blank : {"{}", "{ }", "{\t\n}"}) {
        Foreign trace;
        for (const char* const key : {"pccx.unknown_keys", "pccx.arch.unknown_keys", "pccx.trace.unknown_keys"})
            trace.schema.describe(key, blank);
        trace.schema.describe("note", "kept");
        const ScopeId core = trace.schema.declare(Scope{"core0", none, {}, none});
        trace.batch.interval(trace.stream(core, "DMA_READ", {TimeBase::Kind::cycles, 1, 1'000'000'000}), 1, 2);
        Losses losses;
        const Bytes file = trace.written({}, losses);
        CHECK(header_of_file(file).at("hwtrace").at("metadata").size() == 1);
        CHECK_FALSE(read_pccx(file).broken);
    }
}

// --- limits ---

TEST_CASE("traces that would need too much memory are refused") {
    const auto refused = [](const Bytes& file, const Limits& limits) {
        Settings settings;
        settings.limits = limits;
        return read_pccx(file, settings).failure == Failure::limit;
    };
    const Bytes file = pccx_file(plain_header("bincode"), bincode(few_events()));
    CHECK_FALSE(refused(file, {}));
    Limits limits;
    limits.string = 10;  // applies to the header, types and names
    CHECK(refused(file, limits));
    limits = {};
    limits.schema_objects = 3;
    CHECK(refused(file, limits));

    const auto nested = [](std::size_t depth) {
        return R"({"pccx_lab_version":"t","x":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
    };
    CHECK_FALSE(parsed(nested(63)).failure.has_value());
    CHECK(parsed(nested(64)).failure == Failure::limit);
    CHECK(parsed(nested(1'000'000)).failure == Failure::limit);
    Limits deep;
    deep.depth = greatest;
    CHECK_FALSE(parsed(nested(100'000), deep).failure.has_value());

    const std::string text = R"({"total_cycles":1,"x":)" + std::string(100'000, '[');
    const auto* const first = reinterpret_cast<const std::byte*>(text.data());
    CHECK(refused(pccx_file(plain_header("json"), {first, text.size()}), {}));
}

TEST_CASE("an invalid header length or payload length of any size causes a finding") {
    const Bytes file = pccx_file(plain_header("bincode"), bincode(few_events()));
    for (const std::uint64_t length : {greatest, greatest - 15, greatest / 2 + 1, std::uint64_t{1} << 40}) {
        Bytes header = file;
        store_le(header.data() + 8, length);
        CHECK(read_pccx(header).failure == Failure::input);
        CHECK(read_pccx(header).findings == Lines{"PCX003@" + std::to_string(file.size())});
        std::string text = plain_header("bincode");
        text.replace(text.find("%L"), 2, std::to_string(length));
        const PccxTrace payload = read_pccx(pccx_file(text, bincode(few_events())));
        CHECK(payload.events == few_events());
        CHECK(payload.rules.contains("PCX016"));
    }
}

}  // namespace pccx_model_test
