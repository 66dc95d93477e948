// cli/validate_command.hpp - what hwtrace-validate does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/common_options.hpp"

namespace hwtrace::cli {

struct ValidateOptions {
    explicit ValidateOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::vector<std::string> inputs;
    std::vector<std::string> reports;  ///< see parse_report; empty: text on standard output
    std::vector<std::string> rules;    ///< "ID=LEVEL"
    std::string level = "full";        ///< see CheckLevel
    std::string fail_on = "error";     ///< "error", "warning" or "note"
    std::string baseline;              ///< a file of known findings; empty: none
    std::string write_baseline;        ///< where the findings go as known ones; empty: nowhere
    std::string explain;               ///< the id of a rule to explain; empty: none
    std::uint64_t max_findings = 20;   ///< kept per rule; totals are exact
    bool list_rules = false;
    bool markdown = false;   ///< with list_rules: prints formats/RULES.md
    bool recursive = false;  ///< folders are looked into
    bool strict = false;
    bool allow_incomplete = false;
};

/// Checks every file, several at a time, reports each in the order of the command line, and returns the worst result.
/// Answers --list-rules and --explain first.
Exit validate_command(const ValidateOptions& options);

}  // namespace hwtrace::cli
