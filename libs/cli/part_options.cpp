#include "cli/part_options.hpp"

#include <fmt/format.h>

#include "codec/settings.hpp"
#include "convert/prescan.hpp"
#include "io/error.hpp"
#include "operate/position_count.hpp"
#include "select/positions.hpp"

namespace hwtrace::cli {

void PartOptions::add_to(CommandLine& line) {
    line.option("--last", "N", last, "Only the last N instructions (without instructions: transactions or records)");
    line.option("--select", "KEY=VALUE,...", select, select_help);
}

std::optional<Range> PartOptions::chosen_range() const {
    if (range && last) fail(Failure::usage, "--range and --last cannot be combined");
    return range ? std::optional(parse_range(*range)) : std::nullopt;
}

std::optional<std::uint64_t> PartOptions::last_count() const {
    if (!last) return std::nullopt;
    const auto count = parse_count(*last);
    if (!count) fail(Failure::usage, fmt::format("--last {}: takes a number", *last));
    return count;
}

Criteria PartOptions::criteria() const {
    if (select.empty()) return {};
    return parse_criteria(fmt::format("{}", fmt::join(select, ",")));
}

void refuse_parts(CommandLine& line, std::string_view why) {
    for (const std::string_view name : {"--range", "--last", "--select"})
        line.refuse(name, why);
}

Range last_range(std::uint64_t count, TraceFile& trace, const Settings& settings) {
    trace.input.spool(settings.temporary_folder);
    Findings reported_later(0);
    const std::unique_ptr<Reader> reader = trace.format->open(trace.input, settings, reported_later);
    Plan as_it_is;
    const std::uint64_t positions = count_positions(*reader, as_it_is, trace.format->reads.shapes);
    trace.input.seek(0);
    return last_positions(count, positions);
}

Range last_range(std::uint64_t count, TraceFile& trace, const Format& to, const Choices& choices) {
    trace.input.spool(choices.settings.temporary_folder);
    Findings reported_later(0);
    Losses none_yet;
    PreparedSource source(trace.input, *trace.format, to, choices.settings, reported_later, choices.criteria.records);
    Choices everything = choices;  // with this range, the plan raises the trace
    everything.range = Range{Range::Unit::record, 0, std::nullopt};
    Plan raising = make_raising_plan(source.schema(), to, everything, none_yet);
    const std::uint64_t positions = count_positions(source.reader(), raising, trace.format->reads.shapes);
    trace.input.seek(0);
    return last_positions(count, positions);
}

}  // namespace hwtrace::cli
