// Tables of active intervals, and events at their begins and ends.
#include "convert/transform.hpp"

#include <algorithm>
#include <utility>

#include "convert/transforms/entity_view.hpp"
#include "convert/transforms/interval_lowering.hpp"
#include "domain/conventions.hpp"
#include "domain/picosecond_scale.hpp"

namespace hwtrace::transforms {

namespace active_tables_plan {

void step_of_interval_lowering(Planning& p, bool has_streams) {
    if (has_streams) {
        std::vector<Mapping> made{{"an interval",
                                   "a row of a table of active intervals, an event with the attributes at its begin, "
                                   "and an event at its end; a counter with the busy time of each scope"}};
        if (p.has(Shape::relation_type)) made.push_back({"a relation", "an event of the same name"});
        p.step("lower intervals", std::move(made));
    } else {
        p.step("time", {{"a tick", "its time in picoseconds, from which the tick is restored"}});
    }
    if (!p.time_ordered) p.plan.steps.back().what.append("; sorted by time");
}

}  // namespace active_tables_plan

using namespace active_tables_plan;

void raise_intervals(Planning& p, const Target& to) {
    // Lowered signals are raised from storages. The storages of lowered intervals precede these storages, so raise
    // intervals first.
    const RowForm rows = to.row_form();
    const bool wanted = to.holds(Shape::stream) || (rows != RowForm::refused && rows != RowForm::tables);
    if (!wanted) return;
    if (EntityRemoval::is_shown(p.here())) {
        p.step("remove entities", "the entities that show intervals are left out");
        p.foretell(Loss::native_dropped, "*", "items that do not match the file's schema, and empty frames");
        p.append<EntityRemoval>(p.here(), p.losses);
    }
    if (!IntervalRaising::is_lowered(p.here())) return;
    p.step_of_raising("raise intervals",
                      {{"tables and events made from intervals", "the original intervals and relations"}});
    p.foretell(Loss::native_dropped, "*", "items that do not match the file's schema, and empty frames");
    for (const Loss loss : {Loss::part_dropped, Loss::order_changed, Loss::time_rounded})
        p.foretell(loss, "*", "items that another tool removed or changed");
    p.reads.relations = RelationPlace::anywhere;
    p.time_ordered = IntervalRaising::was_time_ordered(p.here());
    p.append<IntervalRaising>(p.here(), p.folder(), p.losses);
}

void make_active_tables(Planning& p, const Target& to) {
    if (p.plan.lowers) return;  // a lowered instruction trace is not an interval trace
    // A trace without intervals is also lowered if its format is a format of intervals, so that raising restores a
    // trace of intervals.
    const Schema& schema = p.here();
    const bool has_streams = p.has(Shape::stream) || (p.reads.shapes.has(Shape::stream) && !p.restores_records);
    const bool has_any = has_streams || p.signals_in_tables ||
                         ((p.of_model || p.restores_records) && IntervalLowering::is_needed(schema, to.format.name));
    if (!has_any || to.holds(Shape::stream) || !to.holds_tables() || p.has(Shape::hart)) return;
    if (!to.protocol().empty()) return;  // the new tracks have no protocol
    const std::uint64_t period = p.period();
    bool unknown_time = false, attributes = false, others = false, coarse = false;
    step_of_interval_lowering(p, has_streams);
    for (const Track& track : schema.tracks()) {
        const bool is_stream = track.kind == Shape::stream;
        coarse =
            coarse || (is_stream && PicosecondScale(track.time, period).period_ps() > IntervalLowering::max_period_ps);
        unknown_time = unknown_time || (IntervalLowering::takes(track) && !has_duration(track.time));
        attributes = attributes || (is_stream && !track.fields.empty());
        others = others || !is_stream;
        if (!IntervalLowering::takes(track)) p.foretell(loss_of(track.kind), track.name, no_place(to, track));
    }
    if (unknown_time && !p.choices.time.period_ps) p.assume(assumed_ticks(schema, period, "", IntervalLowering::takes));
    p.foretell(Loss::time_rounded, "*", "times below 0 or above 2^63 ps are clamped");
    if (coarse) p.foretell(Loss::value_narrowed, "*", "tick lengths above 4.29 ms, which no clock can hold");
    if (attributes) {
        p.foretell(Loss::part_dropped, "*",
                   "repeated attributes of an interval, and those beyond the first " +
                       std::to_string(IntervalLowering::most_attributes));
        p.foretell(Loss::order_changed, "*", "attributes that are not in the order of their stream");
    }
    if (others && has_streams && !(p.time_ordered && p.has_one_base()))
        p.foretell(
            Loss::order_changed, "*",
            "other records lose their place among unsorted intervals; relations between two intervals are sorted "
            "by time");
    for (const Metadata& entry : schema.metadata())
        if (IntervalLowering::drops_metadata(entry.key))
            p.foretell(Loss::metadata_dropped, entry.key, "a key that the conversion itself uses");
    p.plan.gives_time = p.plan.gives_time || unknown_time;
    p.plan.lowers = true;
    // The ids of intervals preserve the order of the source. In a trace without intervals, nothing preserves the order
    // of records.
    p.plan.reorders = p.plan.reorders || (!(p.time_ordered && p.has_one_base()) && !p.has(Shape::stream));
    auto lowering =
        std::make_unique<IntervalLowering>(schema, unknown_time ? period : assumed_period_ps,
                                           p.time_ordered ? Order::by_time : Order::any, p.folder(), p.losses);
    if (const auto lateness = p.known_lateness()) lowering->expect_lateness(*lateness);
    p.plan.stages.push_back(std::move(lowering));
    p.time_ordered = true;
    const auto shown = to.format.writes.shown_protocol;
    if (shown == nullptr || shown(p.choices.settings) != conventions::cpu_protocol || !EntityView::suits(p.here()))
        return;
    p.step("show entities", {{"an interval", "also an entity of the protocol cpu"}});
    p.append<EntityView>(p.here());
}

}  // namespace hwtrace::transforms
