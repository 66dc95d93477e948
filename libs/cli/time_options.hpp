// cli/time_options.hpp - the options that convert positions and cycles to time: --clock, --ipc.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_line.hpp"
#include "convert/plan.hpp"
#include "select/clock.hpp"

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

}  // namespace hwtrace::cli
