// views/counters.hpp - the views counters and buffers: counter values and buffer occupancy over time.
#pragma once

#include "views/model_views.hpp"

namespace hwtrace {

/// Writes the values of every counter (see is_counter()) whose scope/name contains options.counter. A row shows the
/// value after all set and add records of a cycle. Rows are sorted by time; rows of one cycle are in the order of the
/// first change. A value from before a slice (record_restated) gets a row, but does not count as a change.
/// - text: `cycle N  scope/counter  value  +change`, and the change per cycle if a row covers several cycles. `#` lines
///   at the end list the last values.
/// - json: {"schema": "hwtrace-counters/1", ..., "changes": [...], "counters": [...]}; jsonl: the same objects, one per
///   line; csv: cycle,time,scope,counter,value,delta, and with --interval also cycles,rate.
/// options.interval is the number of cycles per row. Intervals without a change have no row. The last interval ends
/// with the trace, so it may be shorter. `cycles` is the length of an interval; the rate is computed from it. By
/// default, text has at most 128 intervals. With options.following, text has every cycle. The other forms always have
/// every cycle.
std::vector<std::string> show_counters(Reader& reader, TextForm form, const ViewOptions& options,
                                       const Settings& settings, TextOutput& out, const ProgressListener& progress);

/// Writes the number of occupied slots (see Occupancy) at the end of a cycle. Covers every buffer (see is_buffer()) and
/// the catalogues of `cpu` and `noc` scopes. If properties are head and tail pointers of rings, also writes the number
/// of slots that each ring encloses (see ring_fill()). If the pointers are ambiguous, the previous value is kept. The
/// output forms are the same as for counters, with the schema "hwtrace-buffers/1". For a slice, Earlier::occupied
/// provides the slots that were occupied before the slice.
std::vector<std::string> show_buffers(Reader& reader, TextForm form, const ViewOptions& options,
                                      const Settings& settings, TextOutput& out, const ProgressListener& progress);

}  // namespace hwtrace
