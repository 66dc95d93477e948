// pipeline/comparison.hpp - two traces, of whatever formats, compared as models.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "pipeline/convert.hpp"
#include "pipeline/correspondence.hpp"
#include "pipeline/lane_comparison.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/schema_comparison.hpp"

namespace hwtrace {

/// Whether traces that were lowered are compared as what they were before.
enum class Raised : std::uint8_t {
    between_formats,  ///< those of different formats; of one format, all that the files hold is
    always,
    never,
};

struct ComparisonOptions {
    Ignored ignored;
    std::uint64_t tolerance_ps = 0;  ///< times and durations may differ by so much
    Raised raised = Raised::between_formats;
    bool by_key = false;             ///< records of one key are compared, wherever they stand
    std::vector<std::string> keys;   ///< fields whose values are the key; none: conventions::interval_id of intervals;
                                     ///< one that no compared record has is refused (Failure::usage)
    std::size_t window = 4096;       ///< see LaneComparison
    std::size_t differences = 10;    ///< are kept
    std::size_t memory = 64u << 20;  ///< for records that wait for the other trace; beyond that, both are sorted
};

/// One of the traces. `input` is seekable.
struct ComparedTrace {
    Input& input;
    const Format& format;
    const Choices& choices;  ///< the range and the criteria; clock
    Findings& findings;      ///< reported once
};

struct Comparison {
    std::vector<SchemaDifference> schema;
    std::vector<CommonTrack> tracks;
    std::vector<TrackCounts> counts;       ///< by track
    std::vector<Difference> differences;   ///< the first ones
    std::array<std::uint64_t, 2> records;  ///< that were looked at
    std::array<Losses, 2> losses;          ///< what raising could not carry over, and so was not compared
    std::vector<std::string> unmet;        ///< of what is ignored: see Correspondence::unmet()
    bool raised = false;                   ///< what was lowered was compared as what it was before
    bool sorted = false;                   ///< they were too far apart to be compared as they came

    TrackCounts totals() const noexcept;
    bool equal() const noexcept { return schema.empty() && totals().same(); }
    /// Records that were compared with one of the other trace.
    std::uint64_t compared() const noexcept { return totals().equal + totals().different; }
};

/// Reads both, and compares them: tracks by kind, path and name, their times exactly,
/// whatever the units, and their records in order of time, those of one time in the order of their source. Records of
/// different tracks may stand in any order, but in traces of instructions and in frames. Reads on where the other trace
/// has already been read to; where they are too far apart, sorts both by track. Throws what opening and reading throw.
Comparison compare(const std::array<ComparedTrace, 2>& traces, const ComparisonOptions& options,
                   const ProgressListener& progress = {});

/// A record of a trace, as the model dump shows it.
struct ShownRecord {
    std::uint64_t position = 0;
    std::string line;
};

/// The records at those positions of a trace as compare() counts them, which are ascending: it is read again.
std::vector<ShownRecord> records_at(const ComparedTrace& trace, bool raised,
                                    const std::vector<std::uint64_t>& positions);

}  // namespace hwtrace
