// tests/bench/stf_bench.hpp - the cost of reading, converting and seeking in STF traces.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Measures all operations on dhry_riscv of the corpus, and on generated traces of `instructions / 10` and
/// `instructions` instructions with registers, beside decompressing and compressing them.
void measure_stf(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

/// Measures reading two generated traces against the aims: one of `instructions` bare instructions, and one of a third
/// as many with three registers each.
void measure_stf_aims(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

/// Measures reading 200 instructions in the middle of a ZSTF trace of `instructions` by its index, beside decompressing
/// their chunk.
void measure_stf_seek(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

}  // namespace hwtrace::bench
