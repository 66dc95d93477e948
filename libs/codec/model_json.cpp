#include "codec/model_json.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "domain/conventions.hpp"
#include "domain/utf8.hpp"
#include "domain/value_text.hpp"
#include "io/cursor.hpp"

namespace hwtrace {

namespace {

void append_bits(std::uint64_t bits, TextOutput& out) {
    out.put('"');
    append_hex(bits, out);
    out.put('"');
}

/// The NaN bit patterns that are written as "NaN". Other NaNs are written as their bits.
constexpr std::uint64_t plain_nan_32 = 0x7FC0'0000, plain_nan_64 = 0x7FF8'0000'0000'0000;

/// Returns true for -0. Many JSON readers parse it as an integer and lose the sign.
bool is_negative_zero(Type type, std::uint64_t cell) noexcept {
    return cell == std::uint64_t{1} << (type == Type::f32 ? 31 : 63);
}

/// Returns true if the output of append_json_value() reads back as the same cell.
bool says_all(Type type, std::uint64_t cell) noexcept {
    if (type == Type::f32) {
        if (cell >> 32 != 0) return false;
        return cell == plain_nan_32 || !std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(cell)));
    }
    return cell == plain_nan_64 || !std::isnan(std::bit_cast<double>(cell));
}

}  // namespace

void append_json_digits(std::span<const std::byte> bytes, TextOutput& out) {
    out.put('"');
    append_hex_bytes(bytes, out);
    out.put('"');
}

void append_json_text(std::string_view text, TextOutput& out) {
    if (is_utf8(text)) return append_json_string(text, out);
    out.put("{\"bytes\":");
    append_json_digits(as_bytes(text), out);
    out.put('}');
}

// --- declarations ----------------------------------------------------------------------------------------------------

ModelJson::ModelJson(const Schema& schema, JsonIntegers integers, std::string_view end, TextOutput& out)
    : schema_(schema), integers_(integers), end_(end), out_(out) {}

void ModelJson::end(JsonObject& object) {
    object.close();
    out_.put(end_);
}

JsonObject ModelJson::begin(std::string_view type, std::uint32_t id) {
    JsonObject object(integers_, out_);
    object.text("type", type);
    object.number("id", std::uint64_t{id});
    return object;
}

void ModelJson::clock(ClockId id) {
    JsonObject object = begin("clock", id);
    append_json_text(schema_.clocks()[id].name, object.known_member("name"));
    object.number("period_ps", schema_.clocks()[id].period_ps);
    end(object);
}

void ModelJson::scope(ScopeId id) {
    const Scope& scope = schema_.scopes()[id];
    JsonObject object = begin("scope", id);
    append_json_text(scope.name, object.known_member("name"));
    if (scope.parent < id) object.number("parent", std::uint64_t{scope.parent});
    if (!scope.protocol.empty()) append_json_text(scope.protocol, object.known_member("protocol"));
    if (scope.clock != none) object.number("clock", std::uint64_t{scope.clock});
    if (scope.native_id) object.number("native_id", *scope.native_id);
    end(object);
}

void ModelJson::enumeration(EnumId id) {
    const Enum& enumeration = schema_.enums()[id];
    JsonObject object = begin("enum", id);
    append_json_text(enumeration.name, object.known_member("name"));
    append_array(enumeration.values, object.known_member("values"),
                 [&](const EnumValue& value) { append_label(value); });
    end(object);
}

void ModelJson::label(EnumId id, std::size_t index) {
    JsonObject object(integers_, out_);
    object.text("type", "label");
    object.number("enum_id", std::uint64_t{id});
    object.known_member("label");
    append_label(schema_.enums()[id].values[index]);
    end(object);
}

void ModelJson::append_label(const EnumValue& value) {
    JsonObject label(integers_, out_);
    label.number("value", value.value);
    append_json_text(value.name, label.known_member("name"));
    label.close();
}

void ModelJson::track(TrackId id) {
    const Track& track = schema_.tracks()[id];
    Form& form = form_of(id);
    JsonObject object = begin("track", id);
    object.text("kind", name_of(track.kind));
    append_json_text(track.name, object.known_member("name"));
    if (track.scope != none) object.number("scope", std::uint64_t{track.scope});
    object.known_member("time");
    append_time_base(track.time);
    if (track.native_id) object.number("native_id", *track.native_id);
    if (track.kind == Track::Kind::storage) object.number("slots", std::uint64_t{track.slots});
    if (track.kind != Track::Kind::storage && track.slots != 0) object.number("slots", std::uint64_t{track.slots});
    if (track.sparse) object.flag("sparse");
    if (track.buffer) object.flag("buffer");
    // Declare the fields of events and relations even if there are none. Otherwise, a reader would take the fields from
    // the records.
    const bool has_cells = track.kind == Track::Kind::event_type || track.kind == Track::Kind::relation_type;
    if (has_cells || !track.fields.empty()) append_fields("fields", track.fields, form.fields, object);
    if (!track.properties.empty()) append_fields("properties", track.properties, form.properties, object);
    end(object);
}

void ModelJson::attribute(TrackId track, std::uint32_t index) {
    const Form& form = form_of(track);
    JsonObject object(integers_, out_);
    object.text("type", "attribute");
    object.number("track_id", std::uint64_t{track});
    object.known_member("field");
    append_field(schema_.tracks()[track].fields[index], form.fields[index]);
    end(object);
}

void ModelJson::metadata(std::size_t index) {
    const Metadata& entry = schema_.metadata()[index];
    JsonObject object(integers_, out_);
    object.text("type", "metadata");
    append_json_text(entry.key, object.known_member("key"));
    append_json_text(entry.value, object.known_member("value"));
    end(object);
}

void ModelJson::text(StringId id) {
    JsonObject object = begin("text", id);
    append_json_text(schema_.text(id), object.known_member("text"));
    end(object);
}

void ModelJson::append_time_base(const TimeBase& base) {
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
            break;
    }
    if (base != ordinals) {
        object.number("num", base.num);
        object.number("den", base.den);
    }
    object.close();
}

void ModelJson::append_field(const Field& field, const std::string& key) {
    JsonObject object(integers_, out_);
    append_json_text(field.name, object.known_member("name"));
    if (key != field.name) object.text("key", key);
    object.text("type", name_of(field.type));
    if (field.enumeration != none) object.number("enum", std::uint64_t{field.enumeration});
    if (field.repeated) object.flag("repeated");
    if (field.width != 0) object.number("width", std::uint64_t{field.width});
    if (field.phase != Phase::unknown) object.text("phase", name_of(field.phase));
    if (field.role != 0 || field.pair != 0) {
        object.number("role", std::uint64_t{field.role});
        object.number("pair", std::uint64_t{field.pair});
    }
    object.close();
}

void ModelJson::append_fields(std::string_view name, const std::vector<Field>& fields, const FieldKeys& keys,
                              JsonObject& object) {
    object.known_member(name).put('[');
    for (std::size_t i = 0; i < fields.size(); ++i) {
        if (i != 0) out_.put(',');
        append_field(fields[i], keys[i]);
    }
    out_.put(']');
}

// --- values ----------------------------------------------------------------------------------------------------------

const ModelJson::Labels& ModelJson::labels_of(EnumId id) {
    if (labels_.size() <= id) labels_.resize(schema_.enums().size());
    Labels& labels = labels_[id];
    const std::vector<EnumValue>& values = schema_.enums()[id].values;
    for (; labels.known < values.size(); ++labels.known) {
        const EnumValue& value = values[labels.known];
        const bool tells = labels.values.emplace(value.name, value.value).first->second == value.value;
        if (labels.places.find(value.value) != none || !tells || !is_utf8(value.name)) continue;
        TextOutput quoted(-1, value.name.size() + 2);
        append_json_string(value.name, quoted);
        labels.places.set(value.value, static_cast<std::uint32_t>(labels.texts.size()));
        labels.texts.emplace_back(quoted.text());
    }
    return labels;
}

void ModelJson::append_cell(const Field& field, std::uint64_t cell, TextOutput& out) {
    switch (field.type) {
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
        case Type::blob: {
            const auto id = static_cast<StringId>(cell);
            if (cell >= schema_.string_count() || (!by_id_.empty() && by_id_.contains(id))) {
                out.put("{\"id\":");
                out.decimal(cell);
                out.put('}');
            } else if (field.type == Type::blob) {
                append_json_digits(as_bytes(schema_.text(id)), out);
            } else {
                append_json_text(schema_.text(id), out);
            }
            return;
        }
        case Type::enumeration:
            if (field.enumeration < schema_.enums().size()) {
                const Labels& labels = labels_of(field.enumeration);
                if (const std::uint32_t label = labels.places.find(cell); label != none)
                    return out.put(labels.texts[label]);
            }
            return append_json_integer(cell, integers_, out);
        case Type::f32:
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            if (!says_all(field.type, cell)) return append_bits(cell, out);
            if (is_negative_zero(field.type, cell)) return out.put("-0.0");
            break;
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
        case Type::boolean:
        case Type::pointer:
        case Type::time:
            break;
    }
    append_json_value(schema_, field, cell, integers_, out);
}

// --- records ---------------------------------------------------------------------------------------------------------

const std::string& ModelJson::place_of(TrackId id) {
    while (places_.size() <= id) {
        const Track& track = schema_.tracks()[places_.size()];
        piece_.clear();
        if (track.scope != none) {
            piece_.put(",\"scope\":");
            append_json_string(schema_.scopes()[track.scope].name, piece_);
        }
        piece_.put(",\"track\":");
        append_json_string(track.name, piece_);
        piece_.put(",\"track_id\":");
        piece_.decimal(places_.size());
        places_.emplace_back(piece_.text());
    }
    return places_[id];
}

ModelJson::Form& ModelJson::form_of(TrackId id) {
    const Track& track = schema_.tracks()[id];
    if (forms_.size() <= id) forms_.resize(schema_.tracks().size());
    if (forms_[id] == nullptr) {
        if (track.fields.empty() && track.properties.empty()) return without_fields_;
        forms_[id] = std::make_unique<Form>();
        forms_[id]->properties.extend(track.properties);
    }
    Form& form = *forms_[id];
    const std::vector<Field>& fields = track.fields;
    if (form.fields.size() < fields.size()) [[unlikely]] {
        form.fields.extend(fields);
        form.fixed = track.fixed_fields();
        form.seen.resize(fields.size());
        for (std::size_t i = form.members.size(); i < fields.size(); ++i) {
            piece_.clear();
            append_json_string(form.fields[i], piece_);
            piece_.put(':');
            form.members.emplace_back(piece_.text());
        }
    }
    return form;
}

void ModelJson::append_pairs(const Form& form, const Track& track, std::span<const Attribute> attributes,
                             TextOutput& out) {
    append_array(attributes, out, [&](const Attribute& attribute) {
        out.put('[');
        append_json_string(form.fields[attribute.field], out);
        out.put(',');
        append_cell(track.fields[attribute.field], attribute.value, out);
        out.put(']');
    });
}

void ModelJson::append_attributes(TrackId id, std::span<const Attribute> attributes, TextOutput& out) {
    const Track& track = schema_.tracks()[id];
    Form& form = form_of(id);
    ++turn_;
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        std::uint64_t& seen = form.seen[attributes[i].field];
        if (seen == turn_ && attributes[i - 1].field != attributes[i].field)
            return append_pairs(form, track, attributes, out);
        seen = turn_;
    }
    out.put('{');
    for (std::size_t i = 0; i < attributes.size();) {
        const std::uint32_t number = attributes[i].field;
        const Field& field = track.fields[number];
        std::size_t end = i + 1;
        while (end < attributes.size() && attributes[end].field == number)
            ++end;
        if (i != 0) out.put(',');
        out.put(form.members[number]);
        const bool is_list = field.repeated || end - i > 1;
        if (is_list) out.put('[');
        for (std::size_t at = i; at < end; ++at) {
            if (at != i) out.put(',');
            append_cell(field, attributes[at].value, out);
        }
        if (is_list) out.put(']');
        i = end;
    }
    out.put('}');
}

void ModelJson::append_fixed(TrackId id, std::span<const std::uint64_t> cells, JsonObject& object) {
    const Form& form = form_of(id);
    const std::vector<Field>& fields = schema_.tracks()[id].fields;
    for (std::size_t i = 0; i < std::min(form.fixed, cells.size()); ++i)
        append_cell(fields[i], cells[i], object.written_member(form.members[i]));
}

bool ModelJson::has_rows(TrackId id, std::span<const std::uint64_t> cells) {
    const Form& form = form_of(id);
    return cells.size() > form.fixed && form.fixed < form.fields.size();
}

void ModelJson::append_rows(TrackId id, std::span<const std::uint64_t> cells, TextOutput& out) {
    const Form& form = form_of(id);
    const std::vector<Field>& fields = schema_.tracks()[id].fields;
    const std::size_t width = fields.size() - form.fixed;
    out.put('[');
    for (std::size_t at = form.fixed; at < cells.size(); at += width) {
        if (at != form.fixed) out.put(',');
        JsonObject row(integers_, out);
        for (std::size_t i = 0; i < std::min(width, cells.size() - at); ++i)
            append_cell(fields[form.fixed + i], cells[at + i], row.written_member(form.members[form.fixed + i]));
        row.close();
    }
    out.put(']');
}

void ModelJson::append_words(std::span<const std::uint64_t> words, TextOutput& out) const {
    append_array(words, out, [&](std::uint64_t word) { append_json_integer(word, integers_, out); });
}

void ModelJson::append_operand(const Batch& batch, const Operand& operand, TextOutput& out) const {
    JsonObject object(integers_, out);
    object.text("role", name_of(operand.role));
    object.known_member("register").put('"');
    out.put(name_of(operand.register_class));
    out.decimal(operand.number);
    out.put('"');
    if (operand.register_class == RegisterClass::vector)
        append_words(batch.cells(operand.words), object.known_member("words"));
    else
        object.number("value", operand.value);
    object.close();
}

void ModelJson::append_access(const Batch& batch, const Access& access, TextOutput& out) const {
    JsonObject object(integers_, out);
    object.text("type", name_of(access.type));
    object.number("address", access.address);
    object.number("size", std::uint64_t{access.size});
    if (access.attributes != 0) object.number("attributes", std::uint64_t{access.attributes});
    append_words(batch.cells(access.data), object.known_member("data"));
    object.close();
}

void ModelJson::append_instruction(const Batch& batch, const Instruction& instruction, JsonObject& object) const {
    TextOutput& out = object.out();
    object.number("encoding", instruction.encoding);
    object.number("size", std::uint64_t{instruction.size});
    if (instruction.has_target) object.number("target", instruction.target);
    if (instruction.operands.count != 0) {
        append_array(batch.operands(instruction), object.known_member("operands"),
                     [&](const Operand& operand) { append_operand(batch, operand, out); });
    }
    if (instruction.accesses.count != 0) {
        append_array(batch.accesses(instruction), object.known_member("accesses"),
                     [&](const Access& access) { append_access(batch, access, out); });
    }
    if (instruction.order.count != 0) {
        object.known_member("order").put('"');
        for (const Part part : batch.order(instruction))
            out.put(conventions::part_letters[static_cast<std::size_t>(part)]);
        out.put('"');
    }
}

const Field* ModelJson::field_of(const Record& record) const noexcept {
    const Track& track = schema_.tracks()[record.track];
    const std::vector<Field>& fields = is_property(record) ? track.properties : track.fields;
    return record.field < fields.size() ? &fields[record.field] : nullptr;
}

void ModelJson::append_slot(const Record& record, JsonObject& object) {
    const Form& form = form_of(record.track);
    const Field* const field = field_of(record);
    if (!is_property(record)) object.number("slot", std::uint64_t{record.ref});
    const std::string_view what = is_property(record) ? "property" : "field";
    if (field == nullptr) {
        object.number(what, std::uint64_t{record.field});
        object.number("value", record.value);
    } else {
        object.text(what, is_property(record) ? form.properties[record.field] : form.fields[record.field]);
        append_cell(*field, record.value, object.known_member("value"));
    }
}

void ModelJson::record(const Batch& batch, const Record& record) {
    JsonObject object(integers_, out_);
    object.known_member("type").put('"');
    out_.put(name_of(record.kind));
    out_.put('"');
    object.number("time", record.time);
    if ((record.flags & record_first_of_frame) != 0) object.flag("frame");
    if ((record.flags & record_restated) != 0) object.flag("restated");
    out_.put(place_of(record.track));
    switch (record.kind) {
        case Kind::event:
        case Kind::relation: {
            const std::span<const std::uint64_t> cells = batch.cells(record);
            object.known_member("fields");
            JsonObject fields(integers_, out_);
            append_fixed(record.track, cells, fields);
            fields.close();
            if (has_rows(record.track, cells)) append_rows(record.track, cells, object.known_member("rows"));
            break;
        }
        case Kind::set:
        case Kind::add:
            append_slot(record, object);
            break;
        case Kind::clear:
            object.number("slot", std::uint64_t{record.ref});
            break;
        case Kind::instruction:
            object.number("pc", record.value);
            append_instruction(batch, batch.instruction(record), object);
            break;
        case Kind::note:
            append_json_text(batch.text(record), object.known_member("text"));
            break;
        case Kind::native:
            append_json_digits(batch.bytes(record), object.known_member("bytes"));
            break;
        case Kind::interval:
            object.number("duration", record.value);
            if (record.count != 0)
                append_attributes(record.track, batch.attributes(record), object.known_member("attributes"));
            break;
        case Kind::change: {
            const bool has_value = (record.flags & record_no_value) == 0;
            if (!has_value) object.flag("no_value");
            if (has_value || record.count != 0)
                append_attributes(record.track, batch.attributes(record), object.known_member("values"));
            if (record.value != change_unmarked) object.number("mark", record.value);
            break;
        }
    }
    end(object);
}

}  // namespace hwtrace
