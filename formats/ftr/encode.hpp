// formats/ftr/encode.hpp - writes CBOR items of a .ftr file into memory that the caller has reserved.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

#include "io/appender.hpp"

namespace hwtrace::ftr {

/// The major types of CBOR.
enum class Major : std::uint8_t { unsigned_integer, negative_integer, bytes, text, array, map, tag, simple };

inline constexpr std::byte begin_of_array{0x9F};  ///< an array of indefinite length; end_of_array closes it
inline constexpr std::byte end_of_array{0xFF};
inline constexpr std::byte false_value{0xF4}, true_value{0xF5};
inline constexpr std::byte binary32_head{0xFA}, binary64_head{0xFB};

inline constexpr std::size_t longest_head = 9;

/// Writes the heads of items. A head is a major type with an argument.
class Heads {
public:
    /// If `wide` is set, the largest value of each size is written in the next larger size, as in LWTR4SC. Readers
    /// accept every size.
    explicit Heads(bool wide) noexcept : wide_(wide ? 1 : 0) {}

    /// Writes a head of at most longest_head bytes. Returns the position after it.
    std::byte* put(std::byte* at, Major major, std::uint64_t value) const noexcept {
        const auto type = static_cast<unsigned>(major) << 5;
        if (value < 24) {
            *at = static_cast<std::byte>(type | value);
            return at + 1;
        }
        if (value <= std::numeric_limits<std::uint8_t>::max() - wide_) {
            at[0] = static_cast<std::byte>(type | 24);
            at[1] = static_cast<std::byte>(value);
            return at + 2;
        }
        if (value <= std::numeric_limits<std::uint16_t>::max() - wide_) {
            *at = static_cast<std::byte>(type | 25);
            return append_big_endian(at + 1, static_cast<std::uint16_t>(value));
        }
        if (value <= std::numeric_limits<std::uint32_t>::max() - wide_) {
            *at = static_cast<std::byte>(type | 26);
            return append_big_endian(at + 1, static_cast<std::uint32_t>(value));
        }
        *at = static_cast<std::byte>(type | 27);
        return append_big_endian(at + 1, value);
    }
    std::byte* put(std::byte* at, std::uint64_t value) const noexcept {
        return put(at, Major::unsigned_integer, value);
    }
    std::byte* write_signed(std::byte* at, std::int64_t value) const noexcept {
        if (value >= 0) return put(at, static_cast<std::uint64_t>(value));
        return put(at, Major::negative_integer, ~static_cast<std::uint64_t>(value));
    }

    void append(Appender& out, Major major, std::uint64_t value) const {
        std::byte* const at = out.grow(longest_head);
        out.shrink(longest_head - static_cast<std::size_t>(put(at, major, value) - at));
    }
    void append(Appender& out, std::uint64_t value) const { append(out, Major::unsigned_integer, value); }
    void append_signed(Appender& out, std::int64_t value) const {
        std::byte* const at = out.grow(longest_head);
        out.shrink(longest_head - static_cast<std::size_t>(write_signed(at, value) - at));
    }
    void append_text(Appender& out, std::string_view text) const {
        append(out, Major::text, text.size());
        out.text(text);
    }
    void append_bytes(Appender& out, std::span<const std::byte> bytes) const {
        append(out, Major::bytes, bytes.size());
        out.bytes(bytes);
    }

    /// Writes the bits of a floating-point number.
    static std::byte* append_binary32(std::byte* at, std::uint32_t bits) noexcept {
        *at = binary32_head;
        return append_big_endian(at + 1, bits);
    }
    static std::byte* append_binary64(std::byte* at, std::uint64_t bits) noexcept {
        *at = binary64_head;
        return append_big_endian(at + 1, bits);
    }

private:
    template <std::unsigned_integral T>
    static std::byte* append_big_endian(std::byte* at, T value) noexcept {
        if constexpr (std::endian::native == std::endian::little) {
            if constexpr (sizeof(T) == 2) value = __builtin_bswap16(value);
            if constexpr (sizeof(T) == 4) value = __builtin_bswap32(value);
            if constexpr (sizeof(T) == 8) value = __builtin_bswap64(value);
        }
        std::memcpy(at, &value, sizeof value);
        return at + sizeof value;
    }

    std::uint64_t wide_;
};

}  // namespace hwtrace::ftr
