// cli/info_in_shards.hpp - examines the shards of a trace on several threads.
#pragma once

#include <optional>
#include <string>

#include "cli/info_command.hpp"
#include "cli/info_report.hpp"
#include "cli/trace_file.hpp"
#include "codec/settings.hpp"
#include "operate/scan.hpp"

namespace hwtrace::cli {

/// Returns what examining the whole trace at `path` gives, with no finding. A thread of `settings` reads each shard
/// from a checkpoint of the index beside the trace, and another one computes the checksum of all bytes. Returns nullopt
/// if the trace must be read from its beginning: there is no such index, the checksum in it is another one, the format
/// has findings about the whole input, the options need one pass, the statistics cannot be joined exactly, or something
/// must be reported. `progress` is called in another thread.
std::optional<FileInfo> examined_in_shards(const std::string& path, const TraceFile& trace, const InfoOptions& options,
                                           const Settings& settings, const ProgressListener& progress);

}  // namespace hwtrace::cli
