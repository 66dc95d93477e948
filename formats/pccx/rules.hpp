// formats/pccx/rules.hpp - the validation rules of .pccx files. Ids are stable.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/findings.hpp"

namespace hwtrace::pccx {

/// The rules, in the order of the table in rules.cpp.
enum class Check : std::uint8_t {
    no_magic,
    major_unsupported,
    header_cut,
    header_not_json,
    around_json,
    key_missing,
    value_wrong,
    key_twice,
    unknown_key_twice,
    object_as_array,
    reserved_not_zero,
    minors_differ,
    checksum_text,
    checksum_mismatch,
    encoding_unknown,
    payload_cut,
    behind_payload,
    events_missing,
    behind_events,
    option_tag,
    text_too_long,
    text_not_utf8,
    flat_tail,
    trailer_damaged,
    name_without_event,
    core_is_magic,
    json_payload,
    cycles_differ,
    core_beyond_cores,
    ends_after_cycles,
    end_overflows,
    type_unknown,
    not_sorted,
    clock_unknown,
    layout_json,
    layout_four_fields,
    json_unknown_key,
    event_damaged,

    count,
};

const Rule& rule(Check check) noexcept;
/// All rules, indexed by Check.
extern const std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table;
constexpr std::span<const Rule> rules() noexcept {
    return rule_table;
}

}  // namespace hwtrace::pccx
