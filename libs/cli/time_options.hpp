// cli/time_options.hpp - how positions and cycles become time: --clock, --ipc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/command_line.hpp"
#include "pipeline/plan.hpp"

namespace hwtrace::cli {

struct TimeOptions {
    std::string clock, ipc;  ///< see parse_clock, parse_ipc; empty: not given

    /// Adds both to `line`; `whose` is what has no time by itself: "a trace that has".
    void add_to(CommandLine& line, std::string_view whose);
    bool any() const noexcept { return !clock.empty() || !ipc.empty(); }
    /// Throws Failure::usage.
    TimeModel model() const;
};

/// "1GHz", "2.5MHz", "500ps", "1ns" as the period of a clock in picoseconds. Throws Failure::usage, also for a
/// frequency whose period is not a whole number of picoseconds.
std::uint64_t parse_clock(std::string_view text);
/// "N" or "N/M" instructions per cycle. Throws Failure::usage.
Ratio parse_ipc(std::string_view text);

}  // namespace hwtrace::cli
