#include "schema.hpp"

#include <limits>
#include <numeric>
#include <string>

#include "domain/conventions.hpp"
#include "domain/protocols.hpp"

namespace hwtrace::o3pipeview {

namespace {

namespace names = conventions;

void describe(const Survey& survey, const std::vector<std::string>& stages, Schema& schema) {
    schema.describe(std::string(names::dut_name), survey.cores.front());
    schema.describe(std::string(names::cpu_protocol_version), std::string(PipelineShape::protocol_version));
    std::string list;
    for (const std::string& name : stages)
        list.append(list.empty() ? "" : ",").append(name);
    if (!list.empty()) schema.describe(std::string(names::cpu_pipeline_stages), std::move(list));
    schema.describe(std::string(cycle_key), std::to_string(survey.cycle));
    if (survey.rate != default_rate) schema.describe(std::string(rate_key), std::to_string(survey.rate));
}

}  // namespace

std::uint64_t period_of_cycle(std::uint64_t cycle, std::uint64_t rate) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide period = Wide{cycle} * picoseconds_per_second / rate;
    return period > std::numeric_limits<std::uint32_t>::max() ? 0 : static_cast<std::uint64_t>(period);
}

CoreTracks declare_tracks(const Survey& survey, Schema& schema) {
    CoreTracks tracks;
    std::vector<std::string> stages;
    for (std::size_t stage = 0; stage < stage_count; ++stage) {
        if (!survey.stages[stage]) continue;
        tracks.stages[stage] = stages.size();
        stages.emplace_back(stage_names[stage]);
    }
    tracks.store = stages.size();
    if (survey.stores) stages.emplace_back(store_name);
    describe(survey, stages, schema);
    PipelineShape shape;
    shape.stages = stages;
    shape.slots = survey.slots;
    shape.period_ps = period_of_cycle(survey.cycle, survey.rate);
    const Ratio tick = Ratio{1, survey.rate}.reduced();
    shape.time = TimeBase{TimeBase::Kind::seconds, tick.num, tick.den};
    shape.microops = survey.microops;
    const PipelineObjects objects = declare_pipeline(shape, schema);
    for (const std::string& core : survey.cores)
        tracks.cores.push_back(declare_pipeline_core(shape, objects, core, schema));
    return tracks;
}

bool is_told_by_trace(const Schema& schema, const Metadata& fact) {
    if (fact.key == names::dut_name) {
        const std::vector<CpuScope> cores = cpu_scopes(schema);
        return !cores.empty() && schema.scopes()[cores.front().scope].name == fact.value;
    }
    if (fact.key == names::cpu_protocol_version) return fact.value == PipelineShape::protocol_version;
    return fact.key == names::cpu_pipeline_stages || fact.key == cycle_key || fact.key == rate_key ||
           fact.key == names::rescaled || names::is_storage_fact(fact.key, "uscope");
}

}  // namespace hwtrace::o3pipeview
