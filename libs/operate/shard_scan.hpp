// operate/shard_scan.hpp - checks one shard of a trace, so that several machines can check a trace together.
#pragma once

#include <memory>

#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "codec/trace_index.hpp"
#include "io/input.hpp"
#include "operate/scan.hpp"
#include "select/positions.hpp"

namespace hwtrace {

/// The counts of a shard.
struct ShardCounts : ScanCounts {
    bool is_only = false;  ///< the last shard, and all others are empty
};

/// Reads the part of `input`, a trace in the format `from`, that belongs to `shard`, and reports its findings. All
/// shards together report the findings of the whole trace, and each finding once: what a call of Reader::read() reports
/// belongs to the shard of the position where this call began. Reading starts at a checkpoint of `index` (null: no
/// index) or at the beginning; findings about what precedes the shard are not reported. Rewinds the input. A pipe is
/// spooled. An Error of the reader is thrown even if it concerns records before the shard.
ShardCounts scan_shard(const Shard& shard, Input& input, const Format& from, const Settings& settings,
                       const std::shared_ptr<const TraceIndex>& index, Findings& findings,
                       const ProgressListener& progress = {});

}  // namespace hwtrace
