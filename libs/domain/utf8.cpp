#include "domain/utf8.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hwtrace {

std::size_t utf8_length(std::string_view text, std::size_t at) noexcept {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(at);
    if (first < 0x80) return 1;
    std::size_t length = 0;
    if (first >= 0xC2 && first <= 0xDF) length = 2;
    if (first >= 0xE0 && first <= 0xEF) length = 3;
    if (first >= 0xF0 && first <= 0xF4) length = 4;
    if (length == 0 || length > text.size() - at) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(at + i) & 0xC0u) != 0x80u) return 0;
    const unsigned second = byte(at + 1);
    const bool overlong_or_out_of_range = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                                          (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
    return overlong_or_out_of_range ? 0 : length;
}

namespace {

/// Returns true if the sizeof(Word) bytes at `bytes` are ASCII.
template <typename Word>
bool are_ascii(const char* bytes) noexcept {
    Word word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return (word & static_cast<Word>(0x8080'8080'8080'8080)) == 0;
}

/// The first word and the last one, which overlap in most texts.
template <typename Word>
bool has_ascii_ends(std::string_view text) noexcept {
    return are_ascii<Word>(text.data()) && are_ascii<Word>(text.data() + text.size() - sizeof(Word));
}

/// Returns true for most of the texts of traces, which are short and ASCII.
bool is_short_ascii(std::string_view text) noexcept {
    if (text.size() > 2 * sizeof(std::uint64_t)) return false;
    if (text.size() >= sizeof(std::uint64_t)) return has_ascii_ends<std::uint64_t>(text);
    if (text.size() >= sizeof(std::uint32_t)) return has_ascii_ends<std::uint32_t>(text);
    return false;
}

}  // namespace

std::size_t find_not_utf8(std::string_view text) noexcept {
    if (is_short_ascii(text)) return std::string_view::npos;
    for (std::size_t at = 0; at < text.size();) {
        if (text.size() - at >= sizeof(std::uint64_t) && are_ascii<std::uint64_t>(text.data() + at)) {
            at += sizeof(std::uint64_t);
            continue;
        }
        const std::size_t length = utf8_length(text, at);
        if (length == 0) return at;
        at += length;
    }
    return std::string_view::npos;
}

std::string as_utf8(std::string_view text) {
    std::string valid;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        valid.append(length == 0 ? "\xEF\xBF\xBD" : text.substr(at, length));
        at += std::max<std::size_t>(length, 1);
    }
    return valid;
}

}  // namespace hwtrace
