#include "domain/pipeline_roles.hpp"

#include "domain/conventions.hpp"

namespace hwtrace {

namespace {

/// Returns true if the fields of a track provide the cells that its role needs.
bool has_payload(const Track& track, PipelineRole role) {
    const std::size_t cells = cells_of(role);
    if (track.fields.size() < cells) return false;
    const bool text = role == PipelineRole::annotate || role == PipelineRole::line;
    return !text || track.fields[cells - 1].type == Type::text;
}

}  // namespace

std::size_t cells_of(PipelineRole role) noexcept {
    switch (role) {
        case PipelineRole::foreign:
        case PipelineRole::entities:
        case PipelineRole::committed:
            return 0;
        case PipelineRole::line:
            return 1;
        case PipelineRole::stage_transition:
        case PipelineRole::annotate:
        case PipelineRole::flush:
        case PipelineRole::label_type:
            return 2;
        case PipelineRole::dependency:
        case PipelineRole::lane_stage:
        case PipelineRole::stage_end:
        case PipelineRole::retire:
        case PipelineRole::dependency_type:
            return 3;
    }
    return 0;
}

std::vector<PipelineUse> pipeline_uses(const Schema& schema, const std::vector<CpuScope>& cores,
                                       std::string_view line_track) {
    std::vector<PipelineUse> uses(schema.tracks().size());
    for (std::uint32_t number = 0; number < cores.size(); ++number) {
        const CpuScope& core = cores[number];
        const auto use = [&](TrackId track, PipelineRole role) {
            if (track != none && has_payload(schema.tracks()[track], role)) uses[track] = {role, number};
        };
        const auto event = [&](std::string_view name) {
            return find_track_in(schema, core.scope, Track::Kind::event_type, name);
        };
        const TrackId committed = find_track_in(schema, core.scope, Track::Kind::storage, conventions::committed_insns);
        if (core.entity_id != no_field) use(core.entities, PipelineRole::entities);
        if (committed != none && is_counter(schema.tracks()[committed])) use(committed, PipelineRole::committed);
        use(core.stage_transition, PipelineRole::stage_transition);
        use(core.annotate, PipelineRole::annotate);
        use(core.dependency, PipelineRole::dependency);
        use(core.flush, PipelineRole::flush);
        use(core.label_type, PipelineRole::label_type);
        use(core.lane_stage, PipelineRole::lane_stage);
        use(core.stage_end, PipelineRole::stage_end);
        use(core.retire, PipelineRole::retire);
        use(event(conventions::dependency_type), PipelineRole::dependency_type);
        if (!line_track.empty()) use(event(line_track), PipelineRole::line);
    }
    return uses;
}

}  // namespace hwtrace
