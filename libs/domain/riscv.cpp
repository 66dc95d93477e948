#include "domain/riscv.hpp"

#include <array>
#include <cstddef>
#include <utility>

#include "domain/riscv_compressed.hpp"
#include "domain/riscv_kinds.hpp"
#include "domain/riscv_listing.hpp"

namespace hwtrace::riscv {

namespace encodings {

namespace {

constexpr std::int32_t branch_offset(std::uint32_t bits) noexcept {
    return sign_extended(
        field(bits, 31, 1) << 12 | field(bits, 7, 1) << 11 | field(bits, 25, 6) << 5 | field(bits, 8, 4) << 1, 13);
}

constexpr std::int32_t jump_offset(std::uint32_t bits) noexcept {
    return sign_extended(
        field(bits, 31, 1) << 20 | field(bits, 12, 8) << 12 | field(bits, 20, 1) << 11 | field(bits, 21, 10) << 1, 21);
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

}  // namespace encodings

std::string_view name_of(Class instruction_class) noexcept {
    constexpr std::array<std::string_view, classes> names{
        "illegal", "custom", "integer", "load",     "store",  "atomic",      "branch",       "jump", "call",
        "return",  "system", "fence",   "floating", "vector", "vector-load", "vector-store", "csr"};
    return names[static_cast<std::size_t>(instruction_class)];
}

Encoding decode(std::uint64_t wide_bits, unsigned size, Xlen xlen) noexcept {
    using namespace encodings;
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
    using namespace encodings;
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
