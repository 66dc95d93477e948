#include "cli/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "hwtrace/general_rules.hpp"

namespace hwtrace::cli {

std::vector<const Rule*> Validation::rules() const {
    std::vector<const Rule*> rules;
    rules.reserve(findings.totals().size());
    for (const auto& [id, total] : findings.totals())
        rules.push_back(find_rule(formats, id));
    return rules;
}

std::uint64_t Validation::hidden(const Rule& rule) const {
    const auto shown = std::ranges::count_if(findings.kept(), [&](const Finding& f) { return f.rule->id == rule.id; });
    return findings.total(rule.id) - static_cast<std::uint64_t>(shown);
}

std::string Validation::reason_to_fail() const {
    if (verdict == Verdict::invalid || exit != Exit::no) return {};
    std::vector<std::string_view> ids;
    for (const Rule* const rule : rules())
        if (fails(*rule)) ids.push_back(rule->id);
    return fmt::format("; fails at level {}{}{}", name_of(fail_level), ids.empty() ? "" : ": ", fmt::join(ids, ", "));
}

}  // namespace hwtrace::cli
