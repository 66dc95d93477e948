// cli/part_options.hpp - the options that choose a slice of a trace: --range, --last, --shard, --select.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/trace_file.hpp"
#include "codec/trace_index.hpp"
#include "convert/plan.hpp"
#include "select/criteria.hpp"
#include "select/positions.hpp"
#include "select/range.hpp"

namespace hwtrace::cli {

/// The help of --range and --select, the same in every binary.
inline constexpr std::string_view range_help =
    "Half-open range [A, B); leave out A or B for an open end: 100#:200# (instructions, else transactions or records), "
    "1000cyc:2000cyc, 10us:2ms. Includes intervals that overlap it";
inline constexpr std::string_view select_help =
    "Only records that match every condition: kind=note, scope=core0*, track=*.event; fields such as 'addr>=0x1000', "
    "size!=4, state=idle, name=dma*, 'duration>10ns'; for instructions mode=user, from-opcode=0x4033, to-opcode=, "
    "from-pc=, to-pc=";

/// The help of --shard, the same in every binary.
inline constexpr std::string_view shard_help =
    "Only the I-th of N balanced parts; each instruction, transaction or record is in one of them";

/// The help of --context, the same in every binary.
inline constexpr std::string_view context_help =
    "Records before and after the place of --around, or the first difference (default: 10; hwtrace-diff: 3)";

/// The slice of a trace.
struct PartOptions {
    std::optional<std::string> range;  ///< see parse_range(); none: the whole trace
    std::optional<std::string> first;  ///< number of positions at the begin; not with `range` or `last`
    std::optional<std::string> last;   ///< number of positions at the end; not with `range`
    std::optional<std::string> shard;  ///< see parse_shard(); not with `range`, `first` or `last`
    std::vector<std::string> select;   ///< see parse_criteria(); all must match
    bool require_match = false;        ///< a slice without records is the answer "no"

    /// Adds --first, --last and --select to `line`, after --range.
    void add_to(CommandLine& line);
    /// Adds --shard, for a binary that reads one slice of each trace.
    void add_shard_to(CommandLine& line);
    /// Adds --require-match, for a binary that shows or writes the slice.
    void add_match_to(CommandLine& line);

    /// Returns the range that --range or --first gives, or nullopt without them. With --select, the range of --first
    /// depends on the trace: nullopt. Throws Failure::usage if the range is invalid or another of these options was
    /// given as well.
    std::optional<Range> chosen_range() const;
    /// Returns the range that any of these options chooses in a trace, or nullopt for the whole trace. Reads the trace
    /// for --last and --shard, and for --first with --select, and rewinds it. `index` is an index of the trace, or
    /// null.
    std::optional<Range> range_in(TraceFile& trace, const Settings& settings,
                                  const std::shared_ptr<const TraceIndex>& index = {}) const;
    /// Returns the count that --first gives if it counts selected positions, otherwise nullopt.
    std::optional<std::uint64_t> first_selected() const;
    /// Returns the count that --last gives, or nullopt without --last. Throws Failure::usage if the count is not a
    /// number.
    std::optional<std::uint64_t> last_count() const;
    /// Returns the shard that --shard gives, or nullopt without --shard. Throws Failure::usage as parse_shard() does.
    std::optional<Shard> chosen_shard() const;
    Criteria criteria() const;
    /// Throws Failure::usage if one of the options has a wrong value, or if two exclude each other.
    void check() const;
    /// Returns true if the options choose less than the whole trace.
    bool any() const noexcept { return range || first || last || shard || !select.empty(); }
};

/// The message about a slice without records, for --require-match.
inline constexpr std::string_view no_match = "--require-match: nothing was selected";

/// Rejects --around, for a binary that takes slices but no places.
void refuse_around(CommandLine& line);
/// Rejects the options of slices with the reason `why`, for a binary that takes whole traces.
void refuse_parts(CommandLine& line, std::string_view why);

}  // namespace hwtrace::cli
