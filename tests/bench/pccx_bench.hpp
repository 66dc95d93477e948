// tests/bench/pccx_bench.hpp - measures the cost of reading and writing .pccx files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace hwtrace::bench {

/// Generates a trace of `events` events in `folder`, in the order of the reference's generator. Prints the cost of each
/// operation, compared with copying the bytes and computing the checksum.
void measure_pccx(const std::filesystem::path& folder, std::uint64_t events, int runs);

/// Writes a trace of `events` events to `path`. Replaces an existing file.
void generate_pccx(const std::string& path, std::uint64_t events);

}  // namespace hwtrace::bench
