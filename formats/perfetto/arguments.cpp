#include "arguments.hpp"

#include <bit>

#include "domain/conventions.hpp"
#include "domain/real_values.hpp"
#include "domain/utf8.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::perfetto {
namespace {

bool is_signed(Type type) noexcept {
    return type == Type::i8 || type == Type::i16 || type == Type::i32 || type == Type::i64 || type == Type::time;
}

bool is_address(const Field& field) noexcept {
    return field.type == Type::pointer || field.width != 0 || conventions::is_hexadecimal(field.name);
}

std::string hex_of(std::string_view bytes) {
    TextOutput out(-1, 2 * bytes.size() + 1);
    append_hex_bytes(std::as_bytes(std::span(bytes)), out);
    return std::string(out.text());
}

}  // namespace

bool is_counted(const Field& field) noexcept {
    return !field.repeated && !holds_text(field.type) && field.type != Type::enumeration && !is_address(field);
}

void append_short(const Schema& schema, const Field& field, std::uint64_t cell, std::string& text) {
    if (field.type == Type::blob) {
        text += hex_of(schema.text(static_cast<StringId>(cell)));
    } else if (holds_text(field.type)) {
        const std::string_view value = schema.text(static_cast<StringId>(cell));
        text += is_utf8(value) ? std::string(value) : as_utf8(value);
    } else if (const std::string* label = schema.label(field.enumeration, cell);
               field.type == Type::enumeration && label != nullptr) {
        text += is_utf8(*label) ? *label : as_utf8(*label);
    } else {
        TextOutput out(-1, 64);
        append_value(schema, field, cell, out);
        text += out.text();
    }
}

void Arguments::add(TrackId track, std::uint32_t index, std::uint64_t cell) {
    if (track >= names_.size()) names_.resize(schema_.tracks().size());
    const std::vector<Field>& fields = schema_.tracks()[track].fields;
    std::vector<NameId>& names = names_[track];
    while (names.size() <= index)
        names.push_back(drawing_.name(fields[names.size()].name));
    const Field& field = fields[index];
    Argument argument{names[index], Argument::Kind::number, cell, {}};
    if (field.type == Type::blob) {
        argument.kind = Argument::Kind::text;
        argument.text = texts_.emplace_back(hex_of(schema_.text(static_cast<StringId>(cell))));
    } else if (holds_text(field.type)) {
        return add_text(argument.name, schema_.text(static_cast<StringId>(cell)));
    } else if (field.type == Type::enumeration) {
        if (const std::string* label = schema_.label(field.enumeration, cell)) return add_text(argument.name, *label);
    } else if (field.type == Type::boolean) {
        argument.kind = Argument::Kind::boolean;
    } else if (is_real(field.type)) {
        argument.kind = Argument::Kind::real;
        argument.bits = std::bit_cast<std::uint64_t>(real_of(field.type, cell));
    } else if (is_address(field)) {
        argument.kind = Argument::Kind::address;
    } else if (is_signed(field.type)) {
        argument.kind = Argument::Kind::signed_number;
    }
    list_.push_back(argument);
}

void Arguments::add_text(NameId name, std::string_view text) {
    if (!is_utf8(text)) text = texts_.emplace_back(as_utf8(text));
    list_.push_back({name, Argument::Kind::text, 0, text});
}

void Arguments::add_cells(TrackId track, std::span<const std::uint64_t> cells, std::size_t first) {
    const Track& declared = schema_.tracks()[track];
    const std::size_t fixed = declared.fixed_fields(), repeated = declared.fields.size() - fixed;
    for (std::size_t i = first; i < cells.size() && i < fixed; ++i)
        add(track, static_cast<std::uint32_t>(i), cells[i]);
    if (repeated == 0) return;
    for (std::size_t column = 0; column < repeated; ++column)  // the values of one field together: they are an array
        for (std::size_t i = fixed + column; i < cells.size(); i += repeated)
            add(track, static_cast<std::uint32_t>(fixed + column), cells[i]);
}

}  // namespace hwtrace::perfetto
