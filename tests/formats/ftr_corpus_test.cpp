// Compares every file of the corpus with the output of an independent decoder.
#include <doctest/doctest.h>

#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "domain/utf8.hpp"
#include "formats.hpp"
#include "ftr/scan.hpp"
#include "io/compression.hpp"
#include "io/error.hpp"
#include "io/output.hpp"
#include "support/corpus.hpp"

namespace ftr_corpus_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<std::byte>;
using Lines = std::vector<std::string>;

// --- the result of our scan, in the layout of the decoder ---

void append_escaped(unsigned unit, std::string& out) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += "\\u";
    for (int shift = 12; shift >= 0; shift -= 4)
        out += digits[unit >> shift & 15u];
}

/// Returns a string as quoted ASCII. Bytes that are not UTF-8 become lone surrogates.
std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const std::size_t length = utf8_length(text, at);
        if (length == 0) {
            append_escaped(0xDC00u + byte, out);
            ++at;
            continue;
        }
        if (length > 1) {
            std::uint32_t point = byte & (0x7Fu >> length);
            for (std::size_t i = 1; i < length; ++i)
                point = point << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
            if (point >= 0x10000) {
                append_escaped(0xD800u + ((point - 0x10000) >> 10), out);
                point = 0xDC00u + ((point - 0x10000) & 0x3FFu);
            }
            append_escaped(point, out);
        } else if (byte == '"' || byte == '\\') {
            out.append("\\").append(1, text[at]);
        } else if (const std::size_t letter = std::string_view("\n\t\r\b\f").find(text[at]);
                   letter != std::string_view::npos) {
            out.append("\\").append(1, "ntrbf"[letter]);
        } else if (byte < 0x20) {
            append_escaped(byte, out);
        } else {
            out += text[at];
        }
        at += length;
    }
    return out.append("\"");
}

std::string real(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    std::array<char, 400> buffer{};
    const auto text = [&](std::chars_format format) {
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
        return std::string(buffer.data(), end.ptr);
    };
    const std::string scientific = text(std::chars_format::scientific);
    const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
    if (value != 0 && (exponent < -4 || exponent >= 16)) return scientific;
    std::string fixed = text(std::chars_format::fixed);
    if (fixed.find('.') == std::string::npos) fixed += ".0";
    return fixed;
}

std::string_view type_name(Type type) {
    switch (type) {
        case Type::boolean:
            return "BOOLEAN";
        case Type::label:
            return "ENUMERATION";
        case Type::i64:
            return "INTEGER";
        case Type::f64:
            return "FLOATING_POINT_NUMBER";
        case Type::bits:
            return "BIT_VECTOR";
        case Type::logic:
            return "LOGIC_VECTOR";
        case Type::fixed:
            return "FIXED_POINT_INTEGER";
        case Type::ufixed:
            return "UNSIGNED_FIXED_POINT_INTEGER";
        case Type::pointer:
            return "POINTER";
        case Type::text:
            return "STRING";
        case Type::time:
            return "TIME";
        default:
            return "UNSIGNED";
    }
}

std::string value_text(const Schema& schema, Type type, std::uint64_t cell) {
    if (holds_text(type)) return json_text(schema.text(static_cast<StringId>(cell)));
    if (type == Type::boolean) return cell != 0 ? "true" : "false";
    if (type == Type::i64) return std::to_string(static_cast<std::int64_t>(cell));
    if (type == Type::f64 || type == Type::fixed || type == Type::ufixed) return real(std::bit_cast<double>(cell));
    return std::to_string(cell);
}

std::string_view phase_name(Phase phase) {
    return phase == Phase::begin ? "BEGIN" : phase == Phase::record ? "RECORD" : "END";
}

Lines decode(const Bytes& file, Findings& findings) {
    Input input = Input::memory("file", file);
    Schema schema;
    const Settings settings;
    ftr::Scan scan(input, settings, findings, schema);
    Lines lines, relations;
    const std::string* const epoch = schema.metadata("ftr.epoch");
    if (findings.total("FTR014") != 0)
        lines.push_back("info timescale=None epoch_tag=None created=None");
    else
        lines.push_back("info timescale=" + std::to_string(scan.exponent()) + " epoch_tag=1 created=" + *epoch);
    std::map<std::uint64_t, std::string> texts;  // the last text of each key, at the position of the first one
    for (const auto& entry : scan.dictionary().entries())
        texts[entry.key] = scan.dictionary().text(entry);
    for (const auto& entry : scan.dictionary().entries())
        if (const auto text = texts.extract(entry.key))
            lines.push_back("string " + std::to_string(entry.key) + " " + json_text(text.mapped()));
    for (const Scope& scope : schema.scopes())
        lines.push_back("stream " + std::to_string(*scope.native_id) + " " + json_text(scope.name) + " " +
                        json_text(scope.protocol));
    const auto stream_of = [&](const Track& track) { return std::to_string(*schema.scopes()[track.scope].native_id); };
    for (const Track& track : schema.tracks())
        lines.push_back("generator " + std::to_string(*track.native_id) + " " + json_text(track.name) + " stream " +
                        stream_of(track));
    ftr::Item item;
    while (scan.next(item)) {
        const Track& track = schema.tracks()[item.track];
        if (item.kind == ftr::Item::Kind::relation) {
            const bool streams = item.cells.size() == 4;
            relations.push_back("relation " + json_text(track.name) + " source " + std::to_string(item.cells[0]) +
                                " sink " + std::to_string(item.cells[1]) + " source_stream " +
                                (streams ? std::to_string(item.cells[2]) : "-") + " sink_stream " +
                                (streams ? std::to_string(item.cells[3]) : "-"));
            continue;
        }
        lines.push_back("tx " + std::to_string(item.attributes[0].value) + " gen " + std::to_string(*track.native_id) +
                        " stream " + stream_of(track) + " start " + std::to_string(item.start) + " end " +
                        std::to_string(item.end));
        for (const Attribute& attribute : item.attributes.subspan(1)) {
            const Field& field = track.fields[attribute.field];
            lines.push_back("   " + std::string(phase_name(field.phase)) + " " + json_text(field.name) + " " +
                            std::string(type_name(field.type)) + " " + value_text(schema, field.type, attribute.value));
        }
    }
    lines.insert(lines.end(), relations.begin(), relations.end());
    return lines;
}

// --- the output of the decoder ---

std::string golden_text(const fs::path& path) {
    if (fs::exists(path.string() + ".golden.txt")) return read_text(path.string() + ".golden.txt");
    if (!fs::exists(path.string() + ".golden.txt.gz")) return {};
    Input input = Input::open(path.string() + ".golden.txt.gz");
    GzipSource source(input);
    std::string text;
    std::array<std::byte, 65'536> piece{};
    while (const std::size_t count = source.read(piece))
        text.append(reinterpret_cast<const char*>(piece.data()), count);
    return text;
}

Lines lines_of(const std::string& text) {
    std::istringstream stream(text);
    Lines lines;
    for (std::string line; std::getline(stream, line);)
        if (!line.starts_with("#") && !line.starts_with("end ")) lines.push_back(line);
    return lines;
}

/// Pairs of lines that differ: first the decoder's, then ours. An empty string means that the line is missing.
using Differences = std::vector<std::pair<std::string, std::string>>;

Differences differences(const Lines& golden, const Lines& ours) {
    Differences found;
    const auto is = [](const Lines& lines, std::size_t at, const std::string& line) {
        return at < lines.size() && lines[at] == line;
    };
    std::size_t at = 0;
    for (std::size_t i = 0; i < golden.size(); ++i) {
        if (is(ours, at + 1, golden[i]) && !is(ours, at, golden[i])) found.emplace_back("", ours[at++]);
        if (is(ours, at, golden[i])) {
            ++at;
            continue;
        }
        const bool left_out = at >= ours.size() || is(golden, i + 1, ours[at]);
        found.emplace_back(golden[i], left_out ? "" : ours[at]);
        if (!left_out) ++at;
    }
    for (; at < ours.size(); ++at)
        found.emplace_back("", ours[at]);
    return found;
}

const std::map<std::string, Differences>& listed() {
    static const std::map<std::string, Differences> list{
        // Attributes of unknown type or kind, and attributes whose string is missing, are omitted.
        {"edge/edge_c.ftr", {{"   END \"none\" NONE 0", ""}}},
        {"edge/edge_u.ftr", {{"   END \"none\" NONE 0", ""}}},
        {"variants/25_type12_none_uint.ftr", {{"   BEGIN \"attr\" NONE 7", ""}}},
        {"variants/26_type13_unknown_uint.ftr", {{"   BEGIN \"attr\" 13 7", ""}}},
        {"variants/27_attr_tag10_unknown.ftr", {{"   10 \"attr\" UNSIGNED 7", ""}}},
        {"variants/42_string_id_undefined.ftr", {{"   BEGIN \"attr\" STRING None", ""}}},
        // Our view shows the value. The decoder shows the encoding of the value.
        {"variants/07_bool_uint.ftr", {{"   BEGIN \"attr\" BOOLEAN 1", "   BEGIN \"attr\" BOOLEAN true"}}},
        {"variants/12_float_as_int.ftr",
         {{"   BEGIN \"attr\" FLOATING_POINT_NUMBER 2", "   BEGIN \"attr\" FLOATING_POINT_NUMBER 2.0"}}},
        {"variants/39_unsigned_neg_int.ftr",
         {{"   BEGIN \"attr\" UNSIGNED -1", "   BEGIN \"attr\" UNSIGNED 18446744073709551615"},
          {"   BEGIN \"attr\" POINTER -2", "   BEGIN \"attr\" POINTER 18446744073709551614"}}},
        {"variants/40_u64_max.ftr",
         {{"   BEGIN \"attr\" INTEGER 18446744073709551615", "   BEGIN \"attr\" UNSIGNED 18446744073709551615"}}},
        // Our reader knows the whole dictionary before the first transaction.
        {"variants/21_dict_after_txblocks_ok_for_names_only.ftr",
         {{"   BEGIN null UNSIGNED 42", "   BEGIN \"attr\" UNSIGNED 42"},
          {"   END null STRING None", "   END \"attr\" STRING \"val\""},
          {"   BEGIN null UNSIGNED 43", "   BEGIN \"attr\" UNSIGNED 43"}}},
        {"variants/43_name_id_undefined.ftr", {{"   BEGIN null UNSIGNED 1", "   BEGIN \"text 99\" UNSIGNED 1"}}},
        // Our reader uses the generator's stream instead of the stream that the transaction states.
        {"variants/33_gen_other_stream.ftr",
         {{"tx 1 gen 20 stream 1 start 0 end 100", "tx 1 gen 20 stream 2 start 0 end 100"}}},
        {"variants/45_stream_undefined.ftr",
         {{"tx 1 gen 10 stream 9 start 0 end 100", "tx 1 gen 10 stream 1 start 0 end 100"},
          {"tx 2 gen 10 stream 9 start 50 end 150", "tx 2 gen 10 stream 1 start 50 end 150"}}},
        {"variants/46_gen_stream_undefined.ftr", {{"", "stream 5 \"stream 5\" \"\""}}},
        // The relation states only one of the two streams, so our reader ignores it.
        {"variants/22_rel4.ftr",
         {{"relation \"rel\" source 1 sink 3 source_stream 1 sink_stream -",
           "relation \"rel\" source 1 sink 3 source_stream - sink_stream -"}}},
    };
    return list;
}

std::vector<fs::path> files_of(const std::string& folder) {
    std::vector<fs::path> files;
    const auto path = corpus("ftr/" + folder);
    if (!path) return files;
    for (const fs::directory_entry& entry : fs::directory_iterator(*path))
        if (entry.path().extension() == ".ftr") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

TEST_CASE("FTR: every file is decoded as by the independent decoder, with the listed exceptions") {
    std::size_t compared = 0;
    for (const char* const folder : {"scviewer", "ftr_parser", "lwtr4sc", "alltypes", "edge", "variants"}) {
        for (const fs::path& path : files_of(folder)) {
            const std::string name = std::string(folder) + "/" + path.filename().string();
            const std::string text = golden_text(path);
            if (text.empty()) continue;
            CAPTURE(name);
            Findings findings;
            const Differences found = differences(lines_of(text), decode(read_file(path), findings));
            const auto expected = listed().find(name);
            CHECK(found == (expected == listed().end() ? Differences{} : expected->second));
            for (const auto& [golden, ours] : found)
                MESSAGE(name << ": {\"" << golden << "\", \"" << ours << "\"}");
            ++compared;
        }
    }
    if (compared != 0) CHECK(compared >= 50);
}

namespace {

/// Scans a whole file, which may be damaged.
void scan_whole(const Bytes& file, const Settings& settings, Findings& findings) {
    Input input = Input::memory("file", file);
    Schema schema;
    ftr::Item item;
    try {
        ftr::Scan scan(input, settings, findings, schema);
        while (scan.next(item)) {
        }
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::input);
    }
}

}  // namespace

TEST_CASE("FTR: the verdict on each variant equals the verdict in the README's table") {
    std::map<std::string, std::string> table;
    std::istringstream readme(read_text(source_file("formats/ftr/README.md")));
    for (std::string line; std::getline(readme, line);) {
        // Files that have a mark in the table are not in the corpus.
        if (!line.starts_with("| `") || line.find("` | ") == std::string::npos) continue;
        const std::size_t name_end = line.find('`', 3);
        const std::size_t verdict = name_end + 4;
        const std::size_t rules = line.find(" | ", verdict) + 3;
        table[line.substr(3, name_end - 3)] = line.substr(verdict, line.find(" | ", rules) - verdict);
    }
    CHECK(table.size() >= 40);
    for (const fs::path& path : files_of("variants")) {
        const std::string name = path.stem().string();
        if (!table.contains(name)) continue;
        CAPTURE(name);
        Findings findings;
        Settings settings;
        settings.check = CheckLevel::full;
        const Bytes bytes = read_file(path);
        scan_whole(bytes, settings, findings);
        std::string rules;
        for (const auto& [id, count] : findings.totals()) {
            if (id == "FTR044") continue;
            rules.append(rules.empty() ? "" : " ").append(id);
        }
        CHECK(table[name] == std::string(name_of(findings.verdict())) + " | " + (rules.empty() ? "-" : rules));
    }
}

TEST_CASE("FTR: every damaged file yields a finding, and every cut file is reported as cut") {
    for (const fs::path& path : files_of("corrupt")) {
        const std::string name = path.filename().string();
        CAPTURE(name);
        for (const CheckLevel level : {CheckLevel::delivery, CheckLevel::semantic}) {
            Findings findings;
            Settings settings;
            settings.check = level;
            const Bytes bytes = read_file(path);
            scan_whole(bytes, settings, findings);
            CHECK_FALSE(findings.kept().empty());
            // Flipped bits may give another valid text or number. A wrong size loses no data.
            if (!name.starts_with("r") && name.find("usize") == std::string::npos)
                CHECK(findings.effect() != Effect::harmless);
            if (name.starts_with("t") && bytes.size() > 4)
                CHECK(findings.total("FTR005") + findings.total("FTR004") == 1);
        }
    }
}

namespace {

/// Returns transactions and relations as lines, up to the Error that ends the scan.
Lines items_of(const Bytes& file, Findings& findings) {
    Lines lines;
    Settings settings;
    settings.check = CheckLevel::semantic;
    Input input = Input::memory("file", file);
    Schema schema;
    ftr::Item item;
    try {
        ftr::Scan scan(input, settings, findings, schema);
        while (scan.next(item)) {
            std::string line =
                std::to_string(item.track) + " " + std::to_string(item.start) + " " + std::to_string(item.end);
            for (const Attribute& attribute : item.attributes)
                line.append(" ")
                    .append(std::to_string(attribute.field))
                    .append("=")
                    .append(std::to_string(attribute.value));
            for (const std::uint64_t cell : item.cells)
                line.append(" ").append(std::to_string(cell));
            lines.push_back(std::move(line));
            item = {};
        }
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::input);
    }
    return lines;
}

std::vector<fs::path> small_files() {
    std::vector<fs::path> files;
    for (const char* const folder : {"scviewer", "lwtr4sc", "alltypes", "edge"})
        for (const fs::path& path : files_of(folder))
            if (fs::file_size(path) < 4096) files.push_back(path);
    return files;
}

}  // namespace

TEST_CASE("FTR: every cut of a small file delivers its first records and is reported") {
    for (const fs::path& path : small_files()) {
        const std::string name = path.filename().string();
        CAPTURE(name);
        const Bytes whole = read_file(path);
        Findings none_wanted;
        const Lines all = items_of(whole, none_wanted);
        std::size_t before = 0;
        for (std::size_t size = 0; size<whole.size(); size += whole.size()> 1200 ? 3 : 1) {
            CAPTURE(size);
            Findings findings;
            const Lines some =
                items_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), findings);
            REQUIRE(some.size() <= all.size());
            REQUIRE(std::equal(some.begin(), some.end(), all.begin()));
            REQUIRE(some.size() >= before);
            REQUIRE(findings.total("FTR001") + findings.total("FTR004") + findings.total("FTR005") == 1);
            REQUIRE(findings.effect() != Effect::harmless);
            before = some.size();
        }
    }
}

TEST_CASE("FTR: a changed byte in a small file never causes a crash, and rarely loses everything") {
    std::uint32_t random = 7;
    std::size_t lost_more = 0, changes = 0;
    for (const fs::path& path : small_files()) {
        const std::string name = path.filename().string();
        CAPTURE(name);
        const Bytes whole = read_file(path);
        for (std::size_t at = 0; at < whole.size(); at += 3) {
            CAPTURE(at);
            Bytes changed = whole;
            random = random * 1664525u + 1013904223u;
            changed[at] ^= static_cast<std::byte>(1u + (random >> 24) % 255u);
            Findings findings;
            const Lines some = items_of(changed, findings);
            ++changes;
            // Reading continues after a damaged chunk head. Only damage to the frame loses everything.
            lost_more += some.empty() && at >= 4 && fs::file_size(path) > 1000 ? 1u : 0u;
        }
    }
    MESSAGE(changes << " changes, " << lost_more << " without any record");
    CHECK(lost_more <= changes / 100);
}

}  // namespace ftr_corpus_test
