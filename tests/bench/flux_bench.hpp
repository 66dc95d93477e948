// tests/bench/flux_bench.hpp - measures the cost of reading and writing flux.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace hwtrace::bench {

/// Generates streams of `samples` samples in `folder`: plain, in LZ4 blocks and in FastLZ blocks. Prints the cost of
/// reading the entries, reading the model and writing, compared with a memcpy of the bytes.
void measure_flux(const std::filesystem::path& folder, std::uint64_t samples, int runs);

/// Writes a plain stream of `samples` samples to `path`.
void generate_flux(const std::string& path, std::uint64_t samples);

}  // namespace hwtrace::bench
