// views/histogram_view.hpp - the view histogram: distributions of durations, lifetimes and values.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Shows a histogram of the durations of each track of intervals, of the lifetimes of each `cpu` and `noc` scope in
/// cycles, and of the values of each numeric signal and of the occupancy of each buffer, weighted by time. Lifetimes
/// whose begin or end is not in the trace are not counted.
/// - text: count and percentiles, then a bar for each bucket; at most 24 histograms.
/// - json: {"schema": "hwtrace-histogram/1", ..., "histograms": [...]}; jsonl: the same objects, one per line; csv: one
///   row per bucket, name,of,unit,weight_unit,count,exact,min,p50,p90,p99,max,from,to,weight. A bucket is [from, to).
std::vector<std::string> show_histogram(Reader& reader, TextForm form, const ViewOptions& options,
                                        const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
