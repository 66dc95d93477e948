// Intervals that hold the values of signals, with all attributes or with one text.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "convert/transform.hpp"
#include "convert/transforms/held_values.hpp"
#include "convert/transforms/named_intervals.hpp"
#include "convert/transforms/signal_mark.hpp"

namespace hwtrace::transforms {

namespace held_intervals_plan {

template <typename... Arguments>
void append_held_values(Planning& p, Arguments&&... arguments) {
    auto stage = std::make_unique<HeldValues>(p.here(), p.folder(), std::forward<Arguments>(arguments)...);
    if (!p.choices.range) stage->hold_until_stated_ends();
    p.plan.stages.push_back(std::move(stage));
}

/// Makes intervals with one text, from which all values are restored.
void name_intervals(Planning& p, const Target& to) {
    p.step("name", {{"an interval's attributes", "its name"}});
    for (const Track& track : p.here().tracks())
        p.foretell(Loss::type_changed, track.name, "values that cannot be restored from their text");
    p.plan.lowers = true;
    append_held_values(p);
    p.append<NamedIntervals>(p.here(), to.format, p.losses);
}

void step_of_holding(Planning& p, const Target& to) {
    std::vector<Mapping> made;
    if (p.has(Shape::signal))
        made.push_back(
            {"a value of a signal", to.keeps_attributes()
                                        ? "an interval until the next change or the end, with the value as attributes"
                                        : "an interval until the next change or the end, with the value as its name"});
    if (std::ranges::any_of(p.here().tracks(),
                            [](const Track& track) { return track.kind != Shape::signal && HeldValues::makes(track); }))
        made.push_back({"an event, a note or a native record", "an interval of length 0"});
    p.step("make intervals of held values", std::move(made));
}

/// Returns true if the target holds the records from which the intervals of `schema` were made.
bool accepts_raised(const Schema& schema, const Target& to) {
    const std::optional<SignalMark> mark = signal_mark_of(schema);
    for (std::size_t id = 0; mark && id < mark->tracks.size(); ++id) {
        Track raised = schema.tracks()[id];
        const auto& fact = mark->tracks[id];
        if (fact.kind) {
            raised = make_track(*fact.kind, raised.scope, raised.name, fact.time, fact.fields);
            raised.native_id = fact.native_id;
        }
        if (!to.accepts(schema, raised)) return false;
    }
    return mark.has_value();
}

}  // namespace held_intervals_plan

using namespace held_intervals_plan;

void raise_names(Planning& p, const Target& to) {
    if (!to.keeps_attributes() || !IntervalsOfNames::is_named(p.here())) return;
    p.step("raise names", "names of events become the original attributes");
    p.foretell(Loss::kind_dropped, "*", "records that another tool added");
    p.plan.raises = true;
    p.append<IntervalsOfNames>(p.here(), p.losses);
}

void raise_held_values(Planning& p, const Target& to) {
    if (!SignalsOfHeldValues::is_lowered(p.here())) return;
    if (!to.holds(Shape::signal) && to.holds(Shape::stream) && !accepts_raised(p.here(), to)) return;
    p.step_of_raising("raise signals", {{"intervals made from held values", "the original signals"}});
    p.foretell(Loss::field_dropped, "*", "attributes that another tool added");
    p.append<SignalsOfHeldValues>(p.here(), p.losses);
}

bool needs_held_values(const Planning& p, const Target& to) {
    const Schema& schema = p.here();
    if (to.holds(Shape::signal) || p.has(Shape::hart) || p.plan.lowers || !to.protocol().empty()) return false;
    // A trace without tracks is also transformed if its format is a format of signals, so that raising restores a
    // trace of signals.
    const bool empty = schema.tracks().empty() && !p.plan.raises && p.reads.shapes.has(Shape::signal) &&
                       !p.reads.shapes.has(Shape::storage);
    if (empty || p.has(Shape::signal)) return true;
    const auto is_of_source = [&](const Track& track) {  // native records of the source's format
        return track.kind == Shape::native && belongs_to(track, p.from->name);
    };
    // A trace of events and intervals can be restored only with the mark of HeldValues. Other stages that make
    // intervals leave no mark.
    return !p.plan.raises && to.holds(Shape::stream) && !to.holds(Shape::event_type) && to.keeps_attributes() &&
           to.keeps_marks(p.choices.settings) && std::ranges::any_of(schema.tracks(), HeldValues::makes) &&
           std::ranges::none_of(schema.tracks(), is_of_source) &&
           std::ranges::all_of(schema.tracks(), HeldValues::returns);
}

void hold_values(Planning& p, const Target& to) {
    const bool has_rows = to.row_form() == RowForm::intervals && !to.holds_only_intervals();
    if (has_rows || !to.holds(Shape::stream) || !needs_held_values(p, to)) return;
    const Schema& schema = p.here();
    step_of_holding(p, to);
    const bool returns = std::ranges::all_of(schema.tracks(), HeldValues::returns);
    if (to.keeps_attributes() && returns && to.keeps_marks(p.choices.settings)) {
        p.plan.lowers = true;
        p.plan.reorders = true;  // the target may reorder intervals that start at the same time
        append_held_values(p);
        return;
    }
    if (!to.keeps_attributes() && returns && !p.has(Shape::relation_type) && p.has_one_base())
        return name_intervals(p, to);
    for (const Track& track : schema.tracks())
        if (HeldValues::makes(track))
            p.foretell(Loss::type_changed, track.name, "its records are restored as intervals");
    append_held_values(p, to.format.writes.holds.only_text(), p.losses);
}

}  // namespace hwtrace::transforms
