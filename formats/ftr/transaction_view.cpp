// formats/ftr/transaction_view.cpp - the view "transactions": all transactions and relations, not converted.
#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "codec.hpp"
#include "domain/value_text.hpp"
#include "shown.hpp"

namespace hwtrace::ftr {

namespace {

/// Lists streams and generators before their first use: first all declared ones, later undeclared ones when they occur.
class Met {
public:
    explicit Met(const Shown& shown) : shown_(shown) {}

    /// Returns true if the schema got new scopes or tracks after the last take().
    bool any() const noexcept {
        return scopes_ < shown_.schema().scopes().size() || tracks_ < shown_.schema().tracks().size();
    }
    /// Calls `stream` for each stream that is new or has a new generator, and `generator` for each new generator.
    template <typename PutStream, typename PutGenerator>
    void take(PutStream&& stream, PutGenerator&& generator) {
        const Schema& schema = shown_.schema();
        std::map<ScopeId, std::vector<TrackId>> fresh;
        const std::size_t known = scopes_;
        for (; scopes_ < schema.scopes().size(); ++scopes_)
            fresh[static_cast<ScopeId>(scopes_)];
        for (; tracks_ < schema.tracks().size(); ++tracks_)
            if (schema.tracks()[tracks_].kind == Track::Kind::stream && shown_.shows(schema.tracks()[tracks_]))
                fresh[schema.tracks()[tracks_].scope].push_back(static_cast<TrackId>(tracks_));
        for (const auto& [id, generators] : fresh) {
            if (shown_.is_part() && generators.empty()) continue;
            stream(schema.scopes()[id], id >= known);
            for (const TrackId track : generators)
                generator(schema.tracks()[track], schema.scopes()[id]);
        }
    }

private:
    const Shown& shown_;
    std::size_t scopes_ = 0, tracks_ = 0;  ///< numbers of scopes and tracks listed so far
};

void append_met(Met& met, TextOutput& out) {
    met.take([&](const Scope& stream, bool) { append_stream(stream, out); },
             [&](const Track& generator, const Scope&) {
                 append_generator(generator, out);
                 out.put('\n');
             });
}

void append_transaction(const Schema& schema, const Item& item, TextOutput& out) {
    const Track& track = schema.tracks()[item.track];
    append_number("tx ", item.attributes.front().value, out);
    append_number(" ", item.start, out);
    append_number("..", item.end, out);
    out.put(' ');
    append_name(schema.scopes()[track.scope].name, out);
    out.put(' ');
    append_name(track.name, out);
    out.put('\n');
    for (const Attribute& attribute : item.attributes.subspan(1)) {
        const Field& field = track.fields[attribute.field];
        out.put("  ");
        out.put(name_of(field.phase));
        out.put(' ');
        append_name(field.name, out);
        out.put(' ');
        out.put(name_of(field.type));
        out.put(' ');
        if (field.type == Type::boolean)
            out.put(attribute.value != 0 ? "true" : "false");
        else
            append_value(schema, field, attribute.value, out);
        out.put('\n');
    }
}

void append_relation(const Schema& schema, const Item& item, TextOutput& out) {
    out.put("relation ");
    append_name(schema.tracks()[item.track].name, out);
    append_number(" ", item.cells[0], out);
    append_number(" -> ", item.cells[1], out);
    if (item.cells.size() == 4) {
        append_number(" streams ", item.cells[2], out);
        append_number(" -> ", item.cells[3], out);
    }
    out.put('\n');
}

// --- as data ---

void append_json_generator(const Track& generator, const Scope& stream, JsonIntegers integers, TextOutput& out) {
    append_json_number("\"id\":", generator.native_id.value_or(0), integers, out);
    append_json_text(",\"name\":", generator.name, out);
    append_json_number(",\"stream\":", stream.native_id.value_or(0), integers, out);
}

/// Writes the declarations as lists in the head of the document.
void append_json_declared(const Shown& shown, JsonIntegers integers, TextOutput& out) {
    const Schema& schema = shown.schema();
    out.put(",\"streams\":[");
    bool first = true;
    for (const ShownStream& stream : streams_of(shown)) {
        out.put(first ? "{" : ",{");
        append_json_stream(schema.scopes()[stream.id], integers, out);
        out.put('}');
        first = false;
    }
    out.put("],\"generators\":[");
    first = true;
    for (const Track& track : schema.tracks()) {
        if (track.kind != Track::Kind::stream || !shown.shows(track)) continue;
        out.put(first ? "{" : ",{");
        append_json_generator(track, schema.scopes()[track.scope], integers, out);
        out.put('}');
        first = false;
    }
    out.put(']');
}

void append_json_item(const Schema& schema, const Item& item, JsonIntegers integers, TextOutput& out) {
    const Track& track = schema.tracks()[item.track];
    if (item.kind == Item::Kind::relation) {
        append_json_text("{\"type\":\"relation\",\"name\":", track.name, out);
        append_json_number(",\"source\":", item.cells[0], integers, out);
        append_json_number(",\"sink\":", item.cells[1], integers, out);
        if (item.cells.size() == 4) {
            append_json_number(",\"source_stream\":", item.cells[2], integers, out);
            append_json_number(",\"sink_stream\":", item.cells[3], integers, out);
        }
        out.put('}');
        return;
    }
    append_json_number("{\"type\":\"transaction\",\"id\":", item.attributes.front().value, integers, out);
    append_json_text(",\"stream\":", schema.scopes()[track.scope].name, out);
    append_json_text(",\"generator\":", track.name, out);
    append_json_number(",\"generator_id\":", track.native_id.value_or(0), integers, out);
    append_json_number(",\"start\":", item.start, integers, out);
    append_json_number(",\"end\":", item.end, integers, out);
    out.put(",\"attributes\":[");
    bool first = true;
    for (const Attribute& attribute : item.attributes.subspan(1)) {
        const Field& field = track.fields[attribute.field];
        append_json_text(first ? "{\"phase\":" : ",{\"phase\":", name_of(field.phase), out);
        append_json_text(",\"name\":", field.name, out);
        append_json_text(",\"type\":", name_of(field.type), out);
        out.put(",\"value\":");
        append_json_value(schema, field, attribute.value, integers, out);
        out.put('}');
        first = false;
    }
    out.put("]}");
}

/// Writes one CSV row per item. The attributes of a transaction are one column: a JSON array of [phase, name, type,
/// value].
class CsvItems {
public:
    explicit CsvItems(TextOutput& out) : out_(out) {
        out_.put(
            "kind,id,stream,generator,generator_id,start,end,attributes,relation,source,sink,source_stream,"
            "sink_stream\n");
    }
    void put(const Schema& schema, const Item& item) {
        if (item.kind == Item::Kind::relation)
            put_relation(schema, item);
        else
            put_transaction(schema, item);
    }

private:
    void put_relation(const Schema& schema, const Item& item) {
        out_.put("relation,,,,,,,,");
        append_csv(schema.tracks()[item.track].name, out_);
        append_number(",", item.cells[0], out_);
        append_number(",", item.cells[1], out_);
        if (item.cells.size() == 4) {
            append_number(",", item.cells[2], out_);
            append_number(",", item.cells[3], out_);
        } else {
            out_.put(",,");
        }
        out_.put('\n');
    }
    void put_transaction(const Schema& schema, const Item& item) {
        const Track& track = schema.tracks()[item.track];
        append_number("transaction,", item.attributes.front().value, out_);
        out_.put(',');
        append_csv(schema.scopes()[track.scope].name, out_);
        out_.put(',');
        append_csv(track.name, out_);
        append_number(",", track.native_id.value_or(0), out_);
        append_number(",", item.start, out_);
        append_number(",", item.end, out_);
        out_.put(',');
        attributes_.clear();
        attributes_.put('[');
        for (const Attribute& attribute : item.attributes.subspan(1)) {
            const Field& field = track.fields[attribute.field];
            append_json_text(attributes_.text().size() == 1 ? "[" : ",[", name_of(field.phase), attributes_);
            append_json_text(",", field.name, attributes_);
            append_json_text(",", name_of(field.type), attributes_);
            attributes_.put(',');
            append_json_value(schema, field, attribute.value, JsonIntegers::numbers, attributes_);
            attributes_.put(']');
        }
        attributes_.put(']');
        append_csv(attributes_.text(), out_);
        out_.put(",,,,,\n");
    }

    TextOutput& out_;
    TextOutput attributes_ = TextOutput(-1);  ///< buffer for one row's attributes
};

/// Writes items as elements of a document, or as lines.
class JsonItems {
public:
    JsonItems(bool lines, JsonIntegers integers, TextOutput& out) : lines_(lines), integers_(integers), out_(out) {}

    void append_met(Met& met) {
        met.take(
            [&](const Scope& stream, bool is_new) {
                if (!is_new) return;
                begin();
                out_.put("{\"type\":\"stream\",");
                append_json_stream(stream, integers_, out_);
                end();
            },
            [&](const Track& generator, const Scope& stream) {
                begin();
                out_.put("{\"type\":\"generator\",");
                append_json_generator(generator, stream, integers_, out_);
                end();
            });
    }
    void put(const Schema& schema, const Item& item) {
        begin();
        append_json_item(schema, item, integers_, out_);
        if (lines_) out_.put('\n');
    }

private:
    void begin() {
        if (!lines_) out_.put(first_ ? "\n" : ",\n");
        first_ = false;
    }
    void end() { out_.put(lines_ ? "}\n" : "}"); }

    const bool lines_;
    const JsonIntegers integers_;
    TextOutput& out_;
    bool first_ = true;
};

}  // namespace

void render_transactions(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    Shown shown(input, settings, findings);
    append_facts(shown, out);
    Met met(shown);
    append_met(met, out);
    for (Item item; shown.next(item);) {
        if (met.any()) [[unlikely]]
            append_met(met, out);
        if (item.kind == Item::Kind::relation)
            append_relation(shown.schema(), item, out);
        else
            append_transaction(shown.schema(), item, out);
    }
}

void render_transaction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings) {
    Shown shown(input, settings, findings);
    Item item;
    if (form == TextForm::csv) {
        CsvItems items(out);
        while (shown.next(item))
            items.put(shown.schema(), item);
        return;
    }
    const bool lines = form == TextForm::jsonl;
    out.put('{');
    append_json_head("hwtrace-ftr-transactions/1", settings, out);
    append_json_facts(shown, out);
    append_json_declared(shown, settings.json_integers, out);
    out.put(lines ? "}\n" : ",\n\"items\":[");
    Met met(shown);
    met.take([](const Scope&, bool) {}, [](const Track&, const Scope&) {});
    JsonItems items(lines, settings.json_integers, out);
    while (shown.next(item)) {
        if (met.any()) [[unlikely]]
            items.append_met(met);
        items.put(shown.schema(), item);
    }
    if (!lines) out.put("\n]}\n");
}

}  // namespace hwtrace::ftr
