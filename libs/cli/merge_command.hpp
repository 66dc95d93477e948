// cli/merge_command.hpp - the command hwtrace-merge.
#pragma once

#include <string>
#include <vector>

#include "cli/common_options.hpp"
#include "cli/conversion.hpp"
#include "cli/part_options.hpp"
#include "cli/time_options.hpp"

namespace hwtrace::cli {

struct MergeOptions {
    explicit MergeOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::vector<std::string> inputs;
    std::vector<std::string> names;  ///< scope name of each input; empty: from the file names
    TargetOptions target;
    PartOptions part;  ///< the slice of each input
    TimeOptions time;
    bool concat = false;  ///< puts shards together instead of merging by time
    bool check = false;   ///< the inputs are manifests, whose shards are checked; nothing is written
};

/// Puts shards together in the given order (--concat). Inputs that are manifests name the shards, which are checked
/// first. With --check, only checks.
Exit concat_command(const MergeOptions& options);

/// Merges the inputs into one output, which is written atomically.
Exit merge_command(const MergeOptions& options);

}  // namespace hwtrace::cli
