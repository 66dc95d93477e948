// cli/merge_command.hpp - what hwtrace-merge does.
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
    std::vector<std::string> names;  ///< of the scopes, by input; empty: after the files
    TargetOptions target;
    PartOptions part;  ///< of each of them
    TimeOptions time;
    bool explain = false;
};

/// Merges the inputs into one output, which appears only when it is whole.
Exit merge_command(const MergeOptions& options);

}  // namespace hwtrace::cli
