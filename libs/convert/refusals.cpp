#include <algorithm>
#include <string>
#include <utility>

#include "convert/planning.hpp"
#include "convert/transforms/transaction_raising.hpp"
#include "domain/protocols.hpp"
#include "io/advised_error.hpp"

namespace hwtrace {

void refuse_several_harts(const Planning& p, const Target& to) {
    const auto harts = std::ranges::count(p.here().tracks(), Shape::hart, &Track::kind);
    if (harts < 2 || !to.holds(Shape::hart) || !to.format.writes.holds.of(Shape::hart).only_one) return;
    throw AdvisedError(Failure::input,
                       std::string(to.format.name) + " holds the instructions of one hart, but this trace has " +
                           std::to_string(harts) + " harts",
                       "choose one with --select scope=...");
}

void refuse_pointless(Planning& p, const Target& to) {
    const Schema& schema = p.here();
    const bool some = to.accepts_any(schema);
    const bool only_instructions = to.holds_only_instructions();
    const bool pointless = only_instructions        ? !to.accepts_any_foreign(schema)
                           : !to.protocol().empty() ? !some || !has_catalogue(schema, to.protocol())
                                                    : !some;
    if (!pointless || schema.tracks().empty()) return;
    std::string why;
    if (!to.protocol().empty())
        why.append(": it has no scope of the protocol '").append(to.protocol()).append("' with a table of entities");
    else if (only_instructions)
        why = !to.holds(Shape::stream) ? ": it has no instructions"
                                       : ": it has neither instructions nor intervals that the "
                                         "format can hold";
    else if (to.holds(Shape::stream))
        why = ": it has nothing that becomes an interval";
    std::string refusal = "nothing in this trace can be written as " + std::string(to.format.name) + why;
    // A format may declare native tracks in every trace, so the decision waits for their records.
    const bool only_native = std::all_of(schema.tracks().begin(), schema.tracks().end(),
                                         [](const Track& track) { return track.kind == Shape::native; });
    const std::string missing = only_instructions ? TransactionRaising::missing(schema) : std::string();
    if (!only_native && !missing.empty())
        throw AdvisedError(
            Failure::input, refusal,
            "instructions need a pc and an encoding, and bus accesses need an address, a size and a direction: " +
                missing);
    if (!only_native) fail(Failure::input, refusal);
    p.plan.refusal = std::move(refusal);
    p.plan.refusing = p.plan.stages.size();
}

}  // namespace hwtrace
