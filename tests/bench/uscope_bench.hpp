// tests/bench/uscope_bench.hpp - what writing, replaying and looking into dense µScope files costs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace hwtrace::bench {

/// Generates a trace of `items` operations and events in `folder`, as the model of an out-of-order core makes them, and
/// prints what each way through it costs, beside LZ4 on the same payload.
void measure_uscope(const std::filesystem::path& folder, std::uint64_t items, int runs);

/// Writes such a trace, with LZ4, to `path`.
void generate_uscope(const std::string& path, std::uint64_t items);

}  // namespace hwtrace::bench
