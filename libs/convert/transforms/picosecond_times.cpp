// Times in picoseconds.
#include "convert/transform.hpp"

#include <algorithm>

#include "convert/transforms/rescaling.hpp"

namespace hwtrace::transforms {

void give_picoseconds(Planning& p, const Target& to) {
    if (to.format.writes.time != TimeLimit::only_picoseconds || !Rescaling::is_needed(p.here())) return;
    const std::uint64_t period = p.period();
    p.step("rescale", {{"a cycle", "its time in picoseconds"}});
    if (Rescaling::needs_period(p.here())) {
        p.plan.gives_time = true;
        if (!p.choices.time.period_ps)
            p.assume("the trace does not state the length of a cycle: assumed " + std::to_string(period) +
                     " ps (--clock changes it)");
    }
    p.foretell(Loss::time_rounded, "*", "times below 0 or above 2^63 ps are clamped");
    for (const Track& track : p.here().tracks())
        if (!Rescaling::takes(track)) p.foretell(Loss::kind_dropped, track.name, no_place(to, track));
    p.append<Rescaling>(p.here(), period, p.losses);
}

}  // namespace hwtrace::transforms
