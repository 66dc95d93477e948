// domain/riscv_listing.hpp - the kinds of 32-bit RISC-V encodings (Volume I, "RV32/64G Instruction Set Listings"). Only
// for the decoder in riscv.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "domain/riscv_kinds.hpp"

namespace hwtrace::riscv::encodings {

/// Maps the major opcode (bits 6:2), funct3 (bits 14:12) and funct7 (bits 31:25) of a 32-bit encoding to its kind.
class Listing {
public:
    constexpr Listing() {
        loads_and_stores();
        integers();
        atomics();
        floats();
        vectors();
        system();
        for (const unsigned opcode : {2u, 10u, 22u, 30u})
            all(opcode, custom);
        for (const unsigned funct3 : {0u, 1u, 4u, 5u, 6u, 7u})
            any7(24, funct3, branch);
        any7(25, 0, jalr);
        all(27, jal);
    }
    constexpr Kind operator[](std::uint32_t bits) const noexcept {
        return static_cast<Kind>(kinds_[(bits >> 2 & 0x1F) << 10 | (bits >> 12 & 7) << 7 | bits >> 25]);
    }

private:
    constexpr void one(unsigned opcode, unsigned funct3, unsigned funct7, Kind kind) {
        kinds_[opcode << 10 | funct3 << 7 | funct7] = kind;
    }
    constexpr void any7(unsigned opcode, unsigned funct3, Kind kind) {
        for (unsigned funct7 = 0; funct7 < 128; ++funct7)
            one(opcode, funct3, funct7, kind);
    }
    constexpr void all(unsigned opcode, Kind kind) {
        for (unsigned funct3 = 0; funct3 < 8; ++funct3)
            any7(opcode, funct3, kind);
    }
    constexpr void of(unsigned opcode, unsigned funct7, std::initializer_list<unsigned> funct3s, Kind kind) {
        for (const unsigned funct3 : funct3s)
            one(opcode, funct3, funct7, kind);
    }

    /// Adds an encoding whose funct3 is a rounding mode.
    constexpr void rounded(unsigned opcode, unsigned funct7, Kind kind) {
        of(opcode, funct7, {0, 1, 2, 3, 4, 7}, kind);
    }

    constexpr void loads_and_stores() {
        constexpr Kind loads[] = {load_1, load_2, load_4, load_8, load_1, load_2, load_4_64};
        for (unsigned funct3 = 0; funct3 < 7; ++funct3)
            any7(0, funct3, loads[funct3]);
        constexpr Kind stores[] = {store_1, store_2, store_4, store_8};
        for (unsigned funct3 = 0; funct3 < 4; ++funct3)
            any7(8, funct3, stores[funct3]);
        constexpr Kind float_loads[] = {vector_load, load_f2,     load_f4,     load_f8,
                                        load_f16,    vector_load, vector_load, vector_load};
        constexpr Kind float_stores[] = {vector_store, store_f2,     store_f4,     store_f8,
                                         store_f16,    vector_store, vector_store, vector_store};
        for (unsigned funct3 = 0; funct3 < 8; ++funct3) {
            any7(1, funct3, float_loads[funct3]);
            any7(9, funct3, float_stores[funct3]);
        }
    }

    constexpr void integers() {
        all(5, integer);   // AUIPC
        all(13, integer);  // LUI
        for (const unsigned funct3 : {0u, 2u, 3u, 4u, 7u})
            any7(4, funct3, integer);
        any7(4, 6, or_immediate);
        // Shifts and single-bit operations with an immediate. On RV64, bit 5 of the immediate is the lowest bit of
        // funct7.
        for (const unsigned funct7 : {0x00u, 0x08u, 0x14u, 0x18u, 0x24u, 0x30u, 0x34u})
            one(4, 1, funct7, integer);  // slli, sha and sm3, bseti, aes, bclri, clz and others, binvi
        one(4, 1, 0x18, integer_64);
        for (const unsigned funct7 : {0x00u, 0x14u, 0x20u, 0x24u, 0x30u, 0x34u})
            one(4, 5, funct7, integer);  // srli, orc.b, srai, bexti, rori, rev8 and brev8
        for (const unsigned funct7 : {0x01u, 0x15u, 0x25u, 0x35u})
            one(4, 1, funct7, integer_64);
        for (const unsigned funct7 : {0x01u, 0x21u, 0x25u, 0x31u, 0x35u})
            one(4, 5, funct7, integer_64);
        one(4, 1, 0x04, integer_32);  // zip
        one(4, 5, 0x04, integer_32);  // unzip

        any7(6, 0, integer_64);  // addiw
        for (const unsigned funct7 : {0x00u, 0x04u, 0x05u, 0x30u})
            one(6, 1, funct7, integer_64);  // slliw, slli.uw, clzw and others
        for (const unsigned funct7 : {0x00u, 0x20u, 0x30u})
            one(6, 5, funct7, integer_64);

        of(12, 0x00, {0, 1, 2, 3, 4, 5, 6, 7}, integer);
        of(12, 0x01, {0, 1, 2, 3, 4, 5, 6, 7}, integer);  // M
        of(12, 0x20, {0, 4, 5, 6, 7}, integer);           // sub, xnor, sra, orn, andn
        of(12, 0x05, {1, 2, 3, 4, 5, 6, 7}, integer);     // clmul, min, max
        of(12, 0x10, {2, 4, 6}, integer);                 // sh1add, sh2add, sh3add
        of(12, 0x14, {1, 2, 4}, integer);                 // bset, xperm4, xperm8
        of(12, 0x24, {1, 5}, integer);                    // bclr, bext
        of(12, 0x34, {1}, integer);                       // binv
        of(12, 0x30, {1, 5}, integer);                    // rol, ror
        of(12, 0x07, {5, 7}, integer);                    // czero
        of(12, 0x04, {4, 7}, integer);                    // pack, packh
        for (unsigned byte = 0; byte < 4; ++byte) {
            for (const unsigned code : {0x11u, 0x13u, 0x15u, 0x17u})
                one(12, 0, byte << 5 | code, integer_32);  // aes32
            one(12, 0, byte << 5 | 0x18, integer);         // sm4ed
            one(12, 0, byte << 5 | 0x1A, integer);         // sm4ks
        }
        for (const unsigned funct7 : {0x28u, 0x29u, 0x2Au, 0x2Bu, 0x2Eu, 0x2Fu})
            one(12, 0, funct7, integer_32);  // sha512 in halves
        for (const unsigned funct7 : {0x19u, 0x1Bu, 0x1Du, 0x1Fu, 0x3Fu})
            one(12, 0, funct7, integer_64);  // aes64

        of(14, 0x00, {0, 1, 5}, integer_64);
        of(14, 0x20, {0, 5}, integer_64);
        of(14, 0x01, {0, 4, 5, 6, 7}, integer_64);
        of(14, 0x04, {0, 4}, integer_64);  // add.uw, packw
        of(14, 0x10, {2, 4, 6}, integer_64);
        of(14, 0x30, {1, 5}, integer_64);
    }

    constexpr void atomics() {
        constexpr Kind swaps[] = {atomic_1, atomic_2, atomic_4, atomic_8};
        constexpr Kind compares[] = {compare_1, compare_2, compare_4, compare_8, compare_16};
        constexpr Kind acquires[] = {load_1, load_2, load_4, load_8};
        constexpr Kind releases[] = {store_1, store_2, store_4, store_8};
        for (unsigned order = 0; order < 4; ++order) {
            for (unsigned funct3 = 0; funct3 < 4; ++funct3) {
                for (const unsigned funct5 : {0x00u, 0x01u, 0x04u, 0x08u, 0x0Cu, 0x10u, 0x14u, 0x18u, 0x1Cu})
                    one(11, funct3, funct5 << 2 | order, swaps[funct3]);
                one(11, funct3, 0x06u << 2 | order, acquires[funct3]);
                one(11, funct3, 0x07u << 2 | order, releases[funct3]);
            }
            for (const unsigned funct3 : {2u, 3u})
                one(11, funct3, 0x09u << 2 | order, swaps[funct3]);  // ssamoswap
            for (unsigned funct3 = 0; funct3 < 5; ++funct3)
                one(11, funct3, 0x05u << 2 | order, compares[funct3]);
            one(11, 2, 0x02u << 2 | order, reserve_4);
            one(11, 3, 0x02u << 2 | order, reserve_8);
            one(11, 2, 0x03u << 2 | order, conditional_4);
            one(11, 3, 0x03u << 2 | order, conditional_8);
        }
    }

    constexpr void floats() {
        for (unsigned funct7 = 0; funct7 < 128; ++funct7)
            for (const unsigned opcode : {16u, 17u, 18u, 19u})
                rounded(opcode, funct7, floating_f);
        for (unsigned width = 0; width < 4; ++width) {
            for (const unsigned funct5 : {0x00u, 0x01u, 0x02u, 0x03u, 0x08u, 0x0Bu, 0x1Au})
                rounded(20, funct5 << 2 | width, floating_f);
            of(20, 0x04u << 2 | width, {0, 1, 2}, floating_f);        // fsgnj
            of(20, 0x05u << 2 | width, {0, 1, 2, 3}, floating_f);     // fmin, fmax, fminm, fmaxm
            of(20, 0x14u << 2 | width, {0, 1, 2, 4, 5}, floating_x);  // comparisons
            rounded(20, 0x18u << 2 | width, floating_x);              // to an integer
            of(20, 0x1Cu << 2 | width, {0, 1}, floating_x);           // fmv.x, fclass
            of(20, 0x1Eu << 2 | width, {0}, floating_f);              // fmv from x, fli
            of(20, 0x16u << 2 | width, {0}, floating_f);              // fmvp
        }
    }

    constexpr void vectors() {
        for (unsigned funct3 = 0; funct3 < 7; ++funct3)
            any7(21, funct3, vector_v);
        any7(21, 7, vector_x);  // vset
        for (const unsigned masked : {0u, 1u}) {
            one(21, 2, 0x20 | masked, vector_x);  // vmv.x.s, vcpop, vfirst
            one(21, 1, 0x20 | masked, vector_f);  // vfmv.f.s
        }
        any7(29, 2, vector_v);  // vector cryptography
    }

    constexpr void system() {
        any7(3, 0, fence);
        any7(3, 1, fence);
        any7(3, 2, cache);
        any7(28, 0, trap);
        for (const unsigned funct3 : {1u, 2u, 3u, 5u, 6u, 7u})
            any7(28, funct3, csr);
        constexpr Kind loads[] = {load_1, load_2, load_4, load_8}, stores[] = {store_1, store_2, store_4, store_8};
        for (unsigned size = 0; size < 4; ++size) {
            one(28, 4, 0x30 + 2 * size, loads[size]);   // hlv
            one(28, 4, 0x31 + 2 * size, stores[size]);  // hsv
        }
        for (unsigned funct7 = 0; funct7 < 128; ++funct7)
            if ((funct7 & 0x58) == 0x40) one(28, 4, funct7, may_be_operation);
    }

    std::array<std::uint8_t, std::size_t{32} * 8 * 128> kinds_{};
};

inline constexpr Listing listing;

}  // namespace hwtrace::riscv::encodings
