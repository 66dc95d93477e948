// formats/ftr/transaction_view.cpp - the view "transactions": all transactions and relations, a line each.
#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "codec.hpp"
#include "codec/json_object.hpp"
#include "codec/rows.hpp"
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
    const Field* previous = nullptr;
    for (const Attribute& attribute : item.attributes.subspan(1)) {
        const Field& field = track.fields[attribute.field];
        out.put(' ');
        if (previous == nullptr || previous->phase != field.phase) {
            out.put(name_of(field.phase));
            out.put(' ');
        }
        previous = &field;
        append_name(field.name, out);
        out.put('=');
        if (field.type == Type::boolean)
            out.put(attribute.value != 0 ? "true" : "false");
        else
            append_value(schema, field, attribute.value, out);
    }
    out.put('\n');
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
    out.put(",\"streams\":");
    append_array(streams_of(shown), out, [&](const ShownStream& stream) {
        out.put('{');
        append_json_stream(schema.scopes()[stream.id], integers, out);
        out.put('}');
    });
    out.put(",\"generators\":[");
    bool first = true;
    for (const Track& track : schema.tracks()) {
        if (track.kind != Track::Kind::stream || !shown.shows(track)) continue;
        out.put(first ? "{" : ",{");
        append_json_generator(track, schema.scopes()[track.scope], integers, out);
        out.put('}');
        first = false;
    }
    out.put(']');
}

constexpr auto item_columns = columns_of(
    RowColumn{.key = "type", .heading = "kind"}, "id", "stream", "generator", "generator_id", "start", "end",
    "attributes", RowColumn{.key = "name", .heading = "relation"}, "source", "sink", "source_stream", "sink_stream");

/// Writes items as rows. JSON has a row for each stream and generator that the head does not list, too.
class ItemRows {
public:
    ItemRows(const Shown& shown, TextForm form, const Settings& settings, TextOutput& out)
        : schema_(shown.schema()), integers_(settings.json_integers), rows_(form, settings, out) {
        rows_.begin("hwtrace-ftr-transactions/1", settings);
        if (rows_.is_json()) {
            append_json_facts(shown, out);
            append_json_declared(shown, integers_, out);
        }
        rows_.begin_rows(",\n\"items\":[");
    }

    void append_met(Met& met) {
        met.take(
            [&](const Scope& stream, bool is_new) {
                if (is_new) declare("stream", [&] { append_json_stream(stream, integers_, rows_.out()); });
            },
            [&](const Track& generator, const Scope& stream) {
                declare("generator", [&] { append_json_generator(generator, stream, integers_, rows_.out()); });
            });
    }
    void put(const Item& item) {
        rows_.begin_row();
        if (item.kind == Item::Kind::relation)
            append_relation(item);
        else
            append_transaction(item);
        rows_.end_row();
    }
    bool is_json() const noexcept { return rows_.is_json(); }
    void end() { rows_.end(); }

private:
    template <typename Put>
    void declare(std::string_view type, Put&& put) {
        rows_.begin_row();
        rows_.text("type", type);
        rows_.out().put(',');
        put();
        rows_.end_row();
    }

    void append_relation(const Item& item) {
        rows_.text("type", "relation");
        rows_.text("name", schema_.tracks()[item.track].name);
        rows_.number("source", item.cells[0]);
        rows_.number("sink", item.cells[1]);
        if (item.cells.size() != 4) return;
        rows_.number("source_stream", item.cells[2]);
        rows_.number("sink_stream", item.cells[3]);
    }

    void append_transaction(const Item& item) {
        const Track& track = schema_.tracks()[item.track];
        rows_.text("type", "transaction");
        rows_.number("id", item.attributes.front().value);
        rows_.text("stream", schema_.scopes()[track.scope].name);
        rows_.text("generator", track.name);
        rows_.number("generator_id", track.native_id.value_or(0));
        rows_.number("start", item.start);
        rows_.number("end", item.end);
        TextOutput& out = rows_.cell("attributes");
        if (is_json()) return append_attributes(track, item, out);
        attributes_.clear();
        append_attributes(track, item, attributes_);
        append_csv(attributes_.text(), out);
    }

    /// Writes attributes as objects in JSON, and as arrays of phase, name, type and value in CSV.
    void append_attributes(const Track& track, const Item& item, TextOutput& out) const {
        const bool keys = is_json();
        append_array(item.attributes.subspan(1), out, [&](const Attribute& attribute) {
            const Field& field = track.fields[attribute.field];
            append_json_text(keys ? "{\"phase\":" : "[", name_of(field.phase), out);
            append_json_text(keys ? ",\"name\":" : ",", field.name, out);
            append_json_text(keys ? ",\"type\":" : ",", name_of(field.type), out);
            out.put(keys ? ",\"value\":" : ",");
            append_json_value(schema_, field, attribute.value, keys ? integers_ : JsonIntegers::numbers, out);
            out.put(keys ? '}' : ']');
        });
    }

    const Schema& schema_;
    const JsonIntegers integers_;
    Rows<item_columns> rows_;
    TextOutput attributes_ = TextOutput(-1);  ///< buffer for one CSV row's attributes
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
    ItemRows rows(shown, form, settings, out);
    Met met(shown);
    met.take([](const Scope&, bool) {}, [](const Track&, const Scope&) {});
    for (Item item; shown.next(item);) {
        if (rows.is_json() && met.any()) [[unlikely]]
            rows.append_met(met);
        rows.put(item);
    }
    rows.end();
}

}  // namespace hwtrace::ftr
