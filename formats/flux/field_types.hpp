// formats/flux/field_types.hpp - the types of signals and members that hold the fields of any trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "item_plan.hpp"
#include "model/schema.hpp"

namespace hwtrace::flux {

/// Returns true if a field of a flux source holds the bytes of values that do not fit their signal.
bool is_raw(const Field& field) noexcept;
/// Returns the name of the member whose emptiness a field of a flux source states; an empty string for other fields.
std::string_view name_of_empty(const Field& field) noexcept;
/// Returns a field's name as a member number if it is a decimal number, otherwise nullopt. Fields of undefined
/// members are named by number.
std::optional<std::uint64_t> bare_number(const Field& field);

/// Returns how a field is stored. Considers only its type.
As as_of(const Field& field) noexcept;
/// Returns the signal type of a track. Considers only its fields.
SignalType type_of(const Track& track) noexcept;
/// Returns the type of a struct member that holds a field. Considers only the field.
MemberType member_type_of(const Field& field) noexcept;

}  // namespace hwtrace::flux
