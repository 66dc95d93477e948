#include "io/similar_text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace hwtrace {

std::size_t edits(std::string_view from, std::string_view to) {
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = diagonal + (from[i - 1] == to[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({replaced, row[j] + 1, row[j - 1] + 1}));
        }
    }
    return row.back();
}

void SimilarText::consider(std::string_view candidate) {
    if (name_.size() > longest) return;
    if (const std::size_t count = edits(name_, candidate); count < fewest_) {
        fewest_ = count;
        best_ = candidate;
    }
}

std::string SimilarText::question() const {
    return best_.empty() ? "" : " (did you mean " + std::string(best_) + "?)";
}

}  // namespace hwtrace
