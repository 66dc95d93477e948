// views/timeline_view.hpp - the lives of instructions and transactions, for people and programs.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Writes every life that pipeline/timeline.hpp finds, in order of their ends; those that end in one frame in the order
/// of that frame, those in flight at the end of the trace last. Cycles are those of the scope's clock.
/// - text: a line for each life; below it, indented, its stages (`name begin-end`), then what was said about it.
///   `#` lines at the end count the lives of each scope.
/// - json: {"schema": "hwtrace-timeline/1", ..., "lives": [...], "scopes": [...]}; jsonl: the same objects, one a line,
///   told apart by "type".
/// - csv: a row for each life. A cell that holds a list has " | " between its parts: `stages` as in text,
///   `dependencies` (cycle id type), `retries` (cycle reason), `timeouts` (cycle threshold), `notes` (cycle type
///   "text", without the disassembly; quoted as append_quoted does). `tooltip` has the texts of the notes, joined by
///   newlines, `fields` an object of JSON.
/// A stage that nothing ended ends one cycle behind the end of the trace, and says so. Where a life was there before
/// this part of a trace begins (record_restated), its first cycle is that of the begin: text shows "before" in front of
/// it, the other forms say `born_before`; what happened to it earlier is not known.
/// Scopes are named by their paths.
std::vector<std::string> show_timeline(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
