#include "convert/verification.hpp"

#include <algorithm>

#include "io/error.hpp"

namespace hwtrace {

namespace {

/// Returns the settings for reading all of a trace with all checks.
Settings for_checking(Settings settings) {
    settings.check = CheckLevel::full;
    settings.window.reset();
    return settings;
}

/// Divides the errors of the output into those that the source has too, and others.
void check_errors(const Findings& findings, const VerifiedOutput& written, Verification& result) {
    if (findings.verdict() == Verdict::valid) return;
    for (const auto& [rule, total] : findings.totals()) {
        const std::string_view id = rule;
        const auto of_rule =
            std::ranges::find(findings.kept(), id, [](const Finding& found) { return found.rule->id; });
        if (of_rule == findings.kept().end() || findings.severity(*of_rule->rule) != Severity::error) continue;
        if (!written.faults_of_source || written.faults_of_source(id) == 0) {
            result.violation = *of_rule;
            return;
        }
        result.inherited.append(result.inherited.empty() ? "" : ", ").append(id);
    }
}

}  // namespace

void check_verifiable(const Format& to) {
    if (to.writes.is_picture)
        fail(Failure::usage, "the output cannot be verified: " + std::string(to.name) +
                                 " files are for viewers and do not hold the whole trace");
}

std::string reason_not_to_compare(const Format& to, const Choices& choices, const Losses& losses, Effect source,
                                  bool took_back) {
    if (!losses.none()) return "data was lost";
    if (took_back) return std::string(to.name).append(" cannot hold all of the trace outside the slice");
    if (can_verify(to, choices, source)) return {};
    if (source == Effect::damaged) return "parts of the input cannot be read";
    const Option* const restating = choices.settings.restating(to.options);
    if (restating != nullptr) return std::string("--").append(restating->key).append(" changes the trace");
    return std::string(to.name).append(" renumbers a slice");
}

Verification verify_output(const VerifiedOutput& written) {
    Verification result;
    std::optional<Input> input = written.output.reopen();
    if (!input) fail(Failure::internal, "the output cannot be read back");
    Findings findings(1);
    result.not_compared = written.not_compared;
    if (result.not_compared.empty())
        result.difference = written.compare(*input, findings);
    else
        check_output(*input, written.to, for_checking(written.choices.settings), findings);
    check_errors(findings, written, result);
    result.done = true;
    return result;
}

std::uint64_t FaultsOfSources::total(std::string_view rule) {
    if (!findings_) {
        findings_.emplace(0);
        for (const Source& source : sources_) {
            source.input->seek(0);
            check_output(*source.input, *source.format, for_checking(*source.settings), *findings_);
        }
    }
    return findings_->total(rule);
}

}  // namespace hwtrace
