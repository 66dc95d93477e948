// Rows: each record as a sample of a signal, or as an interval, an event or operations that hold the sample.
#include "convert/transform.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "convert/transforms/row_records.hpp"
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

/// Returns by track: true if the target holds the track itself, beside rows.
std::vector<bool> held_beside(const Planning& p, const Target& to) {
    std::vector<bool> passes;
    for (const Track& track : p.here().tracks())
        passes.push_back(to.accepts(p.here(), track));
    return passes;
}

/// Returns true if the target would get the rows of a marked trace again if they were raised.
bool keeps_rows(const Schema& schema, const Target& to) {
    const auto marked = MarkedTracks::of(schema);
    return marked && std::ranges::none_of(marked->objects.tracks(), [&](const Track& track) {
               const bool is_row = track.kind != Shape::stream && track.kind != Shape::relation_type;
               return is_row && to.accepts(marked->objects, track);
           });
}

void make_changes(Planning& p, const Target& to) {
    const Schema& schema = p.here();
    const std::string own = std::string(to.format.name) + '.';
    const bool was_one =
        p.from->name == to.format.name ||
        std::ranges::any_of(schema.metadata(), [&](const Metadata& fact) { return fact.key.starts_with(own); });
    // A mark of another format's trace lists schema objects with types that the target may not know.
    if (to.accepts_all(schema) && was_one) return;
    if (p.has(Shape::signal) && (!p.time_ordered || !p.has_one_base())) p.plan.reorders = true;
    p.step("make signals", "each track becomes a signal, and each record a change", samples_of_tracks(p));
    std::vector<bool> passes = held_beside(p, to);
    for (TrackId id = 0; id < passes.size(); ++id) {
        const Track& track = schema.tracks()[id];
        passes[id] = passes[id] && track.kind != Shape::signal && !belongs_to(track, to.format.name);
        if (!passes[id] && SignalMaking::rescales(track, to.format)) p.rescaled.push_back(track.name);
    }
    p.plan.lowers = true;
    const std::optional<std::uint64_t> lateness = p.known_lateness();
    const TimeBase base = schema.tracks().empty() ? TimeBase{} : schema.tracks().front().time;
    p.append<SignalMaking>(schema, to.format, p.order(), p.losses, std::move(passes));
    p.keep_lateness(lateness, base);
}

void make_row_intervals(Planning& p, const Target& to) {
    const Schema& schema = p.here();
    std::vector<bool> passes;
    bool makes = false, numbered = false, timeless = false;
    if (to.holds_only_intervals()) {
        // Storages and signals have transforms of their own, which viewers show better.
        for (const Track& track : schema.tracks()) {
            if (track.kind == Shape::storage || track.kind == Shape::signal || belongs_to(track, to.format.name))
                return;
            makes = makes || track.kind == Shape::hart || track.kind == Shape::event_type || track.kind == Shape::notes;
        }
    } else {
        makes = !to.accepts_all(schema);
        passes = held_beside(p, to);
    }
    if (!makes && (schema.tracks().empty() || to.accepts_any(schema))) return;
    for (const Track& track : schema.tracks()) {
        numbered = numbered || (track.kind == Shape::stream && states_numbers(track));
        timeless = timeless || !has_duration(track.time);
    }
    const std::uint64_t period = p.period();
    std::optional<TimeBase> base;
    if (timeless && to.format.writes.time == TimeLimit::known_length) {
        const Ratio seconds = Ratio{period, picoseconds_per_second}.reduced();
        base = TimeBase{TimeBase::Kind::seconds, seconds.num, seconds.den};
    }
    // If intervals have no ids, the target assigns ids that preserve the order of the intervals.
    const RecordOrder counted =
        to.holds_only_intervals() && numbered && p.time_ordered ? RecordOrder::by_time_counted : p.order();
    auto samples = std::make_unique<SignalMaking>(schema, to.format, counted, p.losses, std::move(passes));
    auto intervals = std::make_unique<SampleIntervals>(samples->schema(), base, to.holds(Shape::relation_type));
    // The way back needs the mark.
    if (!to.keeps(conventions::record_source, intervals->schema(), p.choices.settings)) return;
    std::vector<Mapping> made;
    const auto add = [&](Shape shape, std::string fact, std::string becomes) {
        if (p.has(shape)) made.push_back({std::move(fact), std::move(becomes)});
    };
    add(Shape::event_type, "an event", "an interval of length 0, with its fields as attributes");
    add(Shape::notes, "a note", "an interval of length 0, with its text as an attribute");
    add(Shape::native, "a native record", "an interval of length 0, with its bytes as an attribute");
    add(Shape::hart, "an instruction", "an interval of one cycle, with all values as attributes");
    add(Shape::storage, "an operation on a table",
        "an interval of length 0, with the slot and the value as attributes");
    add(Shape::signal, "a change of a signal", "an interval of length 0, with its values as attributes");
    add(Shape::stream, "an interval", "itself");
    add(Shape::relation_type, "a relation", "an interval of length 0, and a relation between its ends");
    p.step("make intervals of records", std::move(made));
    if (base && !p.choices.time.period_ps)
        p.assume(assumed_ticks(schema, period, " for each cycle or position", [](const Track&) { return true; }));
    p.plan.gives_time = p.plan.gives_time || base;
    p.plan.lowers = true;
    p.plan.stages.push_back(std::move(samples));
    p.plan.stages.push_back(std::move(intervals));
}

/// Makes events or operations on tables, which hold the samples.
void make_row_records(Planning& p, const Target& to, Shape shape) {
    if (to.accepts_all(p.here())) return;
    auto samples = std::make_unique<SignalMaking>(p.here(), to.format, p.order(), p.losses, held_beside(p, to));
    auto records = std::make_unique<RowRecords>(samples->schema(), shape);
    if (!to.keeps(conventions::record_source, records->schema(), p.choices.settings)) return;
    std::vector<Mapping> made;
    for (const Track& track : p.here().tracks()) {
        if (to.accepts(p.here(), track)) continue;
        Mapping one{std::string(name_of_records(track.kind)),
                    shape == Shape::event_type ? "an event with all its values"
                                               : "operations on a one-slot table with all its values"};
        if (std::ranges::find(made, one) == made.end()) made.push_back(std::move(one));
    }
    p.step("make rows", std::move(made));
    p.plan.lowers = true;
    p.plan.stages.push_back(std::move(samples));
    p.plan.stages.push_back(std::move(records));
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
    // A selection applies to raised records. Selected records become rows again.
    const bool selects = p.choices.range || p.choices.criteria.any();
    if (SignalsOfIntervals::is_made(p.here())) {
        // Intervals that are lowered to storages keep their times, but raised instructions would have no times.
        const bool stay = to.holds_only_intervals()
                              ? !selects && keeps_rows(p.here(), to)
                              : to.holds_tables() && !to.holds(Shape::hart) && to.protocol().empty() &&
                                    SignalsOfIntervals::has_instructions(p.here());
        if (stay) return;
        p.step("raise records", {{"an interval made from another record", "the original record"}});
        p.foretell(Loss::field_dropped, "*", "attributes that another tool added");
        p.foretell(Loss::relation_dropped, "*", "relations that another tool added");
        p.append<SignalsOfIntervals>(p.here(), p.losses);
        p.restores_records = true;
    } else if (SamplesOfRows::is_made(p.here())) {
        p.step("raise records", {{"an event or a table made from another record", "the original record"}});
        p.append<SamplesOfRows>(p.here(), p.losses);
        p.restores_records = true;
    } else {
        const bool stay = to.holds_only_signals() && !selects && keeps_rows(p.here(), to);
        if (stay || !RecordsOfSignals::is_made(p.here())) return;
        p.step("raise records", {{"a signal made from other records", "the original records"}});
    }
    p.foretell(Loss::kind_dropped, "*", "records that another tool added");
    p.plan.raises = true;
    p.reads.relations = RelationPlace::anywhere;
    p.numbers_harts = false;
    p.time_ordered = RecordsOfSignals::are_time_ordered(p.here());
    p.append<RecordsOfSignals>(p.here(), p.folder(), p.losses);
}

void make_value_rows(Planning& p, const Target& to) {
    // Other transforms take records of other shapes.
    const auto is_alone = [&](const Track& track) {
        return (track.kind == Shape::notes || track.kind == Shape::native) && !to.accepts(p.here(), track);
    };
    const auto& tracks = p.here().tracks();
    if (to.row_form() != RowForm::tables || tracks.empty() || !std::ranges::all_of(tracks, is_alone)) return;
    p.step("make signals", "each track becomes a signal, and each record a change", samples_of_tracks(p));
    p.append<SignalMaking>(p.here(), to.format, p.order(), p.losses);
}

void make_rows(Planning& p, const Target& to) {
    if (to.holds_any_trace() || p.plan.lowers) return;
    switch (to.row_form()) {
        case RowForm::changes:
            return make_changes(p, to);
        case RowForm::intervals:
            return make_row_intervals(p, to);
        case RowForm::events:
            return make_row_records(p, to, Shape::event_type);
        case RowForm::operations:
            return make_row_records(p, to, Shape::storage);
        case RowForm::tables:  // make_value_rows() and cpu_tables.cpp
        case RowForm::refused:
            break;
    }
}

}  // namespace hwtrace::transforms
