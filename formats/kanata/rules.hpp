// formats/kanata/rules.hpp - the rules for Kanata logs. Their ids are stable.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/findings.hpp"

namespace hwtrace::kanata {

/// The checks, in the order of the table in rules.cpp.
enum class Check : std::uint8_t {
    no_magic,
    version_unknown,
    command_unknown,
    remark,
    columns_wrong,
    cycle_goes_back,
    not_in_flight,
    begins_again,
    retires_again,
    line_not_ended,
    command_cut,
    rest_ignored,
    packing_cut,
    packing_damaged,
    not_begun,
    many_in_flight,
    many_stages,

    count,
};

const Rule& rule(Check check) noexcept;
/// The rules, in the order of Check.
extern const std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table;
constexpr std::span<const Rule> rules() noexcept {
    return rule_table;
}

}  // namespace hwtrace::kanata
