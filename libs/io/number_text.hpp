// io/number_text.hpp - conversions between numbers and strings.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace hwtrace {

/// Parses an unsigned number in `base`. Returns nullopt for any other string, or if the value does not fit.
inline std::optional<std::uint64_t> parse_digits(std::string_view text, int base = 10) noexcept {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Parses a decimal number of any type, such as "-5" or "2.5e3". Returns nullopt for any other string, or if the value
/// does not fit.
template <typename Number>
std::optional<Number> parse_decimal(std::string_view text) noexcept {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Parses a hexadecimal number such as "0x80021". Returns nullopt for anything else.
inline std::optional<std::uint64_t> parse_hexadecimal(std::string_view text) noexcept {
    return text.starts_with("0x") ? parse_digits(text.substr(2), 16) : std::nullopt;
}

/// Parses a decimal number, or a hexadecimal number that starts with 0x. Returns nullopt for anything else.
inline std::optional<std::uint64_t> parse_number(std::string_view text) noexcept {
    return text.starts_with("0x") ? parse_hexadecimal(text) : parse_digits(text);
}

/// Returns "0x" and the value, zero-padded to `digits` digits (at most 16).
inline std::string hexadecimal_text(std::uint64_t value, std::size_t digits = 1) {
    char text[16];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value, 16);
    const auto length = static_cast<std::size_t>(end - text);
    std::string result = "0x";
    result.append(digits > length ? digits - length : 0, '0');
    return result.append(text, length);
}

}  // namespace hwtrace
