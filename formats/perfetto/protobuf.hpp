// formats/perfetto/protobuf.hpp - writes messages in the encoding of Protocol Buffers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "io/leb128.hpp"
#include "io/little_endian.hpp"

namespace hwtrace::perfetto {

// Each function writes to memory that has room, and returns the address after what it wrote
// (https://protobuf.dev/programming-guides/encoding/).

/// The number of a field in its message.
using FieldNumber = std::uint32_t;

/// The most bytes that a number takes with its tag, and a text or a message in addition to its content.
constexpr std::size_t longest_tag = 5, longest_number = longest_tag + longest_leb128,
                      longest_frame = longest_tag + longest_leb128;

enum class Wire : std::uint32_t { varint = 0, fixed64 = 1, length = 2 };

inline std::byte* put_tag(std::byte* at, FieldNumber field, Wire type) noexcept {
    return store_leb128(at, field << 3 | static_cast<std::uint32_t>(type));
}
/// Writes a field of the types bool, enum, int32, int64, uint32 or uint64.
inline std::byte* put_number(std::byte* at, FieldNumber field, std::uint64_t value) noexcept {
    return store_leb128(put_tag(at, field, Wire::varint), value);
}
inline std::byte* put_fixed64(std::byte* at, FieldNumber field, std::uint64_t value) noexcept {
    return store_le(put_tag(at, field, Wire::fixed64), value);
}
inline std::byte* put_real(std::byte* at, FieldNumber field, double value) noexcept {
    return put_fixed64(at, field, std::bit_cast<std::uint64_t>(value));
}
inline std::byte* put_text(std::byte* at, FieldNumber field, std::string_view value) noexcept {
    at = store_leb128(put_tag(at, field, Wire::length), value.size());
    if (!value.empty()) std::memcpy(at, value.data(), value.size());
    return at + value.size();
}
/// Writes a message whose fields `content(address)` writes; it returns the address after them.
template <typename Content>
std::byte* put_message(std::byte* at, FieldNumber field, Content content) {
    std::byte* const begin = put_tag(at, field, Wire::length) + 1;
    std::byte* const end = content(begin);
    const auto length = static_cast<std::size_t>(end - begin);
    const std::size_t more = length < 0x80 ? 0 : (static_cast<std::size_t>(std::bit_width(length)) - 1) / 7;
    if (more != 0) std::memmove(begin + more, begin, length);
    store_leb128(begin - 1, length);
    return end + more;
}

}  // namespace hwtrace::perfetto
