// formats/kanata/schema_losses.hpp - what a log keeps of a schema, and what it loses.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/losses.hpp"
#include "domain/conventions.hpp"
#include "domain/pipeline_roles.hpp"
#include "domain/protocols.hpp"
#include "model/schema.hpp"

namespace hwtrace::kanata {

/// The subject of losses of stages that no core or track names.
constexpr Subject stages_of_core = Subject::general(conventions::cpu_pipeline_stages);

/// Returns the length of a cycle in picoseconds: the greatest common divisor of the cores' clock periods; 0 if unknown.
std::uint64_t period_of(const std::vector<CpuScope>& cores) noexcept;
/// Returns true if the trace comes directly from a log, not through another format. The slots and the list of stages
/// are then derived from the records, even for a slice.
bool is_log(const Schema& schema);
/// Calls `lose(loss, subject, what)` for each loss that follows from the schema alone.
void lose_of_schema(const Schema& schema, const std::vector<CpuScope>& cores, const std::vector<PipelineUse>& uses,
                    const std::function<void(Loss, std::string_view, std::string)>& lose);

}  // namespace hwtrace::kanata
