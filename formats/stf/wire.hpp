// formats/stf/wire.hpp - the byte layout of STF: descriptors, record sizes, codes and their names
// (formats/stf/README.md#records; STF Specification, Specification of Records).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "domain/conventions.hpp"
#include "domain/traps.hpp"
#include "io/little_endian.hpp"

namespace hwtrace::stf {

/// The first byte of a record, which determines the record's layout. Other values are undefined.
enum class Descriptor : std::uint8_t {
    reserved = 0,
    identifier = 1,
    version = 2,
    comment = 3,
    isa = 4,
    inst_iem = 5,
    trace_info = 6,
    trace_info_feature = 7,
    process_id_ext = 8,
    force_pc = 9,
    vlen_config = 10,
    protocol_id = 11,
    clock_id = 12,
    isa_extended = 13,
    end_header = 19,
    inst_pc_target = 31,
    inst_reg = 40,
    inst_ready_reg = 41,
    page_table_walk = 50,
    inst_mem_access = 60,
    inst_mem_content = 61,
    bus_master_access = 62,
    bus_master_content = 63,
    event = 100,
    event_pc_target = 101,
    inst_microop = 230,
    inst_opcode32 = 240,
    inst_opcode16 = 241,
    transaction = 250,
    transaction_dependency = 251,
    reserve_end = 255,
};

/// Returns the record's name in dumps and messages, such as "INST_REG". Returns an empty string if the descriptor is
/// undefined.
std::string_view name_of(Descriptor descriptor) noexcept;

/// Returns the record sizes in bytes, indexed by descriptor. Sizes include the descriptor. The size is 0 if the
/// descriptor is undefined or the size depends on the contents. INST_REG has the size of a scalar register. A vector
/// register has `vector_head + 8 * words` bytes.
constexpr std::array<std::uint8_t, 256> make_fixed_sizes() {
    std::array<std::uint8_t, 256> sizes{};
    sizes[1] = 4;
    sizes[2] = 9;
    sizes[4] = 3;
    sizes[5] = 3;
    sizes[7] = 9;
    sizes[8] = 13;
    sizes[9] = 9;
    sizes[10] = 5;
    sizes[19] = 1;
    sizes[31] = 9;
    sizes[40] = 12;
    sizes[41] = 3;
    sizes[60] = 14;
    sizes[61] = 9;
    sizes[62] = 18;
    sizes[63] = 9;
    sizes[101] = 9;
    sizes[230] = 6;
    sizes[240] = 5;
    sizes[241] = 3;
    return sizes;
}
inline constexpr std::array<std::uint8_t, 256> fixed_sizes = make_fixed_sizes();

// Sizes of record heads. Most heads end with the length of the rest.
inline constexpr std::size_t identifier_size = 4;
inline constexpr std::size_t comment_head = 5;      // descriptor, n u32
inline constexpr std::size_t trace_info_head = 7;   // descriptor, 4 x u8, n u16
inline constexpr std::size_t page_walk_head = 22;   // descriptor, va, first access, size, n u8
inline constexpr std::size_t page_walk_entry = 16;  // address, PTE
inline constexpr std::size_t event_head64 = 10;     // descriptor, id u64, n u8
inline constexpr std::size_t event_head32 = 6;      // descriptor, id u32, n u8
inline constexpr std::size_t vector_head = 4;       // descriptor, number u16, meta u8

inline constexpr std::uint64_t feature_rv64 = conventions::feature_rv64;
inline constexpr std::uint64_t feature_event64 = conventions::feature_wide_events;
inline constexpr std::uint64_t feature_transactions = 0x100000;

inline constexpr std::uint16_t isa_riscv = 1;
inline constexpr std::uint16_t iem_rv32 = 1, iem_rv64 = 2;
/// The generator code "reserved end", which is not assigned to any tool. hwtrace writes it.
inline constexpr std::uint8_t generator_unlisted = 0xFF;

// In INST_REG, the low nibble of meta is the type, and the high nibble is the operand.
inline constexpr unsigned register_integer = 1, register_floating = 2, register_vector = 3, register_csr = 4;
inline constexpr unsigned operand_state = 1, operand_source = 2, operand_destination = 3;
inline constexpr std::uint16_t register_pc = 32;
/// Returns the highest register number of a type (1 to 4).
constexpr std::uint16_t last_register(unsigned type) noexcept {
    constexpr std::uint16_t last[] = {register_pc, 31, 31, 0xFFF};
    return last[type - register_integer];
}

// Types of memory and bus accesses.
inline constexpr std::uint8_t memory_read = 1, memory_write = 2;

/// Returns the number of 64-bit words in a vector register of `bits` bits (VLEN_CONFIG).
constexpr std::size_t words_of_vector(std::uint32_t bits) noexcept {
    return static_cast<std::size_t>((std::uint64_t{bits} + 63) / 64);
}
constexpr bool is_marker(Descriptor descriptor) noexcept {
    return descriptor == Descriptor::inst_opcode32 || descriptor == Descriptor::inst_opcode16;
}
/// Returns true for records that may precede END_HEADER.
constexpr bool is_header_record(Descriptor descriptor) noexcept {
    return (descriptor >= Descriptor::identifier && descriptor <= Descriptor::isa_extended) ||
           descriptor == Descriptor::end_header;
}
/// Returns true for records that must precede END_HEADER.
constexpr bool is_header_only(Descriptor descriptor) noexcept {
    return is_header_record(descriptor) && descriptor != Descriptor::comment && descriptor != Descriptor::inst_iem &&
           descriptor != Descriptor::process_id_ext && descriptor != Descriptor::force_pc;
}
/// Returns true for records that occur only in transaction traces.
constexpr bool is_transaction(Descriptor descriptor) noexcept {
    return descriptor == Descriptor::protocol_id || descriptor == Descriptor::clock_id ||
           descriptor == Descriptor::transaction || descriptor == Descriptor::transaction_dependency;
}

/// A view of one whole record, including its descriptor. Valid until the scanner reads the next record.
struct RawRecord {
    Descriptor descriptor = Descriptor::reserved;
    const std::byte* data = nullptr;
    std::size_t size = 0;

    std::span<const std::byte> bytes() const noexcept { return {data, size}; }
    /// Reads the little-endian field `offset` bytes after the record's first byte. The offset is not checked, because
    /// callers know the layout.
    template <std::integral T>
    T at(std::size_t offset) const noexcept {
        return load_le<T>(data + offset);
    }
    /// Returns the bytes from offset `head` on as a string.
    std::string_view text(std::size_t head) const noexcept {
        return {reinterpret_cast<const char*>(data) + head, size - head};
    }
};

// --- names of codes; empty for codes without a name ---
std::string_view isa_name(std::uint16_t isa) noexcept;
std::string_view iem_name(std::uint16_t iem) noexcept;
std::string_view generator_name(std::uint8_t generator) noexcept;
std::string_view csr_name(std::uint16_t number) noexcept;
std::string_view operand_name(unsigned operand) noexcept;
std::string_view memory_type_name(std::uint8_t type) noexcept;
std::string_view bus_master_name(std::uint8_t master) noexcept;

/// Converts the id of an EVENT to its 64-bit form. In this form, bit 63 marks an interrupt and bit 62 a special event.
constexpr std::uint64_t wide_event_id(std::uint64_t id, bool event64) noexcept {
    return traps::wide_id(id, event64);
}
/// The head of an EVENT, before its fields.
struct EventHead {
    std::uint64_t id;       ///< as in the record
    std::uint64_t wide_id;  ///< in its 64-bit form
    std::size_t size;       ///< bytes of the head
};
inline EventHead head_of_event(const RawRecord& record, bool event64) noexcept {
    const std::uint64_t id = event64 ? record.at<std::uint64_t>(1) : record.at<std::uint32_t>(1);
    return {id, wide_event_id(id, event64), event64 ? event_head64 : event_head32};
}
inline constexpr std::uint64_t event_interrupt = traps::interrupt_bit;
inline constexpr std::uint64_t event_special = traps::special_bit;
inline constexpr std::uint64_t event_mode_change = traps::mode_change_id;
using traps::first_system_call;
using traps::last_system_call;

using EventName = traps::Name;
/// Returns the name of an event id in 64-bit form. The stem is empty if the id has no name.
inline EventName event_name(std::uint64_t wide_id) noexcept {
    return traps::name_of(wide_id);
}

/// Tracks the pc (formats/stf/README.md#program-counter). FORCE_PC sets the pc of the next instruction. A target sets
/// the pc of the instruction after the next one. If there are several targets, the last one applies.
struct PcTracker {
    std::uint64_t next = 0;
    std::uint64_t target = 0;
    bool has_target = false;

    void force(std::uint64_t pc) noexcept { next = pc; }
    void branch(std::uint64_t to) noexcept {
        target = to;
        has_target = true;
    }
    /// Returns the pc of the next instruction, which has `size` bytes, and advances past it.
    std::uint64_t step(std::uint64_t size) noexcept {
        const std::uint64_t pc = next;
        next = has_target ? target : pc + size;
        has_target = false;
        return pc;
    }
};

// --- the ZSTF container (formats/stf/README.md#zstf-container) ---
inline constexpr std::size_t zstf_header_size = 20;  // "ZSTF", markers per chunk u64, offset of the index i64
inline constexpr std::size_t zstf_index_at = 12;     // offset of the field that holds the index offset
inline constexpr std::size_t zstf_entry_size = 24;   // offset i64, start pc u64, uncompressed size u64
inline constexpr std::uint64_t zstf_default_chunk = 100'000;

}  // namespace hwtrace::stf
