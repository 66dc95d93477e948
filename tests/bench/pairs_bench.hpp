// tests/bench/pairs_bench.hpp - the cost of converting between five formats.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Generates a trace of `records` in each format in `folder`. Prints the cost of converting it to each of the others:
/// ns per record of the source, and the peak of memory.
void measure_pairs(const std::filesystem::path& folder, std::uint64_t records, int runs);

}  // namespace hwtrace::bench
