// Rows: each record as a sample of a signal, or as an interval that holds the sample.
#include "convert/transform.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "convert/transforms/sample_intervals.hpp"
#include "convert/transforms/signal_making.hpp"
#include "domain/conventions.hpp"
#include "domain/durations.hpp"
#include "domain/interval_identity.hpp"

namespace hwtrace::transforms {

namespace signal_rows_plan {

/// Returns the mapping of records of this shape to samples of a signal.
Mapping sample_of(Shape shape) {
    std::string sample = "a sample of a structure";
    switch (shape) {
        case Shape::event_type:
        case Shape::relation_type:
            sample.append(" with the fields as members and repeated fields as arrays");
            break;
        case Shape::storage:
            sample.append(": the slot, and the field or property that it sets");
            break;
        case Shape::stream:
            sample.append(" at its begin: duration and attributes");
            break;
        case Shape::hart:
            sample.append(": pc, encoding, size, target, registers, accesses with data");
            break;
        case Shape::notes:
            sample.append(": its text");
            break;
        case Shape::signal:
            sample = "itself";
            break;
        case Shape::native:
            sample.append(": its bytes");
            break;
    }
    return {std::string(name_of_records(shape)), std::move(sample)};
}

}  // namespace signal_rows_plan

using namespace signal_rows_plan;

std::vector<Mapping> samples_of_tracks(const Planning& p) {
    std::vector<Mapping> made;
    for (const Shape shape : {Shape::hart, Shape::event_type, Shape::storage, Shape::signal, Shape::stream,
                              Shape::relation_type, Shape::notes, Shape::native})
        if (p.has(shape)) made.push_back(sample_of(shape));
    return made;
}

void raise_rows(Planning& p, const Target& to) {
    // A selection applies to raised records. Selected records become signals or intervals again.
    const bool selects = p.choices.range || p.choices.criteria.any();
    if (SignalsOfIntervals::is_made(p.here())) {
        // Intervals that are lowered to storages keep their times, but raised instructions would have no times.
        const bool stay =
            to.holds_only_intervals() || (to.holds_tables() && !to.holds(Shape::hart) && to.protocol().empty() &&
                                          SignalsOfIntervals::has_instructions(p.here()));
        if (stay && !(to.holds_only_intervals() && selects)) return;
        p.step("raise records", {{"an interval made from another record", "the original record"}});
        p.foretell(Loss::field_dropped, "*", "attributes that another tool added");
        p.foretell(Loss::relation_dropped, "*", "relations that another tool added");
        p.append<SignalsOfIntervals>(p.here(), p.losses);
        p.restores_records = true;
    } else {
        if ((to.holds_only_signals() && !selects) || !RecordsOfSignals::is_made(p.here())) return;
        p.step("raise records", {{"a signal made from other records", "the original records"}});
    }
    p.foretell(Loss::kind_dropped, "*", "records that another tool added");
    p.plan.raises = true;
    p.reads.relations = RelationPlace::anywhere;
    p.numbers_harts = false;
    p.time_ordered = RecordsOfSignals::are_time_ordered(p.here());
    p.append<RecordsOfSignals>(p.here(), p.folder(), p.losses);
}

void make_row_intervals(Planning& p, const Target& to) {
    const Schema& schema = p.here();
    // The way back needs the mark and all attributes, and storages and signals have transforms of their own.
    if (!to.holds_only_intervals() || !to.keeps_attributes()) return;
    bool makes = false, numbered = false, timeless = false;
    for (const Track& track : schema.tracks()) {
        if (track.kind == Shape::storage || track.kind == Shape::signal || belongs_to(track, to.format.name)) return;
        makes = makes || track.kind == Shape::hart || track.kind == Shape::event_type || track.kind == Shape::notes;
        numbered = numbered || (track.kind == Shape::stream && states_numbers(track));
        timeless = timeless || !has_duration(track.time);
    }
    if (!makes) return;
    const std::uint64_t period = p.period();
    const Ratio seconds = Ratio{period, picoseconds_per_second}.reduced();
    // If intervals have no ids, the target assigns ids that preserve the order of the intervals.
    const RecordOrder counted = numbered && p.time_ordered ? RecordOrder::by_time_counted : p.order();
    auto samples = std::make_unique<SignalMaking>(schema, to.format, counted, p.losses);
    auto intervals = std::make_unique<SampleIntervals>(samples->schema(),
                                                       TimeBase{TimeBase::Kind::seconds, seconds.num, seconds.den});
    if (!to.keeps(conventions::record_source, intervals->schema(), p.choices.settings)) return;
    std::vector<Mapping> made;
    const auto add = [&](Shape shape, std::string fact, std::string becomes) {
        if (p.has(shape)) made.push_back({std::move(fact), std::move(becomes)});
    };
    add(Shape::event_type, "an event", "an interval of length 0, with its fields as attributes");
    add(Shape::notes, "a note", "an interval of length 0, with its text as an attribute");
    add(Shape::hart, "an instruction", "an interval of one cycle, with all values as attributes");
    add(Shape::stream, "an interval", "itself");
    add(Shape::relation_type, "a relation", "an interval of length 0, and a relation between its ends");
    p.step("make intervals of records", std::move(made));
    if (timeless && !p.choices.time.period_ps)
        p.assume(assumed_ticks(schema, period, " for each cycle or position", [](const Track&) { return true; }));
    p.plan.gives_time = p.plan.gives_time || timeless;
    p.plan.lowers = true;
    p.plan.stages.push_back(std::move(samples));
    p.plan.stages.push_back(std::move(intervals));
}

void make_signals(Planning& p, const Target& to) {
    const auto stays = [&](const Track& track) {
        return track.kind == Shape::signal || belongs_to(track, to.format.name);
    };
    const std::string own = std::string(to.format.name) + '.';
    const bool was_one =
        p.from->name == to.format.name ||
        std::ranges::any_of(p.here().metadata(), [&](const Metadata& fact) { return fact.key.starts_with(own); });
    // A mark of another format's trace lists schema objects with types that the target may not know.
    const bool is_one = std::ranges::all_of(p.here().tracks(), stays) && was_one;
    if (!to.holds_only_signals() || is_one) return;
    if (p.has(Shape::signal) && (!p.time_ordered || !p.has_one_base())) p.plan.reorders = true;
    p.step("make signals", "each track becomes a signal, and each record a change", samples_of_tracks(p));
    for (const Track& track : p.here().tracks())
        if (SignalMaking::rescales(track, to.format)) p.rescaled.push_back(track.name);
    p.plan.lowers = true;
    p.append<SignalMaking>(p.here(), to.format, p.order(), p.losses);
}

}  // namespace hwtrace::transforms
