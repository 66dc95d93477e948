// tests/bench/txlog_bench.hpp - what reading and writing transaction logs costs.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Makes a log of `transactions` in `folder`, plain and in gzip, and prints what each way through it costs, beside
/// finding its lines and copying its bytes.
void measure_txlog(const std::filesystem::path& folder, std::uint64_t transactions, int runs);

}  // namespace hwtrace::bench
