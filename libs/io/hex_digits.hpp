// io/hex_digits.hpp - writes bytes as pairs of hexadecimal digits.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace hwtrace {

/// Appends two lower-case digits for each byte.
inline void append_hex_digits(std::span<const std::byte> bytes, std::string& text) {
    constexpr std::string_view digits = "0123456789abcdef";
    for (const std::byte byte : bytes) {
        text += digits[static_cast<std::size_t>(byte >> 4)];
        text += digits[static_cast<std::size_t>(byte & std::byte{15})];
    }
}

}  // namespace hwtrace
