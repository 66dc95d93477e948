// io/similar_text.hpp - finds the name that somebody has probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hwtrace {

/// Returns the edit distance: the number of letters to add, remove or replace to turn `from` into `to`.
std::size_t edits(std::string_view from, std::string_view to);

/// Chooses the candidate that a name misspells by one or two letters.
class SimilarText {
public:
    explicit SimilarText(std::string_view name) noexcept : name_(name) {}

    /// Compares the name with a candidate, which must outlive this object.
    void consider(std::string_view candidate);
    /// Returns the most similar candidate, the first one of several; empty if none is similar.
    std::string_view best() const noexcept { return best_; }

    /// Returns " (did you mean BEST?)", or an empty string if no candidate is similar.
    std::string question() const;

private:
    static constexpr std::size_t most_edits = 2;
    static constexpr std::size_t longest = 64;  // bounds the time spent on hostile command lines

    std::string_view name_, best_;
    std::size_t fewest_ = most_edits + 1;
};

}  // namespace hwtrace
