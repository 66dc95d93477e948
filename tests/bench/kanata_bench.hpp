// tests/bench/kanata_bench.hpp - what reading and writing Kanata logs costs.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Generates a log of `lines` lines in `folder`, as a core that fetches two instructions a cycle makes it, and prints
/// what each way through it costs, beside looking for its line ends and copying its bytes.
void measure_kanata(const std::filesystem::path& folder, std::uint64_t lines, int runs);

}  // namespace hwtrace::bench
