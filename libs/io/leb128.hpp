// io/leb128.hpp - writes unsigned LEB128 numbers to memory that has room for them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hwtrace {

/// The most bytes that a number of 64 bits takes.
constexpr std::size_t longest_leb128 = 10;

/// Writes `value` in its shortest form, at most longest_leb128 bytes, and returns the address after it.
inline std::byte* store_leb128(std::byte* at, std::uint64_t value) noexcept {
    for (; value >= 0x80; value >>= 7)
        *at++ = static_cast<std::byte>(value | 0x80);
    *at++ = static_cast<std::byte>(value);
    return at;
}

}  // namespace hwtrace
