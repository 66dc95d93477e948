#include "cli/general_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hwtrace::cli {

const Rule no_records{
    .id = "GEN001",
    .severity = Severity::warning,
    .effect = Effect::harmless,
    .title = "the file holds no records",
    .paragraph = "none: true of every format",
    .why =
        "A trace without records is rarely meant: the tracer was never enabled, or stopped before the first record. "
        "Record it again; where an empty trace is meant, use --rule GEN001=off.",
};

const Rule unknown_format{
    .id = "GEN002",
    .severity = Severity::error,
    .effect = Effect::damaged,
    .title = "the file is no trace of a known format",
    .paragraph = "none: the first bytes of every format",
    .why =
        "Nothing was checked. If the file is a trace whose head is damaged, --from names its format. Files that are no "
        "traces need not be named: --recursive passes them by.",
};

std::vector<const Rule*> all_rules(FormatList formats) {
    std::vector<const Rule*> rules{&no_records, &unknown_format};
    for (const Format* format : formats)
        for (const Rule& rule : format->rules)
            rules.push_back(&rule);
    return rules;
}

const Rule* find_rule(FormatList formats, std::string_view id) {
    const auto rules = all_rules(formats);
    const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule* rule) { return rule->id == id; });
    return found == rules.end() ? nullptr : *found;
}

std::string paragraph_of(std::string_view format, const Rule& rule) {
    const bool is_in_readme = !format.empty() && rule.paragraph.starts_with("README.md");
    return is_in_readme ? fmt::format("formats/{}/{}", format, rule.paragraph) : std::string(rule.paragraph);
}

std::string paragraph_of(FormatList formats, const Rule& rule) {
    for (const Format* const format : formats)
        for (const Rule& known : format->rules)
            if (known.id == rule.id) return paragraph_of(format->name, rule);
    return paragraph_of(std::string_view(), rule);
}

}  // namespace hwtrace::cli
