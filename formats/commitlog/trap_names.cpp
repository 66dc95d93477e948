#include "trap_names.hpp"

#include <algorithm>
#include <span>

#include "domain/traps.hpp"
#include "io/number_text.hpp"

namespace hwtrace::commitlog {

namespace {

struct NamedCause {
    std::string_view name;
    std::uint64_t cause;
};

constexpr NamedCause spike_causes[] = {
    {"instruction_address_misaligned", 0},
    {"instruction_access_fault", 1},
    {"illegal_instruction", 2},
    {"breakpoint", 3},
    {"load_address_misaligned", 4},
    {"load_access_fault", 5},
    {"store_address_misaligned", 6},
    {"store_access_fault", 7},
    {"user_ecall", 8},
    {"supervisor_ecall", 9},
    {"hypervisor_ecall", 10},
    {"virtual_supervisor_ecall", 10},
    {"machine_ecall", 11},
    {"instruction_page_fault", 12},
    {"load_page_fault", 13},
    {"store_page_fault", 15},
    {"double_trap", 16},
    {"software_check", 18},
    {"hardware_error", 19},
    {"instruction_guest_page_fault", 20},
    {"load_guest_page_fault", 21},
    {"virtual_instruction", 22},
    {"store_guest_page_fault", 23},
};

constexpr NamedCause cva6_causes[] = {
    {"INSTR_ADDR_MISALIGNED", 0}, {"INSTR_ACCESS_FAULT", 1}, {"ILLEGAL_INSTR", 2},      {"BREAKPOINT", 3},
    {"LD_ADDR_MISALIGNED", 4},    {"LD_ACCESS_FAULT", 5},    {"ST_ADDR_MISALIGNED", 6}, {"ST_ACCESS_FAULT", 7},
    {"ENV_CALL_UMODE", 8},        {"ENV_CALL_SMODE", 9},     {"ENV_CALL_MMODE", 11},    {"INSTR_PAGE_FAULT", 12},
    {"LOAD_PAGE_FAULT", 13},      {"STORE_PAGE_FAULT", 15},
};

constexpr NamedCause sail_causes[] = {
    {"misaligned-fetch", 0},
    {"fetch-access-fault", 1},
    {"illegal-instruction", 2},
    {"breakpoint", 3},
    {"misaligned-load", 4},
    {"load-access-fault", 5},
    {"misaligned-store/amo", 6},
    {"misaliged-store/amo", 6},  // the model's spelling up to 2024
    {"store/amo-access-fault", 7},
    {"u-call", 8},
    {"s-call", 9},
    {"m-call", 11},
    {"fetch-page-fault", 12},
    {"load-page-fault", 13},
    {"store/amo-page-fault", 15},
};

std::optional<std::uint64_t> find(std::span<const NamedCause> causes, std::string_view name) noexcept {
    const auto found = std::ranges::find(causes, name, &NamedCause::name);
    return found == causes.end() ? std::nullopt : std::optional(found->cause);
}

/// Takes `prefix` and returns the cause behind it, which is at most 63.
std::optional<std::uint64_t> numbered(std::string_view name, std::string_view prefix, int base = 10) noexcept {
    if (!name.starts_with(prefix)) return std::nullopt;
    const auto number = parse_digits(name.substr(prefix.size()), base);
    return number && *number < 64 ? number : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> trap_of_spike(std::string_view name) noexcept {
    if (const auto number = numbered(name, "interrupt #")) return *number | traps::interrupt_bit;
    if (const auto number = numbered(name, "trap #")) return number;
    return name.starts_with("trap_") ? find(spike_causes, name.substr(5)) : std::nullopt;
}

std::optional<std::uint64_t> trap_of_cva6(std::string_view name) noexcept {
    return find(cva6_causes, name);
}

std::optional<std::uint64_t> trap_of_sail(std::string_view name) noexcept {
    if (const auto number = numbered(name, "0x", 16)) return number;
    return find(sail_causes, name);
}

}  // namespace hwtrace::commitlog
