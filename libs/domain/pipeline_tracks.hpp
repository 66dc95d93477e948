// domain/pipeline_tracks.hpp - the schema of a pipeline log: the tracks of µScope's protocol `cpu`, and the tracks that
// logs add to it (formats/kanata/README.md#model).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/schema.hpp"

namespace hwtrace {

/// The properties of a log on which its schema depends.
struct PipelineShape {
    std::span<const std::string> stages;  ///< in the order of their numbers
    std::uint32_t slots = 16;             ///< the number of instructions in flight
    std::uint64_t period_ps = 0;          ///< length of a cycle; 0: unknown
    TimeBase time;                        ///< of all tracks
    bool wide_dependencies = false;       ///< true: a dependency has a type above 255
    bool microops = false;                ///< true: instructions have a micro-op number
    std::string_view line_track = {};     ///< the event of lines that are no commands; empty: there are none

    static constexpr std::string_view protocol_version = "0.1";
    static constexpr std::size_t most_named_stages = 255;  ///< largest number of values in a µScope enum
};

/// The objects that all cores of a log share.
struct PipelineObjects {
    static constexpr std::string_view clock_name = "core_clk";
    ClockId clock = none;
    ScopeId root = none;
    EnumId stages = none, dependencies = none, flushes = none, stalls = none;
};

/// The tracks of a core, and their fields.
struct PipelineTracks {
    TrackId entities = none, committed = none;
    TrackId stage_transition = none, annotate = none, dependency = none, flush = none;
    TrackId label_type = none, lane_stage = none, stage_end = none, retire = none;
    TrackId dependency_type = none, line = none;  ///< only if the log needs them
    static constexpr std::uint16_t entity_id = 0, pc = 1, simulator_id = 2, thread_id = 3;  ///< fields of entities
    static constexpr std::uint16_t microop = 4;                                             ///< if the log needs it
    static constexpr std::string_view microop_name = "upc";                                 ///< the field of `microop`
};

/// Declares the scope `root` with its clock and enums in a schema without scopes.
PipelineObjects declare_pipeline(const PipelineShape& shape, Schema& schema);
/// Declares a core below the root, with its tracks.
PipelineTracks declare_pipeline_core(const PipelineShape& shape, const PipelineObjects& objects, std::string_view name,
                                     Schema& schema);

}  // namespace hwtrace
