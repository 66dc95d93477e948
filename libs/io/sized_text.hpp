// io/sized_text.hpp - a text behind its number of bytes, which is a LEB128 number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/appender.hpp"
#include "io/cursor.hpp"

namespace hwtrace {

inline void append_sized(std::string_view text, Appender& out) {
    out.leb128(text.size());
    out.text(text);
}

/// Returns a text that append_sized() wrote; it is valid as long as the bytes. Throws Truncated if it is not whole.
inline std::string_view sized_text(Cursor& in) {
    const std::uint64_t size = in.leb128();
    return as_text(in.take(static_cast<std::size_t>(std::min<std::uint64_t>(size, in.left() + std::uint64_t{1}))));
}

}  // namespace hwtrace
