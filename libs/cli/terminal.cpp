#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "io/number_text.hpp"

namespace hwtrace::cli {

std::size_t output_columns() noexcept {
    const auto clamped = [](std::uint64_t width) {
        return static_cast<std::size_t>(
            std::clamp<std::uint64_t>(width, Drawing::least_width, Drawing::greatest_width));
    };
    const char* const variable = std::getenv("COLUMNS");
    const std::string_view columns = variable == nullptr ? "" : variable;
    if (!columns.empty() && columns.find_first_not_of("0123456789") == std::string_view::npos)
        return clamped(parse_digits(columns).value_or(Drawing::greatest_width));
    winsize size{};
    const bool is_known = ::isatty(STDOUT_FILENO) != 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
    return is_known && size.ws_col != 0 ? clamped(size.ws_col) : Drawing().width;
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
    constexpr std::string_view colour = "\x1b[";  // up to an 'm'; takes no column
    std::size_t columns = 0;
    for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
        end = text.find(colour);
        columns += display_width(text.substr(0, end));
        end = end == std::string_view::npos ? end : text.find('m', end);
        end = end == std::string_view::npos ? text.size() : end + 1;
    }
    return columns;
}

namespace {

constexpr std::string_view blanks = " \n";

/// Returns the next word of a text, and the one after it if the first is a number and the second its unit.
std::string_view next_word(std::string_view text, std::size_t most_columns) noexcept {
    const std::string_view word = text.substr(0, text.find_first_of(blanks));
    constexpr std::string_view digits = "0123456789";
    const bool is_number = digits.find(word.front()) != std::string_view::npos &&
                           word.find_first_not_of("0123456789.,") == std::string_view::npos &&
                           digits.find(word.back()) != std::string_view::npos;
    const std::size_t unit = word.size() + 1;
    if (!is_number || unit >= text.size() || text[unit - 1] != ' ') return word;
    if (blanks.find(text[unit]) != std::string_view::npos || digits.find(text[unit]) != std::string_view::npos)
        return word;
    const std::string_view both = text.substr(0, text.find_first_of(blanks, unit));
    return columns_of(both) <= most_columns ? both : word;
}

}  // namespace

void append_wrapped(std::string_view text, std::size_t column, std::size_t margin, std::size_t columns,
                    std::string& page) {
    for (bool first = true;; first = false) {
        const std::size_t gap = std::min(text.find_first_not_of(blanks), text.size());
        text.remove_prefix(gap);
        if (text.empty()) break;
        const std::string_view word = next_word(text, columns - std::min(margin, columns));
        text.remove_prefix(word.size());
        const std::size_t width = columns_of(word);
        const bool wraps = !first && column + gap + width > columns;
        if (wraps) page += '\n';
        page.append(wraps ? margin : gap, ' ');
        page += word;
        column = (wraps ? margin : column + gap) + width;
    }
    page += '\n';
}

namespace {

constexpr std::size_t margin_of_wrapped = 4;

/// Returns a line with at most two blanks between its words.
std::string squeezed(std::string_view line) {
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    std::string text(line.substr(0, indent));
    std::size_t gap = 0;
    for (const char c : line.substr(indent)) {
        gap = c == ' ' ? gap + 1 : 0;
        if (gap <= 2) text += c;
    }
    return text;
}

/// Appends a line without its end.
void append_fitted(std::string_view line, std::size_t columns, std::string& text) {
    constexpr std::string_view command = ": hwtrace-", alone = "  hwtrace-";
    if (columns_of(line) <= columns) {
        text += line;
        return;
    }
    if (const std::size_t at = line.find(command); at != std::string_view::npos) {
        append_wrapped(line.substr(0, at + 1), 0, margin_of_wrapped, columns, text);
        text.append(margin_of_wrapped, ' ').append(line.substr(at + 2));
        return;
    }
    if (line.find(alone) != std::string_view::npos) {
        text += line;
        return;
    }
    if (const std::string narrow = squeezed(line); columns_of(narrow) <= columns) {
        text += narrow;
        return;
    }
    const std::size_t indent = std::min(line.find_first_not_of(' '), columns / 2);
    append_wrapped(line, 0, indent + margin_of_wrapped, columns, text);
    text.pop_back();  // the end of the last line
}

}  // namespace

std::string fitted(std::string_view lines, std::size_t columns) {
    std::string text;
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        append_fitted(lines.substr(0, end), columns, text);
        if (end != lines.size()) text += '\n';
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
    return text;
}

void fit_to_terminal(TextOutput& out) {
    if (::isatty(STDOUT_FILENO) == 0) return;
    out.change_lines([columns = output_columns()](std::string_view lines) { return fitted(lines, columns); });
}

}  // namespace hwtrace::cli
