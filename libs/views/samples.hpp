// views/samples.hpp - what signals were, over time.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Writes every change of every signal, in the order of the trace, with the unit of its own base of time (unit_of).
/// What a signal is since before a part of a trace (record_restated) is told as such.
/// - text: `12 ps  top/bus.data = 0x0016`; an array `[1, 2]`, a structure `{a=5, b="x"}` with the members that it has
///   then; `no value`; behind it `, conflict` or `, tag 9`, and `, since before`.
/// - json: {"schema": "hwtrace-samples/1", ..., "samples": [...]}; jsonl: the same objects, one a line. `value` is a
///   number, a text, an array or an object; `no_value`, `conflict` and `restated` are there where they are so, and
///   `tag`.
/// - csv: time,unit,scope,signal,member,value,state: a row for each value, one without a value for a change that has
///   none; state is empty, or any of `no value`, `conflict`, `tag N`, `since before`, with " | " between them.
std::vector<std::string> show_samples(Reader& reader, TextForm form, const ViewOptions& options,
                                      const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
