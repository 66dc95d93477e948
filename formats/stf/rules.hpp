// formats/stf/rules.hpp - the rules that STF files are checked against. Rule ids are stable.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "codec/findings.hpp"

namespace hwtrace::stf {

/// The checks, in the order of the table in rules.cpp.
enum class Check : std::uint8_t {
    no_identifier,
    version_not_second,
    version_unsupported,
    version_newer,
    header_missing,
    header_duplicate,
    header_not_ended,
    header_cut,
    vlen_invalid,
    header_code_unknown,
    generator_unknown,

    record_cut,
    descriptor_undefined,
    descriptor_reserved,
    reserve_end,
    vector_unsized,
    transaction_record,
    group_unfinished,

    header_record_in_body,
    content_without_access,
    target_without_event,
    memory_type,
    register_code,
    register_number,
    second_target,
    bus_content_without_access,
    bus_code,
    event_unknown,
    mode_change,
    microop_size,

    container_header,
    chunk_size_zero,
    index_absent,
    index_misplaced,
    index_cut,
    index_count,
    index_offset,
    index_raw_size,
    index_start_pc,
    chunk_markers,
    chunk_not_at_marker,
    frame_damaged,
    frame_cut,
    bytes_unclaimed,
    gzip_damaged,
    gzip_cut,
    xz_damaged,
    xz_cut,
    chunk_lost,
    chunk_found,

    pc_odd,
    rv64_feature,
    page_table_feature,
    physical_feature,
    physical_access_zero,
    walk_page,
    physical_pc_zero,
    walk_without_satp,
    walk_entries,
    encoding_illegal,
    load_without_read,
    store_without_write,
    access_unfounded,
    access_size,
    sizes_in_bits,
    access_at_zero,
    content_missing,
    group_order,
    jump_without_target,
    target_unfounded,
    target_not_encoded,
    user_mode_entered,
    event_without_fields,
    x0_value,
    newer_than_version,
    feature_unset,
    return_without_target,
    call_without_event,
    not_understood,
    transactions_feature,

    instruction_record,
    protocol_unknown,
    channel_undefined,
    metadata_type,
    clock_id,
    clock_unknown,
    dependency_unfinished,
    dependency_forward,
    transaction_order,
    transaction_time,
    dependency_unknown,

    second_trace,

    count,
};

const Rule& rule(Check check) noexcept;
/// The rules, in the order of Check.
extern const std::array<Rule, static_cast<std::size_t>(Check::count)> rule_table;
constexpr std::span<const Rule> rules() noexcept {
    return rule_table;
}

}  // namespace hwtrace::stf
