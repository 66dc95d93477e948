// tests/bench/ftr_bench.hpp - the cost of reading, writing and recording .ftr files.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Generates a trace of `transactions` in `folder`, plain and compressed. Prints the cost of each operation beside
/// copying, decompressing and compressing its bytes.
void measure_ftr(const std::filesystem::path& folder, std::uint64_t transactions, int runs);

/// Prints the results beside the aims for FTR (at 4 M transactions). The trace of `transactions` has five attributes
/// and a quarter of a relation each; it is read, written, and its relations are attached to their transactions.
void measure_ftr_aims(const std::filesystem::path& folder, std::uint64_t transactions, int runs);

}  // namespace hwtrace::bench
