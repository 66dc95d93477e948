// domain/utf8.hpp - checks and repairs UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hwtrace {

/// Returns the length of the well-formed UTF-8 sequence at `at` (< text.size()): 1 to 4 bytes. Returns 0 for anything
/// else, including overlong forms, surrogates and code points above U+10FFFF.
std::size_t utf8_length(std::string_view text, std::size_t at) noexcept;

/// Returns the index of the first byte outside a well-formed sequence, or npos if the text is UTF-8.
std::size_t find_not_utf8(std::string_view text) noexcept;
inline bool is_utf8(std::string_view text) noexcept {
    return find_not_utf8(text) == std::string_view::npos;
}

/// Returns the text with every byte outside a well-formed sequence replaced by U+FFFD.
std::string as_utf8(std::string_view text);

}  // namespace hwtrace
