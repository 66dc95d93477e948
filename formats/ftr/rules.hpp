// formats/ftr/rules.hpp - the rules that a .ftr file is checked against.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codec/findings.hpp"

namespace hwtrace::ftr {

enum class Check : std::uint8_t {
    // frame and chunks
    no_frame,
    no_tag,
    frame_with_length,
    no_end,
    cut_in_chunk,
    behind_end,
    no_chunk,
    unknown_chunk,
    content_form,
    block_damaged,
    size_wrong,
    content_damaged,
    behind_content,
    // info chunk
    no_info,
    second_info,
    exponent,
    epoch,
    // dictionary
    keys_not_dense,
    key_twice,
    not_utf8,
    text_form,
    container_form,
    text_undefined,
    text_late,
    // directory
    declared_twice,
    stream_undefined,
    generator_undefined,
    declared_late,
    other_stream,
    // transactions
    no_event,
    event_not_first,
    end_before_start,
    time_too_large,
    boolean_form,
    float_form,
    float_wide,
    negative_unsigned,
    integer_large,
    value_form,
    type_unknown,
    element_unknown,
    // relations
    relation_old,
    relation_size,
    // consistency of the records
    header_times,
    not_sorted,
    id_twice,
    relation_stream,
    relation_end,
    schema_mark,
    mark_without_fact,
    exponent_misread,

    count,
};

const Rule& rule(Check check) noexcept;
/// All rules, in the order of Check.
extern const std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table;
constexpr std::span<const Rule> rules() noexcept {
    return rule_table;
}

}  // namespace hwtrace::ftr
