// One-slot tables that hold the values of signals.
#include <algorithm>

#include "convert/transform.hpp"
#include "convert/transforms/signal_tables.hpp"

namespace hwtrace::transforms {

void raise_value_tables(Planning& p, const Target& to) {
    const bool wanted = to.holds(Shape::signal) || !to.holds_tables();
    if (!wanted || !SignalsOfTables::is_lowered(p.here())) return;
    p.step_of_raising("raise signals", {{"a table made from a signal", "the original signal"}});
    p.append<SignalsOfTables>(p.here(), p.losses);
}

void make_value_tables(Planning& p, const Target& to) {
    if (!to.holds_tables() || !needs_held_values(p, to)) return;
    const Schema& schema = p.here();
    p.plan.reorders = !p.time_ordered || !p.has_one_base();
    if (!p.time_ordered) p.sort();  // storages record only changes, so changes must be in time order
    p.step("lower signals",
           {{"a signal",
             "a one-slot table with the current value and a field `mark` for conflicts and tags; array "
             "elements become events"}});
    for (const Track& track : schema.tracks()) {
        if (track.kind == Shape::signal)
            p.foretell(Loss::part_dropped, track.name,
                       "changes without a value, and further values of the same field in a change");
        if (track.kind == Shape::signal && track.fields.size() > 1)
            p.foretell(Loss::order_changed, track.name, "several values of the same name in a change");
        if (SignalTables::narrows(schema, track))
            p.foretell(Loss::type_changed, track.name,
                       "values of enumerations that " + std::string(to.format.name) + " cannot hold");
    }
    p.signals_in_tables = true;
    p.append<SignalTables>(schema, p.losses);
}

}  // namespace hwtrace::transforms
