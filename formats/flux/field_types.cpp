#include "field_types.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "domain/conventions.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::string_view single_value = "value";  ///< field name of a signal that is not a struct

}  // namespace

bool is_raw(const Field& field) noexcept {
    return field.type == Type::blob && field.name.starts_with("raw.");
}

std::string_view name_of_empty(const Field& field) noexcept {
    const std::string_view name = field.name;
    const bool states = field.type == Type::boolean && name.ends_with(conventions::empty_suffix);
    return states ? name.substr(0, name.size() - conventions::empty_suffix.size()) : std::string_view();
}

As as_of(const Field& field) noexcept {
    switch (field.type) {
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
            return As::integer;
        case Type::enumeration:
            return As::event;
        case Type::f32:
            return As::single;
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            return As::real;
        case Type::text:
        case Type::label:
        case Type::bits:
            return As::text;
        case Type::logic:
            return As::states;
        case Type::blob:
            return As::bytes;
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::boolean:
        case Type::pointer:
        case Type::time:
            break;
    }
    constexpr std::uint8_t widest = 64;
    return field.width != 0 && field.width <= widest ? As::vector : As::natural;
}

SignalType type_of(const Track& track) noexcept {
    const std::vector<Field>& fields = track.fields;
    if (fields.empty()) return SignalType::structure;
    const Field& first = fields.front();
    const bool one_name = std::ranges::all_of(fields, [&](const Field& field) { return field.name == first.name; });
    if (!one_name || first.name != single_value) return SignalType::structure;
    if (!std::ranges::all_of(fields, [&](const Field& field) { return field.repeated == first.repeated; }))
        return SignalType::structure;
    const bool array = first.repeated;
    if (holds_text(first.type) && first.type != Type::logic && first.type != Type::blob)
        return array ? SignalType::text_array : SignalType::text;
    switch (first.type) {
        case Type::f32:
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            return array ? SignalType::floating_array : SignalType::floating;
        case Type::enumeration:
            return array ? SignalType::event_array : SignalType::event;
        case Type::logic:  // needs a width before the first value, otherwise becomes a text
            if (array) return SignalType::structure;
            return std::ranges::any_of(fields, &Field::width) ? SignalType::logic : SignalType::text;
        case Type::blob:
            return array ? SignalType::structure : SignalType::binary;
        default:
            if (as_of(first) == As::vector && !array) return SignalType::logic;
            return array ? SignalType::integer_array : SignalType::integer;
    }
}

MemberType member_type_of(const Field& field) noexcept {
    switch (as_of(field)) {
        case As::event:
            return field.repeated ? MemberType::enumeration_array : MemberType::own_enumeration;
        case As::single:
        case As::real:
            return field.repeated ? MemberType::floating_array : MemberType::floating;
        case As::text:
        case As::states:
            return field.repeated ? MemberType::text_array : MemberType::text;
        case As::bytes:
        case As::raw:
            return MemberType::binary;
        case As::integer:
        case As::natural:
        case As::vector:
            break;
    }
    return field.repeated ? MemberType::integer_array : MemberType::integer;
}

std::optional<std::uint64_t> bare_number(const Field& field) {
    std::uint64_t number = 0;
    const char* const last = field.name.data() + field.name.size();
    const auto [end, error] = std::from_chars(field.name.data(), last, number);
    if (error != std::errc() || end != last) return std::nullopt;
    return number;
}

}  // namespace hwtrace::flux
