// cli/info_latencies.hpp - prints arrivals, relations, named intervals, stages and rooflines of hwtrace-info, as text
// and as JSON.
#pragma once

#include "cli/info_report.hpp"

namespace hwtrace::cli {

/// Prints arrivals, relations, named intervals and the roofline, as far as the trace has them.
void print_latencies(const FileInfo& info, Volume volume, TextOutput& out);
/// Adds the members "arrivals", "relations", "names" and "roofline".
void append_latencies(const FileInfo& info, JsonIntegers integers, Json& json);

/// Prints the latencies of the stages of a scope, and why its instructions waited.
void print_stages(const Statistics::Unit& unit, Volume volume, TextOutput& out);
/// Adds the members "lifetimes", "stages" and "reasons".
void append_stages(const StageLatencies& latencies, JsonIntegers integers, Json& json);

}  // namespace hwtrace::cli
