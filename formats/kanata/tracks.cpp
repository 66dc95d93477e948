#include "tracks.hpp"

#include <algorithm>

#include "commands.hpp"
#include "domain/conventions.hpp"

namespace hwtrace::kanata {

namespace {

namespace names = conventions;

constexpr std::string_view protocol_version = "0.1";

/// Returns true if a comma-separated list can hold the name.
bool fits_list(const std::string& name) noexcept {
    return name.find(',') == std::string::npos && !name.starts_with(' ') && !name.ends_with(' ');
}

void describe(const Survey& survey, Schema& schema) {
    const std::vector<std::string>& stages = survey.stages.names();
    schema.describe(std::string(names::dut_name), std::string(core_name));
    schema.describe(std::string(names::cpu_protocol_version), std::string(protocol_version));
    std::string list;
    for (const std::string& name : stages) {
        if (&name != &stages.front()) list += ',';
        list += name;
    }
    if (std::all_of(stages.begin(), stages.end(), fits_list)) {
        if (!list.empty()) schema.describe(std::string(names::cpu_pipeline_stages), std::move(list));
    } else if (stages.size() > Survey::most_named_stages) {
        for (const std::string& name : stages)
            schema.describe(std::string(stage_key), name);
    }
    schema.describe(std::string(version_key), survey.version);
    if (survey.first_cycle != 0) schema.describe(std::string(first_cycle_key), std::to_string(survey.first_cycle));
    if (survey.last_cycle > survey.last_command)
        schema.describe(std::string(last_cycle_key), std::to_string(survey.last_cycle));
}

Enum stage_enum(const std::vector<std::string>& stages) {
    Enum enumeration{std::string(names::pipeline_stage), {}};
    if (stages.size() > Survey::most_named_stages) return enumeration;
    for (const std::string& name : stages)
        enumeration.values.push_back({enumeration.values.size(), name});
    return enumeration;
}

}  // namespace

Tracks declare_tracks(const Survey& survey, Schema& schema) {
    describe(survey, schema);
    const ClockId clock = schema.declare(Clock{"core_clk", survey.clock_ps});
    const ScopeId root = schema.declare(Scope{"root", none, {}, clock});
    const ScopeId core = schema.declare(Scope{std::string(core_name), root, std::string(names::cpu_protocol), clock});
    const std::vector<std::string>& stages = survey.stages.names();
    const EnumId stage = schema.declare(stage_enum(stages));
    Enum types{"dep_type", {{0, "raw"}, {1, "war"}, {2, "waw"}, {3, "structural"}}};
    if (survey.wide_dependencies) types.values.push_back({255, "other"});
    const EnumId dependencies = schema.declare(std::move(types));
    const EnumId flushes = schema.declare(
        Enum{"flush_reason", {{0, "mispredict"}, {1, "exception"}, {2, "interrupt"}, {3, "pipeline_clear"}}});
    const EnumId stalls = schema.declare(Enum{"stall_reason",
                                              {{0, "rob_full"},
                                               {1, "iq_full"},
                                               {2, "lq_full"},
                                               {3, "sq_full"},
                                               {4, "fetch_miss"},
                                               {5, "dcache_miss"},
                                               {6, "frontend_stall"}}});

    const TimeBase time = survey.clock_ps == 0
                              ? TimeBase{TimeBase::Kind::cycles, 1, 0}
                              : TimeBase{TimeBase::Kind::cycles, survey.clock_ps, picoseconds_per_second};
    const auto declare = [&](Track::Kind kind, std::string_view name, std::vector<Field> fields, std::uint32_t slots) {
        Track track = make_track(kind, core, name, time, std::move(fields));
        track.slots = slots;
        track.sparse = slots > 1;
        return schema.declare(std::move(track));
    };
    const auto event = [&](std::string_view name, std::vector<Field> fields) {
        return declare(Track::Kind::event_type, name, std::move(fields), 0);
    };
    const auto field = [](std::string_view name, Type type, EnumId enumeration = none) {
        return Field{.name = std::string(name), .type = type, .enumeration = enumeration};
    };
    const Field entity = field(names::entity_id, Type::u32);
    const Field lane = field("lane", Type::u32);
    const Field stage_field = stages.size() > Survey::most_named_stages ? field("stage", Type::u32)
                                                                        : field("stage", Type::enumeration, stage);
    Tracks tracks;
    tracks.entities = declare(Track::Kind::storage, names::entities,
                              {entity, field(names::pc, Type::u64), field(names::simulator_id, Type::u64),
                               field(names::thread_id, Type::u32)},
                              survey.slots);
    tracks.committed =
        declare(Track::Kind::storage, names::committed_insns, {field(names::counter_field, Type::u64)}, 1);

    // Tools for the protocol require this order and these fields (formats/kanata/README.md#track-order).
    tracks.stage_transition = event(names::stage_transition, {entity, stage_field});
    tracks.annotate = event(names::annotate, {entity, field("text", Type::text)});
    tracks.dependency = event(names::dependency, {field("src_entity", Type::u32), field("dst_entity", Type::u32),
                                                  field("type", Type::enumeration, dependencies)});
    tracks.flush = event(names::flush, {entity, field("reason", Type::enumeration, flushes)});
    event(names::stall, {field("reason", Type::enumeration, stalls)});

    tracks.label_type = event(names::label_type, {entity, field("type", Type::u32)});
    tracks.lane_stage = event(names::lane_stage, {entity, lane, stage_field});
    tracks.stage_end = event(names::stage_end, {entity, lane, stage_field});
    tracks.retire = event(names::retire, {entity, field("retire_id", Type::u64), field("type", Type::u32)});
    if (survey.wide_dependencies)
        tracks.dependency_type =
            event(names::dependency_type,
                  {field("src_entity", Type::u32), field("dst_entity", Type::u32), field("type", Type::u32)});
    if (survey.other_lines) tracks.line = event(line_track, {field("text", Type::text)});
    return tracks;
}

bool is_told_by_log(const Metadata& fact) noexcept {
    if (fact.key == names::dut_name) return fact.value == core_name;
    if (fact.key == names::cpu_protocol_version) return fact.value == protocol_version;
    return fact.key == names::cpu_pipeline_stages || fact.key == version_key || fact.key == first_cycle_key ||
           fact.key == last_cycle_key || fact.key == stage_key || fact.key == names::rescaled ||
           names::is_storage_fact(fact.key, "uscope");
}

}  // namespace hwtrace::kanata
