// tests/bench/tables_bench.hpp - measures the cost of writing tables.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Writes a table of `rows` rows and six columns in each format of tables, into `folder`, and prints the cost. The
/// floor is to copy the cells. HWTRACE_BENCH_KEEP names a folder that gets the tables, to compare their sizes with
/// those of other programs.
void measure_tables(const std::filesystem::path& folder, std::uint64_t rows, int runs);

}  // namespace hwtrace::bench
