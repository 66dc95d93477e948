// select/clock.hpp - the clock and the rate of instructions as the user states them (--clock, --ipc).
#pragma once

#include <cstdint>
#include <string_view>

#include "model/time.hpp"

namespace hwtrace {

/// Parses "1GHz", "2.5MHz", "500ps" or "1ns" and returns the clock period in picoseconds. Throws Failure::usage if the
/// text is malformed or the period is not a whole number of picoseconds.
std::uint64_t parse_clock(std::string_view text);
/// Parses "N" or "N/M" instructions per cycle. Throws Failure::usage for anything else.
Ratio parse_ipc(std::string_view text);

}  // namespace hwtrace
