// cli/validation_report.hpp - where reports of hwtrace-validate go: --report FORM[=FILE].
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/report_forms.hpp"
#include "io/input.hpp"
#include "io/output.hpp"

namespace hwtrace::cli {

/// Where a report goes, and how. From "--report FORM[=FILE]".
struct ReportOptions {
    std::string form = "text";
    std::string path;  ///< empty: standard output
};
/// The names of the forms there are.
std::vector<std::string> report_forms();
/// Throws Failure::usage for a form that does not exist.
ReportOptions parse_report(std::string_view text);

/// Writes one report: what a form tells of a file at once, where that is no document; a file appears at the end.
class Report {
public:
    /// `inputs` are files that the report must not replace.
    Report(const ReportOptions& options, Volume volume, JsonIntegers integers,
           const std::vector<std::optional<Input::Identity>>& inputs);

    void add(const Validation& validation);
    /// Nothing is certain to be written before. `result` is the exit code of the run, `fault` why no file was checked.
    void finish(Exit result, std::string_view fault);

private:
    void write(std::string_view text);

    ReportForm form_;
    std::unique_ptr<Output> file_;  // none: standard output
};

}  // namespace hwtrace::cli
