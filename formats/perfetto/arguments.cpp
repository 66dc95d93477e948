#include "arguments.hpp"

#include <algorithm>
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

Arguments::Form Arguments::form_of(const Field& field) {
    const NameId name = drawing_.name(field.name);
    if (field.type == Type::blob) return {name, Form::Source::bytes, Argument::Kind::text};
    if (holds_text(field.type)) return {name, Form::Source::text, Argument::Kind::text};
    if (field.type == Type::enumeration) return {name, Form::Source::label, Argument::Kind::number};
    if (field.type == Type::boolean) return {name, Form::Source::value, Argument::Kind::boolean};
    if (is_real(field.type)) return {name, Form::Source::real, Argument::Kind::real};
    return {name, Form::Source::value,
            is_address(field)       ? Argument::Kind::address
            : is_signed(field.type) ? Argument::Kind::signed_number
                                    : Argument::Kind::number};
}

std::vector<Arguments::Form>& Arguments::learn_forms(TrackId track, std::uint32_t field) {
    if (track >= forms_.size()) forms_.resize(schema_.tracks().size());
    std::vector<Form>& forms = forms_[track];
    while (forms.size() <= field)
        forms.push_back(form_of(schema_.tracks()[track].fields[forms.size()]));
    return forms;
}

void Arguments::add(TrackId track, std::span<const Attribute> attributes) {
    if (attributes.empty()) return;
    const Track& declared = schema_.tracks()[track];
    const std::vector<Form>& forms = forms_of(track, std::ranges::max(attributes, {}, &Attribute::field).field);
    for (const Attribute& attribute : attributes)
        add_value(declared, forms[attribute.field], attribute.field, attribute.value);
}

void Arguments::add_value(const Track& track, const Form& form, std::uint32_t field, std::uint64_t cell) {
    switch (form.source) {
        case Form::Source::value:
            break;
        case Form::Source::real:
            cell = std::bit_cast<std::uint64_t>(real_of(track.fields[field].type, cell));
            break;
        case Form::Source::text:
            return add_text(form.name, schema_.text(static_cast<StringId>(cell)));
        case Form::Source::bytes:
            return add_bytes(form.name, schema_.text(static_cast<StringId>(cell)));
        case Form::Source::label:
            if (const std::string* label = schema_.label(track.fields[field].enumeration, cell))
                return add_text(form.name, *label);
            break;
    }
    list_.push_back({form.name, form.kind, cell, {}});
}

void Arguments::add_bytes(NameId name, std::string_view bytes) {
    list_.push_back({name, Argument::Kind::text, 0, texts_.emplace_back(hex_of(bytes))});
}

void Arguments::add_repaired(NameId name, std::string_view text) {
    list_.push_back({name, Argument::Kind::text, 0, texts_.emplace_back(as_utf8(text))});
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
