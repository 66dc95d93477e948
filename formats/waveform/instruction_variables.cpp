#include "instruction_variables.hpp"

#include <algorithm>
#include <limits>

#include "domain/conventions.hpp"

namespace hwtrace::waveform {

void InstructionVariables::add(Hart& hart, const Track& track) {
    const ScopeNo scope = to_.add_scope(track);
    const auto add_bits = [&](std::string_view name, std::uint32_t width) {
        return to_.log.add(scope, {Variable::Kind::bits, width, std::string(name)});
    };
    hart.pc = add_bits(conventions::pc, 64);
    hart.encoding = add_bits(conventions::inst_bits, 64);
    hart.mode = to_.log.add(scope, {Variable::Kind::text, 1, "mode"});
    if (symbols_ != nullptr) hart.function = to_.log.add(scope, {Variable::Kind::text, 1, "function"});
    for (Count* const count : {&hart.loads, &hart.stores, &hart.taken_branches}) {
        count->variable = add_bits(count == &hart.loads    ? conventions::loads
                                   : count == &hart.stores ? conventions::stores
                                                           : conventions::taken_branches,
                                   64);
        to_.log.number(count->variable, 0);
    }
}

void InstructionVariables::show_function(Hart& hart, std::uint64_t pc) {
    const Symbols::FunctionId function = symbols_->range_at(pc, recent_).function;
    if (function == hart.shown_function) return;
    hart.shown_function = function;
    if (function == Symbols::no_function)
        to_.log.none(hart.function);
    else
        to_.log.text(hart.function, symbols_->function(function).name);
}

void InstructionVariables::raise(Count& count, std::uint64_t by) {
    if (by == 0) return;
    count.value += by;
    to_.log.number(count.variable, count.value);
}

void InstructionVariables::show(const Batch& batch, const Record& record) {
    Hart& hart = harts_[record.track];
    const Instruction& instruction = batch.instruction(record);
    if (hart.pc == no_number) add(hart, to_.schema.tracks()[record.track]);
    hart.last = std::max(hart.last, record.time);
    to_.log.number(hart.pc, record.value);
    to_.log.number(hart.encoding, instruction.encoding);
    if (state_.mode() != hart.shown_mode && state_.mode() < conventions::modes.size()) {
        hart.shown_mode = state_.mode();
        to_.log.text(hart.mode, conventions::modes[static_cast<std::size_t>(hart.shown_mode)]);
    }
    if (symbols_ != nullptr) show_function(hart, record.value);
    std::uint64_t loads = 0, stores = 0;
    for (const Access& access : batch.accesses(instruction))
        ++(access.type == AccessType::write ? stores : loads);
    raise(hart.loads, loads);
    raise(hart.stores, stores);
    raise(hart.taken_branches, instruction.has_target ? 1 : 0);
}

void InstructionVariables::finish() {
    for (TrackId track = 0; track < harts_.size(); ++track)
        if (const Hart& hart = harts_[track]; hart.pc != no_number && hart.last < std::numeric_limits<Tick>::max())
            to_.log.move_to(to_.times.about(track, hart.last + 1));
}

}  // namespace hwtrace::waveform
