// codec/instruction_labels.hpp - the texts of instructions whose addresses and encodings a trace states.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/disassembler.hpp"
#include "codec/losses.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Makes the labels of instructions. By default, they depend on the trace alone. Disassembly also depends on the
/// installed version of LLVM, which is reported as an assumption.
class InstructionLabels {
public:
    /// The text of an encoding: its digits, or assembly language.
    enum class Style : std::uint8_t { encoding, disassembly };
    /// The values and the help text of a format's option that selects the style. The first value is the default.
    static constexpr std::string_view option_values = "encoding|disassembly";
    static constexpr std::string_view option_help =
        "labels of instructions from other formats; encoding: the same on every machine; disassembly: depends on "
        "the installed LLVM, and is the encoding without LLVM or without a RISC-V ISA in the trace";
    /// Returns the style that a value of the option selects.
    static Style style_of(std::string_view value) noexcept {
        return value == "disassembly" ? Style::disassembly : Style::encoding;
    }

    /// `losses` must outlive this object.
    InstructionLabels(const Schema& schema, Style style, Losses& losses);

    /// Returns a label: the address, and the encoding or the disassembly; an unknown part is empty.
    std::string text(std::optional<std::uint64_t> pc, std::optional<std::uint64_t> bits);

private:
    void choose_disassembly(const Schema& schema);

    Losses& losses_;
    InstructionSet isa_;
    std::optional<Disassembler> disassembler_;  ///< none: labels have encodings
    std::string assumption_;                    ///< reported with the first label that has an encoding; may be empty
};

}  // namespace hwtrace
