// domain/real_values.hpp - the numbers in cells of real types.
#pragma once

#include <bit>
#include <cstdint>

#include "model/schema.hpp"

namespace hwtrace {

/// Returns true if cells of the type hold a float, or a double.
constexpr bool is_real(Type type) noexcept {
    return type == Type::f32 || type == Type::f64 || type == Type::fixed || type == Type::ufixed;
}
/// Returns the number in a cell of a type that is_real().
inline double real_of(Type type, std::uint64_t cell) noexcept {
    return type == Type::f32 ? double{std::bit_cast<float>(static_cast<std::uint32_t>(cell))}
                             : std::bit_cast<double>(cell);
}

}  // namespace hwtrace
