// cli/validation_report.hpp - what hwtrace-validate found, as text, JSON or lines of JSON.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/messages.hpp"
#include "codec/findings.hpp"
#include "codec/settings.hpp"
#include "io/input.hpp"
#include "io/output.hpp"

namespace hwtrace::cli {

/// One file, looked at.
struct Validation {
    std::string file;
    std::string format;  ///< empty: unknown
    CheckLevel level = CheckLevel::full;
    /// None when looking ended before the answer was known: `fault` says why.
    std::optional<Verdict> verdict;
    std::uint64_t errors = 0, warnings = 0, notes = 0;  ///< exact
    std::uint64_t records = 0;
    std::string fault;  ///< why looking ended early, such as a limit or a missing file; empty: it did not
    Findings findings;
};

enum class ReportForm : std::uint8_t { text, json, jsonl };

/// Where a report goes, and how. From "--report FORM[=FILE]".
struct ReportOptions {
    ReportForm form = ReportForm::text;
    std::string path;  ///< empty: standard output
};
/// Throws Failure::usage for a form that does not exist.
ReportOptions parse_report(std::string_view text);

/// Writes one report. Text and lines appear file by file, JSON at the end.
class Report {
public:
    /// `inputs` are files that the report must not replace.
    Report(const ReportOptions& options, Volume volume, JsonIntegers integers,
           const std::vector<std::optional<Input::Identity>>& inputs);
    ~Report();
    Report(Report&&) noexcept;

    void add(const Validation& validation);
    /// Nothing is certain to be written before.
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace::cli
