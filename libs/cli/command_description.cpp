#include "cli/command_description.hpp"

#include <algorithm>

namespace hwtrace::cli {

namespace {

bool is_digit(char letter) noexcept {
    return letter >= '0' && letter <= '9';
}

/// Returns the paragraph that begins with `heading`, up to an empty line. Returns an empty string if there is no such
/// paragraph.
std::string_view paragraph(std::string_view text, std::string_view heading) noexcept {
    const std::size_t begin = text.find(heading);
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin);
    return text.substr(0, text.find("\n\n"));
}

std::string_view trimmed(std::string_view text) noexcept {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    text.remove_suffix(text.size() - std::min(text.find_last_not_of(' ') + 1, text.size()));
    return text;
}

}  // namespace

std::vector<Example> examples_of(const CommandDescription& command) {
    std::vector<Example> examples;
    std::string_view text = paragraph(command.examples, "Examples:");
    text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
    while (!text.empty()) {
        const std::string_view line = trimmed(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
        const std::size_t end = std::min(line.find("   "), line.size());  // a remark follows several spaces
        examples.push_back({line.substr(0, end), trimmed(line.substr(end))});
    }
    return examples;
}

ExitCodes exit_codes_of(const CommandDescription& command) {
    ExitCodes result;
    std::string text(paragraph(command.examples, "Exit codes"));
    std::replace(text.begin(), text.end(), '\n', ' ');
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) return result;
    if (const std::size_t comma = text.find(", "); comma < colon)
        result.rule = text.substr(comma + 2, colon - comma - 2);
    const std::string codes = text.substr(colon + 2);
    for (std::size_t begin = 0; begin < codes.size();) {
        const std::size_t space = codes.find(' ', begin);
        std::size_t end = codes.find(", ", begin);
        while (end != std::string::npos && !is_digit(codes[end + 2]))  // this comma is part of the meaning
            end = codes.find(", ", end + 2);
        const std::size_t stop = end != std::string::npos ? end : codes.size() - (codes.ends_with('.') ? 1 : 0);
        result.codes.push_back({codes.substr(begin, space - begin), codes.substr(space + 1, stop - space - 1)});
        if (end == std::string::npos) break;
        begin = end + 2;
    }
    return result;
}

std::string_view summary_of(const CommandDescription& command) noexcept {
    const std::string_view what = command.what;
    std::size_t end = 0;
    while (end < what.size() && !((what[end] == '.' || what[end] == ':') &&
                                  (end + 1 == what.size() || what[end + 1] == ' ' || what[end + 1] == '\n')))
        ++end;
    return what.substr(0, end);
}

}  // namespace hwtrace::cli
