// formats/commitlog/rules.hpp - the rules for commit logs. Their ids are stable.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/findings.hpp"

namespace hwtrace::commitlog {

/// The checks, in the order of the table in rules.cpp.
enum class Check : std::uint8_t {
    no_instruction,
    foreign_lines,
    line_malformed,
    line_cut,
    packing_cut,
    packing_damaged,
    no_outcome,
    not_committed,
    stray_trap,
    repeated,
    unknown_data,
    width_changes,
    pc_jumps,
    zero_written,
    access_unfounded,
    encoding_length,
    access_missing,
    encoding_illegal,

    count,
};

const Rule& rule(Check check) noexcept;
/// The rules, in the order of Check.
extern const std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table;
constexpr std::span<const Rule> rules() noexcept {
    return rule_table;
}

}  // namespace hwtrace::commitlog
