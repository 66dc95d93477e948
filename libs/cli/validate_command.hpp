// cli/validate_command.hpp - the command hwtrace-validate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.hpp"

namespace hwtrace::cli {

struct ValidateOptions {
    explicit ValidateOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::vector<std::string> inputs;
    std::vector<std::string> reports;  ///< see parse_report(); empty: text on standard output
    std::vector<std::string> rules;    ///< "ID=LEVEL"
    std::string level = "full";        ///< see CheckLevel
    std::optional<std::string> shard;  ///< see parse_shard(); not at level quick
    std::string fail_on = "error";     ///< "error", "warning" or "note"
    std::string baseline;              ///< file of known findings; empty: none
    std::string write_baseline;        ///< new baseline with all findings; empty: none
    std::string explain;               ///< id of the rule to explain; empty: none
    /// The maximum number of findings kept per rule; totals are exact. None: 20, of which text shows 12 lines.
    std::optional<std::uint64_t> max_findings{};
    bool list_rules = false;
    bool markdown = false;   ///< with list_rules: prints formats/RULES.md
    bool recursive = false;  ///< also checks the files in folders
    bool strict = false;
    bool allow_incomplete = false;
};

/// Checks the files, several at a time, reports them in the order of the command line, and returns the worst result.
/// With --list-rules or --explain, prints rules instead.
Exit validate_command(const ValidateOptions& options);

}  // namespace hwtrace::cli
