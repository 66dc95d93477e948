// tests/bench/flux_read_bench.hpp - compares reading flux with a plain C scan of the same bytes.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Prints one row per kind of sample: the cost of a sample in the reader, and its ratio to the plain scan.
void measure_flux_read(const std::filesystem::path& folder, std::uint64_t samples, int runs);

}  // namespace hwtrace::bench
