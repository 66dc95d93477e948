// cli/info_partial.hpp - partial statistics: what hwtrace-info finds in a shard, in a form from which the statistics of
// the whole trace can be computed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/info_report.hpp"
#include "cli/json.hpp"
#include "select/positions.hpp"
#include "select/range.hpp"

namespace hwtrace::cli {

/// The statistics of a shard, and how it belongs to its trace.
struct PartialInfo {
    std::string path;  ///< of the file with the statistics; empty if they were not read from a file
    Shard shard;
    Range range;                            ///< the positions of the shard
    std::string sample;                     ///< a checksum of the first and last bytes of the trace
    std::vector<std::string> moving_facts;  ///< names of facts that depend on how much of the trace was read
    std::vector<std::string> sections;      ///< names of the sections in the JSON of the shard
    FileInfo info;
};

/// Returns a checksum of the first and the last 64 KiB of a seekable input.
std::string sample_of(const Input& input);

/// Returns the statistics in the schema hwtrace-info-partial/1. All integers are exact. The size depends on the number
/// of tracks, names and different lengths (at most 4096 per track, else 7424 classes), not on the number of records.
Json to_json(const PartialInfo& partial);
/// Reads statistics that to_json() has written. Throws Failure::io, and Failure::input for any other file.
PartialInfo read_partial(const std::string& path, FormatList formats);

/// Returns what the whole trace gives, from all shards in any order. Sections that cannot be reduced exactly are left
/// out, and listed in FileInfo::not_reduced. Throws Failure::usage if a shard is missing or given twice, or if the
/// statistics are of different traces.
FileInfo reduced(std::vector<PartialInfo> partials);

}  // namespace hwtrace::cli
