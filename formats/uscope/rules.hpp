// formats/uscope/rules.hpp - the rules of this format.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codec/findings.hpp"

namespace hwtrace::uscope {

/// The checks of this format, one for each rule, in the order of rule ids: USC001 first.
enum class Check : std::uint8_t {
    file_header,
    version,
    method,
    preamble,
    mandatory_chunk,
    schema_structure,
    pool_string,
    object_id,
    clocks,
    clock_period,
    scopes,
    field_type,
    unfinished,
    truncated,
    section_table,
    segment_table,
    chain,
    segment_header,
    compressed_data,
    frame_data,
    time_range,
    frame_counts,
    segment_times,
    item_fit,
    mixed_ops,
    missing_string,
    string_table,
    checkpoint_structure,
    checkpoint_state,
    end_checkpoints,
    summary_structure,
    summary_totals,
    unclaimed,
    enum_value,
    reserved,
    slot_range,
    unknown_part,
    header_counts,
    long_text,
    minor_version,
    old_structures,
    bare_block,
    dense_buffer,
    checkpoint_interval,
    first_start,
    overlap,
    wide_value,
    protocol_table,
    protocol_events,
    protocol_clock,
    protocol_payload,
    entity_unknown,
    stage_unknown,
    slot_taken,
    flush_stays,
    unknown_string,
    second_trace,
};

/// All rules, in the order of Check.
extern const std::array<Rule, static_cast<std::size_t>(Check::second_trace) + 1> rule_table;
constexpr std::span<const Rule> rules() noexcept {
    return rule_table;
}
const Rule& rule(Check check) noexcept;

/// The place of a finding, in addition to its bytes in the file.
struct Place {
    std::string where;                          ///< the structure: "segment 4"
    std::optional<std::uint64_t> inner_offset;  ///< byte in the decompressed frames
    std::optional<std::int64_t> time;           ///< ps
};

void report(Findings& findings, Check check, ByteRange at, std::string expected, std::string got, Place place = {});

/// Counts the occurrences of one fault in a segment. They are reported as one finding.
struct Tally {
    std::uint64_t total = 0, first = 0;  ///< first: byte in the decompressed frames

    void count(std::uint64_t inner) noexcept {
        if (total++ == 0) first = inner;
    }
    /// Reports the number of occurrences and the first one, if any, and resets both. `one` and `several` describe the
    /// fault in the singular and plural.
    void report(Findings& findings, Check check, ByteRange at, Place place, std::string_view expected,
                std::string_view one, std::string_view several);
};

/// Counts the occurrences of one fault in all segments. They are reported as one finding at the first of them.
class FileTally {
public:
    void count(std::uint64_t inner) noexcept { segment_.count(inner); }
    void end_segment(ByteRange at, const Place& place);
    void report(Findings& findings, Check check, std::string_view expected, std::string_view one,
                std::string_view several);

private:
    Tally segment_, file_;
    ByteRange at_{0};
    Place place_;
};

}  // namespace hwtrace::uscope
