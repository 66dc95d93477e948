// cli/index_command.hpp - the command hwtrace-index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.hpp"

namespace hwtrace::cli {

struct IndexCommandOptions {
    explicit IndexCommandOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::vector<std::string> inputs;
    std::string output;                  ///< the index; empty: beside the trace
    std::optional<std::uint64_t> every;  ///< positions between checkpoints; nullopt: chosen automatically
    bool force = false;
    bool check = false;
    bool allow_incomplete = false;
};

/// Writes the index of each input, or checks the indexes that exist.
Exit index_command(const IndexCommandOptions& options);

}  // namespace hwtrace::cli
