// io/similar_text.hpp - finds the name that somebody has probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hwtrace {

/// Returns the edit distance: the number of letters to add, remove or replace, and of neighbours to swap, that turns
/// `from` into `to`.
std::size_t edits(std::string_view from, std::string_view to);

/// Chooses the candidate that a name misspells, abbreviates, or writes in other capitals. Leading dashes do not count,
/// and a short name must be more similar than a long one.
class SimilarText {
public:
    explicit SimilarText(std::string_view name);

    /// Compares the name with a candidate, which must outlive this object.
    void consider(std::string_view candidate);
    /// Returns the most similar candidate, the first one of several; empty if none is similar.
    std::string_view best() const noexcept { return best_; }

    /// Returns " (did you mean BEST?)", or an empty string if no candidate is similar.
    std::string question() const;

private:
    static constexpr std::size_t longest = 64;  // bounds the time spent on hostile command lines

    std::string name_;  ///< in small letters, without leading dashes
    std::string_view best_;
    std::size_t best_rank_;  ///< 0: equal, 1: abbreviated, otherwise 1 + edits
};

}  // namespace hwtrace
