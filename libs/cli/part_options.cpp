#include "cli/part_options.hpp"

#include <fmt/format.h>

#include "codec/settings.hpp"
#include "io/error.hpp"
#include "operate/position_count.hpp"

namespace hwtrace::cli {

namespace {

std::uint64_t count_of(std::string_view option, const std::string& text) {
    const auto count = parse_count(text);
    if (!count) fail(Failure::usage, fmt::format("{} {}: takes a number", option, text));
    return *count;
}

}  // namespace

void PartOptions::add_to(CommandLine& line) {
    line.option(
        "--first", "N", first,
        "Only the first N records (instructions, or transactions, if there are any); with --select, of the selected "
        "ones");
    line.option(
        "--last", "N", last,
        "Only the last N records (instructions, or transactions, if there are any); with --select, of the selected "
        "ones");
    line.option("--select", "KEY=VALUE,...", select, select_help);
}

void PartOptions::add_shard_to(CommandLine& line) {
    line.option("--shard", "I/N", shard, shard_help);
}

void PartOptions::add_match_to(CommandLine& line) {
    line.flag("--require-match", require_match,
              "Exits with 1 if the slice holds no records, or no rows are the answer");
}

std::optional<Range> PartOptions::chosen_range() const {
    const auto exclude = [](std::string_view one, bool is_given, std::string_view other, bool other_is_given) {
        if (is_given && other_is_given) fail(Failure::usage, fmt::format("{} and {} cannot be combined", one, other));
    };
    exclude("--range", range.has_value(), "--last", last.has_value());
    exclude("--range", range.has_value(), "--first", first.has_value());
    exclude("--first", first.has_value(), "--last", last.has_value());
    exclude("--range", range.has_value(), "--shard", shard.has_value());
    exclude("--first", first.has_value(), "--shard", shard.has_value());
    exclude("--last", last.has_value(), "--shard", shard.has_value());
    if (first && select.empty()) return Range{Range::Unit::record, 0, count_of("--first", *first)};
    return range ? std::optional(parse_range(*range)) : std::nullopt;
}

std::optional<Range> PartOptions::range_in(TraceFile& trace, const Settings& settings,
                                           const std::shared_ptr<const TraceIndex>& index) const {
    const std::optional<Range> stated = chosen_range();  // rejects options that exclude each other
    if (const auto count = first_selected())
        return first_range(*count, criteria(), trace.input, *trace.format, settings);
    if (const auto count = last_count())
        return last_range(*count, criteria(), trace.input, *trace.format, settings, index);
    if (const auto part = chosen_shard()) return shard_range(*part, trace.input, *trace.format, settings, index);
    return stated;
}

std::optional<std::uint64_t> PartOptions::first_selected() const {
    return first && !select.empty() ? std::optional(count_of("--first", *first)) : std::nullopt;
}

std::optional<std::uint64_t> PartOptions::last_count() const {
    return last ? std::optional(count_of("--last", *last)) : std::nullopt;
}

std::optional<Shard> PartOptions::chosen_shard() const {
    return shard ? std::optional(parse_shard(*shard)) : std::nullopt;
}

Criteria PartOptions::criteria() const {
    if (select.empty()) return {};
    return parse_criteria(fmt::format("{}", fmt::join(select, ",")));
}

void PartOptions::check() const {
    static_cast<void>(chosen_range());
    static_cast<void>(last_count());
    static_cast<void>(chosen_shard());
    static_cast<void>(criteria());
}

void refuse_around(CommandLine& line) {
    line.refuse(
        "--around",
        "hwtrace-dump --around shows a place, hwtrace-convert --around writes what surrounds it; here, state the "
        "ends of a slice, such as --range 90#:110#");
}

void refuse_parts(CommandLine& line, std::string_view why) {
    for (const std::string_view name : {"--range", "--first", "--last", "--around", "--select"})
        line.refuse(name, why);
}

}  // namespace hwtrace::cli
