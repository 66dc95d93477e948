// io/cursor.hpp - reads little-endian fields from a span; every read is checked.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "io/error.hpp"
#include "io/little_endian.hpp"

namespace hwtrace {

/// The error for a read past the end of a span: at `offset`, `needed` bytes are required, but only `left` bytes exist.
/// Codecs catch this error while they read a structure, and report a finding that names the structure.
class Truncated : public Error {
public:
    Truncated(std::uint64_t offset, std::uint64_t needed, std::uint64_t left);
    std::uint64_t offset() const noexcept { return offset_; }
    std::uint64_t needed() const noexcept { return needed_; }
    std::uint64_t left() const noexcept { return left_; }

private:
    std::uint64_t offset_, needed_, left_;
};

/// Reads a span of bytes in order. A read past the end throws Truncated with the absolute offset. A cold function
/// throws the error, so that the hot path is one compare and one load.
class Cursor {
public:
    /// `base` is the offset of `bytes[0]` in the file or in the decompressed block; errors state absolute offsets.
    explicit Cursor(std::span<const std::byte> bytes, std::uint64_t base = 0) noexcept
        : begin_(bytes.data()), at_(bytes.data()), end_(bytes.data() + bytes.size()), base_(base) {}

    /// Reads sizeof(T) bytes, little-endian.
    template <std::integral T>
    T le() {
        if (left() < sizeof(T)) [[unlikely]]
            truncated(sizeof(T));
        const T value = load_le<T>(at_);
        at_ += sizeof(T);
        return value;
    }
    /// Reads an unsigned LEB128 number of at most 10 bytes. Encodings that are longer than necessary are accepted.
    /// Throws Failure::input if the number has more than 10 bytes or exceeds 64 bits.
    std::uint64_t leb128() {
        if (at_ != end_ && (static_cast<std::uint8_t>(*at_) & 0x80u) == 0) [[likely]]
            return static_cast<std::uint8_t>(*at_++);
        return long_leb128();
    }
    /// Returns the next `count` bytes without copying; valid for the lifetime of the span.
    std::span<const std::byte> take(std::size_t count) {
        if (left() < count) [[unlikely]]
            truncated(count);
        const std::span<const std::byte> bytes{at_, count};
        at_ += count;
        return bytes;
    }
    void skip(std::size_t count) { take(count); }
    /// Returns the absolute offset of the next byte.
    std::uint64_t offset() const noexcept { return base_ + static_cast<std::uint64_t>(at_ - begin_); }
    std::size_t left() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    bool at_end() const noexcept { return at_ == end_; }
    std::span<const std::byte> rest() const noexcept { return {at_, left()}; }

private:
    [[noreturn, gnu::cold, gnu::noinline]] void truncated(std::uint64_t needed) const;
    std::uint64_t long_leb128();

    const std::byte* begin_;
    const std::byte* at_;
    const std::byte* end_;
    std::uint64_t base_;
};

/// Returns a view of the bytes as a string, valid for the lifetime of the bytes.
inline std::string_view as_text(std::span<const std::byte> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::span<const std::byte> as_bytes(std::string_view text) noexcept {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace hwtrace
