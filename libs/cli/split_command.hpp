// cli/split_command.hpp - what hwtrace-split does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common_options.hpp"
#include "cli/conversion.hpp"
#include "cli/part_options.hpp"
#include "cli/time_options.hpp"

namespace hwtrace::cli {

struct SplitOptions {
    explicit SplitOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::string input;
    TargetOptions target;  ///< its output is the pattern of the names
    std::string every;     ///< see parse_piece_length; empty: not given
    std::string by;        ///< scope, hart or track; empty: not given
    PartOptions part;      ///< what is cut into pieces
    TimeOptions time;
    std::uint64_t depth = 0;  ///< of the scopes; 0: not given
    std::uint64_t max_pieces = 10'000;
    bool explain = false;
};

/// Writes the pieces of the input, which appear when all of them are whole.
Exit split_command(const SplitOptions& options);

/// The paths of the pieces that are called `names`: `pattern` with the name where its {} is, else "-" and the name in
/// front of the extension, which is one of `format` where it has one. What a file name cannot hold becomes "_", a slash
/// "."; of names that are the same, the later ones get a number. Throws Failure::usage for a {} in the folder, or two.
std::vector<std::string> piece_paths(std::string_view pattern, const std::vector<std::string>& names,
                                     const Format& format);

}  // namespace hwtrace::cli
