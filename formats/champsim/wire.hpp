// formats/champsim/wire.hpp - the records of ChampSim's traces (ChampSim, inc/trace_instruction.h).
#pragma once

#include <cstddef>
#include <cstdint>

namespace hwtrace::champsim {

/// The layout of a record: ip u64, is_branch u8, branch_taken u8, registers u8[], padding to 8 bytes, addresses u64[].
struct Layout {
    std::size_t destinations;  ///< slots for registers and for addresses that are written
    std::size_t sources;       ///< slots for registers and for addresses that are read
    std::size_t addresses_at;  ///< the offset of the addresses that are written; those that are read follow
    std::size_t size;          ///< the size of a record in bytes
    std::size_t asid_at;       ///< the offset of the two bytes of the address space; 0: there are none
};
inline constexpr std::size_t taken_at = 9, registers_at = 10;
inline constexpr Layout plain{.destinations = 2, .sources = 4, .addresses_at = 16, .size = 64, .asid_at = 0};
/// `cloudsuite_instr`, which ChampSim reads with the option --cloudsuite.
inline constexpr Layout cloudsuite{.destinations = 4, .sources = 4, .addresses_at = 24, .size = 96, .asid_at = 88};
inline constexpr std::size_t most_size = cloudsuite.size;

// Registers by which ChampSim recognises branches. 0 is no register.
inline constexpr std::uint8_t stack_pointer = 6, flags = 25, instruction_pointer = 26;

// Our numbers of RISC-V registers, apart from those. x0 is no register.
inline constexpr std::uint8_t first_integer = 32, first_floating = 64, first_vector = 96;

}  // namespace hwtrace::champsim
