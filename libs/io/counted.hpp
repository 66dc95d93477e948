// io/counted.hpp - counts with a noun in singular or plural.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hwtrace {

/// Returns a count with its noun: "1 entry", "2 entries".
inline std::string counted(std::uint64_t count, std::string_view one, std::string_view several) {
    std::string text = std::to_string(count);
    text.push_back(' ');
    return text.append(count == 1 ? one : several);
}

/// Returns a count with a noun whose plural ends in s: "1 instruction", "2 instructions".
inline std::string counted(std::uint64_t count, std::string_view one) {
    std::string several(one);
    several.push_back('s');
    return counted(count, one, several);
}

}  // namespace hwtrace
