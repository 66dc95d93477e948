// formats/o3pipeview/rules.hpp - the rules for O3PipeView traces. Their ids are stable.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/findings.hpp"

namespace hwtrace::o3pipeview {

/// The checks, in the order of the table in rules.cpp.
enum class Check : std::uint8_t {
    no_trace,
    columns_wrong,
    word_unknown,
    stage_alone,
    no_retirement,
    instruction_cut,
    line_not_ended,
    packing_cut,
    packing_damaged,
    stated_again,
    out_of_order,
    before_fetch,
    begins_again,
    many_in_flight,
    too_late,
    other_lines,
    no_tick,
    rest_ignored,
    too_many,

    count,
};

const Rule& rule(Check check) noexcept;
/// The rules, in the order of Check.
extern const std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table;
constexpr std::span<const Rule> rules() noexcept {
    return rule_table;
}

}  // namespace hwtrace::o3pipeview
