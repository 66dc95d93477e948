#include <algorithm>
#include <vector>

#include "codec.hpp"
#include "codec/value_text.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

namespace {

void put_number(std::string_view before, std::uint64_t number, TextOutput& out) {
    out.put(before);
    out.decimal(number);
}

/// What a tick is, and when the file was made.
void put_facts(const Scan& scan, const Schema& schema, TextOutput& out) {
    out.put("# unit 10^");
    out.decimal_signed(scan.exponent());
    out.put(" s");
    for (const Metadata& fact : schema.metadata()) {
        out.put("\n# ");
        put_name(fact.key, out);
        out.put(' ');
        put_name(fact.value, out);
    }
    out.put('\n');
}

/// What there is of one track, where everything has been read.
struct Count {
    std::uint64_t items = 0;
    std::uint64_t first = 0, last = 0;  ///< the least start and the greatest end
};

void put_generator(const Track& track, const Count* count, TextOutput& out) {
    put_number("  generator ", track.native_id.value_or(0), out);
    out.put(' ');
    put_name(track.name, out);
    if (count != nullptr) {
        out.put(": ");
        out.put(counted(count->items, "transaction"));
        if (count->items != 0) {
            put_number(", ", count->first, out);
            put_number("..", count->last, out);
        }
    }
    out.put('\n');
    if (count == nullptr) return;
    for (const Field& field : std::span(track.fields).subspan(1)) {
        out.put("    ");
        out.put(name_of(field.phase));
        out.put(' ');
        put_name(field.name, out);
        out.put(' ');
        out.put(name_of(field.type));
        out.put('\n');
    }
}

/// `counts`: by track, where everything has been read.
void put_tree(const Schema& schema, std::span<const Count> counts, TextOutput& out) {
    std::vector<std::vector<TrackId>> generators(schema.scopes().size());
    for (TrackId id = 0; id < schema.tracks().size(); ++id)
        if (schema.tracks()[id].kind == Track::Kind::stream) generators[schema.tracks()[id].scope].push_back(id);
    for (ScopeId id = 0; id < schema.scopes().size(); ++id) {
        const Scope& scope = schema.scopes()[id];
        put_number("stream ", scope.native_id.value_or(0), out);
        out.put(' ');
        put_name(scope.name, out);
        if (!scope.protocol.empty()) {
            out.put(' ');
            put_name(scope.protocol, out);
        }
        out.put('\n');
        for (const TrackId track : generators[id])
            put_generator(schema.tracks()[track], counts.empty() ? nullptr : &counts[track], out);
    }
}

void put_transaction(const Schema& schema, const Item& item, TextOutput& out) {
    const Track& track = schema.tracks()[item.track];
    put_number("tx ", item.attributes.front().value, out);
    put_number(" ", item.start, out);
    put_number("..", item.end, out);
    out.put(' ');
    put_name(schema.scopes()[track.scope].name, out);
    out.put(' ');
    put_name(track.name, out);
    out.put('\n');
    for (const Attribute& attribute : item.attributes.subspan(1)) {
        const Field& field = track.fields[attribute.field];
        out.put("  ");
        out.put(name_of(field.phase));
        out.put(' ');
        put_name(field.name, out);
        out.put(' ');
        out.put(name_of(field.type));
        out.put(' ');
        put_value(schema, field, attribute.value, out);
        out.put('\n');
    }
}

void put_relation(const Schema& schema, const Item& item, TextOutput& out) {
    out.put("relation ");
    put_name(schema.tracks()[item.track].name, out);
    put_number(" ", item.cells[0], out);
    put_number(" -> ", item.cells[1], out);
    if (item.cells.size() == 4) {
        put_number(" streams ", item.cells[2], out);
        put_number(" -> ", item.cells[3], out);
    }
    out.put('\n');
}

// --- as data ---

void put_json_number(std::string_view key, std::uint64_t number, JsonIntegers integers, TextOutput& out) {
    out.put(key);
    put_json_integer(number, integers, out);
}

void put_json_text(std::string_view key, std::string_view text, TextOutput& out) {
    out.put(key);
    put_json_string(text, out);
}

void put_json_tree(const Schema& schema, JsonIntegers integers, TextOutput& out) {
    out.put(",\"metadata\":[");
    for (std::size_t i = 0; i < schema.metadata().size(); ++i) {
        put_json_text(i == 0 ? "[" : ",[", schema.metadata()[i].key, out);
        put_json_text(",", schema.metadata()[i].value, out);
        out.put(']');
    }
    out.put("],\"streams\":[");
    for (std::size_t i = 0; i < schema.scopes().size(); ++i) {
        const Scope& scope = schema.scopes()[i];
        put_json_number(i == 0 ? "{\"id\":" : ",{\"id\":", scope.native_id.value_or(0), integers, out);
        put_json_text(",\"name\":", scope.name, out);
        put_json_text(",\"kind\":", scope.protocol, out);
        out.put('}');
    }
    out.put("],\"generators\":[");
    bool first = true;
    for (const Track& track : schema.tracks()) {
        if (track.kind != Track::Kind::stream) continue;
        put_json_number(first ? "{\"id\":" : ",{\"id\":", track.native_id.value_or(0), integers, out);
        put_json_text(",\"name\":", track.name, out);
        put_json_number(",\"stream\":", schema.scopes()[track.scope].native_id.value_or(0), integers, out);
        out.put('}');
        first = false;
    }
    out.put(']');
}

void put_json_item(const Schema& schema, const Item& item, JsonIntegers integers, TextOutput& out) {
    const Track& track = schema.tracks()[item.track];
    if (item.kind == Item::Kind::relation) {
        put_json_text("{\"type\":\"relation\",\"name\":", track.name, out);
        put_json_number(",\"source\":", item.cells[0], integers, out);
        put_json_number(",\"sink\":", item.cells[1], integers, out);
        if (item.cells.size() == 4) {
            put_json_number(",\"source_stream\":", item.cells[2], integers, out);
            put_json_number(",\"sink_stream\":", item.cells[3], integers, out);
        }
        out.put('}');
        return;
    }
    put_json_number("{\"type\":\"transaction\",\"id\":", item.attributes.front().value, integers, out);
    put_json_text(",\"stream\":", schema.scopes()[track.scope].name, out);
    put_json_text(",\"generator\":", track.name, out);
    put_json_number(",\"generator_id\":", track.native_id.value_or(0), integers, out);
    put_json_number(",\"start\":", item.start, integers, out);
    put_json_number(",\"end\":", item.end, integers, out);
    out.put(",\"attributes\":[");
    bool first = true;
    for (const Attribute& attribute : item.attributes.subspan(1)) {
        const Field& field = track.fields[attribute.field];
        put_json_text(first ? "{\"phase\":" : ",{\"phase\":", name_of(field.phase), out);
        put_json_text(",\"name\":", field.name, out);
        put_json_text(",\"type\":", name_of(field.type), out);
        out.put(",\"value\":");
        put_json_value(schema, field, attribute.value, integers, out);
        out.put('}');
        first = false;
    }
    out.put("]}");
}

void put_csv_item(const Schema& schema, const Item& item, TextOutput& out) {
    const Track& track = schema.tracks()[item.track];
    if (item.kind == Item::Kind::relation) {
        out.put("relation,,,,,,,,,,");
        put_csv(track.name, out);
        put_number(",", item.cells[0], out);
        put_number(",", item.cells[1], out);
        if (item.cells.size() == 4) {
            put_number(",", item.cells[2], out);
            put_number(",", item.cells[3], out);
        } else {
            out.put(",,");
        }
        out.put('\n');
        return;
    }
    const std::span<const Attribute> attributes = item.attributes.subspan(1);
    for (std::size_t i = 0; i < std::max<std::size_t>(attributes.size(), 1); ++i) {
        put_number("transaction,", item.attributes.front().value, out);
        out.put(',');
        put_csv(schema.scopes()[track.scope].name, out);
        out.put(',');
        put_csv(track.name, out);
        put_number(",", item.start, out);
        put_number(",", item.end, out);
        if (i == attributes.size()) {
            out.put(",,,,,,,,,\n");
            break;
        }
        const Field& field = track.fields[attributes[i].field];
        out.put(',');
        out.put(name_of(field.phase));
        out.put(',');
        put_csv(field.name, out);
        out.put(',');
        out.put(name_of(field.type));
        out.put(',');
        if (holds_text(field.type))
            put_csv(schema.text(static_cast<StringId>(attributes[i].value)), out);
        else
            put_json_value(schema, field, attributes[i].value, JsonIntegers::numbers, out);
        out.put(",,,,,\n");
    }
}

}  // namespace

void render_transactions(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    Schema schema;
    Scan scan(input, settings, findings, schema);
    put_facts(scan, schema, out);
    put_tree(schema, {}, out);
    Item item;
    while (scan.next(item)) {
        if (item.kind == Item::Kind::relation)
            put_relation(schema, item, out);
        else
            put_transaction(schema, item, out);
    }
}

void render_tree(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    Schema schema;
    Scan scan(input, settings, findings, schema);
    std::vector<Count> counts;
    Item item;
    while (scan.next(item)) {
        if (counts.size() < schema.tracks().size()) counts.resize(schema.tracks().size());
        Count& count = counts[item.track];
        const bool first = count.items++ == 0;
        if (item.kind == Item::Kind::relation) continue;
        count.first = first ? item.start : std::min(count.first, item.start);
        count.last = first ? item.end : std::max(count.last, item.end);
    }
    counts.resize(schema.tracks().size());
    put_facts(scan, schema, out);
    put_tree(schema, counts, out);
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        if (schema.tracks()[id].kind != Track::Kind::relation_type) continue;
        out.put("relation ");
        put_name(schema.tracks()[id].name, out);
        out.put(": ");
        out.put(counted(counts[id].items, "time"));
        out.put('\n');
    }
}

void render_transaction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings) {
    Schema schema;
    Scan scan(input, settings, findings, schema);
    Item item;
    if (form == TextForm::csv) {
        out.put(
            "kind,id,stream,generator,start,end,phase,attribute,type,value,relation,source,sink,source_stream,"
            "sink_stream\n");
        while (scan.next(item))
            put_csv_item(schema, item, out);
        return;
    }
    const bool lines = form == TextForm::jsonl;
    out.put('{');
    put_json_head("hwtrace-ftr-transactions/1", settings, out);
    out.put(",\"exponent\":");
    out.decimal_signed(scan.exponent());
    put_json_tree(schema, settings.json_integers, out);
    out.put(lines ? "}\n" : ",\n\"items\":[");
    for (bool first = true; scan.next(item); first = false) {
        if (!lines) out.put(first ? "\n" : ",\n");
        put_json_item(schema, item, settings.json_integers, out);
        if (lines) out.put('\n');
    }
    if (!lines) out.put("\n]}\n");
}

}  // namespace hwtrace::ftr
