// tests/bench/pairs_bench.hpp - what converting each of the five formats to each other costs.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Makes a trace of `records` in each format in `folder`, and prints what converting it to each of the others costs:
/// ns a record of the source, and the peak of memory.
void measure_pairs(const std::filesystem::path& folder, std::uint64_t records, int runs);

}  // namespace hwtrace::bench
