#include "domain/pipeline_tracks.hpp"

#include <utility>
#include <vector>

#include "domain/conventions.hpp"

namespace hwtrace {

namespace {

Enum enum_of_stages(std::span<const std::string> stages) {
    Enum enumeration{std::string(conventions::pipeline_stage), {}};
    if (stages.size() > PipelineShape::most_named_stages) return enumeration;
    for (const std::string& name : stages)
        enumeration.values.push_back({enumeration.values.size(), name});
    return enumeration;
}

Field field_of_core(std::string_view name, Type type, EnumId enumeration = none) {
    return Field{.name = std::string(name), .type = type, .enumeration = enumeration};
}

}  // namespace

PipelineObjects declare_pipeline(const PipelineShape& shape, Schema& schema) {
    PipelineObjects objects;
    objects.clock = schema.declare(Clock{std::string(PipelineObjects::clock_name), shape.period_ps});
    objects.root = schema.declare(Scope{"root", none, {}, objects.clock});
    objects.stages = schema.declare(enum_of_stages(shape.stages));
    Enum types{"dep_type", {{0, "raw"}, {1, "war"}, {2, "waw"}, {3, "structural"}}};
    if (shape.wide_dependencies) types.values.push_back({255, "other"});
    objects.dependencies = schema.declare(std::move(types));
    objects.flushes = schema.declare(
        Enum{"flush_reason", {{0, "mispredict"}, {1, "exception"}, {2, "interrupt"}, {3, "pipeline_clear"}}});
    objects.stalls = schema.declare(Enum{"stall_reason",
                                         {{0, "rob_full"},
                                          {1, "iq_full"},
                                          {2, "lq_full"},
                                          {3, "sq_full"},
                                          {4, "fetch_miss"},
                                          {5, "dcache_miss"},
                                          {6, "frontend_stall"}}});
    return objects;
}

PipelineTracks declare_pipeline_core(const PipelineShape& shape, const PipelineObjects& objects, std::string_view name,
                                     Schema& schema) {
    namespace names = conventions;
    const ScopeId core =
        schema.declare(Scope{std::string(name), objects.root, std::string(names::cpu_protocol), objects.clock});
    const auto declare = [&](Track::Kind kind, std::string_view track_name, std::vector<Field> fields,
                             std::uint32_t slots) {
        Track track = make_track(kind, core, track_name, shape.time, std::move(fields));
        track.slots = slots;
        track.sparse = slots > 1;
        return schema.declare(std::move(track));
    };
    const auto event = [&](std::string_view event_name, std::vector<Field> fields) {
        return declare(Track::Kind::event_type, event_name, std::move(fields), 0);
    };
    const Field entity = field_of_core(names::entity_id, Type::u32);
    const Field lane = field_of_core("lane", Type::u32);
    const Field stage = shape.stages.size() > PipelineShape::most_named_stages
                            ? field_of_core("stage", Type::u32)
                            : field_of_core("stage", Type::enumeration, objects.stages);
    std::vector<Field> columns{entity, field_of_core(names::pc, Type::u64),
                               field_of_core(names::simulator_id, Type::u64),
                               field_of_core(names::thread_id, Type::u32)};
    if (shape.microops) columns.push_back(field_of_core(PipelineTracks::microop_name, Type::u32));
    PipelineTracks tracks;
    tracks.entities = declare(Track::Kind::storage, names::entities, std::move(columns), shape.slots);
    tracks.committed =
        declare(Track::Kind::storage, names::committed_insns, {field_of_core(names::counter_field, Type::u64)}, 1);

    // Tools for the protocol require this order and these fields (formats/kanata/README.md#track-order).
    tracks.stage_transition = event(names::stage_transition, {entity, stage});
    tracks.annotate = event(names::annotate, {entity, field_of_core("text", Type::text)});
    tracks.dependency =
        event(names::dependency, {field_of_core("src_entity", Type::u32), field_of_core("dst_entity", Type::u32),
                                  field_of_core("type", Type::enumeration, objects.dependencies)});
    tracks.flush = event(names::flush, {entity, field_of_core("reason", Type::enumeration, objects.flushes)});
    event(names::stall, {field_of_core("reason", Type::enumeration, objects.stalls)});

    tracks.label_type = event(names::label_type, {entity, field_of_core("type", Type::u32)});
    tracks.lane_stage = event(names::lane_stage, {entity, lane, stage});
    tracks.stage_end = event(names::stage_end, {entity, lane, stage});
    tracks.retire =
        event(names::retire, {entity, field_of_core("retire_id", Type::u64), field_of_core("type", Type::u32)});
    if (shape.wide_dependencies)
        tracks.dependency_type =
            event(names::dependency_type, {field_of_core("src_entity", Type::u32),
                                           field_of_core("dst_entity", Type::u32), field_of_core("type", Type::u32)});
    if (!shape.line_track.empty()) tracks.line = event(shape.line_track, {field_of_core("text", Type::text)});
    return tracks;
}

}  // namespace hwtrace
