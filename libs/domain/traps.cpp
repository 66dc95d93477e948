#include "domain/traps.hpp"

#include <iterator>

namespace hwtrace::traps {

namespace {

constexpr std::string_view faults[] = {
    "INST_ADDR_MISALIGN",
    "INST_ADDR_FAULT",
    "ILLEGAL_INST",
    "BREAKPOINT",
    "LOAD_ADDR_MISALIGN",
    "LOAD_ACCESS_FAULT",
    "STORE_ADDR_MISALIGN",
    "STORE_ACCESS_FAULT",
    "USER_ECALL",
    "SUPERVISOR_ECALL",
    "HYPERVISOR_ECALL",
    "MACHINE_ECALL",
    "INST_PAGE_FAULT",
    "LOAD_PAGE_FAULT",
    "RESERVED_14",
    "STORE_PAGE_FAULT",
    "DOUBLE_TRAP_FAULT",
    "RESERVED_17",
    "SOFTWARE_CHECK_FAULT",
    "HARDWARE_ERROR_FAULT",
    "GUEST_INST_PAGE_FAULT",
    "GUEST_LOAD_PAGE_FAULT",
    "VIRTUAL_INST",
    "GUEST_STORE_PAGE_FAULT",
};

constexpr std::string_view interrupts[] = {
    "INT_USER_SOFTWARE", "INT_SUPERVISOR_SOFTWARE", "INT_HYPERVISOR_SOFTWARE", "INT_MACHINE_SOFTWARE",
    "INT_USER_TIMER",    "INT_SUPERVISOR_TIMER",    "INT_HYPERVISOR_TIMER",    "INT_MACHINE_TIMER",
    "INT_USER_EXT",      "INT_SUPERVISOR_EXT",      "INT_HYPERVISOR_EXT",      "INT_MACHINE_EXT",
    "INT_COPROCESSOR",   "INT_COUNTER_OVERFLOW",    "INT_RESERVED_14",         "INT_RESERVED_15",
};

}  // namespace

Name name_of(std::uint64_t id) noexcept {
    if (id == mode_change_id) return {"MODE_CHANGE"};
    if ((id & interrupt_bit) != 0) {
        const std::uint64_t number = id & ~interrupt_bit;
        if ((number & special_bit) != 0) return {};
        if (number < std::size(interrupts)) return {interrupts[number]};
        return {"INT_PLATFORM_", true, number - std::size(interrupts)};
    }
    if (id < std::size(faults)) return {faults[id]};
    if (id < 32 || (id >= 48 && id < 64)) return {"CUSTOM_FAULT_", true, id};
    if (id < 48) return {"RESERVED_", true, id};
    return {};
}

}  // namespace hwtrace::traps
