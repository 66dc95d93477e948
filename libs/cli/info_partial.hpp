// cli/info_partial.hpp - partial statistics: what hwtrace-info finds in a shard, in a form from which the statistics of
// the whole trace are computed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/info_report.hpp"
#include "cli/json.hpp"
#include "codec/settings.hpp"
#include "io/input.hpp"
#include "select/positions.hpp"

namespace hwtrace::cli {

/// The statistics of a shard, and how it belongs to its trace.
struct PartialInfo {
    std::string path;  ///< of the file with the statistics
    Shard shard;
    FileInfo info;  ///< with `of_shard`
};

/// Returns a checksum of the first and the last 64 KiB of a seekable input.
std::string sample_of(const Input& input);

/// Returns the statistics of a shard, which examine_trace() made, in the schema hwtrace-info-partial/2. The size
/// depends on the numbers of tracks, names, different lengths, pcs and so on, but hardly on the number of records.
Json partial_json(const FileInfo& info, const Shard& shard);

/// How much of partial statistics to read.
enum class PartialContent : std::uint8_t { head, whole };
/// Reads statistics that partial_json() has written, from the begin of a seekable input. Throws Failure::io and
/// Failure::limit, and Failure::input for any other file.
PartialInfo read_partial(Input& input, PartialContent content, FormatList formats, const Limits& limits);

/// Returns what the whole trace gives, from the statistics of all shards in any order. Holds those of one shard at a
/// time. Sections that cannot be reduced exactly are left out, and listed in FileInfo::not_reduced. Throws
/// Failure::usage if a shard is missing or given twice, or if the statistics are of different traces; and what
/// read_partial() throws.
FileInfo reduced(const std::vector<std::string>& paths, FormatList formats, const Settings& settings);
/// Does the same with the statistics of all shards of one trace, in order. There is at least one.
FileInfo reduced(const std::vector<PartialInfo>& shards, const Limits& limits);

}  // namespace hwtrace::cli
