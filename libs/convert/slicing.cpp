#include <algorithm>

#include "convert/planning.hpp"
#include "domain/durations.hpp"
#include "select/record_selection.hpp"
#include "select/relation_ends.hpp"
#include "select/selection.hpp"

namespace hwtrace {

void plan_slice(Planning& p, Earlier earlier, bool keeps_positions) {
    const Schema& whole = p.here();
    Criteria criteria = p.criteria;
    settle(p.here(), criteria);
    const bool is_shard = p.choices.range && p.choices.range->is_shard;
    const bool follows = !is_shard && relations_follow_intervals(p.here(), criteria.records, p.choices.time.period_ps);
    if (p.choices.range || criteria.instructions.any()) {
        constexpr Range everything{Range::Unit::record, 0, std::nullopt};
        const Range range = p.choices.range.value_or(everything);
        const bool counts_again = p.has(Shape::hart) && earlier == Earlier::restated && !keeps_positions;
        if (counts_again && range.unit == Range::Unit::record && range.begin != 0 && !is_shard && !criteria.any())
            p.plan.renumbered = range.begin;
        p.step("select", criteria.instructions.any() ? "the selected instructions" : "records in the range");
        SelectionOptions options;
        options.earlier = earlier;
        options.keeps_positions = keeps_positions;
        options.period_ps = p.choices.time.period_ps;
        options.limits = p.choices.settings.limits;
        options.instructions = criteria.instructions;
        options.reads = p.reads;
        options.relations_follow = follows;
        p.plan.stages.push_back(make_selection(p.here(), range, options));
        const auto& tracks = p.here().tracks();
        const bool unknown_time = tracks.empty() || std::any_of(tracks.begin(), tracks.end(), [](const Track& track) {
                                      return track.kind == Shape::stream && !has_duration(track.time);
                                  });
        if (range.unit == Range::Unit::time_ps && unknown_time) p.plan.gives_time = true;
        // State is restated at the begin of the range, before intervals that began earlier.
        const bool restates = p.has(Shape::signal) || p.has(Shape::storage);
        if (range.unit != Range::Unit::record && range.begin != 0 && restates && p.has(Shape::stream))
            p.time_ordered = false;
    }
    if (criteria.records.any()) {
        p.step("select", criteria.records.fields.empty() ? "records of the selected kinds, scopes and tracks"
                                                         : "records whose fields match");
        p.append<RecordSelection>(p.here(), criteria.records,
                                  RecordSelectionOptions{p.choices.time.period_ps, p.choices.settings.limits});
    }
    // Register the slice before RelationEnds is added, because the relations that RelationEnds counts as lost belong to
    // the slice.
    if (p.choices.range || criteria.instructions.any() || criteria.records.any()) p.keep_part_of(whole);
    const bool may_get_relations = !p.reads.schema_upfront && p.reads.shapes.has(Shape::relation_type);
    // The other shards have the intervals and relations that one shard lacks.
    if (is_shard && !p.choices.criteria.any()) return;
    if ((!p.choices.range && !p.choices.criteria.any()) || !(RelationEnds::is_needed(p.here()) || may_get_relations))
        return;
    constexpr std::string_view why = "relations from intervals outside the slice";
    for (const Track& track : p.here().tracks())
        if (track.kind == Shape::relation_type) p.foretell(Loss::part_dropped, track.name, std::string(why));
    if (may_get_relations) p.foretell(Loss::part_dropped, "*", std::string(why));
    p.append<RelationEnds>(p.here(), follows ? RelationEnds::Keep::leading_in : RelationEnds::Keep::all,
                           p.reads.relations, p.choices.settings.limits, &p.losses);
}

}  // namespace hwtrace
