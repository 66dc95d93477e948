// formats/kanata/tracks.hpp - the schema of a log: the tracks of µScope's protocol `cpu`
// (formats/kanata/README.md#model).
#pragma once

#include "domain/pipeline_tracks.hpp"
#include "model/schema.hpp"
#include "survey.hpp"

namespace hwtrace::kanata {

inline constexpr std::string_view core_name = "core0";

using Tracks = PipelineTracks;

/// Declares the schema of a log in an empty schema.
Tracks declare_tracks(const Survey& survey, Schema& schema);

/// Returns true for metadata that declare_tracks() derives again from the written log, so that they are not lost.
bool is_told_by_log(const Metadata& fact) noexcept;

}  // namespace hwtrace::kanata
