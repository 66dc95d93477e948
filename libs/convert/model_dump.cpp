#include "convert/model_dump.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "model/schema_news.hpp"

namespace hwtrace {

namespace {

void append_field(const Field& field, TextOutput& out) {
    append_name(field.name, out);
    out.put(':');
    out.put(name_of(field.type));
    if (field.enumeration != none) {
        out.put('(');
        out.decimal(field.enumeration);
        out.put(')');
    }
    if (field.repeated) out.put("[]");
    if (field.width != 0) {
        out.put(" width=");
        out.decimal(field.width);
    }
    if (field.phase != Phase::unknown) {
        out.put(' ');
        out.put(name_of(field.phase));
    }
    if (field.role != 0) {
        out.put(field.role == 1 ? " head " : field.role == 2 ? " tail " : " role ");
        out.decimal(field.role);
        out.put('/');
        out.decimal(field.pair);
    }
}

void append_fields(const std::vector<Field>& fields, TextOutput& out) {
    bool first = true;
    for (const Field& field : fields) {
        if (!first) out.put(',');
        first = false;
        append_field(field, out);
    }
}

void append_time_base(const TimeBase& base, TextOutput& out) {
    switch (base.kind) {
        case TimeBase::Kind::ordinal:
            out.put("ordinal");
            return;
        case TimeBase::Kind::seconds:
            out.put("seconds*");
            break;
        case TimeBase::Kind::cycles:
            out.put("cycles*");
            break;
    }
    out.decimal(base.num);
    out.put('/');
    out.decimal(base.den);
}

void append_native_id(std::optional<std::uint64_t> id, TextOutput& out) {
    if (!id) return;
    out.put(" id=");
    out.decimal(*id);
}

void append_track(TrackId id, const Track& track, TextOutput& out) {
    out.put("track ");
    out.decimal(id);
    out.put(' ');
    out.put(name_of(track.kind));
    out.put(' ');
    append_quoted(track.name, out);
    if (track.scope != none) {
        out.put(" scope=");
        out.decimal(track.scope);
    }
    out.put(" time=");
    append_time_base(track.time, out);
    append_native_id(track.native_id, out);
    if (track.kind == Track::Kind::storage) {
        out.put(" slots=");
        out.decimal(track.slots);
        if (track.sparse) out.put(" sparse");
        if (track.buffer) out.put(" buffer");
    }
    if (!track.fields.empty()) {
        out.put(" fields=");
        append_fields(track.fields, out);
    }
    if (!track.properties.empty()) {
        out.put(" properties=");
        append_fields(track.properties, out);
    }
    out.put('\n');
}

void append_words(std::span<const std::uint64_t> words, TextOutput& out) {
    out.put('[');
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i != 0) out.put(' ');
        append_hex(words[i], out);
    }
    out.put(']');
}

void append_event(const Schema& schema, const Track& track, std::span<const std::uint64_t> cells, TextOutput& out) {
    const std::size_t fixed = track.fixed_fields();
    const std::size_t width = track.fields.size() - fixed;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t number = i < fixed ? i : fixed + (width == 0 ? 0 : (i - fixed) % width);
        if (number >= track.fields.size()) return;
        const Field& field = track.fields[number];
        out.put(' ');
        append_name(field.name, out);
        if (i >= fixed && width != 0) {
            out.put('[');
            out.decimal((i - fixed) / width);
            out.put(']');
        }
        out.put('=');
        append_value(schema, field, cells[i], out);
    }
}

void append_instruction(const Batch& batch, const Record& record, TextOutput& out) {
    const Instruction& instruction = batch.instruction(record);
    out.put(" pc=");
    append_hex(record.value, out);
    out.put(" encoding=");
    append_hex(instruction.encoding, out);
    out.put(" size=");
    out.decimal(instruction.size);
    if (instruction.has_target) {
        out.put(" target=");
        append_hex(instruction.target, out);
    }
    for (const Operand& operand : batch.operands(instruction)) {
        out.put(' ');
        out.put(name_of(operand.role));
        out.put(':');
        out.put(name_of(operand.register_class));
        out.decimal(operand.number);
        out.put('=');
        if (operand.register_class == RegisterClass::vector)
            append_words(batch.cells(operand.words), out);
        else
            append_hex(operand.value, out);
    }
    for (const Access& access : batch.accesses(instruction)) {
        out.put(' ');
        out.put(name_of(access.type));
        out.put(':');
        append_hex(access.address, out);
        out.put(" size=");
        out.decimal(access.size);
        if (access.attributes != 0) {
            out.put(" attributes=");
            append_hex(access.attributes, out);
        }
        out.put(" data=");
        append_words(batch.cells(access.data), out);
    }
    if (instruction.order.count != 0) {
        out.put(" order=");
        for (const Part part : batch.order(instruction))
            out.put(conventions::part_letters[static_cast<std::size_t>(part)]);
    }
}

void append_slot(const Track& track, const Record& record, TextOutput& out) {
    const bool property = is_property(record);
    const std::vector<Field>& fields = property ? track.properties : track.fields;
    if (!property) {
        out.put('[');
        out.decimal(record.ref);
        out.put(']');
    }
    if (record.kind == Kind::clear) return;
    out.put('.');
    if (record.field < fields.size())
        append_name(fields[record.field].name, out);
    else
        out.decimal(record.field);
    out.put(record.kind == Kind::add ? "+=" : "=");
}

bool says_anything(const Record& change) noexcept {
    return change.count != 0 || change.value != change_unmarked || (change.flags & record_no_value) != 0;
}

/// Writes the lines of the schema.
class SchemaLines {
public:
    SchemaLines(const Schema& schema, TextOutput& out) : schema_(schema), out_(out) {}

    void clock(ClockId id) {
        out_.put("clock ");
        out_.decimal(id);
        out_.put(' ');
        append_quoted(schema_.clocks()[id].name, out_);
        out_.put(" period_ps=");
        out_.decimal(schema_.clocks()[id].period_ps);
        out_.put('\n');
    }

    void scope(ScopeId id) {
        const Scope& scope = schema_.scopes()[id];
        out_.put("scope ");
        out_.decimal(id);
        out_.put(' ');
        append_quoted(scope.name, out_);
        if (scope.parent != none) {
            out_.put(" parent=");
            out_.decimal(scope.parent);
        }
        if (!scope.protocol.empty()) {
            out_.put(" protocol=");
            append_quoted(scope.protocol, out_);
        }
        if (scope.clock != none) {
            out_.put(" clock=");
            out_.decimal(scope.clock);
        }
        append_native_id(scope.native_id, out_);
        out_.put('\n');
    }

    void enumeration(EnumId id) {
        out_.put("enum ");
        out_.decimal(id);
        out_.put(' ');
        append_quoted(schema_.enums()[id].name, out_);
        for (const EnumValue& value : schema_.enums()[id].values)
            append_label(value);
        out_.put('\n');
    }

    void label(EnumId id, std::size_t index) {
        out_.put("enum ");
        out_.decimal(id);
        out_.put(" also");
        append_label(schema_.enums()[id].values[index]);
        out_.put('\n');
    }

    void track(TrackId id) { append_track(id, schema_.tracks()[id], out_); }

    void attribute(TrackId track, std::uint32_t index) {
        out_.put("track ");
        out_.decimal(track);
        out_.put(" also fields=");
        append_field(schema_.tracks()[track].fields[index], out_);
        out_.put('\n');
    }

    void metadata(std::size_t index) {
        const Metadata& entry = schema_.metadata()[index];
        out_.put("metadata ");
        append_quoted(entry.key, out_);
        out_.put(" = ");
        append_quoted(entry.value, out_);
        out_.put('\n');
    }

private:
    void append_label(const EnumValue& value) {
        out_.put(' ');
        out_.decimal(value.value);
        out_.put('=');
        append_quoted(value.name, out_);
    }

    const Schema& schema_;
    TextOutput& out_;
};

}  // namespace

void dump_schema(const Schema& schema, TextOutput& out) {
    SchemaNews(schema).report(SchemaLines(schema, out));
}

void dump_records(const Schema& schema, const Batch& batch, TextOutput& out, CodePlaces* places) {
    for (const Record& record : batch.records()) {
        const Track& track = schema.tracks()[record.track];
        out.decimal_signed(record.time);
        out.put((record.flags & record_first_of_frame) != 0 ? " * " : " ");
        out.put(name_of(record.kind));
        out.put(' ');
        if (track.scope != none) {
            const std::string& scope = schema.scopes()[track.scope].name;
            append_name(scope, out);
            if (scope != "/") out.put('/');
        }
        append_name(track.name, out);
        switch (record.kind) {
            case Kind::event:
            case Kind::relation:
                append_event(schema, track, batch.cells(record), out);
                break;
            case Kind::set:
            case Kind::add: {
                append_slot(track, record, out);
                const bool property = is_property(record);
                const std::vector<Field>& fields = property ? track.properties : track.fields;
                if (record.field < fields.size())
                    append_value(schema, fields[record.field], record.value, out);
                else
                    out.decimal(record.value);
                break;
            }
            case Kind::clear:
                append_slot(track, record, out);
                break;
            case Kind::instruction:
                append_instruction(batch, record, out);
                if (places == nullptr) break;
                out.put(' ');
                append_place_comment(places->at(record.value), out);
                break;
            case Kind::note:
                out.put(' ');
                append_quoted(batch.text(record), out);
                break;
            case Kind::native:
                out.put(' ');
                append_hex_bytes(batch.bytes(record), out);
                break;
            case Kind::interval:
                out.put(" duration=");
                out.decimal(record.value);
                if (record.count != 0) out.put(' ');
                append_attributes(schema, track, batch.attributes(record), out);
                break;
            case Kind::change:
                if (says_anything(record)) out.put(' ');
                append_change(schema, batch, record, out);
                break;
        }
        out.put('\n');
    }
}

void dump_model(Reader& reader, TextOutput& out, const ProgressListener& progress,
                const std::shared_ptr<const Symbols>& symbols) {
    std::optional<CodePlaces> places;
    if (symbols) places.emplace(symbols);
    Batch batch;
    bool more = reader.read(batch);
    const Schema& schema = reader.schema();
    SchemaNews news(schema);
    SchemaLines lines(schema, out);
    while (more) {
        news.report(batch, lines);
        dump_records(schema, batch, out, places ? &*places : nullptr);
        if (progress) progress(reader.position());
        batch.clear();
        more = reader.read(batch);
    }
    news.report(lines);
}

void append_change(const Schema& schema, const Batch& batch, const Record& change, TextOutput& out) {
    const bool has_value = (change.flags & record_no_value) == 0;
    if (!has_value) out.put("no value");
    if (!has_value && change.count != 0) out.put(' ');
    append_attributes(schema, schema.tracks()[change.track], batch.attributes(change), out);
    if (change.value == change_unmarked) return;
    out.put(has_value && change.count == 0 ? "mark=" : " mark=");
    out.decimal(change.value);
}

void append_attributes(const Schema& schema, const Track& track, std::span<const Attribute> attributes,
                       TextOutput& out) {
    for (std::size_t i = 0; i < attributes.size(); ++i) {
        const Field& field = track.fields.at(attributes[i].field);
        if (i != 0) out.put(' ');
        append_name(field.name, out);
        out.put('=');
        append_value(schema, field, attributes[i].value, out);
    }
}

}  // namespace hwtrace
