// Intervals from records of other shapes, for targets that keep no mark or not all attributes.
#include "convert/transform.hpp"

#include <algorithm>
#include <utility>

#include "convert/transforms/interval_making.hpp"
#include "domain/durations.hpp"

namespace hwtrace::transforms {

namespace made_intervals_plan {

void step_of_interval_making(Planning& p, const Target& to) {
    std::vector<Mapping> made;
    const auto add = [&](std::initializer_list<Shape> shapes, std::string fact, std::string becomes) {
        const auto is_made = [&](const Track& track) {
            return std::ranges::find(shapes, track.kind) != shapes.end() &&
                   IntervalMaking::takes(track, to.format.writes.holds.shapes());
        };
        if (std::ranges::any_of(p.here().tracks(), is_made)) made.push_back({std::move(fact), std::move(becomes)});
    };
    const bool keeps = to.keeps_attributes();
    const std::string fields = keeps ? ", with its fields as attributes" : ", with its name only";
    add({Shape::event_type, Shape::notes}, "an event or a note", "an interval of length 0" + fields);
    add({Shape::hart}, "an instruction",
        keeps ? "an interval of one cycle, with pc and encoding as attributes" : "an interval of one cycle");
    add({Shape::storage}, "a slot of a table", "an interval for each occupancy" + fields);
    for (const Shape shape : {Shape::stream, Shape::relation_type})
        add({shape}, std::string(name_of_records(shape)), "itself");
    p.step("make intervals", std::move(made));
}

}  // namespace made_intervals_plan

using namespace made_intervals_plan;

void make_intervals(Planning& p, const Target& to) {
    const Shapes shapes = to.format.writes.holds.shapes();
    if (!to.holds_only_intervals()) return;
    const Schema& schema = p.here();
    const auto goes_on = [](const Track& track) {
        return track.kind == Shape::stream || track.kind == Shape::relation_type;
    };
    const auto is_made = [&](const Track& track) { return !goes_on(track) && IntervalMaking::takes(track, shapes); };
    // In a file with ticks of known length, readers would misread ticks of unknown length.
    const bool needs_duration = to.format.writes.time == TimeLimit::known_length ||
                                std::any_of(schema.tracks().begin(), schema.tracks().end(), [](const Track& track) {
                                    return track.kind == Shape::stream && has_duration(track.time);
                                });
    const auto lacks_time = [&](const Track& track) {
        return !has_duration(track.time) &&
               (is_made(track) || (needs_duration && goes_on(track) && IntervalMaking::takes(track, shapes)));
    };
    const bool makes = std::any_of(schema.tracks().begin(), schema.tracks().end(), is_made);
    const bool positions = std::any_of(schema.tracks().begin(), schema.tracks().end(), lacks_time);
    if (!makes && !positions) return;
    if (makes)
        step_of_interval_making(p, to);
    else
        p.step("give time", {{"a cycle of unknown length", "a cycle of the length given by --clock"}});
    for (const Track& track : schema.tracks()) {
        if (is_made(track)) p.foretell(Loss::type_changed, track.name, "its records are restored as intervals");
        const bool taken = IntervalMaking::takes(track, shapes);
        if (!taken && (track.kind == Shape::native || track.kind == Shape::relation_type))
            p.foretell(loss_of(track.kind), track.name, no_place(to, track));
        else if (!taken || track.kind == Shape::storage)
            p.foretell(Loss::kind_dropped, track.name, "values that belong to no occupied slot");
    }
    for (const Track& track : schema.tracks()) {
        if (!p.of_model || !goes_on(track) || !lacks_time(track)) continue;
        constexpr std::string_view why = "its ticks of unknown length get an assumed length";
        p.foretell(Loss::type_changed, track.name, std::string(why));
        p.losses.count(Loss::type_changed, track.name, [&] { return std::string(why); });
    }
    if (makes)
        p.foretell(Loss::part_dropped, "*", "overwritten values of a slot; rows of events; operands and accesses");
    p.foretell(Loss::part_dropped, std::string(IntervalMaking::tracks),
               "a trace without records is restored without tracks");
    // Positions in the stream and cycles of an unknown clock are not times. Only the user knows the clock.
    p.plan.gives_time = p.plan.gives_time || positions;
    const std::uint64_t period = p.period();
    const TimeBase base{TimeBase::Kind::cycles, period, picoseconds_per_second};
    if (positions && !p.choices.time.period_ps)
        p.assume(assumed_ticks(schema, period, " for each cycle or position",
                               [&](const Track& track) { return goes_on(track) || is_made(track); }));
    p.append<IntervalMaking>(
        schema, base, shapes,
        to.keeps_attributes() ? IntervalMaking::Detail::everything : IntervalMaking::Detail::encoding, p.losses,
        p.of_model ? IntervalMaking::Unused::counted : IntervalMaking::Unused::silent);
    if (makes) p.time_ordered = false;
}

}  // namespace hwtrace::transforms
