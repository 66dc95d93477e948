// recording/short_text.hpp - comparison and hash of names and other short texts, without calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hwtrace::recording::detail {

template <typename Word>
Word word_at(const char* bytes) noexcept {
    Word word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

/// Returns a == b.
inline bool is_same_text(std::string_view a, std::string_view b) noexcept {
    const std::size_t size = a.size();
    if (size != b.size()) return false;
    // The first and the last word overlap, and cover the whole text.
    const auto ends_match = [&]<typename Word>(Word) {
        return word_at<Word>(a.data()) == word_at<Word>(b.data()) &&
               word_at<Word>(a.data() + size - sizeof(Word)) == word_at<Word>(b.data() + size - sizeof(Word));
    };
    if (size > 2 * sizeof(std::uint64_t)) return std::memcmp(a.data(), b.data(), size) == 0;
    if (size >= sizeof(std::uint64_t)) return ends_match(std::uint64_t{});
    if (size >= sizeof(std::uint32_t)) return ends_match(std::uint32_t{});
    if (size >= sizeof(std::uint16_t)) return ends_match(std::uint16_t{});
    return size == 0 || a.front() == b.front();
}

inline constexpr unsigned short_text_bits = 8;

/// Returns a number below 2^short_text_bits that depends on the size and both ends of the text.
inline std::size_t short_text_hash(std::string_view text) noexcept {
    constexpr std::uint64_t odd = 0x9E37'79B9'7F4A'7C15;
    std::uint64_t first = 0, last = 0;
    if (text.size() >= sizeof first) {
        first = word_at<std::uint64_t>(text.data());
        last = word_at<std::uint64_t>(text.data() + text.size() - sizeof last);
    } else if (text.size() >= sizeof(std::uint32_t)) {
        first = word_at<std::uint32_t>(text.data());
        last = word_at<std::uint32_t>(text.data() + text.size() - sizeof(std::uint32_t));
    } else if (!text.empty()) {
        first = static_cast<unsigned char>(text.front());
        last = static_cast<unsigned char>(text.back());
    }
    return static_cast<std::size_t>((first * odd + last + text.size()) * odd >> (64 - short_text_bits));
}

}  // namespace hwtrace::recording::detail
