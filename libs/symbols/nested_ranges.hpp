// symbols/nested_ranges.hpp - cuts ranges that contain or overlap each other into ranges that do not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hwtrace {

inline constexpr std::size_t no_range = ~std::size_t{0};

/// Calls `give(begin, end, index)` for consecutive ranges from 0 up to the greatest address. `index` is the element of
/// `ranges` that contains the range, the last one of several, or no_range. `ranges` have `begin` and `end` and are
/// sorted by `begin`; of those with the same begin, the outer ones come first.
template <typename Ranges, typename Give>
void cut_nested_ranges(const Ranges& ranges, Give&& give) {
    std::vector<std::size_t> open;  // those that may contain `at`, the outermost first
    std::uint64_t at = 0;
    const auto give_up_to = [&](std::uint64_t end, std::size_t index) {
        if (end <= at) return;
        give(at, end, index);
        at = end;
    };
    const auto advance = [&](std::uint64_t to) {
        while (!open.empty() && ranges[open.back()].end <= to) {
            give_up_to(ranges[open.back()].end, open.back());
            open.pop_back();
        }
        give_up_to(to, open.empty() ? no_range : open.back());
    };
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        advance(ranges[i].begin);
        open.push_back(i);
    }
    advance(~std::uint64_t{0});
}

}  // namespace hwtrace
