// cli/validation.hpp - the result of checking one file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/exit_code.hpp"
#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "hwtrace/validation.hpp"

namespace hwtrace::cli {

/// The result for one file, and how the options judge it.
struct Validation : ValidationReport {
    CheckLevel level = CheckLevel::full;
    Severity fail_level = Severity::error;              ///< findings at this level or above fail the file
    bool accepts_incomplete = false;                    ///< --allow-incomplete: early ends do not fail
    bool becomes_known = false;                         ///< --write-baseline: no finding fails
    std::uint64_t errors = 0, warnings = 0, notes = 0;  ///< exact counts, without known findings
    std::uint64_t known = 0;                            ///< findings listed in the baseline
    bool has_baseline = false;
    bool prints_kept = false;  ///< the text report prints all kept findings, because --max-findings was given
    Exit exit = Exit::done;
    FormatList formats{};  ///< the formats whose rules are looked up

    /// Returns the rules that have findings, sorted by id.
    std::vector<const Rule*> rules() const;
    /// Returns the number of findings of `rule` that were counted but not kept.
    std::uint64_t hidden(const Rule& rule) const;
    /// Returns the length of a finding in bytes, cut off at the end of the file.
    std::uint64_t length_of(const Finding& finding) const noexcept {
        return size ? finding.length_in(*size) : finding.length;
    }
    /// Returns true if options accept findings of `rule`, regardless of their severity.
    bool accepts(const Rule& rule) const noexcept {
        return becomes_known || (accepts_incomplete && rule.effect == Effect::incomplete);
    }
    /// Returns the severity for reports that mark errors. Accepted findings are at most warnings, so that a passing job
    /// shows no errors.
    Severity shown_severity(const Rule& rule) const noexcept {
        return accepts(rule) ? std::min(findings.severity(rule), Severity::warning) : findings.severity(rule);
    }
    /// Returns true if findings of `rule` fail the file.
    bool fails(const Rule& rule) const noexcept { return findings.severity(rule) >= fail_level && !accepts(rule); }
    /// Returns the rules that fail a file whose verdict is not invalid, as in "; fails at level warning: STF077".
    /// Otherwise returns an empty string.
    std::string reason_to_fail() const;
};

}  // namespace hwtrace::cli
