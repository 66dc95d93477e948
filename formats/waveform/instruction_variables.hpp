// formats/waveform/instruction_variables.hpp - shows the instructions of a hart: pc, encoding, mode, and counters.
#pragma once

#include <cstdint>
#include <vector>

#include "domain/hart_state.hpp"
#include "field_variables.hpp"

namespace hwtrace::waveform {

class InstructionVariables {
public:
    InstructionVariables(Canvas& to, const Limits& limits)
        : to_(to), state_(to.schema, limits), harts_(to.schema.tracks().size()) {}

    /// Learns modes from an event.
    void learn(const Batch& batch, const Record& event) { state_.learn(batch, event, HartState::Fate::shown); }
    /// Shows an instruction at the time of the log.
    void show(const Batch& batch, const Record& instruction);

private:
    /// A counter.
    struct Count {
        VariableNo variable = no_number;
        std::uint64_t value = 0;
    };
    struct Hart {
        VariableNo pc = no_number, encoding = no_number, mode = no_number;
        Count loads, stores, taken_branches;
        std::uint64_t shown_mode = ~std::uint64_t{0};
    };

    void add(Hart& hart, const Track& track);
    void raise(Count& count, std::uint64_t by);

    Canvas& to_;
    HartState state_;
    std::vector<Hart> harts_;  ///< by track
};

}  // namespace hwtrace::waveform
