// views/timeline_view.hpp - the view timeline: lifetimes of instructions, transactions and intervals.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Writes every lifetime that domain/timeline.hpp finds, in order of their end; open lifetimes are last. Lifetimes
/// that end in one frame are in the order of the frame. Also writes every interval, in the order of the trace. Cycles
/// are cycles of the scope's clock. Scopes are named by their paths.
/// - text: one line per lifetime; below it, indented, its stages (`name begin-end`) and its remarks. `#` lines at the
///   end count the lifetimes of each scope.
/// - json: {"schema": "hwtrace-timeline/1", ..., "lives": [...], "scopes": [...]}; jsonl: the same objects, one per
///   line, distinguished by "type".
/// - csv: one row per lifetime. Lists in a cell are separated by " | ": `stages` as in text, `dependencies` (cycle id
///   type), `retries` (cycle reason), `timeouts` (cycle threshold), `notes` (cycle type "text", without the
///   disassembly; quoted by append_quoted()). `tooltip` has the texts of the notes, joined by newlines; `fields` is a
///   JSON object.
/// A stage that is open at the end of the trace is marked, and its end is one cycle after the end of the trace. A
/// lifetime from before a slice (record_restated) starts with the slice: text shows "before" in front of the first
/// cycle, the other forms have `born_before`. Its earlier stages and remarks are unknown.
/// An interval has a name, begin, end, attributes and, in most formats, an id. Phases with attributes are its stages;
/// they have no times. In CSV, `scope` is the path of its track, and its status is `complete`.
std::vector<std::string> show_timeline(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
