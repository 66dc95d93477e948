// tests/bench/flux_bench.hpp - what reading and writing flux costs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace hwtrace::bench {

/// Makes a stream of `samples` in `folder`, plain and in blocks of LZ4 and FastLZ, and prints what its entries, its
/// model and writing it cost, beside memcpy of the bytes.
void measure_flux(const std::filesystem::path& folder, std::uint64_t samples, int runs);

/// Writes such a stream, plain, to `path`.
void generate_flux(const std::string& path, std::uint64_t samples);

}  // namespace hwtrace::bench
