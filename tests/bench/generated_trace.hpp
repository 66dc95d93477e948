// tests/bench/generated_trace.hpp - generates long instruction traces, the same on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::bench {

/// RV64 instructions: nested loops over arrays; every third one is a load or a store; a taken branch ends each loop.
enum class TraceShape : std::uint8_t {
    bare,
    with_registers,  ///< two sources and a destination per instruction
};

/// Returns the schema of a generated trace.
Schema generated_schema();
/// Generates instructions and passes batches to `use`; a batch is valid during the call.
void generate_instructions(TraceShape shape, std::uint64_t instructions, const std::function<void(const Batch&)>& use);
/// Writes a ZSTF trace of that many instructions to `path`; replaces an existing file.
void generate_trace(TraceShape shape, std::uint64_t instructions, const std::string& path);

}  // namespace hwtrace::bench
