#include "plan_losses.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "codec.hpp"
#include "items.hpp"
#include "names.hpp"
#include "options.hpp"
#include "writer_options.hpp"

namespace hwtrace::flux {

bool is_formless(const TrackPlan& track, const FieldPlan& field) noexcept {
    if (field.as != As::raw || track.type == SignalType::unknown) return false;
    const bool decimal = track.type == SignalType::floating || track.type == SignalType::floating_array;
    const auto nibble = static_cast<Nibble>(field.nibble);
    return !decimal || (nibble != Nibble::array_big && nibble != Nibble::array_big_dynamic);
}

void foretell(const Schema& schema, const StreamPlan& plan, std::vector<ExpectedLoss>& losses) {
    const auto name = [&](TrackId id) { return schema.tracks()[id].name; };
    for (const TracePlan& trace : plan.traces)
        if (trace.was_version)
            losses.push_back({Loss::type_changed, key_of(trace.id, version_key), "only versions 4 and 6 are known"});
    for (const Metadata* const fact : plan.stale)
        losses.push_back({Loss::metadata_dropped, fact->key, "it describes the original flux stream"});
    for (const TrackId id : plan.foreign_openings)
        losses.push_back({Loss::native_dropped, name(id), "it belongs to the original flux stream"});
    losses.insert(losses.end(), plan.restyled.begin(), plan.restyled.end());
    for (const auto& [trace, item] : plan.redefined)
        losses.push_back({Loss::metadata_dropped, key_of(trace, item, type_key),
                          "the item has several definitions; only the last one is written"});
    for (const std::string& member : plan.renumbered)
        losses.push_back({Loss::metadata_dropped, member, "another member has this number"});
    for (const ScopeId id : plan.renamed_scopes)
        losses.push_back({Loss::name_changed, schema.scopes()[id].name,
                          "the item has several definitions; this one gets another number"});
    for (const TrackId id : plan.retyped)
        losses.push_back({Loss::name_changed, name(id),
                          "the item has several definitions; values of an earlier type get another item"});
    for (const TrackId id : plan.merged)
        losses.push_back({Loss::name_changed, name(id), "tracks of one item are read back as one track"});
    for (const auto& [trace, item] : plan.restated)
        losses.push_back({Loss::metadata_dropped,
                          key_of(plan.traces[trace].id, std::string(open_key) + std::to_string(item)),
                          "the item was opened again in another domain; only that domain is kept"});
    for (TrackId id = 0; id < plan.tracks.size(); ++id) {
        const TrackPlan& track = plan.tracks[id];
        if (track.use != TrackPlan::Use::signal) continue;
        const TimeBase& time = schema.tracks()[id].time;
        const bool lasts = time.kind != TimeBase::Kind::ordinal && time.den != 0;
        const ContextPlan& context = plan.traces[track.trace].contexts[track.context];
        if (lasts && context.from_first && base_of(context.open.domain) == ordinals)
            losses.push_back(
                {Loss::type_changed, name(id), "no time domain has steps of this length, so positions are counted"});
    }
}

bool needs_time_order(const Schema& schema, const Settings&) {
    return !is_from_flux(schema);
}

void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    const StreamPlan plan = StreamPlan::of(schema, wanted_layout(settings));
    foretell(schema, plan, losses);
    if (wanted_ring(settings))
        losses.push_back({Loss::part_dropped, std::string(ring_option), "a ring overwrites its oldest records", true});
    for (const auto& [id, member] : plan.dropped)
        losses.push_back(
            {Loss::field_dropped, schema.tracks()[id].name, "version 4 cannot store the member " + member});
    for (const TracePlan& trace : plan.traces)
        if (trace.reopens)
            losses.push_back({Loss::type_changed, key_of(trace.id, version_key),
                              "a HEAD between the samples may state another version"});
    for (const TracePlan& trace : plan.traces)
        if (trace.was_stream)
            losses.push_back({Loss::order_changed, std::string(position_subject.text()),
                              "positions go back in a faulty stream", true});
    bool old_marks = false;
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        const TrackPlan& track = plan.tracks[id];
        const bool is_old = track.layout == Layout::emitters_4;
        const std::string& name = schema.tracks()[id].name;
        if (track.use == TrackPlan::Use::relation && is_old)
            losses.push_back(
                {Loss::value_narrowed, std::string(relation_track), "version 4 stores relations as distances only"});
        if (track.use != TrackPlan::Use::signal) continue;
        old_marks = old_marks || (is_old && !plan.traces[track.trace].was_this_version);
        if (StreamPlan::domain_of(schema.tracks()[id].time).second != 1)
            losses.push_back({Loss::time_rounded, name, "positions have 63 bits"});
        const bool single = track.type != SignalType::structure && track.type < SignalType::event_array;
        if (track.is_foreign && single)
            losses.push_back({Loss::type_changed, name, "a flux signal holds exactly one value per change"});
        if (track.is_foreign && track.type == SignalType::logic)
            losses.push_back({Loss::value_narrowed, name, "states that a logic vector cannot hold"});
        if (std::ranges::any_of(track.fields, [&](const FieldPlan& field) { return is_formless(track, field); }))
            losses.push_back({Loss::part_dropped, name, "bytes that do not fit the signal's type (FLX029)"});
        if (is_old && track.type == SignalType::text_array)
            losses.push_back({Loss::part_dropped, name, "version 4 has no text arrays"});
    }
    if (old_marks)  // version 6 stores every mark
        losses.push_back({Loss::value_narrowed, "*", "version 4 has only the conflict mark"});
}

}  // namespace hwtrace::flux
