#include "convert/plan.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "codec/trace_index.hpp"
#include "convert/transform.hpp"

namespace hwtrace {

namespace {

void plan_reading(Planning& p, const SourceFormat& from) {
    p.from = &from.format;
    p.reads = from.reads;
    p.step("read " + std::string(from.format.name), std::string(from.format.title));
    p.time_ordered = from.reads.time_ordered;
    p.lateness = from.lateness;
    p.of_model = from.format.writes.accepts_any_trace();
    p.numbers_harts = !p.of_model;
}

void plan_raising(Planning& p, const Target& to) {
    if (to.holds_any_trace() && !to.format.writes.raises(p.choices.settings)) return;
    for (const Transform plan : raisings())
        plan(p, to);
}

void plan_lowering(Planning& p, const Target& to) {
    for (const Transform plan : lowerings())
        plan(p, to);
}

void plan_sorting(Planning& p, const Target& to) {
    if (p.time_ordered || to.format.writes.needs_time_order == nullptr || p.has(Shape::hart) ||
        !to.format.writes.needs_time_order(p.here(), p.choices.settings))
        return;
    p.sort();
}

/// Returns the mappings of the tracks that the target accepts, for a trace that needs no transform.
std::vector<Mapping> kept_as_it_is(const Planning& p, const Target& to) {
    std::vector<Mapping> kept;
    const auto remakes = [](const PlanStep& one) {
        return std::ranges::any_of(std::array{"raise", "lower", "make"},
                                   [&](std::string_view word) { return one.name.starts_with(word); });
    };
    if (std::ranges::any_of(p.plan.steps, remakes)) return kept;
    for (const Track& track : p.here().tracks()) {
        Mapping one{std::string(name_of_records(track.kind)), "itself"};
        if (to.accepts(p.here(), track) && std::ranges::find(kept, one) == kept.end()) kept.push_back(std::move(one));
    }
    return kept;
}

void plan_writing(Planning& p, const Target& to) {
    p.step("write " + std::string(to.format.name), std::string(to.format.title), kept_as_it_is(p, to));
    std::vector<ExpectedLoss> expected;
    if (to.format.writes.foresee != nullptr) to.format.writes.foresee(p.here(), p.choices.settings, expected);
    if (p.plan.part) {
        p.plan.part->follow_target(p.here(), p.plan.stages.size());
        // While the schema grows, the list of tracks is incomplete.
        if (p.reads.schema_upfront) p.plan.part->settle(expected);
    }
    std::ranges::move(expected, std::back_inserter(p.plan.losses));
    for (std::string& track : p.rescaled)
        p.foretell(Loss::time_rounded, std::move(track), "positions have 63 bits");
    for (const std::string& assumption : p.plan.assumptions)
        p.losses.assume(assumption);
}

Plan finish(Planning&& p) {
    p.plan.time_ordered = p.time_ordered;
    p.plan.index = p.choices.index;
    return std::move(p.plan);
}

}  // namespace

Plan make_plan(const Schema& source, const SourceFormat& from, const Format& to, const Choices& choices,
               Losses& losses) {
    Planning p(source, choices, losses);
    const Target target(to);
    plan_reading(p, from);
    plan_raising(p, target);
    // Shards of a table or picture are never put together again. Their union has each record once.
    const bool is_union = choices.range && choices.range->is_shard && to.writes.is_picture && !to.can_read();
    plan_slice(p, is_union ? Earlier::left_out : Earlier::restated, to.writes.is_picture);
    plan_lowering(p, target);
    plan_sorting(p, target);
    refuse_several_harts(p, target);
    refuse_pointless(p, target);
    transforms::drop_others(p, target);
    plan_writing(p, target);
    Plan plan = finish(std::move(p));
    plan.index = index_for(to, choices.settings, std::move(plan.index));
    return plan;
}

Plan make_raising_plan(const Schema& source, const Format& to, const Choices& choices, Losses& losses) {
    Planning p(source, choices, losses);
    plan_raising(p, Target(to));
    return finish(std::move(p));
}

Plan make_source_plan(const Schema& source, const SourceFormat& from, const Format& to, const Choices& choices,
                      Losses& losses, bool lower_harts) {
    Planning p(source, choices, losses);
    plan_reading(p, from);
    plan_raising(p, Target(whole_model()));
    plan_slice(p);
    if (lower_harts) transforms::lower_instructions(p, Target(to));
    return finish(std::move(p));
}

const Format& whole_model() noexcept {
    static const Format model = [] {
        Format format{};
        format.name = "model";
        format.writes.holds = Holdings::everything();
        return format;
    }();
    return model;
}

Plan make_selection_plan(const Schema& source, const SourceFormat& from, const Choices& choices, Losses& losses,
                         const Format* raised) {
    Planning p(source, choices, losses);
    plan_reading(p, from);
    if (raised != nullptr) plan_raising(p, Target(*raised));
    plan_slice(p);
    return finish(std::move(p));
}

}  // namespace hwtrace
