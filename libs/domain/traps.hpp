// domain/traps.hpp - the ids of trap events: RISC-V causes, and the additional id for mode changes.
#pragma once

#include <cstdint>
#include <string_view>

namespace hwtrace::traps {

// Ids have a wide form of 64 bits and a narrow form of 32 bits. In both forms, the two highest bits mark interrupts and
// special ids.
inline constexpr std::uint64_t interrupt_bit = std::uint64_t{1} << 63;
inline constexpr std::uint64_t special_bit = std::uint64_t{1} << 62;
inline constexpr std::uint64_t mode_change_id = special_bit;
inline constexpr std::uint64_t first_system_call = 8, last_system_call = 11;  // USER_ECALL, MACHINE_ECALL

/// Returns the wide form of an id that is stored in 64 or 32 bits.
constexpr std::uint64_t wide_id(std::uint64_t id, bool stored_wide) noexcept {
    return stored_wide ? id : (id & 0x3FFF'FFFF) | (id & 0xC000'0000) << 32;
}

enum class Kind : std::uint8_t { fault, interrupt, system_call, mode_change };
/// Returns the kind of an id in its wide form: `fault` if it is none of the other kinds.
constexpr Kind kind_of(std::uint64_t id) noexcept {
    if (id == mode_change_id) return Kind::mode_change;
    if ((id & interrupt_bit) != 0) return Kind::interrupt;
    return id >= first_system_call && id <= last_system_call ? Kind::system_call : Kind::fault;
}

/// The parts of a name: `stem`, followed by `number` in decimal if `numbered` is set. Examples: LOAD_PAGE_FAULT,
/// INT_PLATFORM_4.
struct Name {
    std::string_view stem;
    bool numbered = false;
    std::uint64_t number = 0;
};
/// Returns the name of an id in its wide form, as the STF tools spell it. The stem is empty if the id has no name.
Name name_of(std::uint64_t id) noexcept;

/// The value of a MODE_CHANGE event that switches to user mode.
inline constexpr std::uint64_t user_mode = 0;

}  // namespace hwtrace::traps
