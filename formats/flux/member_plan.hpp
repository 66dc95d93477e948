// formats/flux/member_plan.hpp - plans the members of structs, and how fields are stored as members.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "item_plan.hpp"
#include "model/hash.hpp"
#include "model/schema.hpp"
#include "stream_facts.hpp"

namespace hwtrace::flux {

/// The members of an item while it is planned.
struct Members {
    HashMap<std::string, std::size_t> by_path;  ///< index in the item's members
    HashMap<std::uint64_t, std::size_t> by_number;
    HashMap<std::string, std::uint64_t> indexes;     ///< numbers of members that have only a label
    HashMap<std::string_view, const Field*> arrays;  ///< repeated fields by name
    HashSet<std::uint64_t> numbers;
    std::uint64_t next = 0;
    bool are_known = false;               ///< flux metadata list the members
    std::vector<std::string> renumbered;  ///< paths of members whose number belongs to another member

    /// Returns the number `stated` if it is free, otherwise the next free number.
    std::uint64_t take(std::optional<std::uint64_t> stated = std::nullopt) {
        if (stated && numbers.insert(*stated).second) {
            next = *stated;
        } else {
            while (!numbers.insert(next).second)
                ++next;
        }
        return next++;
    }
};

/// Plans the members that metadata of a flux source list. `fields` are those of the item's track.
void plan_known_members(const std::vector<Field>& fields, const ItemFacts& facts, ItemPlan& item, Members& members);
/// Plans members for the fields without metadata.
void plan_members(const Track& track, ItemPlan& item, Members& members);
/// Plans how a field is stored as a member.
void plan_member_field(const Field& field, const ItemPlan& item, const Members& members, FieldPlan& use);
/// Plans a field that states that a member has no elements. The type is the definition's or that of the elements in
/// other samples.
void plan_empty_member(const Field& field, const ItemPlan& item, const Members& members, FieldPlan& use);

}  // namespace hwtrace::flux
