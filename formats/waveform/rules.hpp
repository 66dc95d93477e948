// formats/waveform/rules.hpp - the rules that VCD and FST files are checked against. Ids are stable.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/findings.hpp"

namespace hwtrace::waveform {

/// The rules of VCD, in the order of the table in rules.cpp.
enum class VcdCheck : std::uint8_t {
    no_magic,
    header_cut,
    command_unknown,
    declaration_wrong,
    timescale_wrong,
    timescale_missing,
    scope_not_open,
    code_unknown,
    goes_back,
    time_wrong,
    value_wrong,
    value_too_long,
    kind_wrong,
    change_cut,
    word_not_ended,
    port_value,
    word_unknown,
    redeclared,
    packing_cut,
    packing_damaged,

    count,
};

const Rule& rule(VcdCheck check) noexcept;
extern const std::array<Rule, static_cast<std::size_t>(VcdCheck::count)> vcd_rule_table;

}  // namespace hwtrace::waveform
