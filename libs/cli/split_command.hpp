// cli/split_command.hpp - the command hwtrace-split.
#pragma once

#include <cstdint>
#include <string>

#include "cli/common_options.hpp"
#include "cli/conversion.hpp"
#include "cli/part_options.hpp"
#include "cli/time_options.hpp"

namespace hwtrace::cli {

struct SplitOptions {
    explicit SplitOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::string input;
    TargetOptions target;    ///< `target.output` is the pattern of the file names
    std::string every;       ///< see parse_piece_length(); empty: not given
    std::string by;          ///< scope, hart or track; empty: not given
    std::uint64_t into = 0;  ///< number of shards; 0: not given
    PartOptions part;        ///< the slice to split
    TimeOptions time;
    std::uint64_t depth = 0;  ///< level of the scopes, counted from 1; 0: not given
    std::uint64_t max_pieces = 10'000;
};

/// Splits the input into pieces, which are committed together.
Exit split_command(const SplitOptions& options);

}  // namespace hwtrace::cli
