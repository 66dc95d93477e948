// tests/bench/generated_trace.hpp - long instruction traces, the same on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "model/record.hpp"
#include "model/schema.hpp"

namespace hwtrace::bench {

/// RV64 instructions: nested loops over arrays, every third one a load or a store, a taken branch at each loop's end.
enum class TraceShape : std::uint8_t {
    bare,
    with_registers,  ///< two sources and a destination an instruction
};

/// What a trace of them says before its first instruction.
Schema generated_schema();
/// Makes that many of them, as batches that are valid during the call.
void generate_instructions(TraceShape shape, std::uint64_t instructions, const std::function<void(const Batch&)>& use);
/// Writes a ZSTF trace of that many to `path`, which is replaced.
void generate_trace(TraceShape shape, std::uint64_t instructions, const std::string& path);

}  // namespace hwtrace::bench
