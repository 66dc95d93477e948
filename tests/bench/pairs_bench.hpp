// tests/bench/pairs_bench.hpp - measures the cost of converting between five formats, and of drawing pictures.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Generates a trace of `records` records in each format in `folder`. Prints the cost of converting it to each other
/// format: ns per record of the source, and peak memory.
void measure_pairs(const std::filesystem::path& folder, std::uint64_t records, int runs);
/// Generates a trace of `records` records in each format in `folder`. Prints the cost of drawing each picture of it,
/// and of what the libraries protozero and fstapi need to write as many slices and changes.
void measure_pictures(const std::filesystem::path& folder, std::uint64_t records, int runs);

}  // namespace hwtrace::bench
