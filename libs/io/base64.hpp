// io/base64.hpp - bytes as text (RFC 4648, section 4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hwtrace {

inline constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Returns the bytes in base64, padded with "=".
inline std::string base64_of(std::span<const std::byte> bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = bytes.size() - i < 3 ? bytes.size() - i : 3;
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (k < count ? static_cast<std::uint32_t>(bytes[i + k]) : 0);
        for (std::size_t k = 0; k < 4; ++k)
            text += k <= count ? base64_digits[bits >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

/// Returns the bytes of a text that base64_of() made; nullopt for any other text.
inline std::optional<std::vector<std::byte>> bytes_of_base64(std::string_view text) {
    static constexpr auto values = [] {
        std::array<std::uint8_t, 256> made{};
        made.fill(64);
        for (std::size_t i = 0; i < base64_digits.size(); ++i)
            made[static_cast<std::uint8_t>(base64_digits[i])] = static_cast<std::uint8_t>(i);
        return made;
    }();
    if (text.size() % 4 != 0) return std::nullopt;
    std::size_t padding = 0;
    while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=')
        ++padding;
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    const std::size_t digits = text.size() - padding;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::uint8_t value = i < digits ? values[static_cast<std::uint8_t>(text[i])] : std::uint8_t{0};
        if (value == 64) return std::nullopt;
        bits = bits << 6 | value;
        if (i % 4 != 3) continue;
        const std::size_t count = i + 1 == text.size() ? 3 - padding : 3;
        for (std::size_t k = 0; k < count; ++k)
            bytes.push_back(static_cast<std::byte>(bits >> (16 - 8 * k) & 0xFF));
        bits = 0;
    }
    return bytes;
}

}  // namespace hwtrace
