// formats/perfetto/protobuf.hpp - appends messages in the encoding of Protocol Buffers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "io/appender.hpp"
#include "io/leb128.hpp"

namespace hwtrace::perfetto {

/// The number of a field in its message.
using FieldNumber = std::uint32_t;

/// A buffer of messages (https://protobuf.dev/programming-guides/encoding/).
class Protobuf {
public:
    /// Appends a field of the types bool, enum, int32, int64, uint32 or uint64.
    void number(FieldNumber field, std::uint64_t value) {
        append(longest_number, [&](std::byte* at) { return store_leb128(put_tag(at, field, Wire::varint), value); });
    }
    void fixed64(FieldNumber field, std::uint64_t value) {
        append(longest_number, [&](std::byte* at) { return store_le(put_tag(at, field, Wire::fixed64), value); });
    }
    void real(FieldNumber field, double value) { fixed64(field, std::bit_cast<std::uint64_t>(value)); }
    void text(FieldNumber field, std::string_view value) {
        append(longest_number + value.size(), [&](std::byte* at) {
            at = store_leb128(put_tag(at, field, Wire::length), value.size());
            if (!value.empty()) std::memcpy(at, value.data(), value.size());
            return at + value.size();
        });
    }
    /// Appends a message whose fields `content()` appends. If `content()` throws, the buffer is of no use.
    template <typename Content>
    void message(FieldNumber field, Content content) {
        append(longest_number, [&](std::byte* at) { return put_tag(at, field, Wire::length) + 1; });
        const std::size_t begin = bytes_.size();
        content();
        const std::size_t length = bytes_.size() - begin;
        if (length < 0x80)
            bytes_.patch(begin - 1, static_cast<std::uint8_t>(length));
        else
            insert_length(begin, length);
    }

    std::span<const std::byte> span() const noexcept { return bytes_.span(); }
    std::size_t size() const noexcept { return bytes_.size(); }
    void clear() noexcept { bytes_.clear(); }

private:
    enum class Wire : std::uint32_t { varint = 0, fixed64 = 1, length = 2 };
    static constexpr std::size_t longest_number = 5 + longest_leb128;  ///< a tag and a number

    /// Appends what `put` writes to the address that it gets; it returns the end. `most` is the most that it writes.
    template <typename Put>
    void append(std::size_t most, Put put) {
        std::byte* const begin = bytes_.grow(most);
        bytes_.shrink(most - static_cast<std::size_t>(put(begin) - begin));
    }
    static std::byte* put_tag(std::byte* at, FieldNumber field, Wire type) noexcept {
        return store_leb128(at, field << 3 | static_cast<std::uint32_t>(type));
    }
    /// Replaces the byte before `begin` by a length of at least 128, and moves what follows.
    void insert_length(std::size_t begin, std::size_t length) {
        const std::size_t more = (static_cast<std::size_t>(std::bit_width(length)) - 1) / 7;
        bytes_.grow(more);
        std::byte* const content = bytes_.data() + begin;
        std::memmove(content + more, content, length);
        store_leb128(content - 1, length);
    }

    Appender bytes_;
};

}  // namespace hwtrace::perfetto
