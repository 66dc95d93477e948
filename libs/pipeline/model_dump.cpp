#include "pipeline/model_dump.hpp"

#include <vector>

#include "codec/value_text.hpp"
#include "model/conventions.hpp"

namespace hwtrace {

namespace {

void put_fields(const std::vector<Field>& fields, TextOutput& out) {
    bool first = true;
    for (const Field& field : fields) {
        if (!first) out.put(',');
        first = false;
        out.put(field.name);
        out.put(':');
        out.put(name_of(field.type));
        if (field.enumeration != none) {
            out.put('(');
            out.decimal(field.enumeration);
            out.put(')');
        }
        if (field.repeated) out.put("[]");
        if (field.role != 0) {
            out.put(field.role == 1 ? " head " : field.role == 2 ? " tail " : " role ");
            out.decimal(field.role);
            out.put('/');
            out.decimal(field.pair);
        }
    }
}

void put_time_base(const TimeBase& base, TextOutput& out) {
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

void put_track(TrackId id, const Track& track, TextOutput& out) {
    out.put("track ");
    out.decimal(id);
    out.put(' ');
    out.put(name_of(track.kind));
    out.put(' ');
    put_quoted(track.name, out);
    if (track.scope != none) {
        out.put(" scope=");
        out.decimal(track.scope);
    }
    out.put(" time=");
    put_time_base(track.time, out);
    if (track.kind == Track::Kind::storage) {
        out.put(" slots=");
        out.decimal(track.slots);
        if (track.sparse) out.put(" sparse");
        if (track.buffer) out.put(" buffer");
    }
    if (!track.fields.empty()) {
        out.put(" fields=");
        put_fields(track.fields, out);
    }
    if (!track.properties.empty()) {
        out.put(" properties=");
        put_fields(track.properties, out);
    }
    out.put('\n');
}

void put_words(std::span<const std::uint64_t> words, TextOutput& out) {
    out.put('[');
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i != 0) out.put(' ');
        put_hex(words[i], out);
    }
    out.put(']');
}

void put_event(const Schema& schema, const Track& track, std::span<const std::uint64_t> cells, TextOutput& out) {
    const std::size_t fixed = track.fixed_fields();
    const std::size_t width = track.fields.size() - fixed;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t number = i < fixed ? i : fixed + (width == 0 ? 0 : (i - fixed) % width);
        if (number >= track.fields.size()) return;
        const Field& field = track.fields[number];
        out.put(' ');
        out.put(field.name);
        if (i >= fixed && width != 0) {
            out.put('[');
            out.decimal((i - fixed) / width);
            out.put(']');
        }
        out.put('=');
        put_value(schema, field, cells[i], out);
    }
}

void put_instruction(const Batch& batch, const Record& record, TextOutput& out) {
    const Instruction& instruction = batch.instruction(record);
    out.put(" pc=");
    put_hex(record.value, out);
    out.put(" encoding=");
    put_hex(instruction.encoding, out);
    out.put(" size=");
    out.decimal(instruction.size);
    if (instruction.has_target) {
        out.put(" target=");
        put_hex(instruction.target, out);
    }
    for (const Operand& operand : batch.operands(instruction)) {
        out.put(' ');
        out.put(name_of(operand.role));
        out.put(':');
        out.put(name_of(operand.register_class));
        out.decimal(operand.number);
        out.put('=');
        if (operand.register_class == RegisterClass::vector)
            put_words(batch.cells(operand.words), out);
        else
            put_hex(operand.value, out);
    }
    for (const Access& access : batch.accesses(instruction)) {
        out.put(' ');
        out.put(name_of(access.type));
        out.put(':');
        put_hex(access.address, out);
        out.put(" size=");
        out.decimal(access.size);
        if (access.attributes != 0) {
            out.put(" attributes=");
            put_hex(access.attributes, out);
        }
        out.put(" data=");
        put_words(batch.cells(access.data), out);
    }
    if (instruction.order.count != 0) {
        out.put(" order=");
        for (const Part part : batch.order(instruction))
            out.put(conventions::part_letters[static_cast<std::size_t>(part)]);
    }
}

void put_slot(const Track& track, const Record& record, TextOutput& out) {
    const bool property = (record.flags & record_property) != 0;
    const std::vector<Field>& fields = property ? track.properties : track.fields;
    if (!property) {
        out.put('[');
        out.decimal(record.ref);
        out.put(']');
    }
    if (record.kind == Kind::clear) return;
    out.put('.');
    if (record.field < fields.size())
        out.put(fields[record.field].name);
    else
        out.decimal(record.field);
    out.put(record.kind == Kind::add ? "+=" : "=");
}

}  // namespace

void dump_schema(const Schema& schema, TextOutput& out) {
    for (std::size_t id = 0; id < schema.clocks().size(); ++id) {
        out.put("clock ");
        out.decimal(id);
        out.put(' ');
        put_quoted(schema.clocks()[id].name, out);
        out.put(" period_ps=");
        out.decimal(schema.clocks()[id].period_ps);
        out.put('\n');
    }
    for (std::size_t id = 0; id < schema.scopes().size(); ++id) {
        const Scope& scope = schema.scopes()[id];
        out.put("scope ");
        out.decimal(id);
        out.put(' ');
        put_quoted(scope.name, out);
        if (scope.parent != none) {
            out.put(" parent=");
            out.decimal(scope.parent);
        }
        if (!scope.protocol.empty()) {
            out.put(" protocol=");
            put_quoted(scope.protocol, out);
        }
        if (scope.clock != none) {
            out.put(" clock=");
            out.decimal(scope.clock);
        }
        out.put('\n');
    }
    for (std::size_t id = 0; id < schema.enums().size(); ++id) {
        out.put("enum ");
        out.decimal(id);
        out.put(' ');
        put_quoted(schema.enums()[id].name, out);
        for (const EnumValue& value : schema.enums()[id].values) {
            out.put(' ');
            out.decimal(value.value);
            out.put('=');
            put_quoted(value.name, out);
        }
        out.put('\n');
    }
    for (TrackId id = 0; id < schema.tracks().size(); ++id)
        put_track(id, schema.tracks()[id], out);
    for (const Metadata& entry : schema.metadata()) {
        out.put("metadata ");
        put_quoted(entry.key, out);
        out.put(" = ");
        put_quoted(entry.value, out);
        out.put('\n');
    }
}

void dump_records(const Schema& schema, const Batch& batch, TextOutput& out) {
    for (const Record& record : batch.records()) {
        const Track& track = schema.tracks()[record.track];
        out.decimal_signed(record.time);
        out.put((record.flags & record_first_of_frame) != 0 ? " * " : " ");
        out.put(name_of(record.kind));
        out.put(' ');
        if (track.scope != none) {
            out.put(schema.scopes()[track.scope].name);
            out.put('/');
        }
        out.put(track.name);
        switch (record.kind) {
            case Kind::event:
                put_event(schema, track, batch.cells(record), out);
                break;
            case Kind::set:
            case Kind::add: {
                put_slot(track, record, out);
                const bool property = (record.flags & record_property) != 0;
                const std::vector<Field>& fields = property ? track.properties : track.fields;
                if (record.field < fields.size())
                    put_value(schema, fields[record.field], record.value, out);
                else
                    out.decimal(record.value);
                break;
            }
            case Kind::clear:
                put_slot(track, record, out);
                break;
            case Kind::instruction:
                put_instruction(batch, record, out);
                break;
            case Kind::note:
                out.put(' ');
                put_quoted(batch.text(record), out);
                break;
            case Kind::native:
                out.put(' ');
                for (const std::byte byte : batch.bytes(record))
                    out.hex(static_cast<std::uint64_t>(byte), 2);
                break;
            case Kind::interval:
                out.put(" duration=");
                out.decimal(record.value);
                for (const Attribute& attribute : batch.attributes(record)) {
                    const Field& field = track.fields.at(attribute.field);
                    out.put(' ');
                    out.put(field.name);
                    out.put('=');
                    put_value(schema, field, attribute.value, out);
                }
                break;
            case Kind::change:
            case Kind::relation:
                out.put(" ref=");
                out.decimal(record.ref);
                out.put(" value=");
                put_hex(record.value, out);
                break;
        }
        out.put('\n');
    }
}

void dump_model(Reader& reader, TextOutput& out, const ProgressListener& progress) {
    Batch batch;
    bool more = reader.read(batch);
    dump_schema(reader.schema(), out);
    while (more) {
        dump_records(reader.schema(), batch, out);
        if (progress) progress(reader.position());
        batch.clear();
        more = reader.read(batch);
    }
}

}  // namespace hwtrace
