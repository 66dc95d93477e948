// codec/cut_line.hpp - whether a text that ends inside a line may have been right, before it was cut.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hwtrace {

/// Whether `accepts`, which takes a std::string_view, what some end of one of `examples` makes of `text`. Longer texts
/// than 4 KiB, which would be copied for each end, are taken for cut.
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
