#include "cli/shell_word.hpp"

#include <algorithm>

#include "cli/messages.hpp"

namespace hwtrace::cli {

namespace {

bool is_plain(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./+,:=@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view name) {
    std::string word(name);
    if (word.starts_with('-')) word.insert(0, "./");
    if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
    if (printable(word) != word) {
        std::string escaped;
        for (const char c : word)
            escaped += c == '\\' || c == '\'' ? std::string("\\") + c : std::string(1, c);
        return "$'" + printable(escaped) + "'";
    }
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace hwtrace::cli
