#include "cli/time_options.hpp"

namespace hwtrace::cli {

void TimeOptions::add_to(CommandLine& line) {
    line.option("--clock", "CLOCK", clock, clock_help);
    line.option("--ipc", "N[/M]", ipc, "Instructions per cycle of a trace without time: 2, 3/4, ...");
}

TimeModel TimeOptions::model() const {
    TimeModel time;
    if (!clock.empty()) time.period_ps = parse_clock(clock);
    if (!ipc.empty()) time.instructions_per_cycle = parse_ipc(ipc);
    return time;
}

}  // namespace hwtrace::cli
