// domain/riscv_operands.hpp - decodes which registers a RISC-V instruction reads and writes.
// Covers RV32 and RV64 with IMAFDQC, Zfh, Zfa, Zicsr, Zb*, Zk*, Zicond, Zacas, Zilsd, Zcb and the privileged
// instructions (The RISC-V Instruction Set Manual, Volume I, "RV32/64G Instruction Set Listings").
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "domain/riscv.hpp"
#include "model/record.hpp"

namespace hwtrace::riscv {

/// One register of an instruction.
struct Register {
    RegisterClass register_class = RegisterClass::integer;
    std::uint8_t number = 0;

    friend bool operator==(const Register&, const Register&) = default;
};

/// The integer and floating-point registers that an instruction reads and writes, in the order rs1, rs2, rs3. x0 is
/// left out, because it holds no state. So are CSRs and the implied floating-point flags. A register that is read twice
/// is listed twice.
class Operands {
public:
    static constexpr std::size_t most_sources = 5, most_destinations = 2;  // amocas.q: x, x + 1, rs1, rs2, rs2 + 1

    std::span<const Register> sources() const noexcept { return {sources_.data(), source_count_}; }
    std::span<const Register> destinations() const noexcept { return {destinations_.data(), destination_count_}; }
    /// Returns false if the registers are unknown: vector instructions, custom and reserved encodings.
    bool known() const noexcept { return known_; }

    void read(Register which) noexcept {
        if (!is_zero(which)) sources_[source_count_++] = which;
    }
    void write(Register which) noexcept {
        if (!is_zero(which)) destinations_[destination_count_++] = which;
    }
    void set_known() noexcept { known_ = true; }

private:
    static bool is_zero(Register which) noexcept {
        return which.register_class == RegisterClass::integer && which.number == 0;
    }
    std::array<Register, most_sources> sources_{};
    std::array<Register, most_destinations> destinations_{};
    std::uint8_t source_count_ = 0, destination_count_ = 0;
    bool known_ = false;
};

/// Decodes an encoding of 2 or 4 bytes. `instruction_class` is the result of decode() or class_of() for it.
Operands operands_of(std::uint64_t bits, Class instruction_class, Xlen xlen) noexcept;

}  // namespace hwtrace::riscv
