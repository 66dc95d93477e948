// formats/flux/cell.hpp - the kinds of fields that hold values of signals and members.
#pragma once

#include <cstdint>

namespace hwtrace::flux {

/// The kind of values in a field.
enum class Cell : std::uint8_t {
    integer,
    natural,
    enumeration,
    text,
    blob,
    single,
    real,
    vector,  ///< logic as a number
    states,
    empty,  ///< a member that is an array or a struct without elements
    raw,    ///< bytes of unknown meaning; raw + n: bytes from samples with nibble n
    count = raw + 16,
};

/// Maximum number of states of a logic vector that is stored as a number.
inline constexpr std::uint32_t widest_vector = 64;

inline constexpr unsigned cell_bits = 5;
static_assert(static_cast<unsigned>(Cell::count) <= 1u << cell_bits);

/// Returns the key of a field in Uses. `owner` is 0 for the value of the signal, else the member's number + 1.
constexpr std::uint64_t key_of(std::uint64_t owner, Cell cell) noexcept {
    return owner << cell_bits | static_cast<std::uint64_t>(cell);
}

}  // namespace hwtrace::flux
