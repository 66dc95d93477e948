// codec/utf8.hpp - where UTF-8 is well-formed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hwtrace {

/// Bytes of the well-formed UTF-8 sequence that begins at `at` (< text.size()): 1 to 4; 0 when none does, which
/// includes overlong forms, surrogates and what lies above U+10FFFF.
std::size_t utf8_length(std::string_view text, std::size_t at) noexcept;

/// Where the first byte stands that begins no well-formed sequence; npos when the text is UTF-8.
std::size_t find_not_utf8(std::string_view text) noexcept;
inline bool is_utf8(std::string_view text) noexcept {
    return find_not_utf8(text) == std::string_view::npos;
}

/// The text with U+FFFD for every byte that belongs to no well-formed sequence.
std::string as_utf8(std::string_view text);

}  // namespace hwtrace
