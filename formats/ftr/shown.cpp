#include "shown.hpp"

#include <string>
#include <utility>

#include "domain/value_text.hpp"
#include "schema_mark.hpp"

namespace hwtrace::ftr {

namespace {

/// Returns the metadata as the views show it.
std::vector<std::pair<std::string_view, std::string>> shown_facts(const Schema& schema) {
    std::vector<std::pair<std::string_view, std::string>> facts;
    std::size_t mark = 0, mark_bytes = 0;
    for (const Metadata& fact : schema.metadata()) {
        if (fact.key != schema_mark_key) {
            facts.emplace_back(fact.key, fact.value);
            continue;
        }
        if (mark_bytes == 0) {
            mark = facts.size();
            facts.emplace_back(fact.key, std::string());
        }
        mark_bytes += fact.value.size();
    }
    if (mark_bytes != 0) facts[mark].second = "a mark of " + counted(mark_bytes, "byte");
    return facts;
}

}  // namespace

Shown::Shown(Input& input, const Settings& settings, Findings& findings) : scan_(input, settings, findings, schema_) {
    if (settings.part) chosen_.emplace(input, settings);
}

bool Shown::next(Item& item) {
    while (scan_.next(item)) {
        const std::uint64_t number = count_++;
        if (!chosen_ || chosen_->has(number)) return true;
        if (number >= chosen_->looked_at()) break;
    }
    return false;
}

std::vector<ShownStream> streams_of(const Shown& shown) {
    const Schema& schema = shown.schema();
    std::vector<ShownStream> streams(schema.scopes().size());
    for (ScopeId id = 0; id < streams.size(); ++id)
        streams[id].id = id;
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const Track& track = schema.tracks()[id];
        if (track.kind == Track::Kind::stream && shown.shows(track)) streams[track.scope].generators.push_back(id);
    }
    if (shown.is_part()) std::erase_if(streams, [](const ShownStream& stream) { return stream.generators.empty(); });
    return streams;
}

void append_number(std::string_view before, std::uint64_t number, TextOutput& out) {
    out.put(before);
    out.decimal(number);
}

void append_facts(const Shown& shown, TextOutput& out) {
    out.put("# unit 10^");
    out.decimal_signed(shown.exponent());
    out.put(" s");
    for (const auto& [key, value] : shown_facts(shown.schema())) {
        out.put("\n# ");
        append_name(key, out);
        out.put(' ');
        append_name(value, out);
    }
    out.put('\n');
}

void append_stream(const Scope& stream, TextOutput& out) {
    append_number("stream ", stream.native_id.value_or(0), out);
    out.put(' ');
    append_name(stream.name, out);
    if (!stream.protocol.empty()) {
        out.put(' ');
        append_name(stream.protocol, out);
    }
    out.put('\n');
}

void append_generator(const Track& generator, TextOutput& out) {
    append_number("  generator ", generator.native_id.value_or(0), out);
    out.put(' ');
    append_name(generator.name, out);
}

void append_json_number(std::string_view key, std::uint64_t number, JsonIntegers integers, TextOutput& out) {
    out.put(key);
    append_json_integer(number, integers, out);
}

void append_json_text(std::string_view key, std::string_view text, TextOutput& out) {
    out.put(key);
    append_json_string(text, out);
}

void append_json_facts(const Shown& shown, TextOutput& out) {
    out.put(",\"exponent\":");
    out.decimal_signed(shown.exponent());
    out.put(",\"metadata\":[");
    bool first = true;
    for (const auto& [key, value] : shown_facts(shown.schema())) {
        append_json_text(first ? "[" : ",[", key, out);
        append_json_text(",", value, out);
        out.put(']');
        first = false;
    }
    out.put(']');
}

void append_json_stream(const Scope& stream, JsonIntegers integers, TextOutput& out) {
    append_json_number("\"id\":", stream.native_id.value_or(0), integers, out);
    append_json_text(",\"name\":", stream.name, out);
    append_json_text(",\"kind\":", stream.protocol, out);
}

}  // namespace hwtrace::ftr
