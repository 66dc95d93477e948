// Tables of the protocol cpu that hold instructions.
#include "convert/transform.hpp"

#include <algorithm>
#include <utility>

#include "convert/transforms/instruction_lowering.hpp"
#include "convert/transforms/signal_making.hpp"
#include "domain/conventions.hpp"

namespace hwtrace::transforms {

namespace cpu_tables_plan {

std::string frequency_text(std::uint64_t period_ps, Ratio ipc) {
    std::string text = std::to_string(period_ps) + " ps per cycle, " + std::to_string(ipc.num);
    if (ipc.den != 1) text.append("/").append(std::to_string(ipc.den));
    return text + (ipc == Ratio{1, 1} ? " instruction per cycle" : " instructions per cycle");
}

}  // namespace cpu_tables_plan

using namespace cpu_tables_plan;

void raise_instructions(Planning& p, const Target& to) {
    if (!to.holds(Shape::hart) || p.has(Shape::hart)) return;
    if (!InstructionRaising::is_lowered(p.here())) return;
    p.step_of_raising("raise the cpu protocol to instructions",
                      {{"entities, registers and memory events made from instructions", "the original instructions"}});
    p.foretell(Loss::native_dropped, "*", "items that do not match the file's schema, and empty frames");
    for (const Loss loss : {Loss::part_dropped, Loss::value_narrowed, Loss::order_changed, Loss::metadata_dropped})
        p.foretell(loss, "*", "changes by another tool that the target cannot represent");
    p.append<InstructionRaising>(p.here(), p.losses);
}

void lower_instructions(Planning& p, const Target& to) {
    const auto found = std::ranges::find(p.here().tracks(), Shape::hart, &Track::kind);
    if (found == p.here().tracks().end() || to.holds(Shape::hart) || !to.holds_tables()) return;
    if (to.protocol().empty() && !(InstructionLowering::returns(p.here()) && p.time_ordered)) {
        p.step("make signals",
               "the trace also has other records with times: each track becomes a signal, and each record a change",
               samples_of_tracks(p));
        return p.append<SignalMaking>(p.here(), to.format, p.order(), p.losses);
    }
    const auto hart = static_cast<TrackId>(found - p.here().tracks().begin());
    const TimeModel& time = p.choices.time;
    const std::uint64_t period = p.period();
    const Ratio ipc = time.instructions_per_cycle.value_or(Ratio{1, 1});
    std::vector<Mapping> made{{"an instruction",
                               "an entity in the stage `commit`, updates of counters and register tables, and events "
                               "`branch` and `memory_access`"}};
    if (std::ranges::any_of(p.here().tracks(), [](const Track& track) { return track.kind != Shape::hart; }))
        made.push_back({"an event, a note or a native record", "an event of the same name"});
    p.step("lower instructions to the cpu protocol", std::move(made));
    const ScopeId scope = p.here().tracks()[hart].scope;
    p.plan.steps.back()
        .what.append("; in scope '")
        .append(scope == none ? p.here().tracks()[hart].name : p.here().scopes()[scope].name)
        .append("', ")
        .append(frequency_text(period, ipc));
    if (!time.period_ps || !time.instructions_per_cycle)
        p.assume("the trace has no time: assumed " + frequency_text(period, ipc) + " (--clock and --ipc change it)");
    const std::string* vector_bits = p.here().metadata(conventions::vector_bits);
    if (vector_bits != nullptr && parse_count(*vector_bits).value_or(0) > InstructionLowering::max_vector_words * 64)
        p.foretell(Loss::part_dropped, "v", "vector registers of " + *vector_bits + " bits are too wide for a table");
    const auto drop_object = [&](const std::string& name) {
        constexpr std::string_view why = "the cpu protocol defines its own clocks and enumerations";
        p.foretell(Loss::part_dropped, name, std::string(why));
        p.losses.count(Loss::part_dropped, name, [&] { return std::string(why); });
    };
    for (const Clock& clock : p.here().clocks())
        drop_object(clock.name);
    for (const Enum& enumeration : p.here().enums())
        drop_object(enumeration.name);
    for (const Track& track : p.here().tracks()) {
        if (InstructionLowering::takes(p.here(), track)) {
            if (!p.numbers_harts)
                p.foretell(Loss::time_rounded, track.name, "its times become the index of the next instruction");
        } else {
            p.foretell(loss_of(track.kind), track.name,
                       "an instruction trace has no place for " + std::string(name_of(track.kind)) + " records");
        }
    }
    p.plan.gives_time = true;
    p.plan.lowers = true;
    p.append<InstructionLowering>(
        p.here(), hart, period, ipc, p.losses,
        p.numbers_harts ? InstructionLowering::Positions::numbers : InstructionLowering::Positions::any);
}

}  // namespace hwtrace::transforms
