#include "hwtrace/general_rules.hpp"

#include <algorithm>

namespace hwtrace {

const Rule no_records{
    .id = "GEN001",
    .severity = Severity::warning,
    .effect = Effect::harmless,
    .title = "the file holds no records",
    .section = {},
    .why =
        "A trace without records is rarely intended. Perhaps the tracer was never enabled, or stopped before the first "
        "record. Record it again. If an empty trace is intended, use --rule GEN001=off.",
};

const Rule unknown_format{
    .id = "GEN002",
    .severity = Severity::error,
    .effect = Effect::damaged,
    .title = "the file is not a trace of a known format",
    .section = {},
    .why =
        "Nothing was checked. If the file is a trace with a damaged head, name its format with --from. If it is not a "
        "trace, leave it out; --recursive skips such files.",
};

std::vector<const Rule*> general_rules() {
    return {&no_records, &unknown_format};
}

std::vector<const Rule*> all_rules(FormatList formats) {
    std::vector<const Rule*> rules = general_rules();
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

}  // namespace hwtrace
