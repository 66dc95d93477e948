#include "position_plan.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec.hpp"
#include "items.hpp"
#include "model/hash.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::string_view position_domain = "idx";

struct Unit {
    std::string_view name;
    std::uint64_t parts;  ///< units per second
};
/// The time units, from coarse to fine.
constexpr std::array<Unit, 6> units{{{"s", 1},
                                     {"ms", 1'000},
                                     {"us", 1'000'000},
                                     {"ns", 1'000'000'000},
                                     {"ps", picoseconds_per_second},
                                     {"fs", 1'000 * picoseconds_per_second}}};

/// Takes over the references, OPENs and CLOSs of the source.
void take_positions(const TraceFacts& facts, TracePlan& trace) {
    for (const auto& [id, reference] : facts.references)
        trace.references.push_back(reference);
    for (const auto& [item, end] : facts.closes) {
        if (facts.opens.contains(item)) continue;
        ContextPlan& context = trace.contexts.emplace_back();
        context.item = item;
        context.opens = false;
        context.end = end;
    }
    for (const auto& [item, open] : facts.opens) {
        ContextPlan& context = trace.contexts.emplace_back();
        context.item = item;
        context.open = open;
        const auto close = facts.closes.find(item);
        context.closes = close != facts.closes.end();
        if (context.closes) context.end = close->second;
    }
}

/// Gives an OPEN the time base of its tracks if all of them share another time base than its domain. Its start
/// is then derived from the first sample. Does nothing if flux.opening records state when the OPENs occurred.
void settle_domains(const Schema& schema, StreamPlan& plan, std::size_t index) {
    TracePlan& trace = plan.traces[index];
    trace.epoch = 1;
    for (ContextPlan& context : trace.contexts)
        if (context.opens) context.base = base_of(context.open.domain).value_or(ordinals);
    if (trace.reopens) return;
    std::map<std::size_t, std::optional<TimeBase>> bases;  // nullopt: several time bases
    for (TrackId id = 0; id < plan.tracks.size(); ++id) {
        const TrackPlan& track = plan.tracks[id];
        if (track.use != TrackPlan::Use::signal || track.trace != index) continue;
        const TimeBase& time = schema.tracks()[id].time;
        std::optional<TimeBase>& base = bases.emplace(track.context, time).first->second;
        if (base != time) base.reset();
    }
    for (const auto& [place, base] : bases) {
        ContextPlan& context = trace.contexts[place];
        if (!context.opens || !base || context.base == *base) continue;
        const auto [domain, multiply] = StreamPlan::domain_of(*base);
        plan.restated.emplace_back(index, context.item);
        context.open = {.domain = std::string(domain), .start = 0, .rate = context.open.rate};
        context.base = *base;
        context.multiply = multiply;
        context.from_first = true;
    }
}

/// Returns the context of an item or of the nearest opened scope around it, else an unopened context of the root.
std::size_t context_above(TracePlan& trace, std::uint64_t item) {
    for (std::size_t depth = 0; depth <= trace.parents.size(); ++depth) {
        const auto found = trace.context_by_item.find(item);
        if (found != trace.context_by_item.end()) return found->second;
        if (item == 0) break;
        const auto parent = trace.parents.find(item);
        item = parent == trace.parents.end() ? 0 : parent->second;
    }
    ContextPlan& root = trace.contexts.emplace_back();
    root.opens = root.closes = false;
    trace.context_by_item.emplace(0, trace.contexts.size() - 1);
    return trace.contexts.size() - 1;
}

/// Plans one context for all signals if they share a time base, otherwise one per signal.
void plan_contexts(const Schema& schema, StreamPlan& plan, std::size_t index) {
    TracePlan& trace = plan.traces[index];
    std::optional<TimeBase> base;
    bool same = true;
    for (TrackId id = 0; id < plan.tracks.size(); ++id) {
        if (plan.tracks[id].use != TrackPlan::Use::signal || plan.tracks[id].trace != index) continue;
        const TimeBase& time = schema.tracks()[id].time;
        same = same && (!base || *base == time);
        base = time;
    }
    const auto add = [&](std::uint64_t item, const TimeBase& time) {
        ContextPlan& context = trace.contexts.emplace_back();
        const auto [domain, multiply] = StreamPlan::domain_of(time);
        context.item = item;
        context.open.domain = domain;
        context.multiply = multiply;
        context.from_first = true;
    };
    if (same) {
        add(0, base.value_or(ordinals));
        return;
    }
    for (TrackId id = 0; id < plan.tracks.size(); ++id) {
        TrackPlan& track = plan.tracks[id];
        if (track.use != TrackPlan::Use::signal || track.trace != index) continue;
        track.context = trace.contexts.size();
        add(track.item, schema.tracks()[id].time);
    }
}

}  // namespace

void plan_positions(const Schema& schema, const TraceFacts* facts, StreamPlan& plan, std::size_t index) {
    TracePlan& trace = plan.traces[index];
    if (facts != nullptr) take_positions(*facts, trace);
    for (std::size_t i = 0; i < trace.contexts.size(); ++i)
        trace.context_by_item.emplace(trace.contexts[i].item, i);
    if (trace.was_stream) {
        for (TrackPlan& track : plan.tracks)
            if (track.use == TrackPlan::Use::signal && track.trace == index)
                track.context = context_above(trace, track.item);
        settle_domains(schema, plan, index);
    } else {
        plan_contexts(schema, plan, index);
    }
}

void plan_closes(const StreamFacts& facts, StreamPlan& plan) {
    std::set<std::pair<std::size_t, std::size_t>> done;
    HashMap<std::uint64_t, std::size_t> traces;
    std::vector<HashMap<std::uint64_t, std::size_t>> contexts(plan.traces.size());
    for (std::size_t i = 0; i < plan.traces.size(); ++i) {
        traces.emplace(plan.traces[i].id, i);
        for (std::size_t k = 0; k < plan.traces[i].contexts.size(); ++k)
            contexts[i].emplace(plan.traces[i].contexts[k].item, k);
    }
    for (const auto& [id, item] : facts.closes) {
        const auto trace = traces.find(id);
        if (trace == traces.end()) continue;
        const auto context = contexts[trace->second].find(item);
        if (context == contexts[trace->second].end()) continue;
        if (done.emplace(trace->second, context->second).second)
            plan.closes.emplace_back(trace->second, context->second);
    }
    for (std::size_t trace = 0; trace < plan.traces.size(); ++trace)
        for (std::size_t context = 0; context < plan.traces[trace].contexts.size(); ++context)
            if (done.insert({trace, context}).second) plan.closes.emplace_back(trace, context);
}

std::pair<std::string_view, std::uint64_t> StreamPlan::domain_of(const TimeBase& base) noexcept {
    if (base.kind != TimeBase::Kind::ordinal && base.den != 0) {
        const Ratio tick = Ratio{base.num, base.den}.reduced();
        for (const Unit& unit : units) {
            if (unit.parts % tick.den != 0) continue;
            std::uint64_t multiply = 0;
            if (!__builtin_mul_overflow(unit.parts / tick.den, tick.num, &multiply) && multiply != 0)
                return {unit.name, multiply};
        }
    }
    return {position_domain, 1};
}

TimeBase stated_base(const TimeBase& base) {
    return base_of(StreamPlan::domain_of(base).first).value_or(base);
}

}  // namespace hwtrace::flux
