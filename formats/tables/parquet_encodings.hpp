// formats/tables/parquet_encodings.hpp - Parquet's encodings of numbers (Apache Parquet, "Encodings").
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "io/appender.hpp"

namespace hwtrace::tables {

/// Returns the number of bits of the greatest value.
constexpr unsigned bit_width(std::uint64_t greatest) noexcept {
    return static_cast<unsigned>(std::bit_width(greatest));
}

/// Appends numbers of `width` bits (at most 32) as runs of equal numbers and groups of 8 packed numbers (RLE/bit-packed
/// hybrid). A reader must know how many numbers there are.
void append_hybrid(std::span<const std::uint32_t> numbers, unsigned width, Appender& out);
/// Does the same for `count` equal numbers.
void append_run(std::uint32_t number, std::size_t count, unsigned width, Appender& out);

/// Appends numbers as differences, in blocks of 128 (DELTA_BINARY_PACKED). Differences wrap around.
void append_deltas(std::span<const std::uint64_t> numbers, Appender& out);
/// Returns about the number of bytes that append_deltas() appends.
std::size_t delta_size(std::span<const std::uint64_t> numbers) noexcept;

/// Appends the first bytes of all numbers, then their second bytes, and so on (BYTE_STREAM_SPLIT). `width`: 4 or 8.
void append_split(std::span<const std::uint64_t> numbers, unsigned width, Appender& out);
/// Appends the lowest `width` bytes of all numbers, 4 or 8.
void append_plain(std::span<const std::uint64_t> numbers, unsigned width, Appender& out);
/// Appends a bit for each number, lowest first.
void append_bits(std::span<const std::uint64_t> numbers, Appender& out);

}  // namespace hwtrace::tables
