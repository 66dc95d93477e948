// cli/terminal.hpp - how a view may draw on standard output.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cli/common_options.hpp"
#include "io/text_output.hpp"
#include "views/terminal_canvas.hpp"

namespace hwtrace::cli {

/// Returns the number of columns: COLUMNS if it is set to a number, else the width of the terminal, else 80, as for a
/// pipe. The result is within the limits of Drawing.
std::size_t output_columns() noexcept;

/// Returns the width of the terminal on standard error, or 80.
std::size_t columns_of_messages() noexcept;

/// Returns the number of columns of a list that has a line per entry: the width of the terminal. For a pipe, no limit,
/// so that programs get one line per entry.
std::size_t list_columns() noexcept;

/// Returns the drawing for standard output. Colour follows --color, NO_COLOR and TERM; `auto` means only on a terminal.
Drawing drawing_of(const CommonOptions& options, bool ascii) noexcept;

/// Returns the number of columns that a text in UTF-8 takes. Codes of colours take none.
std::size_t columns_of(std::string_view text) noexcept;

/// Returns lines as a terminal with so many columns shows them. In longer ones, at most two blanks stay between words;
/// if that is not enough, they are wrapped. A command in a line is not wrapped, so that it can be copied.
std::string fitted(std::string_view lines, std::size_t columns);

/// If standard output is a terminal, wraps the lines of `out`, which writes text there. Call this before a pager
/// starts.
void fit_to_terminal(TextOutput& out);

/// Appends words to `page`, which ends in column `column`. Lines end before `columns`; further lines begin with
/// `margin` spaces. A word is never cut, and a number stays with its unit, the word after it. Spaces between words
/// stay, also before the first one. Ends the last line.
void append_wrapped(std::string_view text, std::size_t column, std::size_t margin, std::size_t columns,
                    std::string& page);

}  // namespace hwtrace::cli
