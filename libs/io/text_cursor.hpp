// io/text_cursor.hpp - parses words, numbers and letters at the front of a string.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace hwtrace {

/// Parses a string from the front. Each function consumes one item and returns true. If the string continues with
/// anything else, the function returns false and consumes nothing.
class TextCursor {
public:
    explicit TextCursor(std::string_view text) noexcept : text_(text) {}

    /// Returns true at the end of the string.
    bool ended() const noexcept { return text_.empty(); }

    /// Parses exactly `expected`.
    bool word(std::string_view expected) noexcept {
        if (!text_.starts_with(expected)) return false;
        text_.remove_prefix(expected.size());
        return true;
    }
    /// Parses decimal digits.
    bool number(std::uint64_t& value) noexcept {
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        if (error != std::errc()) return false;
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return true;
    }
    /// Parses one of `letters` and sets `index` to its position in `letters`.
    bool letter(std::string_view letters, std::size_t& index) noexcept {
        if (text_.empty()) return false;
        const std::size_t found = letters.find(text_.front());
        if (found == std::string_view::npos) return false;
        index = found;
        text_.remove_prefix(1);
        return true;
    }
    /// Consumes `count` arbitrary bytes.
    bool bytes(std::uint64_t count, std::string_view& taken) noexcept {
        if (count > text_.size()) return false;
        taken = text_.substr(0, static_cast<std::size_t>(count));
        text_.remove_prefix(static_cast<std::size_t>(count));
        return true;
    }

private:
    std::string_view text_;
};

}  // namespace hwtrace
