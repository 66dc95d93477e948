// tests/bench/stf_write_bench.hpp - the cost of writing STF, plain and as ZSTF.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Writes generated traces of `instructions`, bare and with registers. Prints the cost beside copying and compressing
/// their bytes. `folder` is for the outputs.
void measure_stf_writing(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

}  // namespace hwtrace::bench
