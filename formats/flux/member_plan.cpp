#include "member_plan.hpp"

#include <algorithm>

#include "domain/conventions.hpp"
#include "field_types.hpp"
#include "io/number_text.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::string_view hexadecimal_descriptor = "default<df=Hex>";
constexpr std::size_t deepest_member = 1024;  ///< enclosing members of a field

/// Returns where the name of a member begins in its path. The name is the label, perhaps followed by "#" and the
/// member's number, once or several times.
std::size_t name_in_path(const MemberFact& fact, std::uint64_t number) {
    std::string_view path = fact.path;
    const std::size_t last = path.rfind('.') + 1;  // 0 if there is no dot
    if (!fact.label) return last;
    const std::string suffix = '#' + std::to_string(number);
    for (;; path.remove_suffix(suffix.size())) {
        const std::size_t begin = path.size() - std::min(path.size(), fact.label->size());
        if (path.substr(begin) == *fact.label && (begin == 0 || path[begin - 1] == '.')) return begin;
        if (!path.ends_with(suffix)) return last;
    }
}

/// Restores the parent and the label of the item's last member from its path. An undefined parent has its number in
/// the path: "11.size".
void find_parent(const MemberFact& fact, ItemPlan& item, const Members& members) {
    MemberPlan& member = item.members.back();
    const std::size_t name = name_in_path(fact, fact.number.value_or(member.number));
    if (name == 0) return;
    const std::string outer = fact.path.substr(0, name - 1);
    if (const auto found = members.by_path.find(outer); found != members.by_path.end()) {
        const MemberPlan& parent = item.members[found->second];
        if (static_cast<MemberType>(parent.type & member_type_mask) != MemberType::structure) return;
        member.parent = parent.number + 1;
    } else if (const auto number = parse_decimal<std::uint64_t>(outer.substr(outer.rfind('.') + 1))) {
        member.parent = *number + 1;
    } else {
        return;
    }
    member.label = fact.path.substr(name);
}

}  // namespace

void plan_members(const Track& track, ItemPlan& item, Members& members) {
    for (const Field& field : track.fields) {
        if (members.by_path.contains(field.name) || members.indexes.contains(field.name)) continue;
        if (members.are_known && (bare_number(field) || !name_of_empty(field).empty())) continue;
        members.by_path[field.name] = item.members.size();
        const bool hexadecimal = as_of(field) == As::natural && conventions::is_hexadecimal(field.name);
        MemberPlan& member = item.members.emplace_back();
        member.number = members.take();
        members.by_number.emplace(member.number, members.by_path[field.name]);
        member.type = static_cast<std::uint8_t>(member_type_of(field));
        member.label = field.name;
        if (hexadecimal) member.display.descriptor = hexadecimal_descriptor;
    }
}

void plan_known_members(const std::vector<Field>& fields, const ItemFacts& facts, ItemPlan& item, Members& members) {
    members.are_known = true;
    HashSet<std::string> paths;  // fields with other numeric names are members without a definition
    for (const MemberFact& fact : facts.members)
        paths.insert(fact.path);
    for (const MemberFact& fact : facts.indexes) {  // members defined before the item became a struct
        paths.insert(*fact.label);
        members.indexes.emplace(*fact.label, *fact.number);
    }
    for (const Field& field : fields)
        if (const auto number = bare_number(field); number && !paths.contains(field.name))
            members.numbers.insert(*number);
    for (const MemberFact& fact : facts.members) {
        MemberPlan& member = item.members.emplace_back();
        member.number = members.take(fact.number);
        if (fact.number && member.number != *fact.number) members.renumbered.push_back(fact.path);
        member.type = fact.type;
        member.display = fact.display;
        member.label = member.path = fact.path;
        find_parent(fact, item, members);
        if (fact.label) member.label = *fact.label;
        members.by_number.emplace(member.number, item.members.size() - 1);
        members.by_path.emplace(fact.path, item.members.size() - 1);
    }
}

void plan_member_field(const Field& field, const ItemPlan& item, const Members& members, FieldPlan& use) {
    use.type = member_type_of(field);
    const auto found = members.by_path.find(field.name);
    if (found == members.by_path.end()) {
        const auto index = members.indexes.find(field.name);
        if (index != members.indexes.end()) {
            use.member = index->second;
            return;
        }
        use.member = bare_number(field).value_or(0);
        return;
    }
    const MemberPlan* member = &item.members[found->second];
    use.member = member->number;
    const auto stated = static_cast<MemberType>(member->type & member_type_mask);
    const bool is_enum = stated == MemberType::enumeration || stated == MemberType::own_enumeration ||
                         stated == MemberType::merge_enumeration || stated == MemberType::enumeration_array;
    if (is_enum && (use.as == As::natural || use.as == As::event || use.as == As::bytes)) {
        use.type = stated;
        if (use.as == As::natural) use.as = As::event;
    }
    if (stated == MemberType::integer && use.as == As::bytes) use.type = stated;
    use.modifiers = static_cast<std::uint8_t>(member->type & ~member_type_mask);
    while (member->parent != 0 && use.in.size() < deepest_member) {
        use.in.push_back(member->parent - 1);
        const auto outer = members.by_number.find(member->parent - 1);
        if (outer == members.by_number.end()) break;
        member = &item.members[outer->second];
    }
    std::ranges::reverse(use.in);
}

void plan_empty_member(const Field& field, const ItemPlan& item, const Members& members, FieldPlan& use) {
    const std::string name(name_of_empty(field));
    const auto same = members.arrays.find(name);
    Field elements = same != members.arrays.end() ? *same->second : Field{name, Type::i64};
    elements.repeated = true;
    use.as = as_of(elements);
    plan_member_field(elements, item, members, use);
    use.is_empty = true;
    const auto found = members.by_path.find(name);
    if (found == members.by_path.end()) return;
    const auto stated = static_cast<MemberType>(item.members[found->second].type & member_type_mask);
    if (stated >= MemberType::structure) use.type = stated;
}

}  // namespace hwtrace::flux
