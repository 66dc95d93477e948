#include "cli/part_options.hpp"

#include <fmt/format.h>

#include "codec/settings.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

std::uint64_t count_of(std::string_view option, const std::string& text) {
    const auto count = parse_count(text);
    if (!count) fail(Failure::usage, fmt::format("{} {}: takes a number", option, text));
    return *count;
}

}  // namespace

void PartOptions::add_to(CommandLine& line) {
    line.option("--first", "N", first, "Only the first N instructions (without instructions: transactions or records)");
    line.option("--last", "N", last, "Only the last N instructions (without instructions: transactions or records)");
    line.option("--select", "KEY=VALUE,...", select, select_help);
}

void PartOptions::add_shard_to(CommandLine& line) {
    line.option("--shard", "I/N", shard,
                "Only the I-th of N balanced parts; each instruction, transaction or record is in one of them");
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
    if (first) return Range{Range::Unit::record, 0, count_of("--first", *first)};
    return range ? std::optional(parse_range(*range)) : std::nullopt;
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

void refuse_parts(CommandLine& line, std::string_view why) {
    for (const std::string_view name : {"--range", "--first", "--last", "--select"})
        line.refuse(name, why);
}

}  // namespace hwtrace::cli
