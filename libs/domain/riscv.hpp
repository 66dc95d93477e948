// domain/riscv.hpp - decodes RISC-V instructions as far as traces need: class, memory accesses, control transfer.
// Covers RV32 and RV64 with the ratified extensions up to RVA23, including compressed instructions (The RISC-V
// Instruction Set Manual, Volume I, "RV32/64G Instruction Set Listings" and "C Standard Extension").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/record.hpp"

namespace hwtrace::riscv {

enum class Xlen : std::uint8_t { rv32, rv64 };

enum class Class : std::uint8_t {
    illegal,   ///< reserved, or longer than 32 bits
    custom,    ///< has an opcode reserved for custom extensions; the effect is unknown
    integer,   ///< computes on integer registers; includes hints
    load,      ///< loads an integer or floating-point register
    store,     ///< stores an integer or floating-point register
    atomic,    ///< load-reserved, store-conditional, and read-modify-write instructions
    branch,    ///< a conditional branch
    jump,      ///< an unconditional jump that does not link
    call,      ///< a jump that links
    returns,   ///< an indirect jump through a link register
    system,    ///< ecall, ebreak, trap returns, wfi, and privileged instructions
    fence,     ///< fences and cache operations
    floating,  ///< computes on floating-point registers
    vector,    ///< computes on vector registers, or configures them
    vector_load,
    vector_store,
    csr,
};
inline constexpr std::size_t classes = static_cast<std::size_t>(Class::csr) + 1;
/// Returns the name of the class, such as "vector-load".
std::string_view name_of(Class instruction_class) noexcept;

/// The instructions of Class::system that traces distinguish.
enum class SystemCall : std::uint8_t { other, ecall, ebreak, uret, sret, mret, mnret, dret, wfi };

/// States whether an instruction reads (or writes) memory.
enum class Use : std::uint8_t {
    never,
    maybe,  ///< depends on the state: masked or empty vectors, a failing store-conditional, cache operations
    always,
};

/// The properties of an encoding that do not depend on the machine's state.
struct Encoding {
    Class instruction_class = Class::illegal;
    SystemCall system = SystemCall::other;
    Use reads = Use::never, writes = Use::never;
    std::uint8_t access_size = 0;  ///< bytes per access; 0: none, or it depends on the machine's state
    bool has_destination = false;  ///< true if a register is written, which may be x0
    RegisterClass destination_class = RegisterClass::integer;
    std::uint8_t destination = 0;
    bool has_offset = false;  ///< true if the target is the pc plus `offset`
    std::int32_t offset = 0;

    /// Returns true if the instruction may transfer control.
    bool transfers() const noexcept {
        return instruction_class >= Class::branch && instruction_class <= Class::returns;
    }
    /// Returns true if the instruction always transfers control.
    bool jumps() const noexcept { return instruction_class >= Class::jump && instruction_class <= Class::returns; }
    bool returns_from_trap() const noexcept { return system >= SystemCall::uret && system <= SystemCall::dret; }
};

/// Decodes the low `size` bytes (2 or 4) of `bits`. An encoding whose lowest bits state another size is illegal.
Encoding decode(std::uint64_t bits, unsigned size, Xlen xlen) noexcept;
/// Returns only the class. Faster than decode().
Class class_of(std::uint64_t bits, unsigned size, Xlen xlen) noexcept;

}  // namespace hwtrace::riscv
