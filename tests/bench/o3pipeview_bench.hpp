// tests/bench/o3pipeview_bench.hpp - measures O3PipeView: reading, writing, conversions.
#pragma once

#include <cstdint>
#include <filesystem>

namespace hwtrace::bench {

/// Prints the costs of reading and writing a trace of `lines` lines in `folder`.
void measure_o3pipeview(const std::filesystem::path& folder, std::uint64_t lines, int runs);

}  // namespace hwtrace::bench
