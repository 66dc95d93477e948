// views/counters.hpp - the counters of a trace and how full its buffers are, over time.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Writes the values of every counter (is_counter) whose name behind the path of its scope contains options.counter. A
/// value is what sets and adds have made of it at the end of a cycle. Rows come in order of time, those of one cycle as
/// they changed first. What a value is since before a part of a trace (record_restated) is no change, but has a row.
/// - text: `cycle N  scope/counter  value  +change`; where a row stands for more cycles, also the change a cycle. `#`
///   lines at the end have the last values.
/// - json: {"schema": "hwtrace-counters/1", ..., "changes": [...], "counters": [...]}; jsonl: the same objects, one a
///   line; csv: cycle,time,scope,counter,value,delta, and with --interval also cycles,rate.
/// options.interval: a row for each so many cycles in which the counter changed; the last step ends with the trace, and
/// `cycles` says how many of it there are, by which the rate is counted. Without it, text shows at most 128 steps
/// (every cycle with options.following), the other forms every cycle.
std::vector<std::string> show_counters(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress);

/// Writes how many slots of every buffer (is_buffer), and of the catalogues of `cpu` and `noc` scopes, are occupied
/// (see Occupancy) at the end of a cycle; where properties are the head and tail of rings, also how many slots each
/// encloses (ring_fill; while the pointers do not tell, what it was before). In the same forms: "hwtrace-buffers/1".
/// Of a part of a trace, slots are those that records of Earlier::occupied tell.
std::vector<std::string> show_buffers(Reader& reader, TextForm form, const ViewOptions& options,
                                      const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
