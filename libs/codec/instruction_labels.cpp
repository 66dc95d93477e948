#include "codec/instruction_labels.hpp"

#include <string_view>

#include "codec/decoding.hpp"
#include "domain/conventions.hpp"

namespace hwtrace {
namespace {

/// Returns the instruction set of the cores. The width of an encoding follows RISC-V if the trace states no ISA.
InstructionSet isa_of(const Schema& schema) {
    InstructionSet set{.is_riscv = true};
    const std::string* const isa = schema.metadata(conventions::cpu_isa);
    if (isa == nullptr) return set;
    std::string name = isa->substr(0, 4);
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    set.is_riscv = name.starts_with("rv") || name == "risc";
    if (name == "rv32") set.base = riscv::Xlen::rv32;
    if (name.starts_with("rv") && isa->size() > name.size()) set.isa_string = *isa;
    return set;
}

/// Appends at least `width` hexadecimal digits.
void append_hex(std::uint64_t value, unsigned width, std::string& text) {
    constexpr std::string_view digits = "0123456789abcdef";
    while (width < 16 && (value >> (4 * width)) != 0)
        ++width;
    for (; width > 0; --width)
        text += digits[(value >> (4 * (width - 1))) & 15u];
}

}  // namespace

InstructionLabels::InstructionLabels(const Schema& schema, Style style, Losses& losses)
    : losses_(losses), isa_(isa_of(schema)) {
    if (style == Style::disassembly) choose_disassembly(schema);
}

void InstructionLabels::choose_disassembly(const Schema& schema) {
    const std::string* const isa = schema.metadata(conventions::cpu_isa);
    if (isa == nullptr) {
        assumption_ = "labels have encodings: the trace does not state its instruction set (cpu.isa)";
    } else if (!isa_.is_riscv) {
        assumption_ = "labels have encodings: the instruction set is " + isa->substr(0, 40) + ", not RISC-V";
    } else if (!Decoding::available()) {
        assumption_ = "labels have encodings: " + Decoding::reason_of_absence();
    } else {
        assumption_ = "labels have the disassembly of LLVM " + Decoding::version() +
                      (isa_.base == riscv::Xlen::rv32 ? " for RV32" : " for RV64") +
                      ", which other versions may print differently";
        disassembler_.emplace(isa_);
    }
}

std::string InstructionLabels::text(std::optional<std::uint64_t> pc, std::optional<std::uint64_t> bits) {
    std::string text;
    if (pc) {
        append_hex(*pc, 8, text);
        text += ": ";
    }
    if (!bits) return text;
    if (!assumption_.empty()) {
        losses_.assume(std::move(assumption_));
        assumption_.clear();
    }
    const bool is_compressed = isa_.is_riscv && (*bits & 3u) != 3u;
    const unsigned size = is_compressed ? 2 : 4;
    if (disassembler_ && *bits >> (8 * size) == 0) {
        text += disassembler_->text(pc.value_or(0), static_cast<std::uint32_t>(*bits), size);
    } else {
        text += pc ? "" : "bits ";
        append_hex(*bits, 2 * size, text);
    }
    return text += ' ';
}

}  // namespace hwtrace
