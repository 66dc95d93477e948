// io/text_lines.hpp - iterates over the lines of a text without copying.
#pragma once

#include <cstdint>
#include <string_view>

#include "io/input.hpp"
#include "io/unpacked.hpp"

namespace hwtrace {

/// Iterates over the lines of a source. A line ends in LF. Carriage returns before the LF are not part of the line.
class TextLines {
public:
    /// `source` must outlive this object. A line longer than `most` bytes throws Failure::limit; the message names
    /// `option`.
    TextLines(Source& source, std::uint64_t most, std::string_view option = "--max-string");

    /// Advances to the next line; returns false if there is none.
    bool next();
    /// Returns the line without its line end. Valid until the next call of next(), behind() or join().
    std::string_view text() const noexcept { return text_; }
    /// Returns true if the line ends in LF. Only the last line of a text may lack the LF.
    bool ended() const noexcept { return end_ == 1; }
    /// Returns the byte offset of the line in the text. number() counts lines from 1; it is 0 before the first line.
    std::uint64_t offset() const noexcept { return window_.offset(); }
    std::uint64_t number() const noexcept { return number_; }

    /// Appends the place of the next line. `bytes`, which must be the source, has kept places.
    void save_place(const Unpacked& bytes, Appender& out) const;
    /// Continues at a place that save_place() wrote for the same input. Returns false if the input lacks the place.
    /// Throws Truncated or Failure::input if the bytes state no place.
    bool restore_place(Unpacked& bytes, Cursor& in);

    /// Returns the `count` bytes that follow this line and its line end; fewer at the end of the text. Before the first
    /// line, returns the first bytes of the text.
    std::string_view behind(std::size_t count);
    /// Appends the line end and the next line to this line. The next line must exist.
    void join();

private:
    void find_end(std::size_t from);

    Window window_;
    std::uint64_t most_;
    std::string_view option_;
    std::string_view text_;
    std::size_t size_ = 0;  ///< bytes of the line, including carriage returns
    std::size_t end_ = 0;   ///< bytes of the line end
    std::uint64_t number_ = 0, joined_ = 0;
};

}  // namespace hwtrace
