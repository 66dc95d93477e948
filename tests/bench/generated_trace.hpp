// tests/bench/generated_trace.hpp - generates long instruction traces that are the same on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::bench {

/// Selects the contents of the generated RV64 instructions. The program consists of nested loops over arrays; each loop
/// ends with a taken branch. Every third instruction is a load or a store.
enum class TraceShape : std::uint8_t {
    bare,
    with_registers,  ///< each instruction has two sources and a destination
};

/// Returns the schema of a generated trace.
Schema generated_schema();
/// Generates instructions and passes them to `use` in batches. A batch is valid only during the call.
void generate_instructions(TraceShape shape, std::uint64_t instructions, const std::function<void(const Batch&)>& use);
/// Writes a ZSTF trace of `instructions` instructions to `path`. Replaces an existing file.
void generate_trace(TraceShape shape, std::uint64_t instructions, const std::string& path);

}  // namespace hwtrace::bench
