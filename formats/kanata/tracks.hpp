// formats/kanata/tracks.hpp - the schema of a log: the tracks of µScope's protocol `cpu`
// (formats/kanata/README.md#model).
#pragma once

#include "model/schema.hpp"
#include "survey.hpp"

namespace hwtrace::kanata {

inline constexpr std::string_view core_name = "core0";

/// The tracks that commands are converted to, and their fields.
struct Tracks {
    TrackId entities = none, committed = none;
    TrackId stage_transition = none, annotate = none, dependency = none, flush = none;
    TrackId label_type = none, lane_stage = none, stage_end = none, retire = none;
    TrackId dependency_type = none, line = none;  ///< only if the log needs them
    static constexpr std::uint16_t entity_id = 0, pc = 1, simulator_id = 2, thread_id = 3;  ///< fields of entities
};

/// Declares the schema of a log in an empty schema.
Tracks declare_tracks(const Survey& survey, Schema& schema);

/// Returns true for metadata that declare_tracks() derives again from the written log, so that they are not lost.
bool is_told_by_log(const Metadata& fact) noexcept;

}  // namespace hwtrace::kanata
