#include <algorithm>
#include <memory>
#include <vector>

#include "codec.hpp"
#include "codec/value_text.hpp"
#include "item_record.hpp"
#include "scan.hpp"

namespace hwtrace::ftr {

namespace {

/// Transactions and relations as the directory states them, for a part to be chosen from.
class PlainReader final : public Reader {
public:
    PlainReader(Scan& scan, Schema& schema) : scan_(scan), schema_(schema) {}

    Schema& schema() override { return schema_; }
    Facts facts() const override { return scan_.facts(); }
    std::uint64_t position() const override { return scan_.position(); }

    bool read(Batch& batch) override {
        for (Item item; !batch.full() && scan_.next(item);)
            append_record(item, now_, batch);
        return !batch.empty();
    }

private:
    Scan& scan_;
    Schema& schema_;
    Tick now_ = 0;  ///< of the record handed out last
};

/// What of a file is to be shown.
class Shown {
public:
    Shown(Input& input, const Settings& settings, Findings& findings) : scan_(input, settings, findings, whole_) {
        if (!settings.part) return;
        plain_ = std::make_unique<PlainReader>(scan_, whole_);
        part_ = settings.part(*plain_);
    }

    const Scan& scan() const noexcept { return scan_; }
    const Schema& schema() const { return part_ ? part_->schema() : whole_; }
    bool is_part() const noexcept { return part_ != nullptr; }

    /// The next one in the order of the file; false at the end.
    bool next(Item& item) {
        if (!part_) return scan_.next(item);
        if (at_ == batch_.records().size()) {
            batch_.clear();
            at_ = 0;
            if (!part_->read(batch_)) return false;
        }
        const Record& record = batch_.records()[at_++];
        item.track = record.track;
        if (record.kind == Kind::relation) {
            item.kind = Item::Kind::relation;
            item.cells = batch_.cells(record);
        } else {
            item.kind = Item::Kind::transaction;
            item.start = static_cast<std::uint64_t>(record.time);
            item.end = item.start + record.value;
            item.attributes = batch_.attributes(record);
        }
        return true;
    }

private:
    Schema whole_;
    Scan scan_;
    std::unique_ptr<PlainReader> plain_;
    std::unique_ptr<Reader> part_;
    Batch batch_;
    std::size_t at_ = 0;  ///< of its records
};

void put_number(std::string_view before, std::uint64_t number, TextOutput& out) {
    out.put(before);
    out.decimal(number);
}

/// What a tick is, and when the file was made.
void put_facts(const Shown& shown, TextOutput& out) {
    out.put("# unit 10^");
    out.decimal_signed(shown.scan().exponent());
    out.put(" s");
    for (const Metadata& fact : shown.schema().metadata()) {
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

/// Reads everything; by track.
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

/// Generators by stream. Of a part, streams without any are not shown.
using Generators = std::vector<std::vector<TrackId>>;

Generators generators_of(const Schema& schema) {
    Generators generators(schema.scopes().size());
    for (TrackId id = 0; id < schema.tracks().size(); ++id)
        if (schema.tracks()[id].kind == Track::Kind::stream) generators[schema.tracks()[id].scope].push_back(id);
    return generators;
}

/// `counts`: by track, where everything has been read.
void put_tree(const Schema& schema, bool is_part, std::span<const Count> counts, TextOutput& out) {
    const Generators generators = generators_of(schema);
    for (ScopeId id = 0; id < schema.scopes().size(); ++id) {
        if (is_part && generators[id].empty()) continue;
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
        if (field.type == Type::boolean)
            out.put(attribute.value != 0 ? "true" : "false");
        else
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

void put_json_facts(const Shown& shown, TextOutput& out) {
    out.put(",\"exponent\":");
    out.decimal_signed(shown.scan().exponent());
    out.put(",\"metadata\":[");
    const auto& metadata = shown.schema().metadata();
    for (std::size_t i = 0; i < metadata.size(); ++i) {
        put_json_text(i == 0 ? "[" : ",[", metadata[i].key, out);
        put_json_text(",", metadata[i].value, out);
        out.put(']');
    }
    out.put(']');
}

void put_json_stream(const Scope& scope, JsonIntegers integers, TextOutput& out) {
    put_json_number("\"id\":", scope.native_id.value_or(0), integers, out);
    put_json_text(",\"name\":", scope.name, out);
    put_json_text(",\"kind\":", scope.protocol, out);
}

void put_json_tree(const Shown& shown, JsonIntegers integers, TextOutput& out) {
    const Schema& schema = shown.schema();
    put_json_facts(shown, out);
    out.put(",\"streams\":[");
    const Generators generators = generators_of(schema);
    bool first_stream = true;
    for (ScopeId id = 0; id < schema.scopes().size(); ++id) {
        if (shown.is_part() && generators[id].empty()) continue;
        out.put(first_stream ? "{" : ",{");
        put_json_stream(schema.scopes()[id], integers, out);
        out.put('}');
        first_stream = false;
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

/// The tree as JSON: one document, or a line for each stream, generator and relation.
struct JsonTree {
    const Shown& shown;
    std::span<const Count> counts;
    const Settings& settings;
    bool lines;
    TextOutput& out;

    void put() const {
        const Schema& schema = shown.schema();
        out.put('{');
        put_json_head("hwtrace-ftr-tree/1", settings, out);
        put_json_facts(shown, out);
        out.put(lines ? "}\n" : ",\n\"streams\":[");
        const Generators generators = generators_of(schema);
        bool first = true;
        for (ScopeId id = 0; id < schema.scopes().size(); ++id) {
            if (shown.is_part() && generators[id].empty()) continue;
            stream(schema.scopes()[id], generators[id], first);
            first = false;
        }
        out.put(lines ? "" : "\n],\"relations\":[");
        first = true;
        for (TrackId id = 0; id < schema.tracks().size(); ++id) {
            if (schema.tracks()[id].kind != Track::Kind::relation_type || counts[id].items == 0) continue;
            out.put(lines ? "{\"type\":\"relation\"," : first ? "\n{" : ",\n{");
            put_json_text("\"name\":", schema.tracks()[id].name, out);
            put_json_number(",\"count\":", counts[id].items, settings.json_integers, out);
            out.put(lines ? "}\n" : "}");
            first = false;
        }
        if (!lines) out.put("\n]}\n");
    }

private:
    void stream(const Scope& scope, std::span<const TrackId> generators, bool first) const {
        out.put(lines ? "{\"type\":\"stream\"," : first ? "\n{" : ",\n{");
        put_json_stream(scope, settings.json_integers, out);
        out.put(lines ? "}\n" : ",\"generators\":[");
        for (std::size_t at = 0; at < generators.size(); ++at)
            generator(scope, generators[at], at == 0);
        if (!lines) out.put("]}");
    }

    void generator(const Scope& scope, TrackId id, bool first) const {
        const JsonIntegers integers = settings.json_integers;
        const Track& track = shown.schema().tracks()[id];
        out.put(lines ? "{\"type\":\"generator\"," : first ? "{" : ",{");
        put_json_number("\"id\":", track.native_id.value_or(0), integers, out);
        put_json_text(",\"name\":", track.name, out);
        if (lines) put_json_number(",\"stream\":", scope.native_id.value_or(0), integers, out);
        put_json_number(",\"transactions\":", counts[id].items, integers, out);
        if (counts[id].items != 0) {
            put_json_number(",\"first\":", counts[id].first, integers, out);
            put_json_number(",\"last\":", counts[id].last, integers, out);
        }
        out.put(",\"attributes\":[");
        for (std::size_t at = 1; at < track.fields.size(); ++at) {
            put_json_text(at == 1 ? "{\"phase\":" : ",{\"phase\":", name_of(track.fields[at].phase), out);
            put_json_text(",\"name\":", track.fields[at].name, out);
            put_json_text(",\"type\":", name_of(track.fields[at].type), out);
            out.put('}');
        }
        out.put(lines ? "]}\n" : "]}");
    }
};

/// A row for each stream, generator, attribute and relation.
void put_csv_tree(const Shown& shown, std::span<const Count> counts, TextOutput& out) {
    const Schema& schema = shown.schema();
    out.put(
        "kind,stream_id,stream,stream_kind,generator_id,generator,count,first,last,phase,attribute,type,relation\n");
    const Generators generators = generators_of(schema);
    for (ScopeId id = 0; id < schema.scopes().size(); ++id) {
        if (shown.is_part() && generators[id].empty()) continue;
        const Scope& scope = schema.scopes()[id];
        const auto stream = [&](std::string_view kind) {
            out.put(kind);
            put_number(",", scope.native_id.value_or(0), out);
            out.put(',');
            put_csv(scope.name, out);
            out.put(',');
            put_csv(scope.protocol, out);
        };
        stream("stream");
        out.put(",,,,,,,,,\n");
        for (const TrackId generator : generators[id]) {
            const Track& track = schema.tracks()[generator];
            const auto row = [&](std::string_view kind) {
                stream(kind);
                put_number(",", track.native_id.value_or(0), out);
                out.put(',');
                put_csv(track.name, out);
            };
            row("generator");
            put_number(",", counts[generator].items, out);
            if (counts[generator].items != 0) {
                put_number(",", counts[generator].first, out);
                put_number(",", counts[generator].last, out);
            } else {
                out.put(",,");
            }
            out.put(",,,,\n");
            for (const Field& field : std::span(track.fields).subspan(1)) {
                row("attribute");
                out.put(",,,,");
                out.put(name_of(field.phase));
                out.put(',');
                put_csv(field.name, out);
                out.put(',');
                out.put(name_of(field.type));
                out.put(",\n");
            }
        }
    }
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        if (schema.tracks()[id].kind != Track::Kind::relation_type || counts[id].items == 0) continue;
        put_number("relation,,,,,,", counts[id].items, out);
        out.put(",,,,,,");
        put_csv(schema.tracks()[id].name, out);
        out.put('\n');
    }
}

}  // namespace

void render_transactions(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    Shown shown(input, settings, findings);
    put_facts(shown, out);
    put_tree(shown.schema(), shown.is_part(), {}, out);
    Item item;
    while (shown.next(item)) {
        if (item.kind == Item::Kind::relation)
            put_relation(shown.schema(), item, out);
        else
            put_transaction(shown.schema(), item, out);
    }
}

void render_tree(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    Shown shown(input, settings, findings);
    const std::vector<Count> counts = count_all(shown);
    const Schema& schema = shown.schema();
    put_facts(shown, out);
    put_tree(schema, shown.is_part(), counts, out);
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        if (schema.tracks()[id].kind != Track::Kind::relation_type || counts[id].items == 0) continue;
        out.put("relation ");
        put_name(schema.tracks()[id].name, out);
        out.put(": ");
        out.put(counted(counts[id].items, "time"));
        out.put('\n');
    }
}

void render_tree_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    Shown shown(input, settings, findings);
    const std::vector<Count> counts = count_all(shown);
    if (form == TextForm::csv)
        put_csv_tree(shown, counts, out);
    else
        JsonTree{shown, counts, settings, form == TextForm::jsonl, out}.put();
}

void render_transaction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings) {
    Shown shown(input, settings, findings);
    Item item;
    if (form == TextForm::csv) {
        out.put(
            "kind,id,stream,generator,start,end,phase,attribute,type,value,relation,source,sink,source_stream,"
            "sink_stream\n");
        while (shown.next(item))
            put_csv_item(shown.schema(), item, out);
        return;
    }
    const bool lines = form == TextForm::jsonl;
    out.put('{');
    put_json_head("hwtrace-ftr-transactions/1", settings, out);
    put_json_tree(shown, settings.json_integers, out);
    out.put(lines ? "}\n" : ",\n\"items\":[");
    for (bool first = true; shown.next(item); first = false) {
        if (!lines) out.put(first ? "\n" : ",\n");
        put_json_item(shown.schema(), item, settings.json_integers, out);
        if (lines) out.put('\n');
    }
    if (!lines) out.put("\n]}\n");
}

}  // namespace hwtrace::ftr
