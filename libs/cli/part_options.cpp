#include "cli/part_options.hpp"

#include <fmt/format.h>

#include "codec/settings.hpp"
#include "io/error.hpp"

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

}  // namespace hwtrace::cli
