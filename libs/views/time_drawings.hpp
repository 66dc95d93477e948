// views/time_drawings.hpp - the views lanes and heatmap: drawings over time.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Draws intervals in lanes, one row per lane of a track, with the busy share of each column. Below them, draws the
/// number of instructions, loads, stores and taken branches, of events and of changes of tables, and the values of
/// counters, buffers and numeric signals. See draw_rows(); data has the schema "hwtrace-lanes/1" of append_rows().
std::vector<std::string> show_lanes(Reader& reader, TextForm form, const ViewOptions& options, const Settings& settings,
                                    TextOutput& out, const ProgressListener& progress);

/// Draws the utilisation of each scope in shades: the busy share of scopes with intervals, and the entities in progress
/// of `cpu` and `noc` scopes. A trace without both shows instructions and events. Data has the schema
/// "hwtrace-heatmap/1".
std::vector<std::string> show_heatmap(Reader& reader, TextForm form, const ViewOptions& options,
                                      const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
