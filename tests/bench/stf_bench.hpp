// tests/bench/stf_bench.hpp - what reading and converting STF traces costs, and going to places in them.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Each way through dhry_riscv of the corpus and generated traces of `instructions / 10` and `instructions`
/// instructions with registers, beside decompressing and compressing them.
void measure_stf(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

/// Reading two generated traces, one of `instructions` bare instructions and one of a third as many with three
/// registers each: what is aimed at, and what is reached.
void measure_stf_aims(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

/// 200 instructions in the middle of a ZSTF trace of `instructions`, by its index, beside decompressing the chunk they
/// stand in.
void measure_stf_seek(const std::filesystem::path& folder, std::uint64_t instructions, int runs);

}  // namespace hwtrace::bench
