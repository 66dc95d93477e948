// formats/stf/encode.hpp - encodes the parts of an instruction as STF records.
#pragma once

#include <span>

#include "io/appender.hpp"
#include "model/record.hpp"
#include "wire.hpp"

namespace hwtrace::stf {

/// Appends a record that consists of a descriptor and one integer.
template <std::integral T>
void append_record(Appender& out, Descriptor descriptor, T value) {
    std::byte* at = out.grow(1 + sizeof(T));
    at = store_le(at, static_cast<std::uint8_t>(descriptor));
    store_le(at, value);
}

/// Appends INST_OPCODE16 if `size` is 2, else INST_OPCODE32.
inline void append_opcode(Appender& out, std::uint64_t encoding, std::uint8_t size) {
    if (size == 2) {
        append_record(out, Descriptor::inst_opcode16, static_cast<std::uint16_t>(encoding));
    } else {
        append_record(out, Descriptor::inst_opcode32, static_cast<std::uint32_t>(encoding));
    }
}

/// Appends an INST_MEM_ACCESS record and one INST_MEM_CONTENT record per word.
inline void append_access(Appender& out, const Access& access, std::span<const std::uint64_t> words) {
    std::byte* at = out.grow(fixed_sizes[static_cast<std::size_t>(Descriptor::inst_mem_access)]);
    at = store_le(at, static_cast<std::uint8_t>(Descriptor::inst_mem_access));
    at = store_le(at, access.address);
    at = store_le(at, access.size);
    at = store_le(at, access.attributes);
    store_le(at, static_cast<std::uint8_t>(access.type));
    for (const std::uint64_t word : words)
        append_record(out, Descriptor::inst_mem_content, word);
}

/// Appends INST_REG. `words` is the value of a vector register.
inline void append_operand(Appender& out, const Operand& operand, std::span<const std::uint64_t> words) {
    const bool vector = operand.register_class == RegisterClass::vector;
    const unsigned meta = (static_cast<unsigned>(operand.register_class) + register_integer) |
                          (static_cast<unsigned>(operand.role) + operand_state) << 4u;
    std::byte* at = out.grow(vector_head + 8 * (vector ? words.size() : 1));
    at = store_le(at, static_cast<std::uint8_t>(Descriptor::inst_reg));
    at = store_le(at, operand.number);
    at = store_le(at, static_cast<std::uint8_t>(meta));
    if (!vector) {
        store_le(at, operand.value);
        return;
    }
    for (const std::uint64_t word : words)
        at = store_le(at, word);
}

}  // namespace hwtrace::stf
