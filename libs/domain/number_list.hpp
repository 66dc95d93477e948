// domain/number_list.hpp - numbers that metadata states as text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "io/number_text.hpp"

namespace hwtrace {

/// Parses numbers separated by blanks, such as "0 4369 8738". Returns no numbers if `text` is invalid.
inline std::vector<std::uint64_t> numbers_of(std::string_view text) {
    std::vector<std::uint64_t> numbers;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const auto number = parse_digits(text.substr(0, end));
        if (!number) return {};
        numbers.push_back(*number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return numbers;
}

}  // namespace hwtrace
