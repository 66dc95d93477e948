// tests/bench/generated_trace.hpp - a long instruction trace with register values, the same on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace hwtrace::bench {

/// Writes a ZSTF trace of `instructions` RV64 instructions to `path`, which is replaced: nested loops over arrays, two
/// sources and a destination an instruction, every third one a load or a store, a taken branch at each loop's end.
void generate_trace(const std::string& path, std::uint64_t instructions);

}  // namespace hwtrace::bench
