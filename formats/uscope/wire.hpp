// formats/uscope/wire.hpp - constants and fixed structures of a µScope file. Numbers in comments are sections of the
// µScope Trace Format Specification. README.md describes the structures as they are in real files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "io/little_endian.hpp"
#include "model/schema.hpp"

namespace hwtrace::uscope {

// --- 2, 2.1: the file header (README.md#header) ---
constexpr std::array<std::byte, 4> file_magic{std::byte{'u'}, std::byte{'S'}, std::byte{'C'}, std::byte{'P'}};
constexpr std::size_t file_header_size = 48;
constexpr std::uint16_t version_major = 0;
constexpr std::uint16_t version_minor = 3;            // 2 in a comment of the specification, 3 in real files
constexpr std::uint16_t minor_of_old_structures = 2;  // storage headers of 12 bytes
constexpr std::uint16_t minor_of_old_frames = 1;      // frames contain all operations, then all events

constexpr std::uint64_t flag_complete = 1u << 0;
constexpr std::uint64_t flag_compressed = 1u << 1;
constexpr std::uint64_t flag_strings = 1u << 2;
constexpr unsigned method_shift = 3;
constexpr std::uint64_t method_mask = 7u << method_shift;
constexpr std::uint64_t flag_compact_deltas = 1u
                                              << 6;  // compact operations may occur in frames that are not interleaved
constexpr std::uint64_t flag_interleaved = 1u << 7;
constexpr std::uint64_t known_flags = 0xFF;

constexpr std::uint64_t method_lz4 = 0;
constexpr std::uint64_t method_zstd = 1;

constexpr std::size_t at_num_segments = 0x18;  // patched after every segment (2.2)
constexpr std::size_t at_tail_offset = 0x28;

struct FileHeader {
    std::uint16_t major = version_major;
    std::uint16_t minor = version_minor;
    std::uint64_t flags = 0;
    std::uint64_t total_time = 0;  ///< time of the last frame in ps; 0 until closed
    std::uint32_t num_segments = 0;
    std::uint32_t preamble_end = 0;          ///< file offset of the first segment
    std::uint64_t section_table_offset = 0;  ///< 0 until closed
    std::uint64_t tail_offset = 0;           ///< file offset of the last segment's header; 0: none

    bool complete() const noexcept { return (flags & flag_complete) != 0; }
    bool compressed() const noexcept { return (flags & flag_compressed) != 0; }
    /// Returns false if frames are in the 0.1 format: operations before events (README.md#frames).
    bool interleaved() const noexcept { return (flags & flag_interleaved) != 0; }
    std::uint64_t method() const noexcept { return (flags & method_mask) >> method_shift; }

    /// Decodes the first 48 bytes of a file without checking the magic.
    static FileHeader decode(std::span<const std::byte, file_header_size> bytes) noexcept;
    std::array<std::byte, file_header_size> encode() const noexcept;
};

// --- 2.3: preamble chunks ---
constexpr std::size_t chunk_header_size = 8;  // type 2, flags 2, size 4; payload zero-padded to 8
enum class Chunk : std::uint16_t { end = 0, dut = 1, schema = 2, config = 3 };

// --- 4: the schema ---
constexpr std::size_t schema_header_size = 12;
constexpr std::size_t scope_size = 12;
constexpr std::size_t storage_header_size = 16;
constexpr std::size_t old_storage_header_size = 12;  // before 0.3, without properties (README.md#versions-and-dialects)
constexpr std::size_t old_pool_offset_excess = 2;    // such files overstate string_pool_offset by this many bytes
constexpr std::uint16_t no_scope = 0xFFFF;
constexpr std::uint16_t no_protocol = 0xFFFF;
constexpr std::uint8_t inherited_clock = 0xFF;
constexpr std::uint16_t storage_sparse = 1u << 0;
constexpr std::uint16_t storage_buffer = 1u << 1;
constexpr std::size_t largest_pool = 65535;  // offsets are 16 bits wide
constexpr std::size_t most_small = 255;      // maximum number of enums, enum values, clocks (one byte)
constexpr std::size_t most_objects = 65535;  // maximum number of scopes, storages, events, fields, slots

enum class FieldType : std::uint8_t {
    u8 = 1,
    u16,
    u32,
    u64,
    i8,
    i16,
    i32,
    i64,
    boolean,
    string_ref,
    enumeration,
};
/// Returns the model's type for a field type's code, or nothing for an unknown code.
std::optional<Type> type_of(std::uint8_t code) noexcept;
/// Returns the code for a model type, or nothing if µScope has no such type.
std::optional<FieldType> field_type(Type type) noexcept;

// --- 8.1: segments (README.md#segments) ---
constexpr std::array<std::byte, 4> segment_magic{std::byte{'u'}, std::byte{'S'}, std::byte{'E'}, std::byte{'G'}};
constexpr std::size_t segment_header_size = 56;

struct SegmentHeader {
    std::uint32_t flags = 0;
    std::uint64_t time_start = 0;
    std::uint64_t time_end = 0;  ///< time of the last frame, inclusive (the specification: exclusive)
    std::uint64_t previous = 0;  ///< file offset of the previous segment's header; 0: none
    std::uint32_t checkpoint_size = 0;
    std::uint32_t compressed_size = 0;
    std::uint32_t raw_size = 0;
    std::uint32_t num_frames = 0;
    std::uint32_t num_frames_active = 0;  ///< frames with at least one item
    std::uint32_t reserved = 0;

    std::uint64_t total_size() const noexcept {
        return segment_header_size + std::uint64_t{checkpoint_size} + compressed_size;
    }
    /// Decodes 56 bytes without checking the magic.
    static SegmentHeader decode(std::span<const std::byte, segment_header_size> bytes) noexcept;
    std::array<std::byte, segment_header_size> encode() const noexcept;
};
/// Returns true if `bytes` begin with the segment magic.
bool has_segment_magic(std::span<const std::byte> bytes) noexcept;

// --- 8.5: checkpoints ---
constexpr std::size_t checkpoint_block_size = 8;  // storage 2, reserved 2, payload size 4

// --- 8.6.6: items of an interleaved frame, with the sizes of real files (README.md#frames) ---
enum class Tag : std::uint8_t { wide_op = 1, compact_op = 2, event = 3 };
enum class Action : std::uint8_t { set = 1, clear = 2, add = 3, set_property = 4 };
constexpr std::size_t wide_op_size = 16;      // tag 1, action 1, storage 2, slot 2, field 2, value 8
constexpr std::size_t compact_op_size = 9;    // tag 1, action 1, storage 1, slot 2, field 2, value 2 (specification: 8)
constexpr std::size_t event_header_size = 8;  // tag 1, reserved 1, event type 2, payload size 4
constexpr std::size_t most_frame_items = 65535;

// --- 8.6.1 to 8.6.3: frames of 0.1 (interleaved flag clear), operations before events ---
constexpr std::size_t old_wide_op_size = 16;    // action 1, reserved 1, storage 2, slot 2, field 2, value 8
constexpr std::size_t old_compact_op_size = 8;  // action 1, storage 1, slot 2, field 2, value 2

// --- 5, 8.3: sections ---
constexpr std::size_t section_entry_size = 24;        // type 2, flags 2, reserved 4, offset 8, size 8
constexpr std::size_t segment_table_entry_size = 24;  // offset 8, time start 8, time end 8
enum class Section : std::uint16_t { end = 0, summary = 1, strings = 2, segments = 3, counter_summary = 0x10 };

// --- 7: the string table ---
constexpr std::size_t string_table_header_size = 8;  // entries 4, reserved 4
constexpr std::size_t string_entry_size = 8;         // offset 4, length 4

// --- text blocks: strings that a recorder commits with a segment (README.md#text-blocks); not in the specification ---
constexpr std::array<std::byte, 4> text_block_magic{std::byte{'u'}, std::byte{'T'}, std::byte{'X'}, std::byte{'T'}};
constexpr std::size_t text_block_header_size = 8;  // magic 4, size of the rest 4; then a part of the string table

// --- names in the model that this format interprets (README.md#mapping-to-the-model) ---
inline constexpr std::string_view item_track = "uscope.item";
inline constexpr std::string_view frame_track = "uscope.frame";
inline constexpr std::string_view own_prefix = "uscope.";
inline constexpr std::string_view interval_key = "uscope.checkpoint_interval_ps";
inline constexpr std::string_view summary_field_key =
    "uscope.summary_field";  // "SCOPE TYPE NAME", as in the schema chunk

}  // namespace hwtrace::uscope
