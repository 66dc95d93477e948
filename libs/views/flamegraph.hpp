// views/flamegraph.hpp - the view flamegraph: the instructions of each call stack, as folded stacks.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Writes the number of instructions in each call stack (views/stack_counts.hpp), sorted by the names of the frames.
/// Needs settings.symbols.
/// - text: `main;sort;compare 1234`, the input of flamegraph.pl and speedscope. Inlined calls end in `_[i]`; semicolons
///   in names become colons.
/// - json: {"schema": "hwtrace-flamegraph/1", ..., "stacks": [{"stack": ..., "instructions": ...}]}; jsonl: one object
///   per line.
/// - csv: stack,instructions.
/// Throws Failure::usage without symbols.
std::vector<std::string> show_flamegraph(Reader& reader, TextForm form, const ViewOptions& options,
                                         const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
