// tests/bench/stf_write_bench.hpp - measures the cost of writing STF, plain and as ZSTF.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Writes generated traces of `instructions` instructions, with and without registers. Prints the cost, compared with
/// copying and compressing the bytes. Outputs are written to `folder`.
void measure_stf_writing(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

}  // namespace hwtrace::bench
