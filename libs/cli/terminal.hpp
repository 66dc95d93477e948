// cli/terminal.hpp - how a view may draw on standard output.
#pragma once

#include "cli/common_options.hpp"
#include "views/terminal_canvas.hpp"

namespace hwtrace::cli {

/// Returns the number of columns: COLUMNS if it is set to a number, else the width of the terminal, else 80, as for a
/// pipe. The result is within the limits of Drawing.
std::size_t output_columns() noexcept;

/// Returns the drawing for standard output. Colour follows --color, NO_COLOR and TERM; `auto` means only on a terminal.
Drawing drawing_of(const CommonOptions& options, bool ascii) noexcept;

}  // namespace hwtrace::cli
