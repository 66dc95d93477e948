// views/samples.hpp - the view samples: signal values over time.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Writes every change of every signal in the order of the trace, with the unit of its time base (see unit_of()).
/// - text: `12 ps  top/bus.data = 0x0016`. An array is written as `[1, 2]`, and a structure with its present members
///   as `{a=5, b="x"}`. A signal without a value is written as `no value`. Suffixes are `, conflict`, `, tag 9`, and
///   `, since before` for a value from before a slice (record_restated).
/// - json: {"schema": "hwtrace-samples/1", ..., "samples": [...]}; jsonl: one object per line. `value` is a number, a
///   string, an array or an object. `no_value`, `conflict`, `restated` and `tag` are present only if they apply.
/// - csv: time,unit,scope,signal,member,value,state: one row per value, or one row for a change without a value.
///   `state` is empty or lists `no value`, `conflict`, `tag N` and `since before`, separated by " | ".
std::vector<std::string> show_samples(Reader& reader, TextForm form, const ViewOptions& options,
                                      const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
