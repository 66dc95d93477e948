// io/text_lines.hpp - a text as its lines, in place.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/input.hpp"

namespace hwtrace {

/// Walks over the lines of a source. A line ends in LF; carriage returns before it do not belong to it.
class TextLines {
public:
    /// `source` outlives it. A line longer than `most` bytes is Failure::limit, which `option` lifts.
    TextLines(Source& source, std::uint64_t most, std::string_view option = "--max-string");

    /// Goes to the next line; false where there is none.
    bool next();
    /// The line, without its end. Valid until the next call of next(), behind() or join().
    std::string_view text() const noexcept { return text_; }
    /// False for the last line of a text that does not end in LF.
    bool ended() const noexcept { return end_ == 1; }
    /// Of the line, in the text, from 0; its number, from 1, or 0 before the first.
    std::uint64_t offset() const noexcept { return window_.offset(); }
    std::uint64_t number() const noexcept { return number_; }

    /// What stands behind this line and its end, `count` bytes of it; fewer where the text ends. Before the
    /// first line, what the text begins with.
    std::string_view behind(std::size_t count);
    /// The next line, which there is, becomes part of this one, with the line end between them.
    void join();

private:
    void find_end(std::size_t from);

    Window window_;
    std::uint64_t most_;
    std::string_view option_;
    std::string_view text_;
    std::size_t size_ = 0;  ///< of the line, carriage returns included
    std::size_t end_ = 0;   ///< bytes of its end
    std::uint64_t number_ = 0, joined_ = 0;
};

}  // namespace hwtrace
