// cli/part_options.hpp - which part of a trace is wanted: --range, --last, --select.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/trace_file.hpp"
#include "pipeline/criteria.hpp"
#include "pipeline/plan.hpp"
#include "pipeline/range.hpp"

namespace hwtrace::cli {

struct PartOptions {
    std::optional<std::string> range;  ///< see parse_range; none: everything
    std::optional<std::string> last;   ///< how many positions from the end; not with `range`
    std::vector<std::string> select;   ///< see parse_criteria; all of them together

    /// Adds --last and --select to `line`; --range differs in what it says.
    void add_to(CommandLine& line);

    /// The range that --range names. Throws Failure::usage, also where --last is there too.
    std::optional<Range> chosen_range() const;
    /// The number of --last. Throws Failure::usage.
    std::optional<std::uint64_t> last_count() const;
    Criteria criteria() const;
    /// Whether anything but the whole is wanted.
    bool any() const noexcept { return range || last || !select.empty(); }
};

/// Of a binary that takes no part of a trace: --range, --last and --select are told to be no use, and why.
void refuse_parts(CommandLine& line, std::string_view why);

/// The range of the last `count` positions: the trace is read once to count, and stands at its beginning again.
Range last_range(std::uint64_t count, TraceFile& trace, const Settings& settings);
/// The same of what is converted to `to`: of the positions that it has when an earlier lowering has been undone.
Range last_range(std::uint64_t count, TraceFile& trace, const Format& to, const Choices& choices);

}  // namespace hwtrace::cli
