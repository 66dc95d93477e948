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

/// The rules of FST.
enum class FstCheck : std::uint8_t {
    no_magic,
    header_cut,
    endian_unknown,
    block_unknown,
    block_cut,
    block_size_wrong,
    block_unfinished,
    hierarchy_missing,
    hierarchy_damaged,
    hierarchy_wrong,
    geometry_damaged,
    geometry_missing,
    times_damaged,
    frame_damaged,
    index_damaged,
    chain_damaged,
    change_wrong,
    goes_back,
    blocks_missing,
    timescale_wrong,
    wrapper_damaged,
    value_wrong,

    count,
};

const Rule& rule(VcdCheck check) noexcept;
const Rule& rule(FstCheck check) noexcept;
extern const std::array<Rule, static_cast<std::size_t>(VcdCheck::count)> vcd_rule_table;
extern const std::array<Rule, static_cast<std::size_t>(FstCheck::count)> fst_rule_table;

}  // namespace hwtrace::waveform
