#include "tracks.hpp"

#include <algorithm>

#include "commands.hpp"
#include "domain/conventions.hpp"

namespace hwtrace::kanata {

namespace {

namespace names = conventions;

/// Returns true if a comma-separated list can hold the name.
bool fits_list(const std::string& name) noexcept {
    return name.find(',') == std::string::npos && !name.starts_with(' ') && !name.ends_with(' ');
}

void describe(const Survey& survey, Schema& schema) {
    const std::vector<std::string>& stages = survey.stages.names();
    schema.describe(std::string(names::dut_name), std::string(core_name));
    schema.describe(std::string(names::cpu_protocol_version), std::string(PipelineShape::protocol_version));
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

}  // namespace

Tracks declare_tracks(const Survey& survey, Schema& schema) {
    describe(survey, schema);
    PipelineShape shape;
    shape.stages = survey.stages.names();
    shape.slots = survey.slots;
    shape.period_ps = survey.clock_ps;
    shape.time = survey.clock_ps == 0 ? TimeBase{TimeBase::Kind::cycles, 1, 0}
                                      : TimeBase{TimeBase::Kind::cycles, survey.clock_ps, picoseconds_per_second};
    shape.wide_dependencies = survey.wide_dependencies;
    if (survey.other_lines) shape.line_track = line_track;
    return declare_pipeline_core(shape, declare_pipeline(shape, schema), core_name, schema);
}

bool is_told_by_log(const Metadata& fact) noexcept {
    if (fact.key == names::dut_name) return fact.value == core_name;
    if (fact.key == names::cpu_protocol_version) return fact.value == PipelineShape::protocol_version;
    return fact.key == names::cpu_pipeline_stages || fact.key == version_key || fact.key == first_cycle_key ||
           fact.key == last_cycle_key || fact.key == stage_key || fact.key == names::rescaled ||
           names::is_storage_fact(fact.key, "uscope");
}

}  // namespace hwtrace::kanata
