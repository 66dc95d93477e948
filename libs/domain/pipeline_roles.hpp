// domain/pipeline_roles.hpp - the roles of the tracks of protocol `cpu`, for writers of pipeline logs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "domain/protocols.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The role of a track: how its records are written.
enum class PipelineRole : std::uint8_t {
    foreign,
    entities,
    committed,
    stage_transition,
    annotate,
    dependency,
    flush,
    label_type,
    lane_stage,
    stage_end,
    retire,
    dependency_type,
    line,
};

/// Returns the number of cells that an event of a role needs.
std::size_t cells_of(PipelineRole role) noexcept;

/// The role of a track in one of the cores.
struct PipelineUse {
    PipelineRole role = PipelineRole::foreign;
    std::uint32_t core = 0;  ///< index in the list of cores
};

/// Returns the use of each track. A track whose fields do not provide the cells of its role is foreign. `line_track`
/// names the event of lines that are no commands; empty: there is none.
std::vector<PipelineUse> pipeline_uses(const Schema& schema, const std::vector<CpuScope>& cores,
                                       std::string_view line_track = {});

}  // namespace hwtrace
