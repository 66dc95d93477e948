// cli/time_options.hpp - the options that convert positions and cycles to time: --clock, --ipc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/command_line.hpp"
#include "convert/plan.hpp"

namespace hwtrace::cli {

/// The help of --clock, the same in every binary.
inline constexpr std::string_view clock_help = "Clock of a trace that does not state one: 1GHz, 500ps, ...";

struct TimeOptions {
    std::string clock, ipc;  ///< see parse_clock(), parse_ipc(); empty: not given

    void add_to(CommandLine& line);
    bool any() const noexcept { return !clock.empty() || !ipc.empty(); }
    /// Returns the time model. Throws Failure::usage for an invalid value.
    TimeModel model() const;
};

/// Parses "1GHz", "2.5MHz", "500ps" or "1ns" and returns the clock period in picoseconds. Throws Failure::usage if the
/// text is malformed or the period is not a whole number of picoseconds.
std::uint64_t parse_clock(std::string_view text);
/// Parses "N" or "N/M" instructions per cycle. Throws Failure::usage for anything else.
Ratio parse_ipc(std::string_view text);

}  // namespace hwtrace::cli
