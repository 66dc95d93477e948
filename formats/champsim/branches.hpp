// formats/champsim/branches.hpp - the registers of a record, by which ChampSim classifies branches.
#pragma once

#include <array>
#include <cstdint>

#include "domain/riscv.hpp"
#include "domain/riscv_operands.hpp"
#include "wire.hpp"

namespace hwtrace::champsim {

/// The registers of a record, in slots. Counts the registers for which no slot is left.
struct Slots {
    std::array<std::uint8_t, 4> destinations{}, sources{};
    std::uint8_t destination_count = 0, source_count = 0;
    std::uint8_t lost_destinations = 0, lost_sources = 0;
    std::uint8_t lost_compared = 0;  ///< registers that a conditional branch compares, see BranchRegisters::flags
    bool is_branch = false;
    bool is_taken = false;  ///< always taken
};

/// The registers that a conditional branch reads (ChampSim pull request 372, August 2023).
enum class BranchRegisters : std::uint8_t {
    compared,  ///< the instruction pointer and the registers that the branch compares
    flags,     ///< the instruction pointer and the flags: the only form that earlier versions recognise
};

/// Returns our number of a register.
constexpr std::uint8_t number_of(riscv::Register which) noexcept {
    switch (which.register_class) {
        case RegisterClass::integer:
            return which.number == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(first_integer + which.number);
        case RegisterClass::floating:
            return static_cast<std::uint8_t>(first_floating + which.number);
        case RegisterClass::vector:
            return static_cast<std::uint8_t>(first_vector + which.number);
        case RegisterClass::csr:
            break;
    }
    return 0;
}

/// Returns the registers of an instruction. A branch gets the registers from which ChampSim concludes its type:
/// | type             | reads                          | writes |
/// | direct jump      | IP                             | IP     |
/// | indirect jump    | registers                      | IP     |
/// | conditional      | IP, and registers or flags     | IP     |
/// | direct call      | IP, SP                         | IP, SP |
/// | indirect call    | IP, SP, registers              | IP, SP |
/// | return           | SP, and registers              | IP, SP |
Slots slots_of(const riscv::Encoding& encoding, const riscv::Operands& operands, const Layout& layout,
               BranchRegisters branch_registers) noexcept;

}  // namespace hwtrace::champsim
