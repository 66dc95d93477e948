// codec/cut_line.hpp - decides whether an incomplete last line may be the beginning of a valid line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hwtrace {

/// Returns true if `accepts(std::string_view)` accepts `text` followed by any suffix of one of `examples`. Always
/// returns true if `text` exceeds 4 KiB, because each attempt copies `text`.
template <typename Examples, typename Accepts>
bool may_become(std::string_view text, const Examples& examples, Accepts&& accepts) {
    constexpr std::size_t longest_judged = 4096;
    if (text.size() > longest_judged) return true;
    std::string whole;
    for (const std::string_view example : examples)
        for (std::size_t at = 0; at < example.size(); ++at) {
            whole.assign(text).append(example.substr(at));
            if (accepts(std::string_view(whole))) return true;
        }
    return false;
}

}  // namespace hwtrace
