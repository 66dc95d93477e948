// cli/report_forms.hpp - the forms in which hwtrace-validate reports.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/messages.hpp"
#include "cli/validation.hpp"
#include "codec/settings.hpp"

namespace hwtrace::cli {

/// A report, piece by piece: the texts that are written before the first file, for each file, and behind the last.
struct ReportForm {
    std::string head{};
    std::function<std::string(const Validation&)> file;
    /// Gets the exit code of the run, and why no file was checked; empty where any was.
    std::function<std::string(Exit, std::string_view)> end;
};

/// A line for each finding and each verdict; only verdicts when quiet.
ReportForm text_form(Volume volume);
/// One document, at the end.
ReportForm json_form(JsonIntegers integers);
/// The same as lines: the head, then for each file its findings and its verdict.
ReportForm jsonl_form(JsonIntegers integers);
/// JUnit XML, as CI servers read it: a suite for each file; in it a case for the verdict, and one for each rule with
/// findings, which fails where these do.
ReportForm junit_form();
/// SARIF 2.1.0 (OASIS), one run: bytes of files are regions, a baseline's findings have their state.
ReportForm sarif_form();
/// Workflow commands of GitHub Actions: an annotation for each finding.
ReportForm github_form();

}  // namespace hwtrace::cli
