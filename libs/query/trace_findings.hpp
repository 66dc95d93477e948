// query/trace_findings.hpp - the findings of a trace that is read several times.
#pragma once

#include <set>
#include <string>
#include <tuple>

#include "codec/findings.hpp"

namespace hwtrace {

/// Passes each finding on once, however often the trace is read.
class TraceFindings {
public:
    /// `all` receives the findings. It must outlive this object.
    explicit TraceFindings(Findings& all) : all_(all) {}

    /// Returns an empty collection for one reading of the trace.
    Findings for_reading() {
        Findings findings(kept_per_rule);
        findings.listen([this](const Finding& finding) { add(finding); });
        return findings;
    }
    /// Adds the findings that a reading has counted, but not kept.
    void add_counts(const Findings& read) {
        for (const Finding& finding : read.kept())
            for (std::uint64_t total = read.total(finding.rule->id), known = all_.total(finding.rule->id);
                 known < total; ++known)
                all_.report(finding);
    }

private:
    static constexpr std::size_t kept_per_rule = 20;

    void add(const Finding& finding) {
        if (seen_.emplace(finding.rule->id, finding.offset, finding.inner_offset.value_or(0), describe(finding)).second)
            all_.report(finding);
    }

    Findings& all_;
    std::set<std::tuple<std::string_view, std::uint64_t, std::uint64_t, std::string>> seen_;
};

}  // namespace hwtrace
