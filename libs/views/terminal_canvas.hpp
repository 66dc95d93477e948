// views/terminal_canvas.hpp - draws rows of blocks on a terminal: Unicode or ASCII, with or without colour.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "io/text_output.hpp"

namespace hwtrace {

/// How a view may draw.
struct Drawing {
    static constexpr std::size_t least_width = 40, greatest_width = 1000;

    std::size_t width = 80;  ///< columns of the terminal
    bool ascii = false;      ///< only ASCII characters
    bool colour = false;     ///< ANSI colours
};

/// Returns the number of columns that UTF-8 text without control characters takes: 2 for wide East Asian characters
/// and emoji, 0 for combining ones.
std::size_t display_width(std::string_view text) noexcept;
/// Returns the longest end of the text that takes at most `width` columns.
std::string_view last_columns(std::string_view text, std::size_t width) noexcept;

/// Draws on a TextOutput, which must outlive this object.
class TerminalCanvas {
public:
    static constexpr unsigned full_bar = 8;    ///< the level of a full block in bars() and bar()
    static constexpr unsigned full_shade = 4;  ///< the darkest level in shades()
    static constexpr std::uint8_t blank = 0;   ///< the level of an empty cell

    TerminalCanvas(const Drawing& drawing, TextOutput& out) noexcept : drawing_(drawing), out_(out) {}

    const Drawing& drawing() const noexcept { return drawing_; }
    TextOutput& out() noexcept { return out_; }

    void text(std::string_view text) { out_.put(text); }
    void spaces(std::size_t count);
    void end_line();
    /// Writes printable text (see printable_name()) in exactly `width` columns: pads it at its right, or cuts it at its
    /// left and begins with an ellipsis, because the end of a path says most.
    void label(std::string_view text, std::size_t width);
    /// Does the same, but cuts the text at its right.
    void left_label(std::string_view text, std::size_t width);
    /// Writes text right-aligned in `width` columns. The text must fit.
    void right_label(std::string_view text, std::size_t width);

    /// Writes a cell for each level from blank to full_bar, as a block of that height. Blanks at the end are not left
    /// out.
    void bars(std::span<const std::uint8_t> levels);
    /// Writes a cell for each level from blank to full_shade, in shades from light to dark.
    void shades(std::span<const std::uint8_t> levels);
    /// Writes a horizontal bar of `eighths` eighths of a cell, without blanks after it.
    void bar(std::size_t eighths);
    /// Writes a cell for each letter; `colours` has a number for each, and -1 for no colour.
    void letters(std::string_view letters, std::span<const std::int8_t> colours);
    /// Returns the cell that shades() writes for a level, without colour.
    std::string_view shade(unsigned level) const noexcept;
    /// The rule of a time axis, its ticks, and the mark of a row that continues beyond the drawing.
    std::string_view rule() const noexcept { return drawing_.ascii ? "-" : "─"; }
    std::string_view tick() const noexcept { return drawing_.ascii ? "+" : "┬"; }
    std::string_view range_sign() const noexcept { return drawing_.ascii ? ".." : "…"; }

    /// Returns a name as append_name() writes it; in ASCII, with one ? for each other character.
    std::string printable_name(std::string_view name) const;
    /// Returns printable UTF-8 text; in ASCII, with one ? for each other character.
    std::string printable(std::string_view text) const;

private:
    void colour(std::string_view code);

    Drawing drawing_;
    TextOutput& out_;
};

/// Returns the level, from 1 to `full`, that shows part / whole; blank for 0. `part` may exceed `whole`.
std::uint8_t level_of(long double part, long double whole, unsigned full) noexcept;

}  // namespace hwtrace
