// tests/bench/txlog_bench.hpp - measures the cost of reading and writing transaction logs.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Generates a log of `transactions` transactions in `folder`, plain and in gzip. Prints the cost of each operation,
/// compared with finding line ends and copying the bytes.
void measure_txlog(const std::filesystem::path& folder, std::uint64_t transactions, int runs);

}  // namespace hwtrace::bench
