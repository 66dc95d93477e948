// cli/convert_command.hpp - what hwtrace-convert does.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/common_options.hpp"
#include "cli/conversion.hpp"
#include "cli/part_options.hpp"
#include "pipeline/plan.hpp"

namespace hwtrace::cli {

struct ConvertOptions {
    explicit ConvertOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::string input;
    TargetOptions target;
    PartOptions part;
    std::string clock, ipc;  ///< see parse_clock, parse_ipc; empty: not given
    bool explain = false;
    bool verify = false;
};

/// Converts one file. The output appears only when it is whole.
Exit convert_command(const ConvertOptions& options);

/// "1GHz", "2.5MHz", "500ps", "1ns" as the period of a clock in picoseconds. Throws Failure::usage, also for a
/// frequency whose period is not a whole number of picoseconds.
std::uint64_t parse_clock(std::string_view text);
/// "N" or "N/M" instructions per cycle. Throws Failure::usage.
Ratio parse_ipc(std::string_view text);

}  // namespace hwtrace::cli
