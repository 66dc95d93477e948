#include "views/model_data.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_object.hpp"
#include "codec/value_text.hpp"
#include "io/error.hpp"
#include "model/conventions.hpp"
#include "model/schema_news.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view model_schema = "hwtrace-model/1";

bool is_property(const Record& record) noexcept {
    return (record.flags & record_property) != 0;
}

void put_digits(std::span<const std::byte> bytes, TextOutput& out) {
    out.put('"');
    put_hex_bytes(bytes, out);
    out.put('"');
}

/// What the records of a track say, in JSON members; the members that all kinds of dumps share.
class RecordMembers {
public:
    RecordMembers(const Schema& schema, JsonIntegers integers) : schema_(schema), integers_(integers) {}

    /// Those of each phase are a member named like the phase; what has none stands beside these.
    void put_attributes(const Track& track, std::span<const Attribute> attributes, TextOutput& out) const {
        JsonObject object(integers_, out);
        std::uint32_t lists = 0;
        std::array<bool, 4> has_phase{};
        for (const Attribute& attribute : attributes) {
            const Field& field = track.fields.at(attribute.field);
            if (field.repeated) ++lists;
            has_phase.at(static_cast<std::size_t>(field.phase)) = true;
        }
        put_phase(Phase::unknown, track, attributes, object);
        for (const Phase phase : {Phase::begin, Phase::record, Phase::end}) {
            if (!has_phase[static_cast<std::size_t>(phase)]) continue;
            JsonObject members(integers_, object.known_member(name_of(phase)));
            put_phase(phase, track, attributes, members);
            members.close();
        }
        if (lists != 0) put_lists(track, attributes, object, out);
        object.close();
    }

    /// The fields that every event of the track has; then its rows, where it repeats some.
    void put_cells(const Track& track, std::span<const std::uint64_t> cells, TextOutput& out) const {
        const std::span<const Field> fields(track.fields);
        const std::size_t fixed = track.fixed_fields();
        const std::size_t width = fields.size() - fixed;
        JsonObject object(integers_, out);
        for (std::size_t i = 0; i < std::min(fixed, cells.size()); ++i)
            put_json_value(schema_, fields[i], cells[i], integers_, object.member(fields[i].name));
        if (width != 0 && cells.size() > fixed) {
            object.known_member("rows").put('[');
            for (std::size_t at = fixed; at < cells.size(); at += width) {
                if (at != fixed) out.put(',');
                JsonObject row(integers_, out);
                for (std::size_t i = 0; i < std::min(width, cells.size() - at); ++i) {
                    const Field& field = fields[fixed + i];
                    put_json_value(schema_, field, cells[at + i], integers_, row.member(field.name));
                }
                row.close();
            }
            out.put(']');
        }
        object.close();
    }

    /// All of an instruction but its pc.
    void put_instruction(const Batch& batch, const Instruction& instruction, JsonObject& object) const {
        TextOutput& out = object.out();
        object.number("encoding", instruction.encoding);
        object.number("size", std::uint64_t{instruction.size});
        if (instruction.has_target) object.number("target", instruction.target);
        if (instruction.operands.count != 0) {
            put_array(batch.operands(instruction), object.known_member("operands"),
                      [&](const Operand& operand) { put_operand(batch, operand, out); });
        }
        if (instruction.accesses.count != 0) {
            put_array(batch.accesses(instruction), object.known_member("accesses"),
                      [&](const Access& access) { put_access(batch, access, out); });
        }
        if (instruction.order.count != 0) {
            object.known_member("order").put('"');
            for (const Part part : batch.order(instruction))
                out.put(conventions::part_letters[static_cast<std::size_t>(part)]);
            out.put('"');
        }
    }

    /// The field that a set or an add is of; null where the track has none of that number.
    const Field* field_of(const Track& track, const Record& record) const noexcept {
        const std::vector<Field>& fields = is_property(record) ? track.properties : track.fields;
        return record.field < fields.size() ? &fields[record.field] : nullptr;
    }

private:
    /// A member cannot occur twice, so that a name that does is an array where it occurs first.
    void put_phase(Phase phase, const Track& track, std::span<const Attribute> attributes, JsonObject& object) const {
        const auto is_of = [&](const Attribute& attribute, std::string_view name) {
            const Field& field = track.fields[attribute.field];
            return field.phase == phase && !field.repeated && field.name == name;
        };
        const auto put = [&](const Attribute& attribute) {
            put_json_value(schema_, track.fields[attribute.field], attribute.value, integers_, object.out());
        };
        for (std::size_t i = 0; i < attributes.size(); ++i) {
            const Field& field = track.fields[attributes[i].field];
            if (!is_of(attributes[i], field.name)) continue;
            const auto same = [&](const Attribute& attribute) { return is_of(attribute, field.name); };
            if (std::ranges::any_of(attributes.first(i), same)) continue;
            object.member(field.name);
            if (std::ranges::none_of(attributes.subspan(i + 1), same)) {
                put(attributes[i]);
                continue;
            }
            object.out().put('[');
            put(attributes[i]);
            for (const Attribute& attribute : attributes.subspan(i + 1)) {
                if (!same(attribute)) continue;
                object.out().put(',');
                put(attribute);
            }
            object.out().put(']');
        }
    }

    /// Likewise an attribute that may be repeated, even where it is there once.
    void put_lists(const Track& track, std::span<const Attribute> attributes, JsonObject& object,
                   TextOutput& out) const {
        for (std::uint32_t number = 0; number < track.fields.size(); ++number) {
            const Field& field = track.fields[number];
            if (!field.repeated) continue;
            bool begun = false;
            for (const Attribute& attribute : attributes) {
                if (attribute.field != number) continue;
                if (begun)
                    out.put(',');
                else
                    object.member(field.name).put('[');
                begun = true;
                put_json_value(schema_, field, attribute.value, integers_, out);
            }
            if (begun) out.put(']');
        }
    }

    void put_words(std::span<const std::uint64_t> words, TextOutput& out) const {
        put_array(words, out, [&](std::uint64_t word) { put_json_integer(word, integers_, out); });
    }

    void put_operand(const Batch& batch, const Operand& operand, TextOutput& out) const {
        JsonObject object(integers_, out);
        object.text("role", name_of(operand.role));
        object.known_member("register").put('"');
        out.put(name_of(operand.register_class));
        out.decimal(operand.number);
        out.put('"');
        if (operand.register_class == RegisterClass::vector)
            put_words(batch.cells(operand.words), object.known_member("words"));
        else
            object.number("value", operand.value);
        object.close();
    }

    void put_access(const Batch& batch, const Access& access, TextOutput& out) const {
        JsonObject object(integers_, out);
        object.text("type", name_of(access.type));
        object.number("address", access.address);
        object.number("size", std::uint64_t{access.size});
        if (access.attributes != 0) object.number("attributes", std::uint64_t{access.attributes});
        put_words(batch.cells(access.data), object.known_member("data"));
        object.close();
    }

    const Schema& schema_;
    JsonIntegers integers_;
};

/// What is the same in every record of a track, written once.
class TrackTexts {
public:
    /// `put(TrackId, TextOutput&)` writes a track's text.
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

/// Each object of the model in JSON, on one line.
class JsonLines {
public:
    /// `end` stands behind each object.
    JsonLines(const Schema& schema, JsonIntegers integers, std::string_view end, TextOutput& out)
        : schema_(schema), integers_(integers), end_(end), out_(out), members_(schema, integers) {}

    void clock(ClockId id) {
        JsonObject object = begin("clock", id);
        object.text("name", schema_.clocks()[id].name);
        object.number("period_ps", schema_.clocks()[id].period_ps);
        end(object);
    }

    void scope(ScopeId id) {
        const Scope& scope = schema_.scopes()[id];
        JsonObject object = begin("scope", id);
        object.text("name", scope.name);
        if (scope.parent != none) object.number("parent", std::uint64_t{scope.parent});
        if (!scope.protocol.empty()) object.text("protocol", scope.protocol);
        if (scope.clock != none) object.number("clock", std::uint64_t{scope.clock});
        if (scope.native_id) object.number("native_id", *scope.native_id);
        end(object);
    }

    void enumeration(EnumId id) {
        const Enum& enumeration = schema_.enums()[id];
        JsonObject object = begin("enum", id);
        object.text("name", enumeration.name);
        put_array(enumeration.values, object.known_member("values"), [&](const EnumValue& value) { put_label(value); });
        end(object);
    }

    void label(EnumId id, std::size_t index) {
        JsonObject object(integers_, out_);
        object.text("type", "label");
        object.number("enum_id", std::uint64_t{id});
        object.known_member("label");
        put_label(schema_.enums()[id].values[index]);
        end(object);
    }

    void track(TrackId id) {
        const Track& track = schema_.tracks()[id];
        JsonObject object = begin("track", id);
        object.text("kind", name_of(track.kind));
        object.text("name", track.name);
        if (track.scope != none) object.number("scope", std::uint64_t{track.scope});
        object.known_member("time");
        put_time_base(track.time);
        if (track.native_id) object.number("native_id", *track.native_id);
        if (track.kind == Track::Kind::storage) {
            object.number("slots", std::uint64_t{track.slots});
            if (track.sparse) object.flag("sparse");
            if (track.buffer) object.flag("buffer");
        }
        if (!track.fields.empty()) put_fields("fields", track.fields, object);
        if (!track.properties.empty()) put_fields("properties", track.properties, object);
        end(object);
    }

    void attribute(TrackId track, std::uint32_t index) {
        JsonObject object(integers_, out_);
        object.text("type", "attribute");
        object.number("track_id", std::uint64_t{track});
        object.known_member("field");
        put_field(schema_.tracks()[track].fields[index]);
        end(object);
    }

    void metadata(std::size_t index) {
        const Metadata& entry = schema_.metadata()[index];
        JsonObject object(integers_, out_);
        object.text("type", "metadata");
        object.text("key", entry.key);
        object.text("value", entry.value);
        end(object);
    }

    void record(const Batch& batch, const Record& record) {
        const Track& track = schema_.tracks()[record.track];
        JsonObject object(integers_, out_);
        object.known_member("type").put('"');
        out_.put(name_of(record.kind));
        out_.put('"');
        object.number("time", record.time);
        if ((record.flags & record_first_of_frame) != 0) object.flag("frame");
        out_.put(texts_.of(schema_, record.track, [&](TrackId id, TextOutput& out) { put_place(id, out); }));
        switch (record.kind) {
            case Kind::event:
            case Kind::relation:
                members_.put_cells(track, batch.cells(record), object.known_member("fields"));
                break;
            case Kind::set:
            case Kind::add:
                put_change(track, record, object);
                break;
            case Kind::clear:
                object.number("slot", std::uint64_t{record.ref});
                break;
            case Kind::instruction:
                object.number("pc", record.value);
                members_.put_instruction(batch, batch.instruction(record), object);
                break;
            case Kind::note:
                object.text("text", batch.text(record));
                break;
            case Kind::native:
                put_digits(batch.bytes(record), object.known_member("bytes"));
                break;
            case Kind::interval:
                object.number("duration", record.value);
                if (record.count != 0)
                    members_.put_attributes(track, batch.attributes(record), object.known_member("attributes"));
                break;
            case Kind::change:
                if ((record.flags & record_no_value) == 0)
                    members_.put_attributes(track, batch.attributes(record), object.known_member("values"));
                if (record.value != change_unmarked) object.number("mark", record.value);
                break;
        }
        end(object);
    }

private:
    void end(JsonObject& object) {
        object.close();
        out_.put(end_);
    }

    JsonObject begin(std::string_view type, std::uint32_t id) {
        JsonObject object(integers_, out_);
        object.text("type", type);
        object.number("id", std::uint64_t{id});
        return object;
    }

    /// The members that name a record's track, with the comma before them.
    void put_place(TrackId id, TextOutput& out) const {
        const Track& track = schema_.tracks()[id];
        if (track.scope != none) {
            out.put(",\"scope\":");
            put_json_string(schema_.scopes()[track.scope].name, out);
        }
        out.put(",\"track\":");
        put_json_string(track.name, out);
        out.put(",\"track_id\":");
        out.decimal(id);
    }

    void put_change(const Track& track, const Record& record, JsonObject& object) {
        const Field* const field = members_.field_of(track, record);
        if (!is_property(record)) object.number("slot", std::uint64_t{record.ref});
        const std::string_view what = is_property(record) ? "property" : "field";
        if (field == nullptr) {
            object.number(what, std::uint64_t{record.field});
            object.number("value", record.value);
        } else {
            object.text(what, field->name);
            put_json_value(schema_, *field, record.value, integers_, object.known_member("value"));
        }
    }

    void put_time_base(const TimeBase& base) {
        JsonObject object(integers_, out_);
        switch (base.kind) {
            case TimeBase::Kind::seconds:
                object.text("base", "seconds");
                break;
            case TimeBase::Kind::cycles:
                object.text("base", "cycles");
                break;
            case TimeBase::Kind::ordinal:
                object.text("base", "ordinal");
                object.close();
                return;
        }
        object.number("num", base.num);
        object.number("den", base.den);
        object.close();
    }

    void put_field(const Field& field) {
        JsonObject object(integers_, out_);
        object.text("name", field.name);
        object.text("type", name_of(field.type));
        if (field.enumeration != none) object.number("enum", std::uint64_t{field.enumeration});
        if (field.repeated) object.flag("repeated");
        if (field.width != 0) object.number("width", std::uint64_t{field.width});
        if (field.phase != Phase::unknown) object.text("phase", name_of(field.phase));
        if (field.role != 0) {
            object.number("role", std::uint64_t{field.role});
            object.number("pair", std::uint64_t{field.pair});
        }
        object.close();
    }

    void put_fields(std::string_view name, const std::vector<Field>& fields, JsonObject& object) {
        put_array(fields, object.known_member(name), [&](const Field& field) { put_field(field); });
    }

    void put_label(const EnumValue& value) {
        JsonObject label(integers_, out_);
        label.number("value", value.value);
        label.text("name", value.name);
        label.close();
    }

    const Schema& schema_;
    JsonIntegers integers_;
    std::string_view end_;
    TextOutput& out_;
    RecordMembers members_;
    TrackTexts texts_;
};

void dump_json_lines(Reader& reader, const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    const Schema& schema = reader.schema();
    JsonLines lines(schema, settings.json_integers, "\n", out);
    SchemaNews news(schema);
    out.put('{');
    put_json_head(model_schema, settings, out);
    out.put("}\n");
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        news.tell(batch, lines);
        for (const Record& record : batch.records())
            lines.record(batch, record);
        if (progress) progress(reader.position());
    }
    news.tell(lines);
}

/// ,"name":[ one object a line ].
template <typename PutElement>
void put_section(std::string_view name, std::size_t count, TextOutput& out, PutElement&& put) {
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
    JsonLines lines(schema, settings.json_integers, {}, out);
    out.put('{');
    put_json_head(model_schema, settings, out);
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
    put_section("clocks", schema.clocks().size(), out, [&](ClockId id) { lines.clock(id); });
    put_section("scopes", schema.scopes().size(), out, [&](ScopeId id) { lines.scope(id); });
    put_section("enums", schema.enums().size(), out, [&](EnumId id) { lines.enumeration(id); });
    put_section("tracks", schema.tracks().size(), out, [&](TrackId id) { lines.track(id); });
    put_section("metadata", schema.metadata().size(), out, [&](std::uint32_t index) { lines.metadata(index); });
    out.put("}\n");
}

// --- CSV ---

class CsvRows {
public:
    CsvRows(const Schema& schema, JsonIntegers integers, TextOutput& out)
        : schema_(schema), out_(out), members_(schema, integers), integers_(integers) {}

    void header() { out_.put("time,kind,scope,track,track_id,duration,slot,field,value,details\n"); }

    void record(const Batch& batch, const Record& record) {
        const Track& track = schema_.tracks()[record.track];
        out_.decimal_signed(record.time);
        out_.put(',');
        out_.put(name_of(record.kind));
        out_.put(texts_.of(schema_, record.track, [&](TrackId id, TextOutput& out) { put_place(id, out); }));
        if (record.kind == Kind::interval) out_.decimal(record.value);
        out_.put(',');
        const bool of_slot = record.kind == Kind::set || record.kind == Kind::add || record.kind == Kind::clear;
        if (of_slot && !is_property(record)) out_.decimal(record.ref);
        out_.put(',');
        if (record.kind == Kind::set || record.kind == Kind::add)
            put_change(track, record);
        else
            out_.put(',');
        if (record.kind == Kind::instruction) out_.decimal(record.value);
        out_.put(',');
        put_details(batch, track, record);
        out_.put('\n');
    }

private:
    void put_place(TrackId id, TextOutput& out) const {
        const Track& track = schema_.tracks()[id];
        out.put(',');
        if (track.scope != none) put_csv(schema_.scopes()[track.scope].name, out);
        out.put(',');
        put_csv(track.name, out);
        out.put(',');
        out.decimal(id);
        out.put(',');
    }

    /// "field,value" of a set or an add.
    void put_change(const Track& track, const Record& record) {
        const Field* const field = members_.field_of(track, record);
        if (field == nullptr) {
            out_.decimal(record.field);
            out_.put(',');
            out_.decimal(record.value);
            return;
        }
        put_csv(field->name, out_);
        out_.put(',');
        if (holds_text(field->type)) {
            put_csv(schema_.text(static_cast<StringId>(record.value)), out_);
            return;
        }
        put_bare_value(*field, record.value);
    }

    /// A number or a label: what JSON would put in quotes stands without them.
    void put_bare_value(const Field& field, std::uint64_t cell) {
        if (field.type == Type::enumeration) {
            if (const std::string* label = schema_.label(field.enumeration, cell)) {
                put_csv(*label, out_);
                return;
            }
        }
        details_.clear();
        put_json_value(schema_, field, cell, JsonIntegers::numbers, details_);
        std::string_view text = details_.text();
        if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
        out_.put(text);
    }

    void put_details(const Batch& batch, const Track& track, const Record& record) {
        details_.clear();
        switch (record.kind) {
            case Kind::event:
            case Kind::relation:
                members_.put_cells(track, batch.cells(record), details_);
                break;
            case Kind::interval:
                if (record.count == 0) return;
                members_.put_attributes(track, batch.attributes(record), details_);
                break;
            case Kind::change: {
                JsonObject object(integers_, details_);
                if ((record.flags & record_no_value) == 0)
                    members_.put_attributes(track, batch.attributes(record), object.known_member("values"));
                if (record.value != change_unmarked) object.number("mark", record.value);
                object.close();
                break;
            }
            case Kind::instruction: {
                JsonObject object(integers_, details_);
                members_.put_instruction(batch, batch.instruction(record), object);
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
                put_digits(batch.bytes(record), object.known_member("bytes"));
                object.close();
                break;
            }
            case Kind::set:
            case Kind::clear:
            case Kind::add:
                return;
        }
        put_csv(details_.text(), out_);
    }

    const Schema& schema_;
    TextOutput& out_;
    RecordMembers members_;
    JsonIntegers integers_;
    TrackTexts texts_;
    TextOutput details_{-1, 256};
};

void dump_csv(Reader& reader, const Settings& settings, TextOutput& out, const ProgressListener& progress) {
    CsvRows rows(reader.schema(), settings.json_integers, out);
    rows.header();
    Batch batch;
    for (; reader.read(batch); batch.clear()) {
        for (const Record& record : batch.records())
            rows.record(batch, record);
        if (progress) progress(reader.position());
    }
}

}  // namespace

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
    fail(Failure::internal, "text is no form of data");
}

}  // namespace hwtrace
