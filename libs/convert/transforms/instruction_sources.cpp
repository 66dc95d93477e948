// Instructions from retired entities and from transactions, in traces that were not made from instructions.
#include "convert/transform.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "convert/transforms/retired_instructions.hpp"
#include "convert/transforms/transaction_raising.hpp"
#include "select/record_selection.hpp"
#include "select/relation_ends.hpp"

namespace hwtrace::transforms {

namespace instruction_sources_plan {

/// Adds a stage that drops the tracks from which `raising` makes no selected track. Otherwise, `raising` would count
/// losses for these tracks, because the criteria apply to the tracks that `raising` makes.
template <typename Raising>
void leave_out_unwanted(Planning& p, const Raising& raising) {
    RecordCriteria& asked = p.criteria.records;
    const Schema& schema = p.here();
    std::vector<bool> wanted(schema.tracks().size());
    std::vector<ScopeId> scopes;  // scopes of tracks that become selected tracks
    bool has_hart = false;
    for (TrackId id = 0; id < wanted.size(); ++id) {
        const TrackId target = raising.target_of(id);
        wanted[id] = target != none && accepts_track(raising.schema(), target, asked);
        if (!wanted[id]) continue;
        scopes.push_back(schema.tracks()[id].scope);
        has_hart = has_hart || raising.schema().tracks()[target].kind == Shape::hart;
    }
    // If no track is left, select() reports that. Records beside instructions are kept only with a selected hart.
    if (!has_hart) return;
    RecordCriteria before, of_source = asked;
    of_source.only.clear();
    for (TrackId id = 0; id < wanted.size(); ++id) {
        // Selected ids are ids of the target. A track without a target is kept or dropped with its scope.
        const bool beside = raising.target_of(id) == none && accepts_track(schema, id, of_source) &&
                            (asked.only.empty() || any_upwards(schema, schema.tracks()[id].scope, [&](ScopeId up) {
                                 return std::ranges::find(scopes, up) != scopes.end();
                             }));
        if (wanted[id] || beside) before.only.push_back(id);
    }
    if (before.only.size() == wanted.size()) return;
    asked.only.clear();
    for (const Kind kind : all_kinds)
        if (!asked.kinds.empty() &&
            (kind != Kind::relation || std::ranges::find(asked.kinds, kind) != asked.kinds.end()))
            before.kinds.push_back(kind);
    p.step("select", "records of the tracks that the selected ones are made from");
    const bool follows = relations_follow_intervals(schema, before, p.choices.time.period_ps);
    p.append<RecordSelection>(schema, before,
                              RecordSelectionOptions{p.choices.time.period_ps, p.choices.settings.limits});
    p.keep_part_of(schema);
    if (follows && RelationEnds::is_needed(p.here()))
        p.append<RelationEnds>(p.here(), RelationEnds::Keep::leading_in, p.reads.relations, p.choices.settings.limits,
                               nullptr);
}

}  // namespace instruction_sources_plan

using namespace instruction_sources_plan;

void raise_retired_instructions(Planning& p, const Target& to) {
    if (!to.holds_only_instructions() || p.has(Shape::hart) || !RetiredInstructions::is_possible(p.here())) return;
    if (to.accepts_any_foreign(p.here())) return;
    if (p.criteria.records.any()) leave_out_unwanted(p, RetiredInstructions(p.here(), p.losses));
    p.step("raise retired instructions", {{"a retired entity", "an instruction with pc, encoding and target"}});
    RetiredInstructions::foretell(p.here(), p.plan.losses);
    p.plan.refusal = "nothing in this trace can be written as " + std::string(to.format.name) +
                     ": no retired instruction has a known pc and encoding";
    p.plan.refusing = p.plan.stages.size();
    p.append<RetiredInstructions>(p.here(), p.losses);
}

void raise_transactions(Planning& p, const Target& to) {
    if (!to.holds_only_instructions() || p.has(Shape::hart) || !TransactionRaising::is_possible(p.here())) return;
    if (to.accepts_any_foreign(p.here())) return;
    if (p.criteria.records.any()) leave_out_unwanted(p, TransactionRaising(p.here(), p.folder(), p.losses));
    p.step("raise transactions", {{"a transaction with a pc and an encoding", "an instruction"},
                                  {"a transaction with an address, a size and a direction", "a bus access"}});
    p.plan.steps.back().what.append("; sorted by end time");
    TransactionRaising::foretell(p.here(), p.plan.losses);
    if (std::string assumption = TransactionRaising::assumption(p.here()); !assumption.empty())
        p.assume(std::move(assumption));
    p.plan.refusal = "nothing in this trace can be written as " + std::string(to.format.name) +
                     ": no transaction has all values of an instruction or a bus access";
    p.plan.refusing = p.plan.stages.size();
    p.append<TransactionRaising>(p.here(), p.folder(), p.losses);
    p.time_ordered = true;
}

}  // namespace hwtrace::transforms
