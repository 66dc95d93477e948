// tests/bench/ftr_bench.hpp - what reading, writing and recording .ftr files costs.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Generates a trace of `transactions` in `folder`, plain and compressed, and prints what each way through it costs,
/// beside copying its bytes, decompressing and compressing them.
void measure_ftr(const std::filesystem::path& folder, std::uint64_t transactions, int runs);

}  // namespace hwtrace::bench
