// formats/jsonl/rules.hpp - the rules of this format. Ids are stable.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/findings.hpp"

namespace hwtrace::jsonl {

/// The checks of this format, one for each rule, in the order of rule_table.
enum class Check : std::uint8_t {
    no_head,
    version_unknown,
    head_missing,
    no_json,
    line_blank,
    type_unknown,
    member_wrong,
    member_unknown,
    object_unknown,
    id_wrong,
    track_wrong,
    value_wrong,
    field_unknown,
    value_missing,
    time_missing,
    time_wrong,
    time_between,
    track_grows,
    line_not_ended,
    line_cut,
    packing_cut,
    packing_damaged,
    member_repeated,
    value_rounded,
    unit_missing,

    count,
};

const Rule& rule(Check check) noexcept;
/// All rules, in the order of Check.
extern const std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table;
constexpr std::span<const Rule> rules() noexcept {
    return rule_table;
}

}  // namespace hwtrace::jsonl
