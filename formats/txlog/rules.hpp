// formats/txlog/rules.hpp - the rules that a transaction log is checked against. Ids are stable.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/findings.hpp"

namespace hwtrace::txlog {

/// The rules, in the order of the table in rules.cpp.
enum class Check : std::uint8_t {
    no_magic,
    line_unknown,
    line_blank,
    parts_wrong,
    stream_unknown,
    generator_unknown,
    declared_again,
    generator_open,
    declaration_alone,
    begins_again,
    not_open,
    other_generator,
    ends_before_begin,
    never_ends,
    goes_back,
    value_undeclared,
    values_missing,
    value_wrong,
    value_negative,
    type_unknown,
    text_with_quotes,
    text_goes_on,
    text_open,
    name_unreadable,
    time_too_large,
    line_not_ended,
    line_cut,
    packing_cut,
    packing_damaged,

    count,
};

const Rule& rule(Check check) noexcept;
/// All rules, in the order of Check.
extern const std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table;
constexpr std::span<const Rule> rules() noexcept {
    return rule_table;
}

}  // namespace hwtrace::txlog
