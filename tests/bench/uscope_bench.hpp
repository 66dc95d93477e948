// tests/bench/uscope_bench.hpp - measures the cost of writing, replaying and seeking in dense µScope files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace hwtrace::bench {

/// Generates a trace of `items` operations and events in `folder` with a model of an out-of-order core. Prints the cost
/// of each operation, compared with LZ4 on the same payload.
void measure_uscope(const std::filesystem::path& folder, std::uint64_t items, int runs);

/// Writes an LZ4-compressed trace of `items` items to `path`.
void generate_uscope(const std::string& path, std::uint64_t items);

}  // namespace hwtrace::bench
