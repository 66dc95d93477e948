// domain/riscv_kinds.hpp - the kinds of RISC-V encodings, and the properties that all encodings of a kind share. Only
// for the decoder in riscv.cpp.
#pragma once

#include <array>
#include <cstdint>

#include "domain/riscv.hpp"

namespace hwtrace::riscv::encodings {

/// How the class and the target of an instruction follow from its bits.
enum class Form : std::uint8_t {
    plain,
    branch,
    jal,
    jalr,
    trap,      ///< SYSTEM without a CSR
    cache,     ///< cbo
    immediate  ///< ORI; with destination x0, it is a prefetch
};

/// The register file of the destination.
enum class Destination : std::uint8_t { nothing, x, f, v };

/// The base ISAs that have an encoding.
enum class Base : std::uint8_t { both, rv32_only, rv64_only };

/// The properties that all encodings of a kind share.
struct Row {
    Class instruction_class = Class::illegal;
    Form form = Form::plain;
    Destination destination = Destination::nothing;
    Base base = Base::both;
    Use reads = Use::never, writes = Use::never;
    std::uint8_t access_size = 0;
};

/// The kinds of encodings that traces distinguish.
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

/// The properties by kind.
inline constexpr std::array<Row, kinds> rows = make_rows();

/// Returns the `width` bits of an encoding from bit `low` on.
constexpr std::uint32_t field(std::uint32_t bits, unsigned low, unsigned width) noexcept {
    return bits >> low & ((1u << width) - 1);
}

/// Returns the two's complement number of `width` bits in `value`.
constexpr std::int32_t sign_extended(std::uint32_t value, unsigned width) noexcept {
    return static_cast<std::int32_t>(value << (32 - width)) >> (32 - width);
}

/// Returns true for a link register.
constexpr bool is_link(unsigned number) noexcept {
    return number == 1 || number == 5;
}

/// Returns the class of a jump by its registers: x1 and x5 are link registers (Volume I, "Unconditional Jumps").
constexpr Class class_of_jump(unsigned link, bool indirect, unsigned base) noexcept {
    if (is_link(link)) return Class::call;
    if (indirect && is_link(base)) return Class::returns;
    return Class::jump;
}

}  // namespace hwtrace::riscv::encodings
