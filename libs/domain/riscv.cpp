#include "domain/riscv.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>

namespace hwtrace::riscv {

namespace {

// --- one row of properties for each kind of encoding ---

enum class Form : std::uint8_t {
    plain,
    branch,
    jal,
    jalr,
    trap,      ///< SYSTEM without a CSR
    cache,     ///< cbo
    immediate  ///< ORI; with destination x0, it is a prefetch
};

enum class Destination : std::uint8_t { nothing, x, f, v };

enum class Base : std::uint8_t { both, rv32_only, rv64_only };

struct Row {
    Class instruction_class = Class::illegal;
    Form form = Form::plain;
    Destination destination = Destination::nothing;
    Base base = Base::both;
    Use reads = Use::never, writes = Use::never;
    std::uint8_t access_size = 0;
};

enum Kind : std::uint8_t {
    illegal,
    custom,
    integer,
    integer_32,
    integer_64,
    or_immediate,
    may_be_operation,  // Zimop: an integer operation, unless an extension defines it as a shadow-stack operation
    branch,
    jal,
    jalr,
    load_1,
    load_2,
    load_4,
    load_4_64,
    load_8,
    load_f2,
    load_f4,
    load_f8,
    load_f16,
    store_1,
    store_2,
    store_4,
    store_8,
    store_f2,
    store_f4,
    store_f8,
    store_f16,
    reserve_4,
    reserve_8,
    conditional_4,
    conditional_8,
    atomic_1,
    atomic_2,
    atomic_4,
    atomic_8,
    compare_1,
    compare_2,
    compare_4,
    compare_8,
    compare_16,
    fence,
    cache,
    trap,
    csr,
    floating_f,
    floating_x,
    vector_v,
    vector_x,
    vector_f,
    vector_load,
    vector_store,
    kinds
};

constexpr Row load_row(unsigned size, Destination to, Base base = Base::both) {
    return {Class::load, Form::plain, to, base, Use::always, Use::never, static_cast<std::uint8_t>(size)};
}
constexpr Row store_row(unsigned size, Base base = Base::both) {
    return {Class::store, Form::plain, Destination::nothing,           base,
            Use::never,   Use::always, static_cast<std::uint8_t>(size)};
}
constexpr Row atomic_row(unsigned size, Use reads, Use writes, Base base = Base::both) {
    return {Class::atomic, Form::plain, Destination::x, base, reads, writes, static_cast<std::uint8_t>(size)};
}

constexpr std::array<Row, kinds> make_rows() {
    using enum Use;
    std::array<Row, kinds> rows{};
    rows[custom] = {.instruction_class = Class::custom, .reads = maybe, .writes = maybe};
    rows[integer] = {.instruction_class = Class::integer, .destination = Destination::x};
    rows[integer_32] = {.instruction_class = Class::integer, .destination = Destination::x, .base = Base::rv32_only};
    rows[integer_64] = {.instruction_class = Class::integer, .destination = Destination::x, .base = Base::rv64_only};
    rows[or_immediate] = {.instruction_class = Class::integer, .form = Form::immediate, .destination = Destination::x};
    rows[may_be_operation] = {
        .instruction_class = Class::integer, .destination = Destination::x, .reads = maybe, .writes = maybe};
    rows[branch] = {.instruction_class = Class::branch, .form = Form::branch};
    rows[jal] = {.instruction_class = Class::jump, .form = Form::jal, .destination = Destination::x};
    rows[jalr] = {.instruction_class = Class::jump, .form = Form::jalr, .destination = Destination::x};
    rows[load_1] = load_row(1, Destination::x);
    rows[load_2] = load_row(2, Destination::x);
    rows[load_4] = load_row(4, Destination::x);
    rows[load_4_64] = load_row(4, Destination::x, Base::rv64_only);
    rows[load_8] = load_row(8, Destination::x);  // on RV32, this loads a pair of registers (Zilsd)
    rows[load_f2] = load_row(2, Destination::f);
    rows[load_f4] = load_row(4, Destination::f);
    rows[load_f8] = load_row(8, Destination::f);
    rows[load_f16] = load_row(16, Destination::f);
    rows[store_1] = rows[store_2] = rows[store_4] = rows[store_8] = store_row(1);
    rows[store_2].access_size = 2;
    rows[store_4].access_size = 4;
    rows[store_8].access_size = 8;
    rows[store_f2] = store_row(2);
    rows[store_f4] = store_row(4);
    rows[store_f8] = store_row(8);
    rows[store_f16] = store_row(16);
    rows[reserve_4] = atomic_row(4, always, never);
    rows[reserve_8] = atomic_row(8, always, never, Base::rv64_only);
    rows[conditional_4] = atomic_row(4, never, maybe);
    rows[conditional_8] = atomic_row(8, never, maybe, Base::rv64_only);
    rows[atomic_1] = atomic_row(1, always, always);
    rows[atomic_2] = atomic_row(2, always, always);
    rows[atomic_4] = atomic_row(4, always, always);
    rows[atomic_8] = atomic_row(8, always, always, Base::rv64_only);
    rows[compare_1] = atomic_row(1, always, maybe);
    rows[compare_2] = atomic_row(2, always, maybe);
    rows[compare_4] = atomic_row(4, always, maybe);
    rows[compare_8] = atomic_row(8, always, maybe);
    rows[compare_16] = atomic_row(16, always, maybe, Base::rv64_only);
    rows[fence] = {.instruction_class = Class::fence};
    rows[cache] = {.instruction_class = Class::fence, .form = Form::cache, .reads = maybe, .writes = maybe};
    rows[trap] = {.instruction_class = Class::system, .form = Form::trap};
    rows[csr] = {.instruction_class = Class::csr, .destination = Destination::x};
    rows[floating_f] = {.instruction_class = Class::floating, .destination = Destination::f};
    rows[floating_x] = {.instruction_class = Class::floating, .destination = Destination::x};
    rows[vector_v] = {.instruction_class = Class::vector, .destination = Destination::v};
    rows[vector_x] = {.instruction_class = Class::vector, .destination = Destination::x};
    rows[vector_f] = {.instruction_class = Class::vector, .destination = Destination::f};
    rows[vector_load] = {.instruction_class = Class::vector_load, .destination = Destination::v, .reads = maybe};
    rows[vector_store] = {.instruction_class = Class::vector_store, .writes = maybe};
    return rows;
}
constexpr std::array<Row, kinds> rows = make_rows();

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
constexpr Listing listing;

// --- fields ---

constexpr std::uint32_t field(std::uint32_t bits, unsigned low, unsigned width) noexcept {
    return bits >> low & ((1u << width) - 1);
}

constexpr std::int32_t sign_extended(std::uint32_t value, unsigned width) noexcept {
    return static_cast<std::int32_t>(value << (32 - width)) >> (32 - width);
}

constexpr std::int32_t branch_offset(std::uint32_t bits) noexcept {
    return sign_extended(
        field(bits, 31, 1) << 12 | field(bits, 7, 1) << 11 | field(bits, 25, 6) << 5 | field(bits, 8, 4) << 1, 13);
}

constexpr std::int32_t jump_offset(std::uint32_t bits) noexcept {
    return sign_extended(
        field(bits, 31, 1) << 20 | field(bits, 12, 8) << 12 | field(bits, 20, 1) << 11 | field(bits, 21, 10) << 1, 21);
}

constexpr std::int32_t compressed_branch_offset(std::uint32_t bits) noexcept {
    return sign_extended(field(bits, 12, 1) << 8 | field(bits, 5, 2) << 6 | field(bits, 2, 1) << 5 |
                             field(bits, 10, 2) << 3 | field(bits, 3, 2) << 1,
                         9);
}

constexpr std::int32_t compressed_jump_offset(std::uint32_t bits) noexcept {
    return sign_extended(field(bits, 12, 1) << 11 | field(bits, 8, 1) << 10 | field(bits, 9, 2) << 8 |
                             field(bits, 6, 1) << 7 | field(bits, 7, 1) << 6 | field(bits, 2, 1) << 5 |
                             field(bits, 11, 1) << 4 | field(bits, 3, 3) << 1,
                         12);
}

constexpr bool is_link(unsigned number) noexcept {
    return number == 1 || number == 5;
}

/// Returns the class of a jump by its registers: x1 and x5 are link registers (Volume I, "Unconditional Jumps").
constexpr Class class_of_jump(unsigned link, bool indirect, unsigned base) noexcept {
    if (is_link(link)) return Class::call;
    if (indirect && is_link(base)) return Class::returns;
    return Class::jump;
}

/// Returns the class and system call of a SYSTEM instruction without a CSR; Class::illegal for reserved encodings.
constexpr std::pair<Class, SystemCall> trap_of(std::uint32_t bits) noexcept {
    using enum SystemCall;
    switch (field(bits, 25, 7)) {  // encodings with register operands
        case 0x09:                 // sfence.vma
        case 0x0B:                 // sinval.vma
        case 0x11:                 // hfence.vvma
        case 0x31:                 // hfence.gvma
        case 0x13:                 // hinval.vvma
        case 0x33:                 // hinval.gvma
            return {field(bits, 7, 5) == 0 ? Class::fence : Class::illegal, other};
        default:
            break;
    }
    if (field(bits, 7, 5) != 0 || field(bits, 15, 5) != 0) return {Class::illegal, other};
    switch (field(bits, 20, 12)) {
        case 0x000:
            return {Class::system, ecall};
        case 0x001:
            return {Class::system, ebreak};
        case 0x002:
            return {Class::system, uret};
        case 0x102:
            return {Class::system, sret};
        case 0x302:
            return {Class::system, mret};
        case 0x702:
            return {Class::system, mnret};
        case 0x7B2:
            return {Class::system, dret};
        case 0x105:
            return {Class::system, wfi};
        case 0x00D:  // wrs.nto
        case 0x01D:  // wrs.sto
        case 0x104:  // sctrclr
            return {Class::system, other};
        case 0x180:  // sfence.w.inval
        case 0x181:  // sfence.inval.ir
            return {Class::fence, other};
        default:
            return {Class::illegal, other};
    }
}

/// Returns true for cbo.inval, cbo.clean, cbo.flush and cbo.zero.
constexpr bool is_cache_operation(std::uint32_t bits) noexcept {
    const std::uint32_t operation = field(bits, 20, 12);
    return field(bits, 7, 5) == 0 && (operation <= 2 || operation == 4);
}

constexpr bool fits(Base base, Xlen xlen) noexcept {
    return base == Base::both || (base == Base::rv64_only) == (xlen == Xlen::rv64);
}

// --- compressed encodings ---

/// A compressed encoding: the kind, the class if it is a jump, and the destination.
struct Compressed {
    Kind kind = illegal;
    Class jump = Class::jump;
    Destination to = Destination::nothing;
    unsigned number = 0;
};

constexpr Compressed writes_x(Kind kind, unsigned number) noexcept {
    return {kind, Class::jump, Destination::x, number};
}

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
            switch (field(bits, 10, 3)) {  // Zcb
                case 0:
                    return writes_x(load_1, lower);
                case 1:
                    return writes_x(load_2, lower);
                case 2:
                    return {store_1};
                case 3:
                    return field(bits, 6, 1) == 0 ? Compressed{store_2} : nothing;
                default:
                    return nothing;
            }
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
            if (rs2 != 0) return writes_x(integer, rd);  // c.mv, c.add
            if (field(bits, 12, 1) == 0) {
                if (rd == 0) return nothing;
                return {jalr, class_of_jump(0, true, rd), Destination::nothing, 0};  // c.jr
            }
            if (rd == 0) return {trap};                     // c.ebreak
            return {jalr, Class::call, Destination::x, 1};  // c.jalr
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

/// Sets the properties that depend only on the row.
void describe(const Row& row, Encoding& encoding) noexcept {
    encoding.instruction_class = row.instruction_class;
    encoding.reads = row.reads;
    encoding.writes = row.writes;
    encoding.access_size = row.access_size;
}

void set_destination(Destination to, unsigned number, Encoding& encoding) noexcept {
    if (to == Destination::nothing) return;
    encoding.has_destination = true;
    encoding.destination = static_cast<std::uint8_t>(number);
    encoding.destination_class = to == Destination::x   ? RegisterClass::integer
                                 : to == Destination::f ? RegisterClass::floating
                                                        : RegisterClass::vector;
}

void set_offset(std::int32_t offset, Encoding& encoding) noexcept {
    encoding.has_offset = true;
    encoding.offset = offset;
}

Encoding decode_compressed(std::uint32_t bits, Xlen xlen) noexcept {
    Encoding encoding;
    const Compressed found = compressed_of(bits, xlen);
    const Row& row = rows[found.kind];
    describe(row, encoding);
    set_destination(found.to, found.number, encoding);
    switch (row.form) {
        case Form::branch:
            set_offset(compressed_branch_offset(bits), encoding);
            break;
        case Form::jal:
            encoding.instruction_class = found.jump;
            set_offset(compressed_jump_offset(bits), encoding);
            break;
        case Form::jalr:
            encoding.instruction_class = found.jump;
            break;
        case Form::trap:
            encoding.system = SystemCall::ebreak;
            break;
        default:
            break;
    }
    return encoding;
}

}  // namespace

std::string_view name_of(Class instruction_class) noexcept {
    constexpr std::array<std::string_view, classes> names{
        "illegal", "custom", "integer", "load",     "store",  "atomic",      "branch",       "jump", "call",
        "return",  "system", "fence",   "floating", "vector", "vector-load", "vector-store", "csr"};
    return names[static_cast<std::size_t>(instruction_class)];
}

Encoding decode(std::uint64_t wide_bits, unsigned size, Xlen xlen) noexcept {
    const auto bits = static_cast<std::uint32_t>(wide_bits);
    if ((bits & 3) != 3) return size == 2 ? decode_compressed(bits & 0xFFFF, xlen) : Encoding{};
    if (size != 4) return {};
    const Row& row = rows[listing[bits]];
    Encoding encoding;
    if (!fits(row.base, xlen)) return encoding;
    describe(row, encoding);
    set_destination(row.destination, field(bits, 7, 5), encoding);
    switch (row.form) {
        case Form::plain:
            break;
        case Form::branch:
            set_offset(branch_offset(bits), encoding);
            break;
        case Form::jal:
            encoding.instruction_class = class_of_jump(field(bits, 7, 5), false, 0);
            set_offset(jump_offset(bits), encoding);
            break;
        case Form::jalr:
            encoding.instruction_class = class_of_jump(field(bits, 7, 5), true, field(bits, 15, 5));
            break;
        case Form::trap: {
            const auto [instruction_class, call] = trap_of(bits);
            encoding.instruction_class = instruction_class;
            encoding.system = call;
            break;
        }
        case Form::cache:
            if (!is_cache_operation(bits)) return {};
            break;
        case Form::immediate:
            if (const unsigned operation = field(bits, 20, 5);
                field(bits, 7, 5) == 0 && (operation <= 1 || operation == 3))
                encoding.reads = encoding.writes = Use::maybe;
            break;
    }
    return encoding;
}

Class class_of(std::uint64_t wide_bits, unsigned size, Xlen xlen) noexcept {
    const auto bits = static_cast<std::uint32_t>(wide_bits);
    if ((bits & 3) != 3) {
        if (size != 2) return Class::illegal;
        const Compressed found = compressed_of(bits & 0xFFFF, xlen);
        const Row& row = rows[found.kind];
        return row.form == Form::jal || row.form == Form::jalr ? found.jump : row.instruction_class;
    }
    const Row& row = rows[listing[bits]];
    if (size != 4 || !fits(row.base, xlen)) return Class::illegal;
    switch (row.form) {
        case Form::jal:
            return class_of_jump(field(bits, 7, 5), false, 0);
        case Form::jalr:
            return class_of_jump(field(bits, 7, 5), true, field(bits, 15, 5));
        case Form::trap:
            return trap_of(bits).first;
        case Form::cache:
            return is_cache_operation(bits) ? Class::fence : Class::illegal;
        default:
            return row.instruction_class;
    }
}

}  // namespace hwtrace::riscv
