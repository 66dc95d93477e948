#include "cli/diff_command.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "cli/diff_report.hpp"
#include "cli/diff_summary.hpp"
#include "cli/index_file.hpp"
#include "cli/process.hpp"
#include "cli/terminal.hpp"
#include "cli/time_options.hpp"
#include "cli/trace_file.hpp"
#include "compare/comparison.hpp"
#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "io/named_error.hpp"
#include "io/text_output.hpp"
#include "operate/position_count.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view diff_tool = "hwtrace-diff";

ComparisonOptions comparison_options(const DiffOptions& options) {
    ComparisonOptions wanted;
    wanted.ignored = parse_ignored(options.ignore);
    if (!options.tolerance.empty()) {
        const auto tolerance = parse_time_ps(options.tolerance);
        if (!tolerance)
            fail(Failure::usage, fmt::format("--tolerance {}: takes a time such as 5ns", options.tolerance));
        wanted.tolerance_ps = *tolerance;
    }
    wanted.raised = options.lowered == "raise"  ? Raised::always
                    : options.lowered == "keep" ? Raised::never
                                                : Raised::between_formats;
    wanted.by_key = options.align == "key";
    wanted.by_shift = options.align == "shift";
    wanted.keys = options.keys;
    if (!wanted.by_key && !wanted.keys.empty()) fail(Failure::usage, "--key requires --align key");
    if (options.window == 0) fail(Failure::usage, "--window 0: takes a number of records, at least 1");
    wanted.window = static_cast<std::size_t>(options.window);
    wanted.differences = static_cast<std::size_t>(options.max_differences);
    return wanted;
}

/// An open trace and the slice to compare.
struct Opened {
    TraceFile trace;
    Choices choices;
    Findings findings{findings_shown_per_rule};
};

Opened opened_trace(const std::string& path, const DiffOptions& options, Messages& messages) {
    Opened opened{open_trace(path, options.common, messages), {}};
    opened.choices.settings = options.common.settings();
    if (!options.clock.empty()) opened.choices.time.period_ps = parse_clock(options.clock);
    opened.choices.criteria = options.part.criteria();
    naming(opened.trace.name(), [&] {
        opened.trace.input.spool(options.common.temporary_folder());  // differing records are read again to be printed
        if (options.part.any()) opened.choices.index = index_beside(path, opened.trace, messages);
        opened.choices.range = options.part.range_in(opened.trace, opened.choices.settings, opened.choices.index);
    });
    return opened;
}

/// Returns the differences with their records, and for the first difference also the records around it.
std::vector<ShownDifference> shown_differences(const std::array<ComparedTrace, 2>& traces, const Comparison& comparison,
                                               const DiffOptions& options) {
    std::vector<ShownDifference> shown;
    for (const Difference& difference : comparison.differences)
        shown.push_back({difference, {}});
    const auto positions_around = [&](std::size_t index, std::size_t side) {
        std::vector<std::uint64_t> positions;
        const auto& place = shown[index].difference.position[side];
        const std::uint64_t context = index == 0 ? std::min<std::uint64_t>(options.context, 1'000'000) : 0;
        const bool missing = shown[index].difference.missing == side;
        if (!place) return positions;
        for (std::uint64_t at = *place - std::min(*place, context); at < *place + context + (missing ? 0 : 1); ++at)
            positions.push_back(at);
        return positions;
    };
    for (const std::size_t side : both_sides) {
        std::set<std::uint64_t> wanted;
        for (std::size_t i = 0; i < shown.size(); ++i)
            for (const std::uint64_t at : positions_around(i, side))
                wanted.insert(at);
        const std::vector<ShownRecord> records =
            records_at(traces[side], comparison.raised, {wanted.begin(), wanted.end()});
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const std::vector<std::uint64_t> around = positions_around(i, side);
            for (const ShownRecord& record : records)
                if (std::ranges::binary_search(around, record.position)) shown[i].records[side].push_back(record);
        }
    }
    return shown;
}

/// Prints the losses of raising, because lost data was not compared. Returns true if there were any.
bool report_incomparable(const std::string& file, const Losses& losses, Messages& messages) {
    for (const auto& [key, entry] : losses.entries())
        messages.note(file, fmt::format("not compared: {} {}, {}, first {}", name_of(key.first), printable(key.second),
                                        counted(entry.count, "time"), printable(entry.first)));
    return !losses.none();
}

void report_nothing_compared(const Comparison& comparison, Messages& messages) {
    const auto& [first, second] = comparison.records;
    messages.error("", first == 0 && second == 0 ? "nothing was compared: neither trace holds records; --allow-empty "
                                                   "accepts this"
                       : first == 0 || second == 0
                           ? fmt::format("nothing was compared: {} holds no records", first == 0 ? "A" : "B")
                           : "nothing was compared: the traces have no records in common that are not ignored");
}

}  // namespace

Exit diff_command(const DiffOptions& options) {
    Messages messages = options.common.messages(diff_tool);
    options.csv.apply(options.format == "csv");
    if (options.first.empty() || options.second.empty())
        fail(Failure::usage, "two traces are needed; try hwtrace-diff --help");
    if (options.first == "-" && options.second == "-") fail(Failure::usage, "only one of the traces can be a pipe");
    if (options.summary) {
        options.common.refuse_unused(nullptr);
        return summary_command(options, messages);
    }
    if (!options.threshold.empty()) fail(Failure::usage, "--threshold requires --summary");
    if (options.format == "csv") fail(Failure::usage, "--format csv requires --summary");
    const ComparisonOptions wanted = comparison_options(options);
    options.common.refuse_unused(nullptr);

    std::array<Opened, 2> opened{opened_trace(options.first, options, messages),
                                 opened_trace(options.second, options, messages)};
    const auto traced = [&](std::size_t side) {
        Opened& one = opened[side];
        report_findings(one.findings, one.trace.name(), messages);
        return ComparedTrace{one.trace.input, *one.trace.format, one.choices, one.findings};
    };
    const std::array<ComparedTrace, 2> traces{traced(0), traced(1)};
    const std::string both = fmt::format("{}, {}", opened[0].trace.name(), opened[1].trace.name());
    std::optional<Comparison> comparison;
    {
        Progress progress(messages, options.common.progress(), both,
                          opened[0].trace.input.size().value_or(0) + opened[1].trace.input.size().value_or(0));
        comparison.emplace(compare(traces, wanted, [&](std::uint64_t bytes) { progress(bytes); }));
    }
    const bool nothing = comparison->compared() == 0;
    const bool both_empty = comparison->records[0] == 0 && comparison->records[1] == 0;
    const bool equal = comparison->equal() && (!nothing || (both_empty && options.allow_empty));

    DiffReport report{.files = {}, .formats = {}, .comparison = *comparison, .differences = {}, .equal = equal};
    bool incomplete = false;
    for (const std::size_t side : both_sides) {
        report.files[side] = opened[side].trace.name();
        report.formats[side] = opened[side].trace.format->name;
        report.complete[side] = !breaks_its_format(opened[side].findings);
        incomplete = incomplete || !report.complete[side];
    }
    if (messages.volume() != Volume::quiet) {
        report.differences = shown_differences(traces, *comparison, options);
        TextOutput out(STDOUT_FILENO);
        if (options.format == "text") fit_to_terminal(out);
        out.put(options.format == "json"
                    ? diff_json(report, options.common.json_integers())
                    : diff_text(report, messages.volume() == Volume::verbose, options.common.colour_on(STDOUT_FILENO)));
        out.flush();
    }
    for (const std::string& ignored : comparison->unmet)
        messages.note("", fmt::format("warning: --ignore {}: matches nothing in either trace", printable(ignored)));
    bool left_out = false;
    for (const std::size_t side : both_sides) {
        const std::string& file = report.files[side];
        report_hidden_findings(opened[side].findings, file, messages);
        // With a slice, the user chose to drop relations to records outside it.
        if (!options.part.any()) left_out = report_incomparable(file, comparison->losses[side], messages) || left_out;
        if (!report.complete[side] && !options.allow_incomplete)
            messages.error(file,
                           "not everything could be read; only readable records were compared; --allow-incomplete "
                           "accepts this");
    }
    if (comparison->has_offset == false)
        messages.note(
            "",
            "--align shift: no constant offset explains half of the records; their times were compared as they are");
    else if (wanted.by_shift && comparison->shifts.empty())
        messages.note("", "--align shift: the traces have no constant offset; their times were compared as they are");
    if (nothing && !equal) report_nothing_compared(*comparison, messages);
    if (!equal) return Exit::no;
    return (incomplete && !options.allow_incomplete) || left_out ? Exit::incomplete : Exit::done;
}

}  // namespace hwtrace::cli
