#include "io/similar_text.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace hwtrace {

namespace {

/// Returns the name in small letters, without leading dashes.
std::string plain(std::string_view name) {
    std::string letters(name.substr(std::min(name.find_first_not_of('-'), name.size())));
    for (char& letter : letters)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return letters;
}

/// Returns how many edits still make a similar name. Every name of two letters is two edits from every other one.
std::size_t most_edits(std::size_t letters) noexcept {
    return letters < 3 ? 0 : letters < 5 ? 1 : 2;
}

}  // namespace

std::size_t edits(std::string_view from, std::string_view to) {
    std::vector<std::size_t> before(to.size() + 1), row(to.size() + 1), next(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        next[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            const std::size_t replaced = row[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
            next[j] = std::min({replaced, row[j] + 1, next[j - 1] + 1});
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                next[j] = std::min(next[j], before[j - 2] + 1);
        }
        std::swap(before, row);
        std::swap(row, next);
    }
    return row.back();
}

SimilarText::SimilarText(std::string_view name) : name_(plain(name)), best_rank_(2 + most_edits(name_.size())) {}

void SimilarText::consider(std::string_view candidate) {
    if (name_.empty() || name_.size() > longest) return;
    const std::string letters = plain(candidate);
    const bool is_head = name_.size() > 1 && letters.starts_with(name_);
    const std::size_t rank = letters == name_ ? 0 : is_head ? 1 : 1 + edits(name_, letters);
    if (rank < best_rank_) {
        best_rank_ = rank;
        best_ = candidate;
    }
}

std::string SimilarText::question() const {
    return best_.empty() ? "" : " (did you mean " + std::string(best_) + "?)";
}

}  // namespace hwtrace
