#include "names.hpp"

#include <optional>

namespace hwtrace::waveform {
namespace {

constexpr std::string_view digits = "0123456789abcdef";
constexpr std::string_view letters = "abfnrtv", meanings = "\a\b\f\n\r\t\v";

bool is_plain(unsigned char c) noexcept {
    return c > ' ' && c != '\\' && c != 0x7F;
}

/// Returns the place of "[7:0]" at the end of a name, or npos. The range must follow something.
std::size_t range_at(std::string_view name) noexcept {
    if (!name.ends_with(']')) return std::string_view::npos;
    const std::size_t open = name.rfind('[');
    if (open == std::string_view::npos || open == 0) return std::string_view::npos;
    const std::string_view inside = name.substr(open + 1, name.size() - open - 2);
    const bool is_range = inside.find(':') != std::string_view::npos &&
                          inside.find_first_not_of("0123456789:-") == std::string_view::npos;
    return is_range ? open : std::string_view::npos;
}

std::optional<char> hex_at(std::string_view text, std::size_t at) noexcept {
    if (at + 1 >= text.size()) return std::nullopt;
    const std::size_t high = digits.find(text[at]), low = digits.find(text[at + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    return static_cast<char>(high << 4 | low);
}

}  // namespace

std::string written_name(std::string_view name) {
    if (name.empty()) return "\\x";
    const std::size_t range = range_at(name);
    std::string written;
    for (std::size_t at = 0; at < name.size(); ++at) {
        const auto c = static_cast<unsigned char>(name[at]);
        if (at == range) written += ' ';
        if (is_plain(c) && !(at == 0 && (c == '$' || c == '['))) {  // "$end" ends a declaration, "[" begins an index
            written += name[at];
            continue;
        }
        written += "\\x";
        written += digits[c >> 4];
        written += digits[c & 15u];
    }
    return written;
}

std::string read_name(std::string_view name) {
    if (name == "\\x") return {};
    std::string meant;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name[at] == '\\' && at + 1 < name.size() && name[at + 1] == 'x') {
            if (const std::optional<char> c = hex_at(name, at + 2)) {
                meant += *c;
                at += 3;
                continue;
            }
        }
        if (name[at] == '\\' && at == 0) continue;
        if (name[at] == ' ') continue;
        meant += name[at];
    }
    return meant;
}

void append_escaped(std::string_view text, std::string& out) {
    for (const char character : text) {
        const auto c = static_cast<unsigned char>(character);
        if (const std::size_t letter = meanings.find(character); letter != std::string_view::npos) {
            out += '\\';
            out += letters[letter];
        } else if (c == '\'' || c == '"' || c == '\\' || c == '?') {
            out += '\\';
            out += character;
        } else if (c > ' ' && c <= '~') {
            out += character;
        } else {
            out += '\\';
            for (const unsigned shift : {6u, 3u, 0u})
                out += static_cast<char>('0' + (c >> shift & 7u));
        }
    }
}

std::string unescaped(std::string_view text) {
    std::string meant;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '\\' || at + 1 == text.size()) {
            meant += text[at];
            continue;
        }
        const char c = text[++at];
        if (const std::size_t letter = letters.find(c); letter != std::string_view::npos) {
            meant += meanings[letter];
        } else if (const std::optional<char> byte = c == 'x' ? hex_at(text, at + 1) : std::nullopt) {
            meant += *byte;
            at += 2;
        } else if (c >= '0' && c <= '7') {
            unsigned value = 0;
            for (std::size_t digit = 0; digit < 3 && at < text.size() && text[at] >= '0' && text[at] <= '7'; ++digit)
                value = value << 3 | static_cast<unsigned>(text[at++] - '0');
            --at;
            meant += static_cast<char>(value & 0xFFu);
        } else {
            meant += c;
        }
    }
    return meant;
}

}  // namespace hwtrace::waveform
