// tests/bench/stf_bench.hpp - measures the cost of reading, converting and seeking in STF traces.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Measures all operations, and for comparison decompressing and compressing the traces. The traces are dhry_riscv of
/// the corpus, and generated ones of `instructions / 10` and `instructions` instructions with registers.
void measure_stf(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

/// Compares the speed of reading two generated traces with the aims. One has `instructions` instructions without
/// registers; the other has a third as many, with three registers each.
void measure_stf_aims(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

/// Measures reading 200 instructions in the middle of a ZSTF trace of `instructions` instructions with its index. For
/// comparison, also measures decompressing their chunk.
void measure_stf_seek(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

}  // namespace hwtrace::bench
