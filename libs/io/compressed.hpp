// io/compressed.hpp - a buffer of compressed bytes between a Source and a decompressor.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "io/input.hpp"

namespace hwtrace {

/// Buffers a source and tracks the file offset of the next byte.
class Compressed {
public:
    static constexpr std::size_t capacity = 128u << 10;

    Compressed(Source& source, std::uint64_t offset) : source_(&source), buffer_(capacity), offset_(offset) {}

    /// Returns at least `count` bytes, or fewer at the end of the source. `count` must not exceed `capacity`.
    std::span<const std::byte> peek(std::size_t count) {
        while (end_ - at_ < count && !ended_) {
            std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
            end_ -= at_;
            at_ = 0;
            const std::size_t got = source_->read(std::span(buffer_).subspan(end_));
            if (got == 0) ended_ = true;
            end_ += got;
        }
        return std::span<const std::byte>(buffer_).subspan(at_, end_ - at_);
    }
    void consume(std::size_t count) noexcept {
        at_ += count;
        offset_ += count;
    }
    std::uint64_t offset() const noexcept { return offset_; }
    /// Reads the buffered bytes, then the rest of the source. Does not change offset().
    std::size_t drain(std::span<std::byte> into) {
        if (at_ == end_) return source_->read(into);
        const std::size_t count = std::min(into.size(), end_ - at_);
        std::memcpy(into.data(), buffer_.data() + at_, count);
        at_ += count;
        return count;
    }

private:
    Source* source_;
    std::vector<std::byte> buffer_;
    std::size_t at_ = 0, end_ = 0;
    std::uint64_t offset_;
    bool ended_ = false;
};

}  // namespace hwtrace
