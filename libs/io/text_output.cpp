#include "io/text_output.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "io/descriptor.hpp"

namespace hwtrace {

namespace {

// The two digits of every byte value. They let hex() convert whole bytes.
constexpr auto hex_pairs = [] {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<char, 512> pairs{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
        pairs[2 * byte] = digits[byte >> 4];
        pairs[2 * byte + 1] = digits[byte & 15];
    }
    return pairs;
}();

constexpr std::size_t longest_decimal = 20;

}  // namespace

TextOutput::TextOutput(int descriptor, std::size_t capacity) : buffer_(capacity), descriptor_(descriptor) {}

TextOutput::~TextOutput() = default;

void TextOutput::hex_of_any_size(std::uint64_t value, unsigned digits) {
    char* const place = reserve(digits);
    unsigned left = digits;
    for (; left >= 2; left -= 2, value >>= 8)
        std::memcpy(place + left - 2, &hex_pairs[2 * (value & 0xFF)], 2);
    if (left == 1) *place = hex_pairs[2 * (value & 0xF) + 1];
    advance(digits);
}

void TextOutput::decimal(std::uint64_t value) {
    char* const place = reserve(longest_decimal);
    if (value < 10) {
        *place = static_cast<char>('0' + value);
        return advance(1);
    }
    advance(static_cast<std::size_t>(std::to_chars(place, place + longest_decimal, value).ptr - place));
}

void TextOutput::decimal_signed(std::int64_t value) {
    char* const place = reserve(longest_decimal);
    advance(static_cast<std::size_t>(std::to_chars(place, place + longest_decimal, value).ptr - place));
}

void TextOutput::flush() {
    if (descriptor_ >= 0) write(size_);
}

/// Writes the first bytes of the buffer and removes them.
void TextOutput::write(std::size_t count) {
    if (count == 0) return;
    const std::string_view bytes = text().substr(0, count);
    if (change_)
        write_stream(descriptor_, as_bytes(change_(bytes)));
    else
        write_stream(descriptor_, as_bytes(bytes));
    size_ -= count;
    std::memmove(buffer_.data(), buffer_.data() + count, size_);
}

void TextOutput::make_room(std::size_t count) {
    if (descriptor_ >= 0) write(change_ ? text().rfind('\n') + 1 : size_);
    if (buffer_.size() - size_ < count) buffer_.resize(std::max(buffer_.size() * 2, size_ + count));
}

}  // namespace hwtrace
