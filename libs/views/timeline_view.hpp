// views/timeline_view.hpp - the lives of instructions and transactions, for people and programs.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Writes every life that views/timeline.hpp finds, in order of their ends; those that end in one frame in the order
/// of that frame, those in flight at the end of the trace last. Cycles are those of the scope's clock.
/// - text: a line for each life; below it, indented, its stages (`name begin-end`), then what was said about it.
///   `#` lines at the end count the lives of each scope.
/// - json: {"schema": "hwtrace-timeline/1", ..., "lives": [...], "scopes": [...]}; jsonl: the same objects, one a line,
///   told apart by "type".
/// - csv: a row for each life; the stages as in text, texts joined by newlines.
/// A stage that nothing ended ends one cycle behind the end of the trace, and says so.
std::vector<std::string> show_timeline(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
