#include "pipeline/model_dump.hpp"

#include <bit>
#include <charconv>
#include <string>
#include <vector>

namespace hwtrace {

namespace {

/// "text" with \" \\ \n \t and \xNN for other control bytes and for bytes that are not UTF-8.
void put_quoted(std::string_view text, TextOutput& out) {
    const auto continuation = [&](std::size_t at) {
        return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
    };
    out.put('"');
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte == '"' || byte == '\\') {
            out.put('\\');
            out.put(text[at]);
        } else if (byte == '\n') {
            out.put("\\n");
        } else if (byte == '\t') {
            out.put("\\t");
        } else if (byte >= 0x20 && byte < 0x7F) {
            out.put(text[at]);
        } else {
            std::size_t length = 0;
            if (byte >= 0xC2 && byte <= 0xDF)
                length = 2;
            else if (byte >= 0xE0 && byte <= 0xEF)
                length = 3;
            else if (byte >= 0xF0 && byte <= 0xF4)
                length = 4;
            bool whole = length != 0;
            for (std::size_t i = 1; i < length; ++i)
                whole = whole && continuation(at + i);
            if (whole) {
                out.put(text.substr(at, length));
                at += length - 1;
            } else {
                out.put("\\x");
                out.hex(byte, 2);
            }
        }
    }
    out.put('"');
}

void put_hex(std::uint64_t value, TextOutput& out) {
    out.put("0x");
    out.hex(value, value == 0 ? 1 : static_cast<unsigned>((std::bit_width(value) + 3) / 4));
}

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

void put_cell(const Schema& schema, const Field* field, std::uint64_t cell, TextOutput& out) {
    const Type type = field == nullptr ? Type::u64 : field->type;
    switch (type) {
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
            out.decimal_signed(static_cast<std::int64_t>(cell));
            return;
        case Type::text:
            put_quoted(schema.text(static_cast<StringId>(cell)), out);
            return;
        case Type::u64:
        case Type::f32:
        case Type::f64:
        case Type::bits:
        case Type::logic:
        case Type::fixed:
        case Type::pointer:
            put_hex(cell, out);
            return;
        case Type::enumeration:
            if (field->enumeration < schema.enums().size())
                if (const std::string* label = schema.enums()[field->enumeration].label(cell); label != nullptr) {
                    out.put(*label);
                    return;
                }
            break;
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::boolean:
        case Type::time:
        case Type::blob:
            break;
    }
    out.decimal(cell);
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
        const Field* field = number < track.fields.size() ? &track.fields[number] : nullptr;
        out.put(' ');
        if (field != nullptr) out.put(field->name);
        if (i >= fixed && width != 0) {
            out.put('[');
            out.decimal((i - fixed) / width);
            out.put(']');
        }
        out.put('=');
        put_cell(schema, field, cells[i], out);
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
            out.put("rtoa"[static_cast<std::size_t>(part)]);
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
                const std::vector<Field>& fields =
                    (record.flags & record_property) != 0 ? track.properties : track.fields;
                put_cell(schema, record.field < fields.size() ? &fields[record.field] : nullptr, record.value, out);
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
