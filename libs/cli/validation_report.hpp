// cli/validation_report.hpp - writes the reports of hwtrace-validate: --report FORM[=FILE].
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

/// The format and the file of a report.
struct ReportOptions {
    std::string form = "text";
    std::string path;  ///< empty: standard output
};
/// Returns the names of all report formats.
std::vector<std::string> report_forms();
/// Parses "FORM[=FILE]". Throws Failure::usage for an unknown format.
ReportOptions parse_report(std::string_view text);

/// Writes one report. add() writes the text for a file at once, and finish() commits the report file.
class Report {
public:
    /// `colour` is for text on standard output. `inputs`: files that the report must not replace.
    Report(const ReportOptions& options, Volume volume, Colour colour, JsonIntegers integers,
           const std::vector<std::optional<Input::Identity>>& inputs);

    void add(const Validation& validation);
    /// Ends the report. `result` is the exit code of the run. `fault` is the reason why no file was checked, or empty
    /// if a file was checked.
    void finish(Exit result, std::string_view fault);
    /// Returns true if somebody reads the report in lines of text on a terminal.
    bool is_text_on_terminal() const noexcept;

private:
    void write(std::string_view text);

    ReportForm form_;
    bool is_text_;
    std::unique_ptr<Output> file_;  // null: standard output
};

}  // namespace hwtrace::cli
