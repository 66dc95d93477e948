// cli/info_examination.hpp - reads a trace and measures what hwtrace-info prints.
#pragma once

#include <memory>
#include <string>

#include "cli/info_command.hpp"
#include "cli/info_report.hpp"
#include "cli/messages.hpp"
#include "cli/trace_file.hpp"
#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "codec/trace_index.hpp"
#include "operate/scan.hpp"

namespace hwtrace::cli {

/// A trace to examine, and how to read it.
struct Examination {
    TraceFile& trace;
    std::shared_ptr<const TraceIndex> index;  ///< of the trace, for slices; null: none
    Settings settings;
    Findings& findings;
    ProgressListener progress;
    Messages& messages;
};

/// Reads the trace, or the slice that the options choose, once from its beginning, and a second time if its intervals
/// are out of order. Adds the findings.
FileInfo measured(Examination& examination, const InfoOptions& options);

/// Opens a trace and returns what hwtrace-info prints about it. Several threads read the shards of a trace that has an
/// index; the result is the same.
FileInfo examine_trace(const std::string& path, const InfoOptions& options, Messages& messages);

}  // namespace hwtrace::cli
