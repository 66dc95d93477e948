// cli/info_command.hpp - what hwtrace-info does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.hpp"
#include "cli/part_options.hpp"

namespace hwtrace::cli {

struct InfoOptions {
    explicit InfoOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::vector<std::string> inputs;
    PartOptions part;                       ///< what is counted
    std::string format = "text";            ///< "text" or "json"
    std::optional<std::uint64_t> interval;  ///< instructions of an interval whose counters are told; none: none are
    bool quick = false;                     ///< only what opening the file tells
    bool allow_incomplete = false;
};

/// Prints the facts of every file; goes on behind a file that cannot be read.
Exit info_command(const InfoOptions& options);

}  // namespace hwtrace::cli
