// cli/report_forms.hpp - the report formats of hwtrace-validate.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/messages.hpp"
#include "cli/validation.hpp"
#include "codec/settings.hpp"

namespace hwtrace::cli {

/// A report as the texts before the first file, for each file, and after the last file.
struct ReportForm {
    std::string head{};
    std::function<std::string(const Validation&)> file;
    /// Gets the exit code of the run, and the reason why no file was checked (empty if any was).
    std::function<std::string(Exit, std::string_view)> end;
};

/// One line per finding and per verdict; only verdicts when quiet.
ReportForm text_form(Volume volume);
/// One JSON document, written at the end.
ReportForm json_form(JsonIntegers integers);
/// JSON lines: the head, then for each file its findings and its verdict.
ReportForm jsonl_form(JsonIntegers integers);
/// JUnit XML for CI servers. Each file is a suite with one case for the verdict and one for each rule with findings. A
/// case fails if its findings fail the file.
ReportForm junit_form();
/// SARIF 2.1.0 (OASIS) with one run. Byte ranges become regions; with a baseline, findings get a baselineState.
ReportForm sarif_form();
/// Workflow commands of GitHub Actions: one annotation per finding.
ReportForm github_form();

}  // namespace hwtrace::cli
