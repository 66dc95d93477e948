// operate/scan_in_parts.hpp - reads a trace that has an index on several threads.
#pragma once

#include <optional>
#include <string>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "codec/trace_index.hpp"
#include "io/input.hpp"
#include "operate/scan.hpp"

namespace hwtrace {

/// Reads the file at `path`, a trace in the format `from` which is also open as `input`, on up to Settings::jobs
/// threads, and returns its counts. Each thread begins at a checkpoint of `index` and ends at the next one, where its
/// state must be that of the checkpoint: so the index need not be trusted. Returns nullopt if the trace must be read
/// from its beginning: there is a finding, states differ, the format has findings about the whole file, or a thread
/// fails. `progress` is called in another thread.
std::optional<ScanCounts> scan_in_parts(const std::string& path, const Input& input, const Format& from,
                                        const Settings& settings, const TraceIndex& index,
                                        const ProgressListener& progress = {});

}  // namespace hwtrace
