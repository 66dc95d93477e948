#include <doctest/doctest.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>

#include "formats/uscope_support.hpp"
#include "io/compression.hpp"
#include "io/error.hpp"
#include "io/input.hpp"
#include "model/state.hpp"
#include "support/corpus.hpp"

namespace uscope_corpus_test {

using namespace hwtrace;
using namespace hwtrace::test;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

/// Returns the lines of the golden dump that begin with `a` or `b`.
std::vector<std::string> golden_lines(const std::filesystem::path& path, const std::string& a, const std::string& b) {
    const auto bytes = read_file(path);
    Input input = Input::memory("golden", bytes);
    GzipSource gzip(input);
    std::string text(std::size_t{1} << 16, '\0'), all;
    while (const std::size_t got = gzip.read(std::as_writable_bytes(std::span(text))))
        all.append(text, 0, got);
    std::vector<std::string> lines = lines_of(all);
    std::erase_if(lines, [&](const std::string& line) { return !line.starts_with(a) && !line.starts_with(b); });
    return lines;
}

std::uint64_t cut(std::uint64_t value, std::size_t width) {
    return width == 8 ? value : value & ((std::uint64_t{1} << (8 * width)) - 1);
}

/// Returns a cell as stored in the file. For a string, returns its index, even if the string table lacks the index.
std::uint64_t file_value(const Schema& schema, const Field& field, std::uint64_t cell) {
    if (field.type != Type::text) return cell;
    const std::string_view text = schema.text(static_cast<StringId>(cell));
    const std::string_view prefix = "(missing string ";
    if (!text.starts_with(prefix)) return cell;
    std::uint64_t index = 0;
    std::from_chars(text.data() + prefix.size(), text.data() + text.size(), index);
    return index;
}

/// Returns the record in the notation of the golden dumps: "op t= sid= ..." or "ev t= id= payload=".
std::string golden_line(const Schema& schema, const Batch& batch, const Record& record, TrackId first_event) {
    const Track& track = schema.tracks()[record.track];
    const std::string time = " t=" + std::to_string(record.time);
    if (record.kind == Kind::event) {
        std::string line = "ev" + time + " id=" + std::to_string(record.track - first_event) + " payload=";
        const auto cells = batch.cells(record);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::uint64_t value = file_value(schema, track.fields[i], cells[i]);
            for (std::size_t byte = 0; byte < slot_width(track.fields[i].type); ++byte)
                for (const unsigned shift : {4u, 0u})
                    line += "0123456789abcdef"[value >> (8 * byte + shift) & 15];
        }
        return line;
    }
    const bool is_property = (record.flags & record_property) != 0;
    const int action = is_property ? 4 : record.kind == Kind::set ? 1 : record.kind == Kind::clear ? 2 : 3;
    std::uint64_t value = record.value;
    if (record.kind == Kind::set)
        value = file_value(schema, is_property ? track.properties[record.field] : track.fields[record.field], value);
    return "op" + time + " sid=" + std::to_string(record.track) + " slot=" + std::to_string(record.ref) +
           " act=" + std::to_string(action) + " field=" + std::to_string(record.field) +
           " value=" + std::to_string(value);
}

/// Compares a record with a golden line. A field of ref_props has a 64-bit string index; readers use the low 32 bits.
bool same_item(const std::string& got, const std::string& golden) {
    if (got == golden) return true;
    const std::size_t at = golden.rfind("value=");
    if (golden.find(" sid=4 ") == std::string::npos || golden.find(" field=9 ") == std::string::npos) return false;
    const std::uint64_t value = std::stoull(golden.substr(at + 6));
    return value > 0xFFFF'FFFF && got == golden.substr(0, at + 6) + std::to_string(value & 0xFFFF'FFFF);
}

/// Calls `use` with every record that is an item of a frame.
template <typename Use>
void for_each_item(const Bytes& file, Use use) {
    Findings findings;
    const Settings settings;
    Input input = Input::memory("file", file);
    const auto reader = uscope_format.open(input, settings, findings);
    Batch batch;
    while (reader->read(batch)) {
        for (const Record& record : batch.records())
            if (record.kind != Kind::native) use(reader->schema(), batch, record);
        batch.clear();
    }
}

TrackId first_event_of(const Schema& schema) {
    TrackId id = 0;
    while (id < schema.tracks().size() && schema.tracks()[id].kind == Track::Kind::storage)
        ++id;
    return id;
}

std::string slot_text(const Schema& schema, TrackId id, const std::vector<Field>& fields,
                      const std::function<std::uint64_t(std::uint32_t)>& value_of, bool& all_zero) {
    std::string text = "[";
    all_zero = true;
    for (std::uint32_t i = 0; i < fields.size(); ++i) {
        const std::uint64_t value = cut(file_value(schema, fields[i], value_of(i)), slot_width(fields[i].type));
        all_zero = all_zero && value == 0;
        text += (i == 0 ? "" : ",") + std::to_string(value);
    }
    (void)id;
    return text + "]";
}

/// Returns the lines of a state in the notation of the golden dumps.
std::vector<std::string> state_lines(const Schema& schema, const StateTable& state) {
    std::vector<std::string> lines;
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        if (track.kind != Track::Kind::storage) continue;
        const std::string prefix = "st storage=" + std::to_string(id);
        std::size_t shown = 0;
        bool zero = true;
        for (std::uint32_t slot = 0; slot < track.slots; ++slot) {
            if (!state.valid(id, slot)) continue;
            const std::string values = slot_text(
                schema, id, track.fields, [&](std::uint32_t f) { return state.value(id, slot, f); }, zero);
            if (!track.sparse && zero) continue;
            lines.push_back(prefix + " slot=" + std::to_string(slot) + ' ' + values);
            ++shown;
        }
        lines.push_back(prefix + " shown=" + std::to_string(shown));
        if (!track.properties.empty())
            lines.push_back(
                prefix + " props=" +
                slot_text(
                    schema, id, track.properties, [&](std::uint32_t p) { return state.property(id, p); }, zero));
    }
    std::ranges::sort(lines);
    return lines;
}

}  // namespace

TEST_CASE("every item of the real files is delivered in file order, as the reference dump lists it") {
    for (const std::string& name : corpus_files()) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + name + ".uscope");
        const auto golden = corpus("uscope/golden/" + name + ".all.txt.gz");
        if (!path || !golden) continue;
        const std::vector<std::string> expected = golden_lines(*golden, "op ", "ev ");
        std::vector<std::string> got;
        for_each_item(read_file(*path), [&](const Schema& schema, const Batch& batch, const Record& record) {
            got.push_back(golden_line(schema, batch, record, first_event_of(schema)));
        });
        REQUIRE(got.size() == expected.size());
        const auto [a, b] = std::ranges::mismatch(got, expected, same_item);
        if (a != got.end()) {
            CHECK(*a == *b);
        }
    }
}

TEST_CASE("header, schema and segments of the real files equal their reference dump") {
    for (const std::string& name : corpus_files()) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + name + ".uscope");
        const auto head = corpus("uscope/golden/" + name + ".head.txt");
        if (!path || !head) continue;
        const Trace trace = read_trace(read_file(*path));
        std::size_t segments = 0, strings = 0, storages = 0, events = 0, scopes = 0, frames = 0, active = 0;
        for (const std::string& line : lines_of(read_text(*head))) {
            const auto number = [&](const std::string& key) {
                const std::size_t at = line.find(' ' + key + '=');
                return at == std::string::npos ? std::size_t{0} : std::stoull(line.substr(at + key.size() + 2));
            };
            if (line.starts_with("segment ") && line.find("offset=") != std::string::npos) {
                ++segments;
                frames += number("frames");
                active += number("active");
            }
            strings += line.starts_with("string ") ? 1 : 0;
            storages += line.starts_with("storage ") ? 1 : 0;
            events += line.starts_with("event ") ? 1 : 0;
            scopes += line.starts_with("scope ") ? 1 : 0;
            if (line.starts_with("config "))
                CHECK(trace.fact("checkpoint_interval_ps") == std::to_string(number("checkpoint_interval_ps")));
        }
        CHECK(trace.fact("segments") == std::to_string(segments));
        CHECK(trace.fact("strings") == std::to_string(strings));
        CHECK(trace.fact("storages") == std::to_string(storages));
        CHECK(trace.fact("events") == std::to_string(events));
        CHECK(trace.fact("scopes") == std::to_string(scopes));
        CHECK(trace.fact("frames") == std::to_string(frames));
        CHECK(trace.fact("frames_with_items") == std::to_string(active));
    }
}

TEST_CASE("the state replayed from records equals the state of the references") {
    for (const std::string& name : corpus_files()) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + name + ".uscope");
        const auto golden = corpus("uscope/golden/" + name + ".truestate.txt");
        if (!path || !golden) continue;
        std::map<std::uint64_t, std::vector<std::string>> expected;  // by requested time
        std::uint64_t asked = 0;
        for (const std::string& line : lines_of(read_text(*golden))) {
            if (const std::size_t at = line.find("(requested "); at != std::string::npos)
                asked = std::stoull(line.substr(at + 11));
            else if (line.starts_with("st "))
                expected[asked].push_back(line);
        }
        const Bytes file = read_file(*path);
        for (auto& entry : expected) {
            const std::uint64_t time = entry.first;
            std::vector<std::string>& lines = entry.second;
            CAPTURE(time);
            std::ranges::sort(lines);
            lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
            Findings findings;
            const Settings settings;
            Input input = Input::memory("file", file);
            const auto reader = uscope_format.open(input, settings, findings);
            StateTable state(reader->schema());
            Batch batch;
            while (reader->read(batch)) {
                for (const Record& record : batch.records())
                    if (static_cast<std::uint64_t>(record.time) <= time) state.apply(record);
                batch.clear();
            }
            const std::vector<std::string> got = state_lines(reader->schema(), state);
            CHECK(got == lines);

            // Seeking to a checkpoint gives the same state.
            StateTable near(reader->schema());
            REQUIRE(reader->seek(static_cast<Tick>(time) + 1, &near));
            while (reader->read(batch)) {
                for (const Record& record : batch.records())
                    if (static_cast<std::uint64_t>(record.time) <= time) near.apply(record);
                batch.clear();
            }
            CHECK(state_lines(reader->schema(), near) == lines);
        }
    }
}

TEST_CASE("the dialect of each real file is detected from its structures") {
    for (const std::string& name : corpus_files()) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + name + ".uscope");
        const auto golden = corpus("uscope/golden/" + name + ".facts.txt");
        if (!path || !golden) continue;
        const std::string layout = read_text(*golden);
        const Trace trace = read_trace(read_file(*path));
        const bool old_structures = layout.find("storage_header=12 ") != std::string::npos;
        const bool old_frames = name.ends_with("_v01");
        CHECK(trace.fact("structures") == (old_structures ? "0.2, 12-byte storage headers" : "0.3"));
        CHECK(trace.fact("frame_form") == (old_frames ? "0.1, operations before events" : "0.2, interleaved"));
        CHECK(layout.find("version=" + trace.fact("version")) != std::string::npos);
        if (trace.fact("segments") != "0") {
            const bool at_end = layout.find("'end': 0") == std::string::npos;
            CHECK(trace.fact("checkpoints") == (at_end ? "end of segment" : "start of segment"));
        }
        CHECK(trace.has("USC041") == (old_structures || old_frames));
        CHECK_FALSE(trace.has("USC040"));
    }
}

TEST_CASE("validation of the real files finds their known dialects and no errors") {
    const std::map<std::string, std::vector<std::string>> expected = {
        {"c_multiseg_v03", {}},
        {"c_test_write_v01", {"USC049", "USC041", "USC030"}},
        {"c_test_write_v02_endckpt", {"USC049", "USC041", "USC030"}},
        {"c_test_write_v02_startckpt_tsum", {"USC049", "USC041"}},
        {"c_test_write_v03", {"USC049"}},
        {"gen_small_v02", {"USC043", "USC041", "USC030", "USC055"}},
        {"gen_small_v03", {"USC043", "USC030", "USC055"}},
        {"gen_wide_v03", {"USC043", "USC030", "USC055"}},
        {"konata_kanata-basic_v01", {"USC041", "USC030"}},
        {"konata_kanata-basic_v02", {"USC041", "USC030", "USC055"}},
        {"konata_kanata-basic_v03", {"USC030", "USC055"}},
        {"konata_kanata-sample-2_v03", {"USC030", "USC036", "USC055"}},
        {"konata_uscope-sample_v01", {"USC041", "USC030"}},
        {"konata_uscope-sample_v02", {"USC041", "USC052", "USC030"}},
        {"konata_uscope-sample_v03", {"USC052", "USC030"}},
        {"ref_props_v03", {"USC048", "USC049", "USC043", "USC056", "USC047", "USC030", "USC034"}},
        {"ref_empty_v03", {}},
        {"ref_emptyframes_v03", {"USC030"}},
        {"ref_open_v03", {"USC013", "USC030"}},
        {"reflex_sample_v01", {"USC041", "USC030", "USC036"}},
    };
    for (const auto& entry : expected) {
        const std::string& name = entry.first;
        const std::vector<std::string>& rules = entry.second;
        CAPTURE(name);
        const auto path = corpus("uscope/" + name + ".uscope");
        if (!path) continue;
        const Trace trace = read_trace(read_file(*path), true);
        CHECK(trace.rule_ids() == rules);
        if (trace.rule_ids() != rules)
            for (const std::string& finding : trace.findings)
                MESSAGE(finding);
    }
}

TEST_CASE("a rewritten real file is the same trace, and rewriting it again gives the same bytes") {
    for (const std::string& name : corpus_files()) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + name + ".uscope");
        if (!path) continue;
        const Bytes original = read_file(*path);
        const Bytes first = rewritten(original);
        const Trace before = read_trace(original), after = read_trace(first, true);
        CHECK(before.schema == after.schema);
        CHECK(before.records == after.records);
        CHECK(rewritten(first) == first);
        CHECK(rewritten(original, {}, 4) == first);
        CHECK(after.effect == Effect::harmless);
        // The remaining findings concern the contents of the trace, not its layout.
        const std::vector<std::string> of_content{"USC034", "USC036", "USC043", "USC047", "USC048",
                                                  "USC049", "USC052", "USC053", "USC054", "USC055"};
        for (const std::string& id : after.rule_ids()) {
            CAPTURE(id);
            CHECK(std::ranges::find(of_content, id) != of_content.end());
            CHECK(read_trace(original, true).has(id));
        }
    }
}

TEST_CASE("the totals of the real summaries (TSUM, CSUM) equal the totals of the trace and of the reference") {
    std::size_t summaries = 0, counters = 0;
    for (const std::string& name : corpus_files()) {
        CAPTURE(name);
        const auto path = corpus("uscope/" + name + ".uscope");
        if (!path) continue;
        const Bytes file = read_file(*path);
        const Trace trace = read_trace(file, true);
        CHECK_FALSE(trace.has("USC032"));
        std::map<std::string, std::uint64_t> sums;
        std::uint64_t instructions = 0;
        for_each_item(file, [&](const Schema& schema, const Batch&, const Record& record) {
            const Track& track = schema.tracks()[record.track];
            if (record.kind == Kind::add) sums[track.name] += record.value;
            const bool is_id = record.kind == Kind::set && track.name == "entities";
            if (is_id && track.fields[record.field].name == "entity_id") ++instructions;
        });
        if (!trace.fact("instructions").empty()) {
            ++summaries;
            CHECK(trace.fact("instructions") == std::to_string(instructions));
            const auto info = path->parent_path() / "golden" / (name + ".info.txt");
            if (std::filesystem::exists(info)) {  // the reference tool cannot open old files and some new ones
                const std::string text = read_text(info);
                CHECK(text.find("Total instructions: " + trace.fact("instructions") + "\n") != std::string::npos);
            }
        }
        for (const Fact& fact : trace.facts) {
            if (fact.key != "counter") continue;
            const std::string value = text_of(fact);
            const std::size_t blank = value.rfind(' ');
            CHECK(value.substr(blank + 1) == std::to_string(sums[value.substr(0, blank)]));
            ++counters;
        }
    }
    if (corpus("uscope")) {
        CHECK(summaries >= 5);
        CHECK(counters > 100);
    }
}

}  // namespace uscope_corpus_test
