// formats/kanata/instruction_labels.hpp - the texts of instructions whose addresses and encodings a trace states.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "codec/disassembler.hpp"
#include "codec/losses.hpp"
#include "codec/settings.hpp"
#include "model/schema.hpp"

namespace hwtrace::kanata {

/// Makes the labels of instructions. By default, they depend on the trace alone. Disassembly also depends on the
/// installed version of LLVM, which is reported as an assumption.
class InstructionLabels {
public:
    /// `losses` must outlive this object.
    InstructionLabels(const Schema& schema, const Settings& settings, Losses& losses);

    /// Returns a label: the address, and the encoding or the disassembly; an unknown part is empty.
    std::string text(std::optional<std::uint64_t> pc, std::optional<std::uint64_t> bits);

private:
    void choose_disassembly(const Schema& schema);

    Losses& losses_;
    InstructionSet isa_;
    std::optional<Disassembler> disassembler_;  ///< none: labels have encodings
    std::string assumption_;                    ///< reported with the first label that has an encoding; may be empty
};

}  // namespace hwtrace::kanata
