// io/appender.hpp - a reusable buffer for appending little-endian data.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "io/little_endian.hpp"

namespace hwtrace {

/// A growing byte buffer whose clear() keeps the capacity.
class Appender {
public:
    /// Appends an integer in little-endian order.
    template <std::integral T>
    void le(T value) {
        store_le(grow(sizeof(T)), value);
    }
    /// Appends a value as unsigned LEB128 in its shortest form.
    void leb128(std::uint64_t value) {
        while (value >= 0x80) {
            le(static_cast<std::uint8_t>(value | 0x80));
            value >>= 7;
        }
        le(static_cast<std::uint8_t>(value));
    }
    void bytes(std::span<const std::byte> bytes) {
        if (!bytes.empty()) std::memcpy(grow(bytes.size()), bytes.data(), bytes.size());
    }
    void text(std::string_view text) {
        if (!text.empty()) std::memcpy(grow(text.size()), text.data(), text.size());
    }
    void zeros(std::size_t count) { std::memset(grow(count), 0, count); }
    /// Appends zeros until the size is a multiple of `alignment`.
    void pad_to(std::size_t alignment) {
        if (const std::size_t rest = size_ % alignment; rest != 0) zeros(alignment - rest);
    }

    /// Appends `count` uninitialised bytes and returns the address of the first. The caller must fill them immediately.
    /// Invalidates earlier pointers.
    std::byte* grow(std::size_t count) {
        if (buffer_.size() - size_ < count) [[unlikely]]
            enlarge(count);
        std::byte* place = buffer_.data() + size_;
        size_ += count;
        return place;
    }
    /// Returns the number of bytes that grow() can append without new memory.
    std::size_t room() const noexcept { return buffer_.size() - size_; }
    /// Makes room() at least `count`.
    void make_room(std::size_t count) {
        if (room() < count) enlarge(count);
    }
    /// Does the same as grow() if room() is at least `count`.
    std::byte* grow_in_room(std::size_t count) noexcept {
        std::byte* place = buffer_.data() + size_;
        size_ += count;
        return place;
    }
    /// Drops the last `count` bytes.
    void shrink(std::size_t count) noexcept { size_ -= count; }
    /// Overwrites bytes that were already appended: [at, at + sizeof(T)) must exist.
    template <std::integral T>
    void patch(std::size_t at, T value) noexcept {
        store_le(buffer_.data() + at, value);
    }

    std::span<const std::byte> span() const noexcept { return {buffer_.data(), size_}; }
    std::byte* data() noexcept { return buffer_.data(); }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    /// Drops all bytes and keeps the capacity.
    void clear() noexcept { size_ = 0; }

private:
    void enlarge(std::size_t count);

    std::vector<std::byte> buffer_;  // size_ bytes are in use; the rest is initialised and ready for grow()
    std::size_t size_ = 0;
};

}  // namespace hwtrace
