#include "views/model_data.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_object.hpp"
#include "codec/model_json.hpp"
#include "codec/model_lines.hpp"
#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "model/schema_news.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view model_schema = "hwtrace-model/1";

/// Caches the text that all records of a track share.
class TrackTexts {
public:
    /// Returns the text of a track. `put(TrackId, TextOutput&)` is called once per track to write it.
    template <typename Put>
    std::string_view of(const Schema& schema, TrackId track, Put&& put) {
        while (texts_.size() <= track && texts_.size() < schema.tracks().size()) {
            scratch_.clear();
            put(static_cast<TrackId>(texts_.size()), scratch_);
            texts_.emplace_back(scratch_.text());
        }
        return texts_[track];
    }

private:
    TextOutput scratch_{-1, 256};
    std::vector<std::string> texts_;
};

// --- JSON ---

void dump_json_lines(Reader& reader, const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    ModelLines lines(reader.schema(), TextIds::made_anew, settings.json_integers, out);
    out.put('{');
    append_json_head(json_lines_schema, settings, out);
    out.put("}\n");
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        lines.write(batch);
        if (progress) progress(reader.position());
    }
    lines.finish();
}

/// Writes `,"name":[...]` with one object per line.
template <typename PutElement>
void append_section(std::string_view name, std::size_t count, TextOutput& out, PutElement&& put) {
    out.put(",\n\"");
    out.put(name);
    out.put("\":[");
    for (std::size_t id = 0; id < count; ++id) {
        out.put(id == 0 ? "\n" : ",\n");
        put(static_cast<std::uint32_t>(id));
    }
    out.put(']');
}

void dump_json(Reader& reader, const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    const Schema& schema = reader.schema();
    ModelJson lines(schema, settings.json_integers, {}, out);
    out.put('{');
    append_json_head(model_schema, settings, out);
    out.put(",\n\"records\":[");
    Batch batch;
    for (bool first = true; reader.read(batch); batch.clear()) {
        for (const Record& record : batch.records()) {
            out.put(first ? "\n" : ",\n");
            first = false;
            lines.record(batch, record);
        }
        if (progress) progress(reader.position());
    }
    out.put(']');
    append_section("clocks", schema.clocks().size(), out, [&](ClockId id) { lines.clock(id); });
    append_section("scopes", schema.scopes().size(), out, [&](ScopeId id) { lines.scope(id); });
    append_section("enums", schema.enums().size(), out, [&](EnumId id) { lines.enumeration(id); });
    append_section("tracks", schema.tracks().size(), out, [&](TrackId id) { lines.track(id); });
    append_section("metadata", schema.metadata().size(), out, [&](std::uint32_t index) { lines.metadata(index); });
    out.put("}\n");
}

// --- CSV ---

class RecordRows {
public:
    RecordRows(const Schema& schema, JsonIntegers integers, TextOutput& out)
        : schema_(schema), out_(out), members_(schema, integers, {}, details_), integers_(integers) {}

    void header() { out_.put("time,kind,scope,track,track_id,duration,slot,field,value,details\n"); }

    void record(const Batch& batch, const Record& record) {
        out_.decimal_signed(record.time);
        out_.put(',');
        out_.put(name_of(record.kind));
        out_.put(texts_.of(schema_, record.track, [&](TrackId id, TextOutput& out) { append_place(id, out); }));
        if (record.kind == Kind::interval) out_.decimal(record.value);
        out_.put(',');
        const bool of_slot = record.kind == Kind::set || record.kind == Kind::add || record.kind == Kind::clear;
        if (of_slot && !is_property(record)) out_.decimal(record.ref);
        out_.put(',');
        if (record.kind == Kind::set || record.kind == Kind::add)
            append_change(record);
        else
            out_.put(',');
        if (record.kind == Kind::instruction) out_.decimal(record.value);
        out_.put(',');
        append_details(batch, record);
        out_.put('\n');
    }

private:
    void append_place(TrackId id, TextOutput& out) const {
        const Track& track = schema_.tracks()[id];
        out.put(',');
        if (track.scope != none) append_csv(schema_.scopes()[track.scope].name, out);
        out.put(',');
        append_csv(track.name, out);
        out.put(',');
        out.decimal(id);
        out.put(',');
    }

    /// Writes "field,value" of a set or add record.
    void append_change(const Record& record) {
        const Field* const field = members_.field_of(record);
        if (field == nullptr) {
            out_.decimal(record.field);
            out_.put(',');
            out_.decimal(record.value);
            return;
        }
        append_csv(field->name, out_);
        out_.put(',');
        if (holds_text(field->type)) {
            append_csv(schema_.text(static_cast<StringId>(record.value)), out_);
            return;
        }
        append_bare_value(*field, record.value);
    }

    /// Writes a number or a label without JSON quotes.
    void append_bare_value(const Field& field, std::uint64_t cell) {
        if (field.type == Type::enumeration) {
            if (const std::string* label = schema_.label(field.enumeration, cell)) {
                append_csv(*label, out_);
                return;
            }
        }
        details_.clear();
        append_json_value(schema_, field, cell, JsonIntegers::numbers, details_);
        std::string_view text = details_.text();
        if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
        out_.put(text);
    }

    void append_cells(TrackId track, std::span<const std::uint64_t> cells) {
        JsonObject object(integers_, details_);
        members_.append_fixed(track, cells, object);
        if (members_.has_rows(track, cells)) members_.append_rows(track, cells, object.known_member("rows"));
        object.close();
    }

    void append_details(const Batch& batch, const Record& record) {
        details_.clear();
        switch (record.kind) {
            case Kind::event:
            case Kind::relation:
                append_cells(record.track, batch.cells(record));
                break;
            case Kind::interval:
                if (record.count == 0) return;
                members_.append_attributes(record.track, batch.attributes(record), details_);
                break;
            case Kind::change: {
                JsonObject object(integers_, details_);
                if ((record.flags & record_no_value) == 0)
                    members_.append_attributes(record.track, batch.attributes(record), object.known_member("values"));
                if (record.value != change_unmarked) object.number("mark", record.value);
                object.close();
                break;
            }
            case Kind::instruction: {
                JsonObject object(integers_, details_);
                members_.append_instruction(batch, batch.instruction(record), object);
                object.close();
                break;
            }
            case Kind::note: {
                JsonObject object(integers_, details_);
                object.text("text", batch.text(record));
                object.close();
                break;
            }
            case Kind::native: {
                JsonObject object(integers_, details_);
                append_json_digits(batch.bytes(record), object.known_member("bytes"));
                object.close();
                break;
            }
            case Kind::set:
            case Kind::clear:
            case Kind::add:
                return;
        }
        append_csv(details_.text(), out_);
    }

    const Schema& schema_;
    TextOutput& out_;
    TextOutput details_{-1, 256};
    ModelJson members_;
    JsonIntegers integers_;
    TrackTexts texts_;
};

/// Writes the header and one row per record. `Rows` has header() and record(Batch, Record).
template <typename Rows>
void append_rows(Reader& reader, Rows& rows, const ProgressListener& progress) {
    rows.header();
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        for (const Record& record : batch.records())
            rows.record(batch, record);
        if (progress) progress(reader.position());
    }
}

void dump_csv(Reader& reader, const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    RecordRows rows(reader.schema(), settings.json_integers, out);
    append_rows(reader, rows, progress);
}

/// Returns the unit of a tick for a column heading.
std::string column_unit_of(const TimeBase& base) {
    if (base.kind == TimeBase::Kind::ordinal) return "ordinal";
    if (base.kind == TimeBase::Kind::cycles) return "cycles";
    constexpr std::array<std::string_view, 6> units{"s", "ms", "us", "ns", "ps", "fs"};
    std::uint64_t den = 1;
    for (const std::string_view unit : units) {
        if (base.num == 1 && base.den == den) return std::string(unit);
        den *= 1000;
    }
    return std::to_string(base.num) + "/" + std::to_string(base.den) + "s";
}

/// Writes one row per record of a track, with one column per field.
class TrackRows {
public:
    /// `track` must have all fields that its records use.
    TrackRows(const Schema& schema, const Track& track, TextOutput& out) : schema_(schema), track_(track), out_(out) {
        keys_.extend(track.fields);
        values_.resize(track.fields.size());
    }

    static bool suits(const Track& track) noexcept {
        return track.kind == Track::Kind::event_type || track.kind == Track::Kind::relation_type ||
               track.kind == Track::Kind::stream || track.kind == Track::Kind::signal;
    }

    void header() {
        const std::string unit = column_unit_of(track_.time);
        out_.put("time:");
        out_.put(unit);
        if (track_.kind == Track::Kind::stream) {
            out_.put(",duration:");
            out_.put(unit);
        }
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            out_.put(',');
            append_csv(keys_[i] + ":" + std::string(name_of(track_.fields[i].type)), out_);
        }
        out_.put('\n');
    }

    void record(const Batch& batch, const Record& record) {
        for (Value& value : values_)
            value = {};
        out_.decimal_signed(record.time);
        if (record.kind == Kind::interval) {
            out_.put(',');
            out_.decimal(record.value);
        }
        if (record.kind == Kind::interval || record.kind == Kind::change) {
            for (const Attribute& attribute : batch.attributes(record))
                add(attribute.field, attribute.value);
        } else {
            const std::span<const std::uint64_t> cells = batch.cells(record);
            const std::size_t fixed = track_.fixed_fields(), width = track_.fields.size() - fixed;
            for (std::size_t i = 0; i < cells.size(); ++i)
                if (i < fixed || width != 0) add(i < fixed ? i : fixed + (i - fixed) % width, cells[i]);
        }
        for (const Value& value : values_) {
            out_.put(',');
            if (value.is_there) append_csv(value.text, out_);
        }
        out_.put('\n');
    }

private:
    struct Value {
        std::string text;
        bool is_there = false;
    };

    void add(std::size_t number, std::uint64_t cell) {
        if (number >= values_.size()) return;
        Value& value = values_[number];
        if (value.is_there) value.text += ';';
        value.is_there = true;
        const Field& field = track_.fields[number];
        const std::string* const label =
            field.type == Type::enumeration ? schema_.label(field.enumeration, cell) : nullptr;
        if (label != nullptr) {
            value.text += *label;
        } else if (holds_text(field.type) && field.type != Type::blob) {
            value.text += schema_.text(static_cast<StringId>(cell));
        } else {
            scratch_.clear();
            append_json_value(schema_, field, cell, JsonIntegers::numbers, scratch_);
            std::string_view text = scratch_.text();
            if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
            value.text += text;
        }
    }

    const Schema& schema_;
    const Track& track_;
    TextOutput& out_;
    FieldKeys keys_;
    std::vector<Value> values_;  // indexed by field
    TextOutput scratch_{-1, 64};
};

}  // namespace

bool dump_track(Reader& reader, const Track& track, TextOutput& out, const ProgressListener& progress) {
    if (!TrackRows::suits(track)) return false;
    TrackRows rows(reader.schema(), track, out);
    append_rows(reader, rows, progress);
    return true;
}

void dump_model_data(Reader& reader, TextForm form, const Settings& settings, TextOutput& out,
                     const ProgressListener& progress) {
    switch (form) {
        case TextForm::jsonl:
            return dump_json_lines(reader, settings, out, progress);
        case TextForm::json:
            return dump_json(reader, settings, out, progress);
        case TextForm::csv:
            return dump_csv(reader, settings, out, progress);
        case TextForm::text:
            break;
    }
    fail(Failure::internal, "text is not a data form");
}

}  // namespace hwtrace
