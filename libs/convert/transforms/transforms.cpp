#include <array>

#include "convert/transform.hpp"

namespace hwtrace {

std::span<const Transform> raisings() noexcept {
    static constexpr std::array<Transform, 9> all{
        transforms::raise_rows,         transforms::raise_instructions, transforms::raise_retired_instructions,
        transforms::raise_intervals,    transforms::raise_names,        transforms::raise_value_tables,
        transforms::raise_held_values,
        transforms::raise_rows,  // rows that signals or intervals held
        transforms::raise_transactions,
    };
    return all;
}

std::span<const Transform> lowerings() noexcept {
    static constexpr std::array<Transform, 8> all{
        transforms::lower_instructions, transforms::make_value_rows,    transforms::make_value_tables,
        transforms::hold_values,        transforms::make_active_tables, transforms::make_rows,
        transforms::make_intervals,     transforms::give_picoseconds,
    };
    return all;
}

}  // namespace hwtrace
