#include "wire.hpp"

#include <algorithm>
#include <cstring>

namespace hwtrace::uscope {

FileHeader FileHeader::decode(std::span<const std::byte, file_header_size> bytes) noexcept {
    const std::byte* at = bytes.data();
    FileHeader header;
    header.major = load_le<std::uint16_t>(at + 0x04);
    header.minor = load_le<std::uint16_t>(at + 0x06);
    header.flags = load_le<std::uint64_t>(at + 0x08);
    header.total_time = load_le<std::uint64_t>(at + 0x10);
    header.num_segments = load_le<std::uint32_t>(at + at_num_segments);
    header.preamble_end = load_le<std::uint32_t>(at + 0x1C);
    header.section_table_offset = load_le<std::uint64_t>(at + 0x20);
    header.tail_offset = load_le<std::uint64_t>(at + at_tail_offset);
    return header;
}

std::array<std::byte, file_header_size> FileHeader::encode() const noexcept {
    std::array<std::byte, file_header_size> bytes{};
    std::byte* at = std::copy(file_magic.begin(), file_magic.end(), bytes.data());
    at = store_le(at, major);
    at = store_le(at, minor);
    at = store_le(at, flags);
    at = store_le(at, total_time);
    at = store_le(at, num_segments);
    at = store_le(at, preamble_end);
    at = store_le(at, section_table_offset);
    store_le(at, tail_offset);
    return bytes;
}

SegmentHeader SegmentHeader::decode(std::span<const std::byte, segment_header_size> bytes) noexcept {
    const std::byte* at = bytes.data();
    SegmentHeader header;
    header.flags = load_le<std::uint32_t>(at + 0x04);
    header.time_start = load_le<std::uint64_t>(at + 0x08);
    header.time_end = load_le<std::uint64_t>(at + 0x10);
    header.previous = load_le<std::uint64_t>(at + 0x18);
    header.checkpoint_size = load_le<std::uint32_t>(at + 0x20);
    header.compressed_size = load_le<std::uint32_t>(at + 0x24);
    header.raw_size = load_le<std::uint32_t>(at + 0x28);
    header.num_frames = load_le<std::uint32_t>(at + 0x2C);
    header.num_frames_active = load_le<std::uint32_t>(at + 0x30);
    header.reserved = load_le<std::uint32_t>(at + 0x34);
    return header;
}

std::array<std::byte, segment_header_size> SegmentHeader::encode() const noexcept {
    std::array<std::byte, segment_header_size> bytes{};
    std::byte* at = std::copy(segment_magic.begin(), segment_magic.end(), bytes.data());
    at = store_le(at, flags);
    at = store_le(at, time_start);
    at = store_le(at, time_end);
    at = store_le(at, previous);
    at = store_le(at, checkpoint_size);
    at = store_le(at, compressed_size);
    at = store_le(at, raw_size);
    at = store_le(at, num_frames);
    at = store_le(at, num_frames_active);
    store_le(at, reserved);
    return bytes;
}

bool has_segment_magic(std::span<const std::byte> bytes) noexcept {
    return bytes.size() >= segment_magic.size() &&
           std::equal(segment_magic.begin(), segment_magic.end(), bytes.begin());
}

std::optional<Type> type_of(std::uint8_t code) noexcept {
    switch (FieldType{code}) {
        case FieldType::u8:
            return Type::u8;
        case FieldType::u16:
            return Type::u16;
        case FieldType::u32:
            return Type::u32;
        case FieldType::u64:
            return Type::u64;
        case FieldType::i8:
            return Type::i8;
        case FieldType::i16:
            return Type::i16;
        case FieldType::i32:
            return Type::i32;
        case FieldType::i64:
            return Type::i64;
        case FieldType::boolean:
            return Type::boolean;
        case FieldType::string_ref:
            return Type::text;
        case FieldType::enumeration:
            return Type::enumeration;
    }
    return std::nullopt;
}

std::optional<FieldType> field_type(Type type) noexcept {
    switch (type) {
        case Type::u8:
            return FieldType::u8;
        case Type::u16:
            return FieldType::u16;
        case Type::u32:
            return FieldType::u32;
        case Type::u64:
            return FieldType::u64;
        case Type::i8:
            return FieldType::i8;
        case Type::i16:
            return FieldType::i16;
        case Type::i32:
            return FieldType::i32;
        case Type::i64:
            return FieldType::i64;
        case Type::boolean:
            return FieldType::boolean;
        case Type::text:
            return FieldType::string_ref;
        case Type::enumeration:
            return FieldType::enumeration;
        default:
            return std::nullopt;
    }
}

}  // namespace hwtrace::uscope
