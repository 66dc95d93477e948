// tests/bench/kanata_bench.hpp - measures the cost of reading and writing Kanata logs.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Generates a log of `lines` lines in `folder`, as from a core that fetches two instructions per cycle. Prints the
/// cost of each operation, compared with finding line ends and copying the bytes.
void measure_kanata(const std::filesystem::path& folder, std::uint64_t lines, int runs);

}  // namespace hwtrace::bench
