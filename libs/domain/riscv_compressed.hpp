// domain/riscv_compressed.hpp - decodes compressed RISC-V encodings (Volume I, "C Standard Extension", and Zcb). Only
// for the decoder in riscv.cpp.
#pragma once

#include <cstdint>

#include "domain/riscv_kinds.hpp"

namespace hwtrace::riscv::encodings {

/// Returns the offset of c.beqz and c.bnez.
constexpr std::int32_t compressed_branch_offset(std::uint32_t bits) noexcept {
    return sign_extended(field(bits, 12, 1) << 8 | field(bits, 5, 2) << 6 | field(bits, 2, 1) << 5 |
                             field(bits, 10, 2) << 3 | field(bits, 3, 2) << 1,
                         9);
}

/// Returns the offset of c.j and c.jal.
constexpr std::int32_t compressed_jump_offset(std::uint32_t bits) noexcept {
    return sign_extended(field(bits, 12, 1) << 11 | field(bits, 8, 1) << 10 | field(bits, 9, 2) << 8 |
                             field(bits, 6, 1) << 7 | field(bits, 7, 1) << 6 | field(bits, 2, 1) << 5 |
                             field(bits, 11, 1) << 4 | field(bits, 3, 3) << 1,
                         12);
}

/// A compressed encoding: the kind, the class if it is a jump, and the destination.
struct Compressed {
    Kind kind = illegal;
    Class jump = Class::jump;
    Destination to = Destination::nothing;
    unsigned number = 0;
};

/// Returns a compressed encoding that writes an integer register.
constexpr Compressed writes_x(Kind kind, unsigned number) noexcept {
    return {kind, Class::jump, Destination::x, number};
}

/// Decodes a load or store of a byte or a halfword (Zcb).
constexpr Compressed short_access(std::uint32_t bits, unsigned lower) noexcept {
    switch (field(bits, 10, 3)) {
        case 0:
            return writes_x(load_1, lower);
        case 1:
            return writes_x(load_2, lower);
        case 2:
            return {store_1};
        case 3:
            return field(bits, 6, 1) == 0 ? Compressed{store_2} : Compressed{};
        default:
            return {};
    }
}

/// Decodes a shift, c.andi, or an operation on two registers.
constexpr Compressed arithmetic(std::uint32_t bits, bool wide, unsigned upper) noexcept {
    const Compressed nothing{};
    if (field(bits, 10, 2) != 3) {  // shifts, c.andi
        const bool shifts = field(bits, 10, 2) != 2;
        return shifts && !wide && field(bits, 12, 1) != 0 ? nothing : writes_x(integer, upper);
    }
    if (field(bits, 12, 1) == 0) return writes_x(integer, upper);  // c.sub, c.xor, c.or, c.and
    switch (field(bits, 5, 2)) {
        case 0:
        case 1:
            return wide ? writes_x(integer, upper) : nothing;  // c.subw, c.addw
        case 2:
            return writes_x(integer, upper);  // c.mul
        default:
            return field(bits, 2, 3) < (wide ? 5u : 4u) || field(bits, 2, 3) == 5 ? writes_x(integer, upper)
                                                                                  : nothing;  // c.zext, c.not
    }
}

/// Decodes c.mv, c.add, an indirect jump, or c.ebreak.
constexpr Compressed move_or_jump(std::uint32_t bits, unsigned rd, unsigned rs2) noexcept {
    if (rs2 != 0) return writes_x(integer, rd);  // c.mv, c.add
    if (field(bits, 12, 1) == 0) {
        if (rd == 0) return {};
        return {jalr, class_of_jump(0, true, rd), Destination::nothing, 0};  // c.jr
    }
    if (rd == 0) return {trap};                     // c.ebreak
    return {jalr, Class::call, Destination::x, 1};  // c.jalr
}

/// Decodes a 16-bit encoding.
constexpr Compressed compressed_of(std::uint32_t bits, Xlen xlen) noexcept {
    const bool wide = xlen == Xlen::rv64;
    const unsigned rd = field(bits, 7, 5), rs2 = field(bits, 2, 5);
    const unsigned upper = 8 + field(bits, 7, 3), lower = 8 + field(bits, 2, 3);  // registers x8 to x15
    const bool has_immediate = field(bits, 12, 1) != 0 || rs2 != 0;
    const Compressed nothing{}, branches{branch}, stores_4{store_4}, stores_8{store_8}, stores_f4{store_f4},
        stores_f8{store_f8};
    switch (field(bits, 0, 2) << 3 | field(bits, 13, 3)) {
        // quadrant 0
        case 000:
            return field(bits, 5, 8) != 0 ? writes_x(integer, lower) : nothing;  // c.addi4spn
        case 001:
            return {load_f8, Class::jump, Destination::f, lower};
        case 002:
            return writes_x(load_4, lower);
        case 003:
            return wide ? writes_x(load_8, lower) : Compressed{load_f4, Class::jump, Destination::f, lower};
        case 004:
            return short_access(bits, lower);
        case 005:
            return stores_f8;
        case 006:
            return stores_4;
        case 007:
            return wide ? stores_8 : stores_f4;
        // quadrant 1
        case 010:
            return writes_x(integer, rd);  // c.addi, c.nop
        case 011:
            if (!wide) return {jal, Class::call, Destination::x, 1};
            return rd != 0 ? writes_x(integer, rd) : nothing;  // c.addiw
        case 012:
            return writes_x(integer, rd);  // c.li
        case 013:
            if (has_immediate) return writes_x(integer, rd);                         // c.lui, c.addi16sp
            return rd < 16 && rd % 2 != 0 ? Compressed{may_be_operation} : nothing;  // c.mop
        case 014:
            return arithmetic(bits, wide, upper);
        case 015:
            return {jal, Class::jump, Destination::nothing, 0};  // c.j
        case 016:
        case 017:
            return branches;
        // quadrant 2
        case 020:
            return !wide && field(bits, 12, 1) != 0 ? nothing : writes_x(integer, rd);  // c.slli
        case 021:
            return {load_f8, Class::jump, Destination::f, rd};
        case 022:
            return rd != 0 ? writes_x(load_4, rd) : nothing;
        case 023:
            if (!wide) return {load_f4, Class::jump, Destination::f, rd};
            return rd != 0 ? writes_x(load_8, rd) : nothing;
        case 024:
            return move_or_jump(bits, rd, rs2);
        case 025:
            return stores_f8;
        case 026:
            return stores_4;
        case 027:
            return wide ? stores_8 : stores_f4;
        default:
            return nothing;
    }
}

}  // namespace hwtrace::riscv::encodings
