// domain/interval_names.hpp - finds the attribute that names an interval, such as the API call or the bus command.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "domain/conventions.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Returns the index of the field that names the intervals of a track, or `none`.
inline std::uint32_t name_field_of(const Track& track) noexcept {
    constexpr std::array<std::string_view, 4> usual{conventions::event_name, conventions::label, "_name", "command"};
    for (const std::string_view name : usual)
        for (std::uint32_t i = 0; i < track.fields.size(); ++i) {
            const Field& field = track.fields[i];
            const bool is_text =
                (holds_text(field.type) && field.type != Type::blob) || field.type == Type::enumeration;
            const bool is_named = name.front() == '_' ? field.name.ends_with(name) : field.name == name;
            if (is_text && is_named) return i;
        }
    return none;
}

}  // namespace hwtrace
