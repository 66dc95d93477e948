// formats/waveform/instruction_variables.hpp - shows the instructions of a hart: pc, encoding, mode, function, and
// counters.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "domain/hart_state.hpp"
#include "field_variables.hpp"
#include "symbols/symbols.hpp"

namespace hwtrace::waveform {

class InstructionVariables {
public:
    /// `symbols` may be null; then functions are not shown.
    InstructionVariables(Canvas& to, const Limits& limits, std::shared_ptr<const Symbols> symbols)
        : to_(to), state_(to.schema, limits), symbols_(std::move(symbols)), harts_(to.schema.tracks().size()) {}

    /// Learns modes from an event.
    void learn(const Batch& batch, const Record& event) { state_.learn(batch, event, HartState::Fate::shown); }
    /// Shows an instruction at the time of the log.
    void show(const Batch& batch, const Record& instruction);
    /// Moves the log to the end of the last instruction, so that viewers show its values. An instruction lasts a tick,
    /// because traces do not state how long it lasts.
    void finish();

private:
    /// A counter.
    struct Count {
        VariableNo variable = no_number;
        std::uint64_t value = 0;
    };
    struct Hart {
        VariableNo pc = no_number, encoding = no_number, mode = no_number, function = no_number;
        Count loads, stores, taken_branches;
        Tick last = 0;  ///< the latest time of an instruction
        std::uint64_t shown_mode = ~std::uint64_t{0};
        Symbols::FunctionId shown_function = Symbols::no_function;
    };

    void add(Hart& hart, const Track& track);
    void show_function(Hart& hart, std::uint64_t pc);
    void raise(Count& count, std::uint64_t by);

    Canvas& to_;
    HartState state_;
    std::shared_ptr<const Symbols> symbols_;
    Symbols::Recent recent_;
    std::vector<Hart> harts_;  ///< by track
};

}  // namespace hwtrace::waveform
