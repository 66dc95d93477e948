#include "core_plan.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "codec.hpp"
#include "domain/conventions.hpp"
#include "domain/pipeline_tracks.hpp"
#include "domain/tick_ratio.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "lines.hpp"
#include "schema.hpp"
#include "trace.hpp"

namespace hwtrace::o3pipeview {

namespace {

std::optional<std::uint64_t> stated(const Schema& schema, std::string_view key) {
    const std::string* const text = schema.metadata(key);
    const auto number = text != nullptr ? parse_decimal<std::uint64_t>(*text) : std::nullopt;
    return number && *number != 0 && *number <= static_cast<std::uint64_t>(most_ticks) ? number : std::nullopt;
}

/// Returns the ticks of a cycle of `period_ps`, rounded to a whole number of at least 1.
Tick ticks_of(std::uint64_t period_ps, std::uint64_t rate) noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide ticks = Wide{period_ps} * rate / picoseconds_per_second;
    return static_cast<Tick>(std::clamp(ticks, Wide{1}, static_cast<Wide>(most_ticks)));
}

CorePlan core_plan(const Schema& schema, const CpuScope& cpu) {
    CorePlan core;
    core.cpu = cpu;
    core.stages = counterparts(cpu.stages);
    for (const std::string& name : cpu.stages)
        core.stores.push_back(is_store_stage(name));
    if (cpu.entities != none) core.microop = find_field(schema.tracks()[cpu.entities], PipelineTracks::microop_name);
    return core;
}

/// Returns a name that a line can begin with.
std::string prefix_of(std::string_view name) {
    std::string prefix(name.empty() ? unnamed_core : name);
    for (char& c : prefix)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
              c == '[' || c == ']' || c == '-'))
            c = '_';
    return prefix;
}

void plan_times(const Schema& schema, const Settings& settings, WriterPlan& plan) {
    const auto option_ticks = static_cast<Tick>(
        std::clamp<std::uint64_t>(settings.number(options, cycle_option), 1, static_cast<std::uint64_t>(most_ticks)));
    std::uint64_t period_ps = 0;
    for (const CorePlan& core : plan.cores)
        period_ps = std::gcd(period_ps, core.cpu.period_ps);
    plan.cycle = period_ps != 0 ? ticks_of(period_ps, plan.rate) : option_ticks;
    if (const auto cycle = stated(schema, cycle_key); cycle && plan.is_native) plan.cycle = static_cast<Tick>(*cycle);
    const Ratio tick = Ratio{1, plan.rate}.reduced();
    const TimeBase ticks{TimeBase::Kind::seconds, tick.num, tick.den};
    bool assumes = false;
    for (const Track& track : schema.tracks()) {
        const bool is_known = track.time.den != 0 && track.time.kind != TimeBase::Kind::ordinal;
        if (!is_known) {
            assumes = assumes || period_ps == 0;
            plan.ratios.push_back({static_cast<std::uint64_t>(plan.cycle), 1});
            continue;
        }
        assumes = assumes || (period_ps == 0 && !plan.is_native);
        const auto ratio = ticks_in(track.time, ticks);
        if (!ratio)
            fail(Failure::input,
                 "the ratio of the trace's ticks to the ticks of O3PipeView is too large; write another format");
        plan.ratios.push_back(*ratio);
    }
    if (assumes && !settings.chosen(cycle_option))
        plan.assumption = "the trace does not state the length of a cycle: assumed " + std::to_string(plan.cycle) +
                          " ticks (--o3pipeview-ticks-per-cycle)";
}

}  // namespace

WriterPlan plan_of(const Schema& schema, const Settings& settings) {
    WriterPlan plan;
    plan.is_native = schema.metadata(cycle_key) != nullptr;
    plan.rate = std::max<std::uint64_t>(settings.number(options, rate_option), 1);
    if (!settings.chosen(rate_option)) plan.rate = stated(schema, rate_key).value_or(plan.rate);
    for (const CpuScope& cpu : cpu_scopes(schema))
        plan.cores.push_back(core_plan(schema, cpu));
    const bool has_names =
        plan.cores.size() > 1 ||
        (plan.is_native && !plan.cores.empty() && schema.scopes()[plan.cores.front().cpu.scope].name != unnamed_core);
    if (has_names)
        for (CorePlan& core : plan.cores)
            core.prefix = prefix_of(schema.scopes()[core.cpu.scope].name);
    plan_times(schema, settings, plan);
    return plan;
}

void lose_of_schema(const Schema& schema, const WriterPlan& plan, const std::vector<PipelineUse>& uses,
                    const std::function<void(Loss, std::string_view, std::string)>& lose) {
    for (const Metadata& fact : schema.metadata())
        if (!is_told_by_trace(schema, fact)) lose(Loss::metadata_dropped, fact.key, fact.value.substr(0, 80));
    if (plan.is_native) return;
    const std::uint64_t period_ps = period_of_cycle(static_cast<std::uint64_t>(plan.cycle), plan.rate);
    for (const Clock& clock : schema.clocks()) {
        if (clock.name != PipelineObjects::clock_name)
            lose(Loss::name_changed, clock.name, "the clock of a trace is " + std::string(PipelineObjects::clock_name));
        if (clock.period_ps != period_ps)
            lose(Loss::part_dropped, clock.name,
                 "its period of " + std::to_string(clock.period_ps) + " ps: a trace has one length of cycles");
    }
    std::vector<std::string_view> cores;
    for (const CpuScope& cpu : cpu_scopes(schema))
        cores.push_back(schema.scopes()[cpu.scope].name);
    for (const Scope& scope : schema.scopes()) {
        const bool is_core =
            scope.protocol == conventions::cpu_protocol && (cores.size() > 1 || scope.name == unnamed_core);
        if (!is_core && scope.name != "root")
            lose(Loss::scope_flattened, scope.name, "a trace has only cores, and names only several ones");
    }
    for (TrackId id = 0; id < uses.size(); ++id)
        if (uses[id].role == PipelineRole::entities)
            lose(Loss::type_changed, schema.tracks()[id].name,
                 "an instruction becomes seven ticks, a number and a label");
}

void remove_address(std::uint64_t pc, std::string& label) {
    std::string_view text = label;
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    const std::size_t end = std::min(text.find_first_of(": \t"), text.size());
    constexpr std::size_t most_digits = 16;
    if (end == 0 || end > most_digits) return;
    const auto address = parse_digits(text.substr(0, end), 16);
    if (!address || *address != pc) return;
    text.remove_prefix(end);
    if (text.starts_with(':')) text.remove_prefix(1);
    if (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
    label.erase(0, label.size() - text.size());
}

void foresee_losses(const Schema& schema, const Settings& settings, std::vector<ExpectedLoss>& losses) {
    const WriterPlan plan = plan_of(schema, settings);
    const std::vector<PipelineUse> uses = pipeline_uses(schema, cpu_scopes(schema));
    lose_of_schema(schema, plan, uses, [&](Loss loss, std::string_view subject, std::string what) {
        losses.push_back({loss, std::string(subject),
                          loss == Loss::metadata_dropped ? "a trace has no place for it" : std::move(what)});
    });
    for (TrackId track = 0; track < uses.size(); ++track) {
        const Track& t = schema.tracks()[track];
        if (t.scope >= schema.scopes().size() || schema.scopes()[t.scope].protocol != conventions::cpu_protocol)
            continue;
        const PipelineRole role = uses[track].role;
        if (role == PipelineRole::foreign || role == PipelineRole::dependency || role == PipelineRole::dependency_type)
            losses.push_back({Loss::kind_dropped, t.name, "a trace has no line for it"});
    }
    for (const CorePlan& core : plan.cores)
        for (std::size_t number = 0; number < core.stages.size(); ++number)
            if (!core.stages[number] && !core.stores[number])
                losses.push_back(
                    {Loss::part_dropped, core.cpu.stages[number], "a stage without a counterpart in gem5", true});
    constexpr std::string_view odd = "records of other tools that a trace cannot represent exactly";
    for (const Loss loss :
         {Loss::kind_dropped, Loss::field_dropped, Loss::part_dropped, Loss::value_narrowed, Loss::type_changed})
        losses.push_back({loss, "*", std::string(odd)});
    losses.push_back({Loss::part_dropped, "*", "stages without a counterpart in gem5", true});
    losses.push_back({Loss::time_rounded, "*", "times between two ticks, or before the previous one"});
}

}  // namespace hwtrace::o3pipeview
