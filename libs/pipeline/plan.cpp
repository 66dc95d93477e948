#include "pipeline/plan.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "io/error.hpp"
#include "model/conventions.hpp"
#include "pipeline/instruction_lowering.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::uint64_t assumed_period_ps = 1'000;

Kinds kinds_of(Track::Kind kind) noexcept {
    switch (kind) {
        case Track::Kind::event_type:
            return {Kind::event};
        case Track::Kind::storage:
            return {Kind::set, Kind::clear, Kind::add};
        case Track::Kind::signal:
            return {Kind::change};
        case Track::Kind::stream:
            return {Kind::interval, Kind::relation};
        case Track::Kind::hart:
            return {Kind::instruction};
        case Track::Kind::notes:
            return {Kind::note};
        case Track::Kind::native:
            return {Kind::native};
    }
    return {};
}

bool belongs_to(const Track& track, const Format& format) noexcept {
    return track.name.size() > format.name.size() && track.name.starts_with(format.name) &&
           track.name[format.name.size()] == '.';
}

/// Whether the target can take the track's records as they are.
bool can_write(const Track& track, const Format& to) noexcept {
    if (!to.writes.kinds.has_all(kinds_of(track.kind))) return false;
    switch (track.kind) {
        case Track::Kind::native:
            return belongs_to(track, to);
        case Track::Kind::event_type:
        case Track::Kind::notes:
            return to.writes.foreign_events || belongs_to(track, to);
        case Track::Kind::storage:
        case Track::Kind::signal:
        case Track::Kind::stream:
        case Track::Kind::hart:
            return true;
    }
    return false;
}

std::string frequency_text(std::uint64_t period_ps, Ratio ipc) {
    std::string text = std::to_string(period_ps) + " ps a cycle, " + std::to_string(ipc.num);
    if (ipc.den != 1) text.append("/").append(std::to_string(ipc.den));
    return text + (ipc == Ratio{1, 1} ? " instruction a cycle" : " instructions a cycle");
}

/// Drops the records of tracks that the target cannot take, and counts them.
class Dropping final : public Stage {
public:
    Dropping(const Schema& source, const Format& to, Losses& losses) : source_(source), to_(to), losses_(losses) {}
    const Schema& schema() const override { return source_; }
    void apply(const Batch& in, Batch& out) override {
        while (keep_.size() < source_.tracks().size())  // tracks may appear while reading
            keep_.push_back(can_write(source_.tracks()[keep_.size()], to_));
        for (const Record& record : in.records()) {
            if (keep_[record.track]) {
                out.copy(in, record, record.track);
                continue;
            }
            losses_.count(record.kind == Kind::native ? Loss::native_dropped : Loss::kind_dropped,
                          source_.tracks()[record.track].name,
                          [&] { return std::string(name_of(record.kind)) + " at " + std::to_string(record.time); });
        }
    }
    bool finish(Batch&) override { return false; }

private:
    const Schema& source_;
    const Format& to_;
    std::vector<bool> keep_;
    Losses& losses_;
};

void plan_lowering(Plan& plan, const Schema& source, TrackId hart, const TimeModel& time, Losses& losses) {
    const std::uint64_t period = time.period_ps.value_or(assumed_period_ps);
    const Ratio ipc = time.instructions_per_cycle.value_or(Ratio{1, 1});
    plan.steps.push_back(
        {"lower instructions to the cpu protocol",
         "instructions become entities, stage transitions, counters, register tables and memory events "
         "of scope '" +
             source.scopes()[source.tracks()[hart].scope].name + "'; " + frequency_text(period, ipc)});
    if (!time.period_ps || !time.instructions_per_cycle)
        plan.assumptions.push_back("the trace has no time: assumed " + frequency_text(period, ipc) +
                                   " (--clock and --ipc change it)");
    const std::string* vector_bits = source.metadata(names::vector_bits);
    if (vector_bits != nullptr && parse_count(*vector_bits).value_or(0) > InstructionLowering::max_vector_words * 64)
        plan.losses.push_back(
            {Loss::part_dropped, "v", "vector registers of " + *vector_bits + " bits are too wide for a table"});
    plan.gives_time = true;
    plan.stages.push_back(std::make_unique<InstructionLowering>(source, hart, period, ipc, losses));
}

void plan_raising(Plan& plan, const Schema& source, Losses& losses) {
    plan.steps.push_back(
        {"raise the cpu protocol to instructions",
         "entities, registers and memory events that were lowered from instructions become them again"});
    plan.losses.push_back(
        {Loss::kind_dropped, "*", "records that the lowering did not make, where another tool added any"});
    plan.losses.push_back({Loss::native_dropped, "*", "items that do not fit the file's own schema, and empty frames"});
    for (const Loss loss : {Loss::part_dropped, Loss::value_narrowed, Loss::order_changed, Loss::metadata_dropped})
        plan.losses.push_back({loss, "*", "what another tool changed so that the target cannot say it"});
    plan.raises = true;
    plan.stages.push_back(std::make_unique<InstructionRaising>(source, losses));
}

std::deque<Track>::const_iterator find_hart(const Schema& schema) noexcept {
    return std::find_if(schema.tracks().begin(), schema.tracks().end(),
                        [](const Track& track) { return track.kind == Track::Kind::hart; });
}

/// Events of the target's own names, but nothing that they could belong to, make no trace.
void refuse_pointless(const Schema& schema, const Format& to) {
    const bool some = std::any_of(schema.tracks().begin(), schema.tracks().end(),
                                  [&](const Track& track) { return can_write(track, to); });
    const bool only_instructions = to.writes.kinds.has(Kind::instruction) && !to.writes.foreign_events;
    const bool pointless = only_instructions ? find_hart(schema) == schema.tracks().end() : !some;
    if (!pointless || schema.tracks().empty()) return;
    fail(Failure::input, "nothing in this trace can be written as " + std::string(to.name) +
                             ": it has no instructions, and was not made by lowering any");
}

/// Foretells and, when the plan has no stage that does it, arranges the drop of what `to` cannot take.
void plan_drops(Plan& plan, const Schema& schema, const Format& to, Losses& losses) {
    bool drops = false;
    for (const Track& track : schema.tracks()) {
        if (can_write(track, to)) continue;
        drops = true;
        plan.losses.push_back(
            {track.kind == Track::Kind::native ? Loss::native_dropped : Loss::kind_dropped, track.name,
             std::string(to.name) + " has no place for " + std::string(name_of(track.kind)) + " records"});
    }
    if (!drops) return;
    plan.steps.push_back({"drop", "records that " + std::string(to.name) + " cannot hold"});
    plan.stages.push_back(std::make_unique<Dropping>(schema, to, losses));
}

}  // namespace

Plan make_plan(const Schema& source, const Format& from, const Format& to, const Choices& choices, Losses& losses) {
    Plan plan;
    plan.steps.push_back({"read " + std::string(from.name), std::string(from.title)});
    const auto hart = find_hart(source);
    const bool target_has_instructions = to.writes.kinds.has(Kind::instruction);
    if (hart != source.tracks().end() && !target_has_instructions) {
        plan_lowering(plan, source, static_cast<TrackId>(hart - source.tracks().begin()), choices.time, losses);
    } else if (hart == source.tracks().end() && target_has_instructions && InstructionRaising::is_lowered(source)) {
        plan_raising(plan, source, losses);
    }
    refuse_pointless(plan.target_schema(source), to);
    plan_drops(plan, plan.target_schema(source), to, losses);
    plan.steps.push_back({"write " + std::string(to.name), std::string(to.title)});
    for (const std::string& assumption : plan.assumptions)
        losses.assume(assumption);
    return plan;
}

}  // namespace hwtrace
