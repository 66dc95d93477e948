// model/conventions.hpp - the one home of names that carry meaning: what a track, field or metadata key of that name
// is.
#pragma once

#include <string_view>

namespace hwtrace::conventions {

// --- marks: how a target remembers what a conversion did, so that it can be undone (DESIGN 5) ---
inline constexpr std::string_view mark_prefix = "hwtrace.";
/// Metadata: which lowering made this trace, and how time was made. See pipeline/instruction_lowering.hpp.
inline constexpr std::string_view lowered = "hwtrace.lowered";
inline constexpr std::string_view lowered_instructions = "instructions-to-cpu-1";
/// Prefix of a metadata key whose value is the index of a runtime string (µScope: longer than the pool can hold).
inline constexpr std::string_view long_text_prefix = "hwtrace.text.";

// --- µScope's `cpu` protocol (formats/uscope.md 4) ---
inline constexpr std::string_view cpu_protocol = "cpu";
inline constexpr std::string_view dut_name = "dut_name";
inline constexpr std::string_view cpu_protocol_version = "cpu.protocol_version";
inline constexpr std::string_view cpu_isa = "cpu.isa";
inline constexpr std::string_view cpu_pipeline_stages = "cpu.pipeline_stages";
inline constexpr std::string_view entities = "entities";
inline constexpr std::string_view entity_id = "entity_id";
inline constexpr std::string_view pc = "pc";
inline constexpr std::string_view inst_bits = "inst_bits";
inline constexpr std::string_view inst_size = "size";
inline constexpr std::string_view stage_transition = "stage_transition";
inline constexpr std::string_view annotate = "annotate";
inline constexpr std::string_view dependency = "dependency";
inline constexpr std::string_view flush = "flush";
inline constexpr std::string_view pipeline_stage = "pipeline_stage";

}  // namespace hwtrace::conventions
