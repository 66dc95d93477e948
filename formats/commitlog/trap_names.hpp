// formats/commitlog/trap_names.hpp - the names that simulators print for exceptions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hwtrace::commitlog {

/// Returns the id (domain/traps.hpp) of a trap that Spike names: "trap_illegal_instruction", "trap #24",
/// "interrupt #7".
std::optional<std::uint64_t> trap_of_spike(std::string_view name) noexcept;
/// Returns the cause of an exception that CVA6 names, such as "ILLEGAL_INSTR".
std::optional<std::uint64_t> trap_of_cva6(std::string_view name) noexcept;
/// Returns the cause of an exception that the Sail model names, such as "illegal-instruction".
std::optional<std::uint64_t> trap_of_sail(std::string_view name) noexcept;

/// Returns true for a trap of an instruction that could not be fetched.
constexpr bool is_fetch_fault(std::uint64_t id) noexcept {
    return id == 1 || id == 12 || id == 20;
}

}  // namespace hwtrace::commitlog
