#include "field_variables.hpp"

#include <algorithm>

#include "domain/real_values.hpp"
#include "domain/value_text.hpp"
#include "io/cursor.hpp"
#include "io/hex_digits.hpp"
#include "io/text_output.hpp"

namespace hwtrace::waveform {
namespace {

bool is_vector(Type type) noexcept {
    return type == Type::bits || type == Type::logic;
}
bool is_signed(const Field& field) noexcept {
    return field.width == 0 && (field.type == Type::i8 || field.type == Type::i16 || field.type == Type::i32 ||
                                field.type == Type::i64 || field.type == Type::time);
}

std::uint32_t width_of(const Field& field) noexcept {
    if (field.width != 0) return field.width;
    switch (field.type) {
        case Type::boolean:
        case Type::bits:
        case Type::logic:
            return 1;
        case Type::u8:
        case Type::i8:
            return 8;
        case Type::u16:
        case Type::i16:
            return 16;
        case Type::u32:
        case Type::i32:
            return 32;
        default:
            return 64;
    }
}

Variable::Kind kind_of(const Field& field) noexcept {
    if (field.repeated || field.type == Type::enumeration) return Variable::Kind::text;
    if (is_real(field.type)) return Variable::Kind::real;
    if (holds_text(field.type) && !is_vector(field.type)) return Variable::Kind::text;
    return is_signed(field) ? Variable::Kind::integer : Variable::Kind::bits;
}

std::uint64_t low_bits(std::uint64_t cell, std::uint32_t width) noexcept {
    return width >= 64 ? cell : cell & ((std::uint64_t{1} << width) - 1);
}

/// Returns the bits of a number in a variable, which may be wider than the field.
std::uint64_t number_of(const Field& field, std::uint64_t cell, std::uint32_t width) noexcept {
    const std::uint32_t own = width_of(field);
    if (!is_signed(field) || own >= 64) return low_bits(cell, own);
    const auto extended = static_cast<std::int64_t>(cell << (64 - own)) >> (64 - own);
    return low_bits(static_cast<std::uint64_t>(extended), width);
}

}  // namespace

ScopeNo Canvas::scope(ScopeId id) {
    std::vector<ScopeId> path;  // the scopes of a broken trace may form a cycle
    for (; id < scopes_.size() && scopes_[id] == root_scope && path.size() <= scopes_.size();
         id = schema.scopes()[id].parent)
        path.push_back(id);
    ScopeNo number = id < scopes_.size() ? scopes_[id] : root_scope;
    for (std::size_t i = path.size(); i-- != 0;) {
        number = log.add_scope(number, schema.scopes()[path[i]].name);
        scopes_[path[i]] = number;
    }
    return number;
}

Variable variable_for(std::span<const Field> fields, std::string_view name) {
    Variable variable{kind_of(fields.front()), 1, std::string(name)};
    for (const Field& field : fields) {
        const Variable::Kind kind = kind_of(field);
        variable.width = std::max(variable.width, width_of(field));
        if (kind == variable.kind || (variable.kind == Variable::Kind::integer && is_vector(field.type))) continue;
        const auto is_numeric = [](Variable::Kind any) {
            return any == Variable::Kind::bits || any == Variable::Kind::integer;
        };
        variable.kind = is_numeric(kind) && is_numeric(variable.kind) ? Variable::Kind::bits : Variable::Kind::text;
    }
    return variable;
}

void ValueWriter::set(VariableNo variable, const Field& field, std::uint64_t cell) {
    switch (to_.log.kind(variable)) {
        case Variable::Kind::real:
            return to_.log.real(variable, real_of(field.type, cell));
        case Variable::Kind::text:
            return set_text(variable, field, cell);
        case Variable::Kind::bits:
        case Variable::Kind::integer:
            if (!is_vector(field.type))
                return to_.log.number(variable, number_of(field, cell, to_.log.width(variable)));
            return to_.log.states(variable, to_.schema.text(static_cast<StringId>(cell)));
        case Variable::Kind::event:
            return to_.log.happened(variable);
    }
}

void ValueWriter::append(const Field& field, std::uint64_t cell) {
    if (field.type == Type::blob) {
        append_hex_digits(as_bytes(to_.schema.text(static_cast<StringId>(cell))), text_);
    } else if (holds_text(field.type)) {
        text_ += to_.schema.text(static_cast<StringId>(cell));
    } else if (const std::string* label = to_.schema.label(field.enumeration, cell);
               field.type == Type::enumeration && label != nullptr) {
        text_ += *label;
    } else {
        TextOutput out(-1, 64);
        append_value(to_.schema, field, cell, out);
        text_ += out.text();
    }
}

void ValueWriter::set_text(VariableNo variable, const Field& field, std::uint64_t cell) {
    if (holds_text(field.type) && field.type != Type::blob)
        return to_.log.text(variable, to_.schema.text(static_cast<StringId>(cell)));
    text_.clear();
    append(field, cell);
    to_.log.text(variable, text_);
}

void ValueWriter::set_list(VariableNo variable, const Field& field, std::span<const std::uint64_t> cells) {
    text_.clear();
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i != 0) text_ += ", ";
        append(field, cells[i]);
    }
    to_.log.text(variable, text_);
}

}  // namespace hwtrace::waveform
