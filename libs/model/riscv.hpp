// model/riscv.hpp - what a RISC-V encoding is, as far as traces need to know: its class, the memory it touches, where
// it goes. RV32 and RV64 with the ratified extensions up to RVA23, compressed ones included (The RISC-V Instruction Set
// Manual, Volume I, "RV32/64G Instruction Set Listings" and "C Standard Extension").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/record.hpp"

namespace hwtrace::riscv {

enum class Xlen : std::uint8_t { rv32, rv64 };

enum class Class : std::uint8_t {
    illegal,   ///< reserved, or longer than 32 bits
    custom,    ///< in an opcode that is free for extensions of others: it may do anything
    integer,   ///< computes on integer registers; hints are no more than that
    load,      ///< into an integer or floating-point register
    store,     ///< from one
    atomic,    ///< load-reserved, store-conditional, and everything that reads and writes in one
    branch,    ///< conditional
    jump,      ///< unconditional, no link
    call,      ///< a jump that links
    returns,   ///< a jump to a link register
    system,    ///< ecall, ebreak, returns from traps, wfi, and what only privileged software does
    fence,     ///< also operations on caches
    floating,  ///< computes on floating-point registers
    vector,    ///< computes on vector registers, or configures them
    vector_load,
    vector_store,
    csr,
};
inline constexpr std::size_t classes = static_cast<std::size_t>(Class::csr) + 1;
/// "vector-load".
std::string_view name_of(Class instruction_class) noexcept;

/// The instructions of Class::system that traces speak of.
enum class SystemCall : std::uint8_t { other, ecall, ebreak, uret, sret, mret, mnret, dret, wfi };

/// Whether executing the instruction always makes an access of that direction.
enum class Use : std::uint8_t {
    never,
    maybe,  ///< it depends: masked or empty vectors, a store-conditional that fails, cache operations
    always,
};

/// What an encoding says by itself.
struct Encoding {
    Class instruction_class = Class::illegal;
    SystemCall system = SystemCall::other;
    Use reads = Use::never, writes = Use::never;
    std::uint8_t access_size = 0;  ///< in bytes; 0: none, or it depends on the state of the machine
    bool has_destination = false;  ///< a register is written, which may be x0
    RegisterClass destination_class = RegisterClass::integer;
    std::uint8_t destination = 0;
    bool has_offset = false;  ///< the target is the pc plus `offset`
    std::int32_t offset = 0;

    /// It goes elsewhere than to the next instruction, each time or at times.
    bool transfers() const noexcept {
        return instruction_class >= Class::branch && instruction_class <= Class::returns;
    }
    /// It goes elsewhere each time.
    bool jumps() const noexcept { return instruction_class >= Class::jump && instruction_class <= Class::returns; }
    bool returns_from_trap() const noexcept { return system >= SystemCall::uret && system <= SystemCall::dret; }
};

/// Of the low `size` bytes (2 or 4) of `bits`. An encoding whose lowest bits say another size is illegal.
Encoding decode(std::uint64_t bits, unsigned size, Xlen xlen) noexcept;
/// The class alone, which takes less time.
Class class_of(std::uint64_t bits, unsigned size, Xlen xlen) noexcept;

}  // namespace hwtrace::riscv
