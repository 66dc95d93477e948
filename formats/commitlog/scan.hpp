// formats/commitlog/scan.hpp - reads words and numbers at the front of a line.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hwtrace::commitlog {

/// The value of each hexadecimal digit; 0xFF for all other bytes.
inline constexpr std::array<std::uint8_t, 256> hex_values = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(0xFF);
    for (std::size_t digit = 0; digit < 10; ++digit)
        values['0' + digit] = static_cast<std::uint8_t>(digit);
    for (std::size_t digit = 10; digit < 16; ++digit)
        values['a' + digit - 10] = values['A' + digit - 10] = static_cast<std::uint8_t>(digit);
    return values;
}();

/// Parses a string from the front. Each function consumes one item and returns true, or consumes nothing.
class Scan {
public:
    explicit Scan(std::string_view text) noexcept : at_(text.data()), end_(text.data() + text.size()) {}

    bool ended() const noexcept { return at_ == end_; }
    char front() const noexcept { return at_ == end_ ? '\0' : *at_; }
    std::string_view rest() const noexcept { return {at_, static_cast<std::size_t>(end_ - at_)}; }

    void blanks() noexcept {
        while (at_ != end_ && *at_ == ' ')
            ++at_;
    }
    bool take(char c) noexcept {
        if (at_ == end_ || *at_ != c) return false;
        ++at_;
        return true;
    }
    bool take(std::string_view word) noexcept {
        if (!rest().starts_with(word)) return false;
        at_ += word.size();
        return true;
    }
    /// Takes a decimal number of at most 18 digits.
    bool decimal(std::uint64_t& value) noexcept {
        const char* at = at_;
        value = 0;
        for (; at != end_ && *at >= '0' && *at <= '9'; ++at) {
            if (at - at_ == 18) return false;
            value = 10 * value + static_cast<std::uint64_t>(*at - '0');
        }
        if (at == at_) return false;
        at_ = at;
        return true;
    }
    /// Takes hexadecimal digits. `value` gets the low 64 bits.
    bool digits(std::uint64_t& value, std::string_view& all) noexcept {
        const char* at = at_;
        value = 0;
        for (std::uint8_t digit = 0; at != end_ && (digit = hex_values[static_cast<unsigned char>(*at)]) != 0xFF; ++at)
            value = value << 4 | digit;
        if (at == at_) return false;
        all = {at_, static_cast<std::size_t>(at - at_)};
        at_ = at;
        return true;
    }
    /// Takes "0x" and hexadecimal digits.
    bool hex(std::uint64_t& value, std::string_view& all) noexcept {
        if (end_ - at_ < 3 || at_[0] != '0' || at_[1] != 'x') return false;
        at_ += 2;
        if (digits(value, all)) return true;
        at_ -= 2;
        return false;
    }
    /// Takes "0x" and at most 16 digits, whose number is stored in `count`.
    bool hex64(std::uint64_t& value, std::uint8_t& count) noexcept {
        const char* const before = at_;
        std::string_view all;
        if (hex(value, all) && all.size() <= 16) {
            count = static_cast<std::uint8_t>(all.size());
            return true;
        }
        at_ = before;
        return false;
    }
    /// Takes everything up to the next blank.
    std::string_view word() noexcept {
        const char* const begin = at_;
        at_ = std::find(at_, end_, ' ');
        return {begin, static_cast<std::size_t>(at_ - begin)};
    }

private:
    const char* at_;
    const char* end_;
};

}  // namespace hwtrace::commitlog
