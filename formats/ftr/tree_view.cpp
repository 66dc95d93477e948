// formats/ftr/tree_view.cpp - the view "tree": streams, generators, attributes and relations with their counts.
#include <algorithm>
#include <span>
#include <vector>

#include "codec.hpp"
#include "domain/value_text.hpp"
#include "shown.hpp"

namespace hwtrace::ftr {

namespace {

/// The totals of one track.
struct Count {
    std::uint64_t items = 0;
    std::uint64_t first = 0, last = 0;  ///< the minimum start and the maximum end
};

/// Reads the whole file and returns the totals by track.
std::vector<Count> count_all(Shown& shown) {
    std::vector<Count> counts;
    for (Item item; shown.next(item);) {
        if (counts.size() < shown.schema().tracks().size()) counts.resize(shown.schema().tracks().size());
        Count& count = counts[item.track];
        const bool first = count.items++ == 0;
        if (item.kind == Item::Kind::relation) continue;
        count.first = first ? item.start : std::min(count.first, item.start);
        count.last = first ? item.end : std::max(count.last, item.end);
    }
    counts.resize(shown.schema().tracks().size());
    return counts;
}

/// Writes the tree as text. `counts` is indexed by track.
void append_tree(const Shown& shown, std::span<const Count> counts, TextOutput& out) {
    const Schema& schema = shown.schema();
    for (const ShownStream& stream : streams_of(shown)) {
        append_stream(schema.scopes()[stream.id], out);
        for (const TrackId track : stream.generators) {
            append_generator(schema.tracks()[track], out);
            out.put(": ");
            out.put(counted(counts[track].items, "transaction"));
            if (counts[track].items != 0) {
                append_number(", ", counts[track].first, out);
                append_number("..", counts[track].last, out);
            }
            out.put('\n');
            for (const Field& field : std::span(schema.tracks()[track].fields).subspan(1)) {
                out.put("    ");
                out.put(name_of(field.phase));
                out.put(' ');
                append_name(field.name, out);
                out.put(' ');
                out.put(name_of(field.type));
                out.put('\n');
            }
        }
    }
}

/// Writes the tree as JSON: one document, or one line for each stream, generator and relation.
struct JsonTree {
    const Shown& shown;
    std::span<const Count> counts;
    const Settings& settings;
    bool lines;
    TextOutput& out;

    void put() const {
        const Schema& schema = shown.schema();
        out.put('{');
        append_json_head("hwtrace-ftr-tree/1", settings, out);
        append_json_facts(shown, out);
        out.put(lines ? "}\n" : ",\n\"streams\":[");
        bool first = true;
        for (const ShownStream& each : streams_of(shown)) {
            stream(schema.scopes()[each.id], each.generators, first);
            first = false;
        }
        out.put(lines ? "" : "\n],\"relations\":[");
        first = true;
        for (TrackId id = 0; id < schema.tracks().size(); ++id) {
            if (schema.tracks()[id].kind != Track::Kind::relation_type || counts[id].items == 0) continue;
            out.put(lines ? "{\"type\":\"relation\"," : first ? "\n{" : ",\n{");
            append_json_text("\"name\":", schema.tracks()[id].name, out);
            append_json_number(",\"count\":", counts[id].items, settings.json_integers, out);
            out.put(lines ? "}\n" : "}");
            first = false;
        }
        if (!lines) out.put("\n]}\n");
    }

private:
    void stream(const Scope& scope, std::span<const TrackId> generators, bool first) const {
        out.put(lines ? "{\"type\":\"stream\"," : first ? "\n{" : ",\n{");
        append_json_stream(scope, settings.json_integers, out);
        out.put(lines ? "}\n" : ",\"generators\":[");
        for (std::size_t at = 0; at < generators.size(); ++at)
            generator(scope, generators[at], at == 0);
        if (!lines) out.put("]}");
    }

    void generator(const Scope& scope, TrackId id, bool first) const {
        const JsonIntegers integers = settings.json_integers;
        const Track& track = shown.schema().tracks()[id];
        out.put(lines ? "{\"type\":\"generator\"," : first ? "{" : ",{");
        append_json_number("\"id\":", track.native_id.value_or(0), integers, out);
        append_json_text(",\"name\":", track.name, out);
        if (lines) append_json_number(",\"stream\":", scope.native_id.value_or(0), integers, out);
        append_json_number(",\"transactions\":", counts[id].items, integers, out);
        if (counts[id].items != 0) {
            append_json_number(",\"first\":", counts[id].first, integers, out);
            append_json_number(",\"last\":", counts[id].last, integers, out);
        }
        out.put(",\"attributes\":[");
        for (std::size_t at = 1; at < track.fields.size(); ++at) {
            append_json_text(at == 1 ? "{\"phase\":" : ",{\"phase\":", name_of(track.fields[at].phase), out);
            append_json_text(",\"name\":", track.fields[at].name, out);
            append_json_text(",\"type\":", name_of(track.fields[at].type), out);
            out.put('}');
        }
        out.put(lines ? "]}\n" : "]}");
    }
};

/// Writes one row for each stream, generator, attribute and relation.
void append_csv_tree(const Shown& shown, std::span<const Count> counts, TextOutput& out) {
    const Schema& schema = shown.schema();
    out.put(
        "kind,stream_id,stream,stream_kind,generator_id,generator,count,first,last,phase,attribute,type,relation\n");
    for (const ShownStream& each : streams_of(shown)) {
        const Scope& scope = schema.scopes()[each.id];
        const auto stream = [&](std::string_view kind) {
            out.put(kind);
            append_number(",", scope.native_id.value_or(0), out);
            out.put(',');
            append_csv(scope.name, out);
            out.put(',');
            append_csv(scope.protocol, out);
        };
        stream("stream");
        out.put(",,,,,,,,,\n");
        for (const TrackId generator : each.generators) {
            const Track& track = schema.tracks()[generator];
            const auto row = [&](std::string_view kind) {
                stream(kind);
                append_number(",", track.native_id.value_or(0), out);
                out.put(',');
                append_csv(track.name, out);
            };
            row("generator");
            append_number(",", counts[generator].items, out);
            if (counts[generator].items != 0) {
                append_number(",", counts[generator].first, out);
                append_number(",", counts[generator].last, out);
            } else {
                out.put(",,");
            }
            out.put(",,,,\n");
            for (const Field& field : std::span(track.fields).subspan(1)) {
                row("attribute");
                out.put(",,,,");
                out.put(name_of(field.phase));
                out.put(',');
                append_csv(field.name, out);
                out.put(',');
                out.put(name_of(field.type));
                out.put(",\n");
            }
        }
    }
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        if (schema.tracks()[id].kind != Track::Kind::relation_type || counts[id].items == 0) continue;
        append_number("relation,,,,,,", counts[id].items, out);
        out.put(",,,,,,");
        append_csv(schema.tracks()[id].name, out);
        out.put('\n');
    }
}

}  // namespace

void render_tree(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    Shown shown(input, settings, findings);
    const std::vector<Count> counts = count_all(shown);
    const Schema& schema = shown.schema();
    append_facts(shown, out);
    append_tree(shown, counts, out);
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        if (schema.tracks()[id].kind != Track::Kind::relation_type || counts[id].items == 0) continue;
        out.put("relation ");
        append_name(schema.tracks()[id].name, out);
        out.put(": ");
        out.put(counted(counts[id].items, "time"));
        out.put('\n');
    }
}

void render_tree_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    Shown shown(input, settings, findings);
    const std::vector<Count> counts = count_all(shown);
    if (form == TextForm::csv)
        append_csv_tree(shown, counts, out);
    else
        JsonTree{shown, counts, settings, form == TextForm::jsonl, out}.put();
}

}  // namespace hwtrace::ftr
