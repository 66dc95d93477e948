#include "codec/findings.hpp"

#include <algorithm>

#include "io/number_text.hpp"

namespace hwtrace {

std::string_view name_of(Severity severity) noexcept {
    switch (severity) {
        case Severity::off:
            return "off";
        case Severity::note:
            return "note";
        case Severity::warning:
            return "warning";
        case Severity::error:
            return "error";
    }
    return "?";
}

std::string_view name_of(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::valid:
            return "valid";
        case Verdict::invalid:
            return "invalid";
        case Verdict::incomplete:
            return "incomplete";
    }
    return "?";
}

std::string rule_id(std::string_view text) {
    std::string id(text);
    std::ranges::transform(id, id.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return id;
}

void Findings::report(Finding finding) {
    const Rule& rule = *finding.rule;
    effect_ = std::max(effect_, rule.effect);
    const Severity level = severity(rule);
    if (level == Severity::off) return;
    rules_[rule.id] = &rule;
    if (is_known_ && is_known_(finding)) {
        ++known_[rule.id];
        return;
    }
    if (++totals_[rule.id] > keep_per_rule_) return;
    kept_.push_back(std::move(finding));
    if (listener_) listener_(kept_.back());
}

void Findings::set_severity(std::string_view rule_id, Severity severity) {
    overrides_.insert_or_assign(std::string(rule_id), severity);
}

Severity Findings::severity(const Rule& rule) const noexcept {
    const auto found = overrides_.find(rule.id);
    return found == overrides_.end() ? rule.severity : found->second;
}

std::uint64_t Findings::total(std::string_view rule_id) const noexcept {
    const auto found = totals_.find(rule_id);
    return found == totals_.end() ? 0 : found->second;
}

std::uint64_t Findings::total_at_least(Severity severity) const noexcept {
    std::uint64_t sum = 0;
    for (const auto& [id, rule] : rules_)
        if (this->severity(*rule) >= severity) sum += total(id);
    return sum;
}

std::uint64_t Findings::violations(Severity severity) const noexcept {
    std::uint64_t sum = 0;
    for (const auto& [id, rule] : rules_)
        if (rule->effect != Effect::incomplete && this->severity(*rule) >= severity) sum += total(id);
    return sum;
}

bool Findings::loses_data() const noexcept {
    return std::any_of(rules_.begin(), rules_.end(), [&](const auto& entry) {
        return entry.second->effect != Effect::harmless && total(entry.first) > 0;
    });
}

Verdict Findings::verdict() const noexcept {
    const bool breaks = std::any_of(rules_.begin(), rules_.end(), [&](const auto& entry) {
        return entry.second->effect != Effect::incomplete && severity(*entry.second) == Severity::error;
    });
    if (breaks) return Verdict::invalid;
    return effect_ == Effect::harmless ? Verdict::valid : Verdict::incomplete;
}

std::optional<std::uint64_t> line_of(const Finding& finding) {
    constexpr std::string_view line = "line ";
    if (finding.inner_offset || !finding.where.starts_with(line)) return std::nullopt;
    const std::string_view number = std::string_view(finding.where).substr(line.size());
    const auto parsed = parse_decimal<std::uint64_t>(number);
    return parsed && *parsed != 0 ? parsed : std::nullopt;
}

std::string describe_place(const Finding& finding) {
    std::string text = "byte " + std::to_string(finding.offset);
    std::string place;
    const auto add_place = [&](const std::string& part) { place += (place.empty() ? "" : ", ") + part; };
    if (!finding.where.empty()) add_place(finding.where);
    if (finding.inner_offset) add_place("byte " + std::to_string(*finding.inner_offset) + " of the decompressed data");
    if (finding.ordinal) add_place("record " + std::to_string(*finding.ordinal));
    if (!place.empty()) text += " (" + place + ")";
    return text;
}

std::string describe_fault(const Finding& finding) {
    std::string text(finding.rule->title);
    if (!finding.expected.empty()) text += "; expected " + finding.expected;
    if (!finding.got.empty()) text += ", found " + finding.got;
    return text;
}

std::string describe(const Finding& finding) {
    return describe_place(finding) + ": " + describe_fault(finding);
}

}  // namespace hwtrace
