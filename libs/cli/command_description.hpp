// cli/command_description.hpp - the description of a command line, from which the help, the man page and the
// completions are generated.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hwtrace::cli {

/// A positional argument.
struct PositionalDescription {
    std::string name;
    std::string help;
    bool repeats = false;
};

struct OptionDescription {
    std::string group;
    std::vector<std::string> names;    ///< names with dashes, short ones first: "-j", "--jobs"
    std::string type;                  ///< placeholder of the value; empty for a flag
    std::vector<std::string> choices;  ///< values to offer in completions
    std::string help;
    bool repeats = false;
    std::vector<std::string> levels{};  ///< values after "CHOICE=", for an option such as --rule ID=LEVEL
};

struct EnvironmentDescription {
    std::string name;
    std::string help;
};

/// A verb of hwtrace and its description, such as "dump" and "prints a trace as text or data".
struct VerbDescription {
    std::string name;
    std::string help;
};

struct CommandDescription {
    std::string tool;      ///< "hwtrace-dump"
    std::string version;   ///< "0.1.0"
    std::string what;      ///< the text up to the first full stop or colon is the summary
    std::string examples;  ///< paragraphs "Examples:" and "Exit codes:"; see CommandLine
    std::vector<VerbDescription> verbs;
    std::vector<PositionalDescription> positionals;
    std::vector<OptionDescription> options;
    std::vector<EnvironmentDescription> environment;
    std::vector<std::string> essentials;  ///< names of the options in the short help, such as "--view"
};

/// A command line, and what it does; `remark` may be empty.
struct Example {
    std::string_view command, remark;
};
/// Returns the examples of a command. They refer to `command`.
std::vector<Example> examples_of(const CommandDescription& command);

struct ExitCode {
    std::string code, meaning;
};
/// The exit codes of a command, and which one wins if there are several inputs (empty: not stated).
struct ExitCodes {
    std::string rule;
    std::vector<ExitCode> codes;
};
/// Parses a paragraph such as "Exit codes, the worst of all files: 0 done, 2 usage error."
ExitCodes exit_codes_of(const CommandDescription& command);

/// Returns the first sentence of `what`, without its full stop or colon.
std::string_view summary_of(const CommandDescription& command) noexcept;

}  // namespace hwtrace::cli
