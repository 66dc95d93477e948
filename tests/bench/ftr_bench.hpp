// tests/bench/ftr_bench.hpp - what reading, writing and recording .ftr files costs.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Generates a trace of `transactions` in `folder`, plain and compressed, and prints what each way through it costs,
/// beside copying its bytes, decompressing and compressing them.
void measure_ftr(const std::filesystem::path& folder, std::uint64_t transactions, int runs);

/// Prints what FTR is held to: a trace of `transactions`, five attributes and a quarter of a relation each, read,
/// written, and its relations attached to their transactions, beside the aims (of 4 M transactions).
void measure_ftr_aims(const std::filesystem::path& folder, std::uint64_t transactions, int runs);

}  // namespace hwtrace::bench
