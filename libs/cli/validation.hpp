// cli/validation.hpp - what hwtrace-validate found out about a file, and about all of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/exit_code.hpp"
#include "codec/findings.hpp"
#include "codec/format.hpp"
#include "codec/settings.hpp"

namespace hwtrace::cli {

/// One file, looked at.
struct Validation {
    std::string file;
    std::string format;  ///< empty: unknown
    CheckLevel level = CheckLevel::full;
    Severity fail_level = Severity::error;  ///< findings at this level or above are a reason to fail
    bool accepts_incomplete = false;        ///< but not those that only tell that the file ends early
    bool becomes_known = false;             ///< nor any other: what is found goes into a baseline
    /// None when looking ended before the answer was known: `fault` says why.
    std::optional<Verdict> verdict;
    std::uint64_t errors = 0, warnings = 0, notes = 0;  ///< exact, without what a baseline knows
    std::uint64_t known = 0;                            ///< findings that a baseline knows
    bool has_baseline = false;
    std::uint64_t records = 0;
    std::optional<std::uint64_t> size;  ///< of the file, in bytes; none: unknown
    std::string fault;            ///< why looking ended early, such as a limit or a missing file; empty: it did not
    bool fault_is_found = false;  ///< a finding says it too
    Exit exit = Exit::done;
    Findings findings;
    FormatList formats{};  ///< whose rules they are of

    /// The rules of findings().totals(), in order of their ids.
    std::vector<const Rule*> rules() const;
    /// How many findings of `rule` were counted, but not kept.
    std::uint64_t hidden(const Rule& rule) const;
    /// Bytes of the file that it is about: none behind the last one.
    std::uint64_t length_of(const Finding& finding) const noexcept {
        return size ? finding.length_in(*size) : finding.length;
    }
    /// Whether findings of `rule` are no reason to fail, however severe: they tell of what is accepted.
    bool accepts(const Rule& rule) const noexcept {
        return becomes_known || (accepts_incomplete && rule.effect == Effect::incomplete);
    }
    /// For what marks errors in red: what is accepted is a warning, and makes no such mark beside a green job.
    Severity shown_severity(const Rule& rule) const noexcept {
        return accepts(rule) ? std::min(findings.severity(rule), Severity::warning) : findings.severity(rule);
    }
    /// Whether findings of `rule` are a reason to fail.
    bool fails(const Rule& rule) const noexcept { return findings.severity(rule) >= fail_level && !accepts(rule); }
    /// Of a file that fails though its verdict does not say so, the rules that are the reason:
    /// "; fails by STF077 at level warning". Else empty.
    std::string reason_to_fail() const;
};

}  // namespace hwtrace::cli
