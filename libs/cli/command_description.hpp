// cli/command_description.hpp - a binary's command line as data: its man page and its completions are made of this.
#pragma once

#include <string>
#include <vector>

namespace hwtrace::cli {

/// A place on the line.
struct PositionalDescription {
    std::string name;
    std::string help;
    bool repeats = false;
};

struct OptionDescription {
    std::string group;
    std::vector<std::string> names;    ///< with their dashes, short ones first: "-j", "--jobs"
    std::string type;                  ///< what it takes; empty: nothing, it is a flag
    std::vector<std::string> choices;  ///< all that it takes, or the words among what it takes
    std::string help;
    bool repeats = false;
    std::vector<std::string> levels{};  ///< where "=" has to stand behind a choice: the words behind that
};

struct EnvironmentDescription {
    std::string name;
    std::string help;
};

/// Another binary that this one starts: "dump", "a trace as text".
struct VerbDescription {
    std::string name;
    std::string help;
};

struct CommandDescription {
    std::string tool;      ///< "hwtrace-dump"
    std::string version;   ///< "0.1.0"
    std::string what;      ///< its first sentence, up to a full stop or a colon, says it all
    std::string examples;  ///< paragraphs "Examples:" and "Exit codes:", as --help shows them
    std::vector<VerbDescription> verbs;
    std::vector<PositionalDescription> positionals;
    std::vector<OptionDescription> options;
    std::vector<EnvironmentDescription> environment;
};

}  // namespace hwtrace::cli
