// cli/command_description.hpp - the description of a command line, from which the man page and the completions are
// generated.
#pragma once

#include <string>
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
    std::string what;      ///< the text up to the first full stop or colon is the summary of the man page
    std::string examples;  ///< paragraphs "Examples:" and "Exit codes:", as --help shows them
    std::vector<VerbDescription> verbs;
    std::vector<PositionalDescription> positionals;
    std::vector<OptionDescription> options;
    std::vector<EnvironmentDescription> environment;
};

}  // namespace hwtrace::cli
