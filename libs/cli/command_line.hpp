// cli/command_line.hpp - what a binary takes on its command line: names bound to variables, help, usage errors.
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

/// Options in the order in which --help shows them. Every variable given must live until parse() has returned, and
/// keeps its value when its option is absent. Its man page and completions (--help-man, --help-completion SHELL, which
/// --help does not show) are made of the same options.
class CommandLine {
public:
    /// `tool` is the binary's name. `what` is shown at the top of --help, `examples` below the options: a paragraph
    /// "Examples:", one a line, and one "Exit codes: 0 done, 2 usage, ...". See CommandDescription for what of them
    /// goes where.
    CommandLine(std::string_view tool, std::string_view what, std::string_view examples);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    /// Options added from now on stand under this title.
    void group(std::string_view title);
    /// A place on the line, optional for the parser: the binary checks what it needs.
    void positional(std::string_view name, std::string& value, std::string_view help);
    /// A place on the line that can be named by an option instead: the value is given once, in one of both ways.
    void positional_or_option(std::string_view name, std::string_view names, std::string& value, std::string_view help);
    void positionals(std::string_view name, std::vector<std::string>& values, std::string_view help);
    /// `names` as in "-q,--quiet".
    void flag(std::string_view names, bool& value, std::string_view help);
    void option(std::string_view names, std::string_view type, std::string& value, std::string_view help);
    void option(std::string_view names, std::string_view type, std::optional<std::string>& value,
                std::string_view help);
    /// May stand several times.
    void option(std::string_view names, std::string_view type, std::vector<std::string>& values, std::string_view help);
    /// One of `choices`, such as {"auto", "json", "off"}.
    void choice(std::string_view names, std::vector<std::string> choices, std::string& value, std::string_view help);
    /// A number with an optional K, M or G (powers of 1024).
    void count(std::string_view names, std::uint64_t& value, std::string_view help);
    void count(std::string_view names, std::optional<std::uint64_t>& value, std::string_view help);
    /// An option with a value that other binaries have and this one has no use for: whoever gives it is told why, as a
    /// usage error. Help and man page do not show it.
    void refuse(std::string_view name, std::string_view why);
    /// What completions offer for options of this type, of those that were added before and come later.
    /// `levels`: what has to stand behind one of the words and "=".
    void words(std::string_view type, std::vector<std::string> words, std::vector<std::string> levels = {});
    /// A variable of the environment that changes what the binary does; the man page tells of it.
    void environment(std::string_view name, std::string_view help);

    /// Fills the variables. Returns the exit code when there is nothing left to do: help was shown, or the line was
    /// wrong and standard error says why.
    std::optional<Exit> parse(int argc, const char* const* argv);

private:
    void describe(std::string_view names, std::string_view type, std::string_view help, bool repeats = false);
    void add_count(std::string_view names, std::function<void(std::uint64_t)> set, std::string_view help);

    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hwtrace::cli
