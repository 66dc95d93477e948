#include "values.hpp"

#include <algorithm>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::size_t few_fields = 16;          ///< tracks with more fields are searched through an index
constexpr std::size_t text_of_an_object = 256;  ///< string bytes that count as one schema object

}  // namespace

// --- fields ---

void Values::count_object(std::uint64_t objects, std::size_t text) {
    objects_ += objects + text / text_of_an_object;
    check_limit(objects_, limits_.schema_objects, "the number of items, members and labels", "--max-schema");
}

StringId Values::text(std::span<const std::byte> bytes) {
    check_limit(bytes.size(), limits_.string, "a text", "--max-string");
    return schema_.intern(as_text(bytes));
}

EnumId Values::enum_of(Item& item, std::uint64_t owner) {
    const auto own = owner == 0 ? item.labels.end() : item.labels.find(of_member + owner - 1);
    const auto found =
        own != item.labels.end() ? own : item.labels.find(static_cast<std::uint64_t>(EnumDomain::signal));
    if (found == item.labels.end()) return none;
    Labels& labels = found->second;
    labels.used = true;
    if (labels.declared == none) {
        count_object(labels.values().size(), labels.text_size());
        Enum enumeration{item.definition.name, labels.values()};
        if (own != item.labels.end()) enumeration.name.append(".").append(name_of_owner(item, owner));
        count_object(0, enumeration.name.size());
        labels.declared = schema_.declare(std::move(enumeration));
    }
    return labels.declared;
}

std::string Values::path_of(const Item& item, const MemberDefinition& definition) const {
    std::string path = definition.label;
    std::uint64_t owner = definition.parent;
    for (std::uint64_t depth = 1; owner != 0 && depth < limits_.depth; ++depth) {
        const MemberDefinition* const outer = item.member(owner - 1);
        path.insert(0, 1, '.');
        path.insert(0, outer == nullptr ? std::to_string(owner - 1) : outer->name);
        owner = outer == nullptr ? 0 : outer->parent;
    }
    return path;
}

std::string Values::name_of_owner(const Item& item, std::uint64_t owner) const {
    if (owner == 0) return {};
    const MemberDefinition* const member = item.member(owner - 1);
    return member == nullptr ? std::to_string(owner - 1) : member->path;
}

Field Values::make_field(Item& item, std::uint64_t owner, Cell cell, bool repeated) {
    Field field;
    field.repeated = repeated;
    if (owner != 0)
        field.name = name_of_owner(item, owner);
    else if (item.definition.form == Definition::Form::part)
        field.name = std::to_string(item.definition.from) + ".." + std::to_string(item.definition.to);
    else
        field.name = "value";
    switch (cell) {
        case Cell::integer:
            field.type = Type::i64;
            return field;
        case Cell::natural:
            field.type = Type::u64;
            return field;
        case Cell::enumeration:
            field.type = Type::enumeration;
            field.enumeration = enum_of(item, owner);
            return field;
        case Cell::text:
            field.type = Type::text;
            return field;
        case Cell::single:
            field.type = Type::f32;
            return field;
        case Cell::real:
            field.type = Type::f64;
            return field;
        case Cell::vector:
            field.type = Type::u64;
            field.width = static_cast<std::uint8_t>(item.width);
            return field;
        case Cell::states:
            field.type = Type::logic;
            return field;
        case Cell::empty:
            field.name.append(conventions::empty_suffix);
            field.type = Type::boolean;
            return field;
        default:
            field.type = Type::blob;
            break;
    }
    if (cell >= Cell::raw) {
        field.name = owner == 0 ? "raw" : field.name + ".raw";
        const unsigned nibble = static_cast<unsigned>(cell) - static_cast<unsigned>(Cell::raw);
        if (owner == 0) field.name += '.' + std::to_string(nibble);
    }
    return field;
}

std::uint32_t Values::field_of(Item& item, std::uint64_t owner, Cell cell, bool repeated) {
    const std::uint64_t key = key_of(owner, cell);
    if (const std::uint32_t known = item.uses.find(key); known != none) return known;
    Field wanted = make_field(item, owner, cell, repeated);
    std::uint32_t index = find_field(item.track, wanted);
    if (index == none) {
        count_object(1, wanted.name.size());
        index = schema_.add_attribute(item.track, std::move(wanted));
    }
    item.uses.set(key, index);
    return index;
}

/// Returns the track's field that equals `wanted`, or hwtrace::none.
std::uint32_t Values::find_field(TrackId track, const Field& wanted) {
    const std::vector<Field>& fields = schema_.tracks()[track].fields;
    if (fields.size() <= few_fields) {
        const auto found = std::ranges::find(fields, wanted);
        return found == fields.end() ? none : static_cast<std::uint32_t>(found - fields.begin());
    }
    const auto name_of_field = [](const Field& field) {
        std::string name = field.name;
        name.append({'\0', static_cast<char>(field.type), static_cast<char>(field.width), field.repeated ? '1' : '0'});
        return name.append(std::to_string(field.enumeration));
    };
    auto& known = many_fields_[track];
    for (auto index = static_cast<std::uint32_t>(known.size()); index < fields.size(); ++index)
        known.emplace(name_of_field(fields[index]), index);
    const auto found = known.find(name_of_field(wanted));
    return found == known.end() ? none : found->second;
}

void Values::foretell(Item& item) {
    const auto add = [&](std::uint64_t owner, Cell cell, bool repeated = false) {
        field_of(item, owner, cell, repeated);
    };
    const auto number = [&](std::uint64_t owner) { return item.has_labels(owner) ? Cell::enumeration : Cell::natural; };
    switch (item.definition.type) {
        case SignalType::event:
            return add(0, number(0));
        case SignalType::integer:
            return add(0, Cell::integer);
        case SignalType::logic:
            return add(0, item.width <= widest_vector ? Cell::vector : Cell::states);
        case SignalType::text:
            return add(0, Cell::text);
        case SignalType::binary:
            return add(0, Cell::blob);
        case SignalType::event_array:
            return add(0, number(0), true);
        case SignalType::integer_array:
            return add(0, Cell::integer, true);
        case SignalType::text_array:
            return add(0, Cell::text, true);
        case SignalType::unknown:
        case SignalType::floating:  // the size is known only from samples
        case SignalType::floating_array:
            return;
        case SignalType::structure:
            break;
    }
    for (const MemberDefinition& member : item.members) {
        const std::uint64_t owner = member.number + 1;
        switch (static_cast<MemberType>(member.type & member_type_mask)) {
            case MemberType::text:
                add(owner, Cell::text);
                break;
            case MemberType::enumeration:
            case MemberType::own_enumeration:
            case MemberType::merge_enumeration:
                add(owner, number(owner));
                break;
            case MemberType::integer:
                add(owner, Cell::integer);
                break;
            case MemberType::binary:
                add(owner, Cell::blob);
                break;
            case MemberType::enumeration_array:
                add(owner, number(owner), true);
                break;
            case MemberType::integer_array:
                add(owner, Cell::integer, true);
                break;
            case MemberType::text_array:
                add(owner, Cell::text, true);
                break;
            case MemberType::unknown:
            case MemberType::floating:
            case MemberType::logic:
            case MemberType::structure:
            case MemberType::floating_array:
                break;
        }
    }
}

void Values::report(const Item& item, Check check, std::string expected, std::string got) {
    Finding found = entries_.finding(check);
    found.where = "item " + std::to_string(item.id);
    if (!item.definition.name.empty()) found.where += ' ' + name_text(item.definition.name);
    found.expected = std::move(expected);
    found.got = std::move(got);
    entries_.report(std::move(found));
}

}  // namespace hwtrace::flux
