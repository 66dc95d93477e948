#include "model/record.hpp"

namespace hwtrace {

std::string_view name_of(Kind kind) noexcept {
    switch (kind) {
        case Kind::event:
            return "event";
        case Kind::set:
            return "set";
        case Kind::clear:
            return "clear";
        case Kind::add:
            return "add";
        case Kind::change:
            return "change";
        case Kind::interval:
            return "interval";
        case Kind::relation:
            return "relation";
        case Kind::instruction:
            return "instruction";
        case Kind::note:
            return "note";
        case Kind::native:
            return "native";
    }
    return "?";
}

std::string_view name_of(RegisterClass register_class) noexcept {
    switch (register_class) {
        case RegisterClass::integer:
            return "x";
        case RegisterClass::floating:
            return "f";
        case RegisterClass::vector:
            return "v";
        case RegisterClass::csr:
            return "csr";
    }
    return "?";
}

std::string_view name_of(OperandRole role) noexcept {
    switch (role) {
        case OperandRole::state:
            return "state";
        case OperandRole::source:
            return "source";
        case OperandRole::destination:
            return "destination";
    }
    return "?";
}

std::string_view name_of(AccessType type) noexcept {
    switch (type) {
        case AccessType::invalid:
            return "invalid";
        case AccessType::read:
            return "read";
        case AccessType::write:
            return "write";
    }
    return "?";
}

void Batch::clear() noexcept {
    records_.clear();
    cells_.clear();
    bytes_.clear();
    attributes_.clear();
    instructions_.clear();
    operands_.clear();
    accesses_.clear();
    operands_done_ = 0;
    accesses_done_ = 0;
    lost_positions_ = 0;
}

std::string_view Batch::text(const Record& note) const noexcept {
    const std::span<const std::byte> text = bytes(note);
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

std::span<const Part> Batch::order(const Instruction& i) const noexcept {
    static_assert(sizeof(Part) == 1);
    const std::span<const std::byte> codes = bytes(i.order);
    return {reinterpret_cast<const Part*>(codes.data()), codes.size()};
}

void Batch::drop_open_parts() noexcept {
    operands_.shrink_to(operands_done_);
    accesses_.shrink_to(accesses_done_);
}

void Batch::set_order(Instruction& instruction, std::span<const Part> order) {
    instruction.order = append_bytes(order.data(), order.size());
}

Record& Batch::copy(const Batch& from, const Record& record, TrackId track) {
    const std::uint8_t flags = record.flags;
    Record* copied = nullptr;
    switch (record.kind) {
        case Kind::event:
            copied = &event(track, record.time, from.cells(record));
            break;
        case Kind::relation:
            copied = &relation(track, record.time, from.cells(record));
            break;
        case Kind::note:
            copied = &note(track, record.time, from.text(record));
            break;
        case Kind::native:
            copied = &native(track, record.time, from.bytes(record));
            break;
        case Kind::instruction: {
            const Instruction& source = from.instruction(record);
            for (const Operand& o : from.operands(source)) {
                if (o.register_class == RegisterClass::vector)
                    vector_operand(o.number, o.role, from.cells(o.words));
                else
                    operand(o.number, o.register_class, o.role, o.value);
            }
            for (const Access& a : from.accesses(source)) {
                access(a.address, a.size, a.attributes, a.type);
                for (const std::uint64_t word : from.cells(a.data))
                    access_data(word);
            }
            Instruction& target = instruction(track, record.time, record.value);
            target.encoding = source.encoding;
            target.target = source.target;
            target.has_target = source.has_target;
            target.size = source.size;
            if (source.order.count != 0) set_order(target, from.order(source));
            copied = &records_.back();
            copied->count = record.count;
            break;
        }
        case Kind::interval:
            copied = &interval(track, record.time, record.value, from.attributes(record));
            break;
        case Kind::change:
            copied = &change(track, record.time, from.attributes(record), record.value);
            break;
        case Kind::set:
        case Kind::clear:
        case Kind::add:
            copied = &push(record.kind, track, record.time, record.ref, record.count, record.value, record.field);
            break;
    }
    copied->flags = flags;
    copied->value = record.value;
    return *copied;
}

}  // namespace hwtrace
