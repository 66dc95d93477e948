// compare/comparison.hpp - compares the models of two traces of any format.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/format.hpp"
#include "compare/correspondence.hpp"
#include "compare/lane_comparison.hpp"
#include "compare/schema_comparison.hpp"
#include "convert/convert.hpp"
#include "convert/plan.hpp"

namespace hwtrace {

/// Selects when lowered traces are raised before the comparison.
enum class Raised : std::uint8_t {
    between_formats,  ///< only if the formats differ; files of one format are compared as stored
    always,
    never,
};

struct ComparisonOptions {
    Ignored ignored;
    std::uint64_t tolerance_ps = 0;  ///< times and durations may differ by this much
    Raised raised = Raised::between_formats;
    bool by_shift = false;          ///< find a constant offset between the times of the traces, and remove it
    bool by_key = false;            ///< compare records that have equal keys, at any position
    std::vector<std::string> keys;  ///< names of the key fields; empty: conventions::interval_id of intervals.
                                    ///< compare() throws Failure::usage if no compared record has such a field.
    std::size_t window = 4096;      ///< see LaneComparison
    std::size_t differences = 10;   ///< maximum number of differences to keep
    /// Maximum memory, in bytes, for records that wait for the other trace. If more is needed, both traces are sorted.
    std::size_t memory = 64u << 20;
};

/// One of the two traces to compare. `input` must be seekable.
struct ComparedTrace {
    Input& input;
    const Format& format;
    const Choices& choices;  ///< the range, the criteria and the clock
    Findings& findings;      ///< receives each finding once
};

/// The offset of the times of the second trace, for its tracks of a time base.
struct TimeShift {
    TimeBase base;
    WideTick ticks = 0;  ///< positive: the second trace is later
};

struct Comparison {
    std::vector<SchemaDifference> schema;
    std::vector<CommonTrack> tracks;
    std::vector<TrackCounts> counts;       ///< by track
    std::vector<Difference> differences;   ///< the first ones, up to ComparisonOptions::differences
    std::array<std::uint64_t, 2> records;  ///< number of records read from each trace
    std::array<Losses, 2> losses;          ///< losses of raising; lost data was not compared
    std::vector<std::string> unmet;        ///< ignored names that neither trace has; see Correspondence::unmet()
    bool raised = false;                   ///< lowered records were raised before the comparison
    std::vector<TimeShift> shifts;         ///< with ComparisonOptions::by_shift: what was removed; empty: none found
    /// With ComparisonOptions::by_shift: whether a constant offset, or 0, explains at least half of the records. If
    /// not, times were compared as they are.
    std::optional<bool> has_offset;
    /// The trace that ends too early: it lacks nothing but records that follow all common ones.
    std::optional<std::size_t> ends_early;
    bool sorted = false;  ///< the traces were sorted, because corresponding records were too far apart

    TrackCounts totals() const noexcept;
    bool equal() const noexcept { return schema.empty() && totals().same(); }
    /// Returns the number of records that have a counterpart in the other trace.
    std::uint64_t compared() const noexcept { return totals().equal + totals().different; }
};

/// Reads and compares both traces. Tracks correspond by kind, path and name. Times are compared exactly, even in
/// different units. Records are compared in order of time, then of source position. The relative order of different
/// tracks does not matter, except in instruction traces and within frames. The trace that lags behind is read next. If
/// the traces get too far apart, both are sorted by track. Throws the same errors as opening and reading the traces.
Comparison compare(const std::array<ComparedTrace, 2>& traces, const ComparisonOptions& options,
                   const ProgressListener& progress = {});

/// A record, formatted as a line of the model dump.
struct ShownRecord {
    std::uint64_t position = 0;
    std::string line;
};

/// Returns the records at the given positions. Positions must ascend and are counted as in Difference. Reads the trace
/// again.
std::vector<ShownRecord> records_at(const ComparedTrace& trace, bool raised,
                                    const std::vector<std::uint64_t>& positions);

}  // namespace hwtrace
