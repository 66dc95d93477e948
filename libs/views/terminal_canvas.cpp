#include "views/terminal_canvas.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "domain/utf8.hpp"
#include "domain/value_text.hpp"

namespace hwtrace {

namespace {

struct CodePoints {
    char32_t first, last;
};

// Unicode Standard Annex #11: the blocks of characters of class W and F. Blocks are used as a whole, as terminals do.
constexpr CodePoints wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x25FD, 0x25FE},
    {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x2705, 0x2705},
    {0x270A, 0x270B},   {0x2728, 0x2728},   {0x274C, 0x274C},   {0x2753, 0x2755},   {0x2757, 0x2757},
    {0x2795, 0x2797},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x16FE0, 0x18CFF}, {0x1B000, 0x1B2FF}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E},
    {0x1F191, 0x1F19A}, {0x1F200, 0x1F2FF}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F7E0, 0x1F7EB},
    {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};
// Combining and invisible characters.
constexpr CodePoints without_width[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},   {0x0E34, 0x0E3A},
    {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E},   {0x2060, 0x206F},
    {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
};

template <std::size_t count>
bool is_in(const CodePoints (&table)[count], char32_t point) noexcept {
    const auto* const next = std::ranges::upper_bound(table, point, {}, &CodePoints::first);
    return next != std::begin(table) && point <= std::prev(next)->last;
}

/// Returns the code point of the well-formed sequence of `length` bytes at `at`.
char32_t code_point(std::string_view text, std::size_t at, std::size_t length) noexcept {
    const auto byte = [&](std::size_t i) { return char32_t{static_cast<unsigned char>(text[at + i])}; };
    if (length <= 1) return byte(0);
    char32_t point = byte(0) & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i)
        point = point << 6 | (byte(i) & 0x3FU);
    return point;
}

/// A character of a text: its bytes and its width.
struct Glyph {
    std::size_t bytes = 1, columns = 1;
};
Glyph glyph_at(std::string_view text, std::size_t at) noexcept {
    const std::size_t length = utf8_length(text, at);
    if (length <= 1) return {};
    const char32_t point = code_point(text, at, length);
    if (is_in(without_width, point)) return {length, 0};
    return {length, is_in(wide, point) ? std::size_t{2} : std::size_t{1}};
}

constexpr std::array<std::string_view, 9> bar_blocks{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 9> bar_letters{" ", ".", ":", "-", "=", "+", "*", "#", "@"};
constexpr std::array<std::string_view, 5> shade_blocks{" ", "░", "▒", "▓", "█"};
constexpr std::array<std::string_view, 5> shade_letters{" ", ".", "-", "+", "#"};
constexpr std::array<std::string_view, 9> side_blocks{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

constexpr std::string_view plain = "\x1b[0m", bar_colour = "\x1b[36m";
constexpr std::array<std::string_view, 5> heat{plain, "\x1b[34m", "\x1b[36m", "\x1b[33m", "\x1b[31m"};
constexpr std::array<std::string_view, 6> stage_colours{"\x1b[32m", "\x1b[33m", "\x1b[36m",
                                                        "\x1b[35m", "\x1b[34m", "\x1b[31m"};

}  // namespace

std::size_t display_width(std::string_view text) noexcept {
    std::size_t columns = 0;
    for (std::size_t at = 0; at < text.size();) {
        const Glyph glyph = glyph_at(text, at);
        columns += glyph.columns;
        at += glyph.bytes;
    }
    return columns;
}

std::string_view last_columns(std::string_view text, std::size_t width) noexcept {
    std::size_t columns = display_width(text), at = 0;
    while (at < text.size()) {
        // Combining characters belong to the character before them, so they are cut together.
        const Glyph glyph = glyph_at(text, at);
        if (columns <= width && (at == 0 || glyph.columns != 0)) break;
        columns -= glyph.columns;
        at += glyph.bytes;
    }
    return text.substr(at);
}

std::uint8_t level_of(long double part, long double whole, unsigned full) noexcept {
    if (!(part > 0) || !(whole > 0)) return TerminalCanvas::blank;
    return static_cast<std::uint8_t>(std::clamp(part / whole * full + 0.5L, 1.0L, static_cast<long double>(full)));
}

void TerminalCanvas::colour(std::string_view code) {
    if (drawing_.colour) out_.put(code);
}

void TerminalCanvas::spaces(std::size_t count) {
    for (; count != 0; --count)
        out_.put(' ');
}

void TerminalCanvas::end_line() {
    out_.put('\n');
}

void TerminalCanvas::label(std::string_view text, std::size_t width) {
    std::size_t columns = display_width(text);
    if (columns > width) {
        const std::string_view ellipsis = drawing_.ascii ? ".." : "…";
        text = last_columns(text, width - std::min(width, display_width(ellipsis)));
        out_.put(ellipsis);
        columns = display_width(ellipsis) + display_width(text);
    }
    out_.put(text);
    spaces(width - std::min(width, columns));
}

void TerminalCanvas::left_label(std::string_view text, std::size_t width) {
    std::size_t columns = display_width(text);
    if (columns > width) {
        const std::string_view ellipsis = drawing_.ascii ? ".." : "…";
        const std::size_t room = width - std::min(width, display_width(ellipsis));
        std::size_t at = 0;
        columns = 0;
        for (Glyph glyph; at < text.size(); at += glyph.bytes, columns += glyph.columns)
            if (glyph = glyph_at(text, at); columns + glyph.columns > room) break;
        out_.put(text.substr(0, at));
        text = ellipsis;
        columns += display_width(ellipsis);
    }
    out_.put(text);
    spaces(width - std::min(width, columns));
}

void TerminalCanvas::right_label(std::string_view text, std::size_t width) {
    spaces(width - std::min(width, display_width(text)));
    out_.put(text);
}

void TerminalCanvas::bars(std::span<const std::uint8_t> levels) {
    colour(bar_colour);
    for (const std::uint8_t level : levels)
        out_.put((drawing_.ascii ? bar_letters : bar_blocks)[std::min<std::size_t>(level, full_bar)]);
    colour(plain);
}

void TerminalCanvas::shades(std::span<const std::uint8_t> levels) {
    std::size_t before = 0;
    for (const std::uint8_t level : levels) {
        const auto now = std::min<std::size_t>(level, full_shade);
        if (now != before) colour(heat[now]);
        before = now;
        out_.put(shade(level));
    }
    if (before != 0) colour(plain);
}

void TerminalCanvas::bar(std::size_t eighths) {
    colour(bar_colour);
    for (std::size_t i = 0; i < eighths / full_bar; ++i)
        out_.put(drawing_.ascii ? "#" : side_blocks[full_bar]);
    if (drawing_.ascii)
        out_.put(eighths % full_bar >= full_bar / 2 || (eighths != 0 && eighths < full_bar) ? "#" : "");
    else
        out_.put(side_blocks[eighths % full_bar]);
    colour(plain);
}

void TerminalCanvas::letters(std::string_view letters, std::span<const std::int8_t> colours) {
    int before = -1;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const int now = colours[i];
        if (now != before)
            colour(now < 0 ? plain : stage_colours[static_cast<std::size_t>(now) % stage_colours.size()]);
        before = now;
        out_.put(letters[i]);
    }
    if (before >= 0) colour(plain);
}

std::string_view TerminalCanvas::shade(unsigned level) const noexcept {
    return (drawing_.ascii ? shade_letters : shade_blocks)[std::min(level, full_shade)];
}

std::string TerminalCanvas::printable_name(std::string_view name) const {
    return printable(name_text(name));
}

std::string TerminalCanvas::printable(std::string_view text) const {
    if (!drawing_.ascii) return std::string(text);
    std::string result;
    for (std::size_t at = 0; at < text.size(); at += glyph_at(text, at).bytes)
        result += static_cast<unsigned char>(text[at]) < 0x80 ? text[at] : '?';
    return result;
}

}  // namespace hwtrace
