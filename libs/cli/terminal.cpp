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

std::size_t columns_of_messages() noexcept {
    constexpr std::size_t usual = 80;
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : usual;
}

std::size_t list_columns() noexcept {
    return ::isatty(STDOUT_FILENO) != 0 ? output_columns() : std::string::npos;
}

Drawing drawing_of(const CommonOptions& options, bool ascii) noexcept {
    return {output_columns(), ascii, options.colour_on(STDOUT_FILENO) == Colour::on};
}

std::size_t columns_of(std::string_view text) noexcept {
    return display_width(text);
}

void append_wrapped(std::string_view text, std::size_t column, std::size_t margin, std::size_t columns,
                    std::string& page) {
    bool first = true;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find_first_of(" \n"));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        if (word.empty()) continue;
        const std::size_t width = columns_of(word);
        if (!first && column + 1 + width > columns) {
            page.append("\n").append(margin, ' ');
            column = margin;
        } else if (!first) {
            page += ' ';
            ++column;
        }
        page += word;
        column += width;
        first = false;
    }
    page += '\n';
}

}  // namespace hwtrace::cli
