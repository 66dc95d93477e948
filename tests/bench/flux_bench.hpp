// tests/bench/flux_bench.hpp - what reading and writing flux costs.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Makes a stream of `samples` in `folder`, plain and in blocks of LZ4 and FastLZ, and prints what its entries, its
/// model and writing it cost, beside memcpy of the bytes.
void measure_flux(const std::filesystem::path& folder, std::uint64_t samples, int runs);

}  // namespace hwtrace::bench
