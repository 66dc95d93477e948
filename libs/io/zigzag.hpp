// io/zigzag.hpp - signed numbers as unsigned ones, so that numbers near 0 stay small: 0, -1, 1, -2 become 0, 1, 2, 3.
#pragma once

#include <cstdint>

namespace hwtrace {

constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) noexcept {
    return static_cast<std::int64_t>(value >> 1 ^ (std::uint64_t{0} - (value & 1)));
}

}  // namespace hwtrace
