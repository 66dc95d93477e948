#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "io/number_text.hpp"

namespace hwtrace::cli {

std::size_t output_columns() noexcept {
    const char* const columns = std::getenv("COLUMNS");
    std::uint64_t width = columns == nullptr ? 0 : parse_digits(columns).value_or(0);
    winsize size{};
    if (width == 0 && ::isatty(STDOUT_FILENO) != 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width == 0) return Drawing().width;
    return static_cast<std::size_t>(std::clamp<std::uint64_t>(width, Drawing::least_width, Drawing::greatest_width));
}

Drawing drawing_of(const CommonOptions& options, bool ascii) noexcept {
    return {output_columns(), ascii, options.colour_on(STDOUT_FILENO) == Colour::on};
}

}  // namespace hwtrace::cli
