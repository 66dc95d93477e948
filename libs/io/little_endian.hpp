// io/little_endian.hpp - unaligned little-endian integers, on any host.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>

namespace hwtrace {

/// Returns the integer in the sizeof(T) bytes at `bytes`. The caller must check the bounds.
template <std::integral T>
T load_le(const std::byte* bytes) noexcept {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    if constexpr (std::endian::native == std::endian::big && sizeof(T) > 1) {
        T swapped{};
        for (std::size_t i = 0; i < sizeof(T); ++i)
            reinterpret_cast<std::byte*>(&swapped)[i] = reinterpret_cast<const std::byte*>(&value)[sizeof(T) - 1 - i];
        return swapped;
    }
    return value;
}

/// Writes `value` as sizeof(T) little-endian bytes and returns the address after them.
template <std::integral T>
std::byte* store_le(std::byte* bytes, T value) noexcept {
    if constexpr (std::endian::native == std::endian::big && sizeof(T) > 1) {
        for (std::size_t i = 0; i < sizeof(T); ++i)
            bytes[i] = reinterpret_cast<const std::byte*>(&value)[sizeof(T) - 1 - i];
    } else {
        std::memcpy(bytes, &value, sizeof value);
    }
    return bytes + sizeof(T);
}

}  // namespace hwtrace
