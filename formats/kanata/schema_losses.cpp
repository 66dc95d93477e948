#include "schema_losses.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "codec.hpp"
#include "commands.hpp"
#include "survey.hpp"
#include "tracks.hpp"

namespace hwtrace::kanata {
namespace {

using Role = PipelineRole;

bool same_fields(const Schema& schema, const Track& track, const Schema& logs, const Track& of_log) {
    if (track.fields.size() != of_log.fields.size()) return false;
    for (std::size_t i = 0; i < track.fields.size(); ++i) {
        const Field &ours = track.fields[i], &its = of_log.fields[i];
        if (ours.name != its.name || ours.type != its.type) return false;
        if (ours.type != Type::enumeration || logs.enums()[its.enumeration].name == conventions::pipeline_stage)
            continue;
        if (ours.enumeration >= schema.enums().size() ||
            schema.enums()[ours.enumeration].values != logs.enums()[its.enumeration].values)
            return false;
    }
    return true;
}

}  // namespace

std::uint64_t period_of(const std::vector<CpuScope>& cores) noexcept {
    std::uint64_t period = 0;
    for (const CpuScope& core : cores)
        period = std::gcd(period, core.period_ps);
    return period;
}

bool is_log(const Schema& schema) {
    return schema.metadata(version_key) != nullptr && std::ranges::all_of(schema.tracks(), [](const Track& track) {
               return track.time.kind == TimeBase::Kind::cycles;
           });
}

void lose_of_schema(const Schema& schema, const std::vector<CpuScope>& cores, const std::vector<PipelineUse>& uses,
                    const std::function<void(Loss, std::string_view, std::string)>& lose) {
    for (const Metadata& fact : schema.metadata())
        if (!is_told_by_log(fact)) lose(Loss::metadata_dropped, fact.key, fact.value.substr(0, 80));
    if (schema.metadata(version_key) != nullptr) return;

    Survey survey;
    survey.wide_dependencies =
        std::ranges::any_of(uses, [](const PipelineUse& use) { return use.role == Role::dependency_type; });
    survey.other_lines = true;
    survey.clock_ps = period_of(cores);
    Schema logs;
    declare_tracks(survey, logs);
    const Clock& log_clock = logs.clocks().front();
    for (const Clock& clock : schema.clocks()) {
        if (clock.name != log_clock.name)
            lose(Loss::name_changed, clock.name, "the clock of a log is " + log_clock.name);
        if (clock.period_ps != log_clock.period_ps)
            lose(Loss::part_dropped, clock.name,
                 std::string("its period of ")
                     .append(std::to_string(clock.period_ps))
                     .append(" ps: a log has one clock"));
    }
    for (const Enum& enumeration : schema.enums())
        if (cores.empty()) lose(Loss::part_dropped, enumeration.name, "an enumeration that no core uses");
    for (const Scope& scope : schema.scopes()) {
        const bool found = std::ranges::any_of(logs.scopes(), [&](const Scope& of_log) {
            if (of_log.name != scope.name || (of_log.parent == none) != (scope.parent == none)) return false;
            return scope.parent == none || schema.scopes()[scope.parent].name == logs.scopes()[of_log.parent].name;
        });
        if (!found) lose(Loss::scope_flattened, scope.name, "a log has only the scopes root/core0");
    }
    for (TrackId id = 0; id < uses.size(); ++id) {
        if (uses[id].role == Role::foreign) continue;
        const Track& track = schema.tracks()[id];
        const TrackId in_log = logs.find_track(track.kind, track.name);
        if (in_log != none && !same_fields(schema, track, logs, logs.tracks()[in_log]))
            lose(Loss::type_changed, track.name, "its fields become the fields of a log");
    }
}

void foresee_losses(const Schema& schema, const Settings&, std::vector<ExpectedLoss>& losses) {
    const auto foretell = [&](Loss loss, std::string subject, std::string why) {
        losses.push_back({loss, std::move(subject), std::move(why)});
    };
    const std::vector<CpuScope> cores = cpu_scopes(schema);
    const std::vector<PipelineUse> uses = pipeline_uses(schema, cores, line_track);
    lose_of_schema(schema, cores, uses, [&](Loss loss, std::string_view subject, std::string what) {
        foretell(loss, std::string(subject),
                 loss == Loss::metadata_dropped ? "a log has no place for it" : std::move(what));
    });
    for (TrackId track = 0; track < uses.size(); ++track) {
        const Track& t = schema.tracks()[track];
        if (t.scope >= schema.scopes().size() || schema.scopes()[t.scope].protocol != conventions::cpu_protocol)
            continue;
        if (uses[track].role == Role::foreign)
            foretell(Loss::kind_dropped, t.name, "a log has no command for it");
        else if (uses[track].role == Role::entities && t.fields.size() > 4)
            foretell(Loss::field_dropped, t.name, "a log has no command for some of its fields");
    }
    if (schema.metadata(version_key) == nullptr) {
        foretell(Loss::type_changed, "*", "instructions get the numbers, labels and retire ids of a log");
    }
    if (!is_log(schema)) {
        losses.push_back(
            {Loss::part_dropped, std::string(stages_of_core.text()), "stages that no command names", true});
        foretell(Loss::order_changed, "*",
                 "a log numbers stages in the order in which they begin, and states a retirement in one command");
    }
    constexpr std::string_view odd = "records of other tools that a log cannot represent exactly";
    for (const Loss loss : {Loss::kind_dropped, Loss::field_dropped, Loss::part_dropped, Loss::name_changed,
                            Loss::value_narrowed, Loss::type_changed})
        foretell(loss, "*", std::string(odd));
    foretell(Loss::time_rounded, "*", "times between two cycles, or before the previous one");
}

}  // namespace hwtrace::kanata
