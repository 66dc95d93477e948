// formats/o3pipeview/schema.hpp - the schema of a trace: the tracks of µScope's protocol `cpu`
// (formats/o3pipeview/README.md#model).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "domain/pipeline_tracks.hpp"
#include "model/schema.hpp"
#include "survey.hpp"

namespace hwtrace::o3pipeview {

// Metadata keys of a trace that was read from a file of this format.
constexpr std::string_view cycle_key = "o3pipeview.ticks_per_cycle";
constexpr std::string_view rate_key = "o3pipeview.ticks_per_second";

struct CoreTracks {
    std::array<std::uint64_t, stage_count> stages{};  ///< the number of each stage
    std::uint64_t store = 0;                          ///< the number of the stage of stores
    std::vector<PipelineTracks> cores;
};

/// Returns the length of a cycle of `cycle` ticks in picoseconds, rounded down, or 0 if a clock cannot have it. `rate`
/// is the number of ticks per second.
std::uint64_t period_of_cycle(std::uint64_t cycle, std::uint64_t rate) noexcept;
/// Declares the schema of a trace in an empty schema.
CoreTracks declare_tracks(const Survey& survey, Schema& schema);

/// Returns true for metadata that declare_tracks() derives again from the written trace, so that they are not lost.
bool is_told_by_trace(const Schema& schema, const Metadata& fact);

}  // namespace hwtrace::o3pipeview
