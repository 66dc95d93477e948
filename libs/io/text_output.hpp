// io/text_output.hpp - writes text to a descriptor through a large buffer. All dumps use it.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "io/little_endian.hpp"

namespace hwtrace {

/// Returns the eight lower-case hexadecimal digits of `value` as characters. The first digit is in the lowest byte.
constexpr std::uint64_t eight_hex_digits(std::uint32_t value) noexcept {
    std::uint64_t digits = __builtin_bswap32(value);
    digits = (digits | digits << 16) & 0x0000'FFFF'0000'FFFF;
    digits = (digits | digits << 8) & 0x00FF'00FF'00FF'00FF;
    digits = (digits >> 4 & 0x000F'000F'000F'000F) | (digits & 0x000F'000F'000F'000F) << 8;  // one digit per byte
    constexpr std::uint64_t ones = 0x0101'0101'0101'0101;
    const std::uint64_t letters = (digits + 6 * ones) >> 4 & ones;
    return digits + '0' * ones + letters * ('a' - '0' - 10);
}

/// Buffers text and writes it to a file descriptor in large blocks. A broken pipe ends the process silently, as SIGPIPE
/// does. Other errors throw Failure::io. With descriptor -1, all text is kept for text(); tests use this.
class TextOutput {
public:
    /// `capacity` is the initial size of the buffer in bytes. The descriptor is not closed.
    TextOutput(int descriptor, std::size_t capacity);
    explicit TextOutput(int descriptor) : TextOutput(descriptor, descriptor < 0 ? 4u << 10 : 256u << 10) {}
    ~TextOutput();  ///< does not flush, because flush() can throw
    TextOutput(const TextOutput&) = delete;
    TextOutput& operator=(const TextOutput&) = delete;

    /// Writes text.
    [[gnu::always_inline]] void put(std::string_view text) {
        if (text.empty()) return;  // data() may be null, which memcpy does not accept
        char* place = reserve(text.size());
        std::memcpy(place, text.data(), text.size());
        advance(text.size());
    }
    [[gnu::always_inline]] void put(char c) {
        *reserve(1) = c;
        advance(1);
    }
    /// Writes the lowest `digits` hexadecimal digits of `value`, in lower case and zero-padded.
    [[gnu::always_inline]] void hex(std::uint64_t value, unsigned digits) {
        if (digits != 16 && digits != 8) return hex_of_any_size(value, digits);
        auto* const place = reinterpret_cast<std::byte*>(reserve(digits));
        store_le(place + digits - 8, eight_hex_digits(static_cast<std::uint32_t>(value)));
        if (digits == 16) store_le(place, eight_hex_digits(static_cast<std::uint32_t>(value >> 32)));
        advance(digits);
    }
    /// Writes decimal digits.
    void decimal(std::uint64_t value);
    void decimal_signed(std::int64_t value);

    /// Returns the address of at least `count` writable bytes. Call advance() afterwards with the number of bytes used.
    char* reserve(std::size_t count) {
        if (buffer_.size() - size_ < count) [[unlikely]]
            make_room(count);
        return buffer_.data() + size_;
    }
    void advance(std::size_t count) noexcept { size_ += count; }
    /// Writes all buffered text to the descriptor. Throws Failure::io.
    void flush();
    /// From now on, passes whole lines through `change` before they are written. Only flush() also passes on a last
    /// line without its end.
    void change_lines(std::function<std::string(std::string_view)> change) { change_ = std::move(change); }
    /// Discards unflushed text.
    void clear() noexcept { size_ = 0; }
    /// Returns the unflushed text; with descriptor -1, all text.
    std::string_view text() const noexcept { return {buffer_.data(), size_}; }

private:
    void hex_of_any_size(std::uint64_t value, unsigned digits);
    void make_room(std::size_t count);
    void write(std::size_t count);

    std::vector<char> buffer_;
    std::size_t size_ = 0;
    int descriptor_;
    std::function<std::string(std::string_view)> change_;
};

}  // namespace hwtrace
