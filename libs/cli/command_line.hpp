// cli/command_line.hpp - parses a command line into variables; prints help and usage errors.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"

namespace hwtrace::cli {

/// The options and arguments of a binary, in the order of --help. Bound variables must live until parse() returns. A
/// variable keeps its value if its option is absent. The hidden options --help-man and --help-completion SHELL print
/// the man page and the completions. --help-guide FILE adds the page of the command to the man page.
class CommandLine {
public:
    /// `tool` is the name of the binary. --help prints `what` at the top, then `examples`. `examples` has a paragraph
    /// "Examples:" with one example per line, of which -h prints the first three, and a paragraph
    /// "Exit codes: 0 done, 2 usage error, ...". In an example, three spaces or more precede a remark.
    CommandLine(std::string_view tool, std::string_view what, std::string_view examples);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    /// Starts a group: --help lists the options that are added next under this title.
    void group(std::string_view title);
    /// Adds a positional argument. The parser treats the argument as optional, so the command must check that it was
    /// given.
    void positional(std::string_view name, std::string& value, std::string_view help);
    /// Adds a value that the user gives either as a positional argument or with an option.
    void positional_or_option(std::string_view name, std::string_view names, std::string& value, std::string_view help);
    void positionals(std::string_view name, std::vector<std::string>& values, std::string_view help);
    /// Adds an option without a value. `names` are the short and the long name, such as "-q,--quiet".
    void flag(std::string_view names, bool& value, std::string_view help);
    void option(std::string_view names, std::string_view type, std::string& value, std::string_view help);
    void option(std::string_view names, std::string_view type, std::optional<std::string>& value,
                std::string_view help);
    /// Adds an option that can be given several times.
    void option(std::string_view names, std::string_view type, std::vector<std::string>& values, std::string_view help);
    /// Adds an option that takes one of `choices`, such as {"auto", "json", "off"}.
    void choice(std::string_view names, std::vector<std::string> choices, std::string& value, std::string_view help);
    /// Adds an option that takes a number with an optional suffix K, M or G (powers of 1024).
    void count(std::string_view names, std::uint64_t& value, std::string_view help);
    void count(std::string_view names, std::optional<std::uint64_t>& value, std::string_view help);
    /// Rejects an option that only other binaries have. Its use is a usage error with the reason `why`. The option
    /// may have a value. Neither --help nor the man page lists it.
    void refuse(std::string_view name, std::string_view why);
    /// Sets the words that completions offer for all options of this type. `levels`: the words offered after "WORD=".
    void words(std::string_view type, std::vector<std::string> words, std::vector<std::string> levels = {});
    /// Sets the options that -h lists, in this order. At most ten fit a screen.
    void essentials(std::vector<std::string> names);
    /// Describes an environment variable for the man page.
    void environment(std::string_view name, std::string_view help);

    /// Fills the variables. Returns an exit code if the command must end, because this function printed help or a usage
    /// error. Otherwise returns nullopt.
    std::optional<Exit> parse(int argc, const char* const* argv);

private:
    void describe(std::string_view names, std::string_view type, std::string_view help, bool repeats = false);
    void add_count(std::string_view names, std::function<void(std::uint64_t)> set, std::string_view help);

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace::cli
