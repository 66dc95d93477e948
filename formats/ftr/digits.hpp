// formats/ftr/digits.hpp - numbers that binary32 cannot hold, and the mark with their exact digits
// (formats/ftr/README.md#digits).
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>

namespace hwtrace::ftr {

/// Name of the mark: an integer attribute directly behind the number. Its value is the difference of the bits of the
/// number, as binary64, and of the binary32 number, as binary64.
inline constexpr std::string_view digits_name = "hwtrace.digits";

/// Metadata key of the fact that a file has marks. It precedes the first mark, so that a cut file has it too. Without
/// it, an attribute named digits_name is an ordinary attribute.
inline constexpr std::string_view digits_fact = "hwtrace.ftr.digits";
inline constexpr std::string_view digits_are_marks = "1";
/// States that attributes named digits_name are ordinary ones. Needed only beside other metadata of ours, because
/// earlier versions wrote marks without the fact.
inline constexpr std::string_view digits_are_attributes = "0";

/// Returns the bits of the nearest binary32 number. NaNs keep their sign and the upper bits of their payload, and
/// become quiet.
inline std::uint32_t nearest_binary32(std::uint64_t bits) noexcept {
    const auto value = std::bit_cast<double>(bits);
    if (std::isnan(value))
        return static_cast<std::uint32_t>((bits >> 63 << 31) | 0x7FC0'0000u | (bits >> 29 & 0x3F'FFFFu));
    constexpr double largest = std::numeric_limits<float>::max();
    const float nearest = std::fabs(value) <= largest ? static_cast<float>(value)
                                                      : std::copysign(std::numeric_limits<float>::infinity(),
                                                                      std::signbit(value) ? -1.0f : 1.0f);
    return std::bit_cast<std::uint32_t>(nearest);
}

/// Returns the bits of a binary32 number as binary64, as a reader gets them.
inline std::uint64_t binary64_of(std::uint32_t bits) noexcept {
    return std::bit_cast<std::uint64_t>(static_cast<double>(std::bit_cast<float>(bits)));
}

}  // namespace hwtrace::ftr
