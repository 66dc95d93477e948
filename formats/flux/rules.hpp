// formats/flux/rules.hpp - the validation rules of flux streams. Ids are stable.
#pragma once

#include <array>
#include <span>

#include "codec/findings.hpp"

namespace hwtrace::flux {

enum class Check : std::uint8_t {
    not_flux,
    cut_entry,
    no_entry,
    block_mode,
    block_damaged,
    block_depth,
    section_damaged,
    section_order,
    ring_position,
    no_head,
    version_unknown,
    item_redefined,
    parent_undefined,
    item_undefined,
    not_a_signal,
    not_open,
    behind_close,
    position_beyond,
    position_back,
    close_early,
    not_closed,
    sign_ambiguous,
    attached_to_nothing,
    text_undefined,
    item_beyond,
    entry_long,
    member_undefined,
    member_type,
    value_form,
    big_float,
    logic_surplus,
    reference_undefined,
    domain_unknown,
    sync_position,
    trace_undefined,
    flags_odd,
    not_utf8,
    type_unknown,
    position_lost,
    packing_cut,
    packing_damaged,

    count,
};

const Rule& rule(Check check) noexcept;
/// All rules, indexed by Check.
extern const std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table;
constexpr std::span<const Rule> rules() noexcept {
    return rule_table;
}

}  // namespace hwtrace::flux
