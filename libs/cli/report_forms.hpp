// cli/report_forms.hpp - the report formats of hwtrace-validate.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/messages.hpp"
#include "cli/validation.hpp"
#include "codec/settings.hpp"

namespace hwtrace::cli {

/// Functions that return the text of a report before the first file, for each file, and after the last file.
struct ReportForm {
    std::string head{};
    std::function<std::string(const Validation&)> file;
    /// Takes the exit code of the run, and the reason why no file was checked. The reason is empty if a file was
    /// checked.
    std::function<std::string(Exit, std::string_view)> end;
};

/// Returns the plain text report, with one line per finding and per verdict. If the volume is quiet, the report has
/// verdicts only. `colour` colours severities and verdicts.
ReportForm text_form(Volume volume, Colour colour = Colour::off);
/// Returns the JSON report: one document, written at the end.
ReportForm json_form(JsonIntegers integers);
/// Returns the JSON Lines report: the head, then the findings and the verdict of each file.
ReportForm jsonl_form(JsonIntegers integers);
/// Returns the JUnit report, XML for CI servers. Each file is a test suite with one case for the verdict and one for
/// each rule with findings. A case fails if its findings fail the file.
ReportForm junit_form();
/// Returns the SARIF 2.1.0 (OASIS) report with one run. Byte ranges become regions. With a baseline, findings get a
/// baselineState.
ReportForm sarif_form();
/// Returns the report as workflow commands of GitHub Actions: one annotation per finding.
ReportForm github_form();

}  // namespace hwtrace::cli
