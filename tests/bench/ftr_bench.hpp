// tests/bench/ftr_bench.hpp - measures the cost of reading, writing and recording .ftr files.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Generates a trace of `transactions` transactions in `folder`, plain and compressed. Prints the cost of each
/// operation, compared with copying, decompressing and compressing the bytes.
void measure_ftr(const std::filesystem::path& folder, std::uint64_t transactions, int runs);

/// Measures reading, writing, and attaching relations to transactions. Prints the results next to the aims for FTR,
/// which apply to 4 M transactions. Each transaction has five attributes, and every fourth transaction has a relation.
void measure_ftr_aims(const std::filesystem::path& folder, std::uint64_t transactions, int runs);

}  // namespace hwtrace::bench
