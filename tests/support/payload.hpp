// tests/support/payload.hpp - bytes to compress, and a function that reads a source to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/input.hpp"

namespace hwtrace::test {

using Bytes = std::vector<std::byte>;

/// Returns bytes that compress, but not trivially. Every zstd frame of these bytes has several blocks.
inline Bytes payload(std::size_t size, std::uint32_t seed = 1) {
    Bytes bytes(size);
    std::uint32_t state = seed;
    for (std::byte& byte : bytes) {
        state = state * 1664525u + 1013904223u;
        byte = static_cast<std::byte>((state >> 24) % 23 + 'a');
    }
    return bytes;
}

inline Bytes operator+(Bytes left, const Bytes& right) {
    left.insert(left.end(), right.begin(), right.end());
    return left;
}

/// Reads the source to its end, `piece` bytes at a time.
inline Bytes drain(Source& source, std::size_t piece = 10'000) {
    Bytes all, buffer(piece);
    while (const std::size_t count = source.read(buffer))
        all.insert(all.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count));
    return all;
}

}  // namespace hwtrace::test
