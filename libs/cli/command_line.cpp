#include "cli/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "cli/command_description.hpp"
#include "cli/completion.hpp"
#include "cli/help.hpp"
#include "cli/man_page.hpp"
#include "cli/messages.hpp"
#include "cli/pager.hpp"
#include "cli/process.hpp"
#include "cli/terminal.hpp"
#include "cli/version.hpp"
#include "codec/settings.hpp"
#include "io/error.hpp"
#include "io/similar_text.hpp"

namespace hwtrace::cli {

namespace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        parts.emplace_back(text.substr(0, end));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

/// Returns the literal words of a type such as "auto|on|off" or "N|auto". Leaves out placeholders, which are in
/// capitals.
std::vector<std::string> words_of(std::string_view type) {
    if (type.find('|') == std::string_view::npos) return {};
    std::vector<std::string> words = split(type, '|');
    std::erase_if(words, [](const std::string& word) {
        return word.empty() || !std::all_of(word.begin(), word.end(), [](char letter) {
                   return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-' ||
                          letter == '.' || letter == '_';
               });
    });
    return words;
}

/// The words that completions offer for a type.
struct Words {
    std::string type;
    std::vector<std::string> words, levels;
};

/// Returns a question for the option that `name` misspells, or an empty string.
std::string meant_option(std::string_view name, const std::vector<OptionDescription>& options) {
    SimilarText similar(name);
    for (const OptionDescription& option : options)
        for (const std::string& candidate : option.names)
            if (candidate.starts_with("--")) similar.consider(candidate);
    return similar.question();
}

/// Returns the message for arguments that match neither an option nor a positional argument. The message names the
/// first unknown option, because the next argument is often the value of that option. After "--" there are no options.
std::string unexpected(const std::vector<std::string>& arguments, const std::vector<OptionDescription>& options) {
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    const auto is_option = [](const std::string& argument) { return argument.size() > 1 && argument.front() == '-'; };
    const auto found = std::find_if(arguments.begin(), end, is_option);
    if (found == end)
        return "unexpected argument '" + (end == arguments.begin() ? arguments.back() : arguments.front()) + "'";
    const std::string name = found->substr(0, found->find('='));
    return "unknown option '" + name + "'" + (name.starts_with("--") ? meant_option(name, options) : "");
}

/// Returns a plainer message than CLI11 for an option that lacks its value or is given too often. Returns other
/// messages unchanged.
std::string mismatch(const std::string& text) {
    const std::string name = text.substr(0, text.find(':'));
    if (text.ends_with("missing")) return name + " needs a value";
    if (text.find("At Most 1 required") != std::string::npos) return name + " may be given only once";
    return text;
}

/// Returns the contents of a file; empty if it has no name or cannot be read.
std::string file_text(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

struct CommandLine::State {
    explicit State(std::string_view tool, std::string_view what) : app(std::string(what), std::string(tool)) {}

    CLI::Option* add(std::string_view names, std::string_view type,
                     const std::function<void(const std::string&)>& assign, std::string_view help) {
        return app.add_option_function<std::string>(std::string(names), assign, std::string(help))
            ->type_name(std::string(type))
            ->group(group);
    }

    CLI::App app;
    std::string group = "Options";
    CommandDescription description;
    bool man = false;
    std::string guide;  ///< the file of the page for the man page
    std::string completion_shell;
    std::vector<Words> words;
};

CommandLine::CommandLine(std::string_view tool, std::string_view what, std::string_view examples)
    : state_(std::make_unique<State>(tool, what)) {
    state_->app.set_help_flag("--help");
    state_->app.set_help_all_flag("-h");
    state_->app.add_flag("--help-man", state_->man)->group("");
    state_->app.add_option("--help-guide", state_->guide)->group("");
    state_->app.add_option("--help-completion", state_->completion_shell)->group("");
    CommandDescription& description = state_->description;
    description.tool = tool;
    description.version = version();
    description.what = what;
    description.examples = examples;
    describe("-h", "", "Prints a short help and exits");
    describe("--help", "", "Prints this help and exits");
}

CommandLine::~CommandLine() = default;

void CommandLine::group(std::string_view title) {
    state_->group = title;
}

void CommandLine::describe(std::string_view names, std::string_view type, std::string_view help, bool repeats) {
    OptionDescription& option = state_->description.options.emplace_back();
    option.group = state_->group;
    option.names = split(names, ',');
    option.type = type;
    option.choices = words_of(type);
    option.help = help;
    option.repeats = repeats;
}

void CommandLine::refuse(std::string_view name, std::string_view why) {
    std::string message(name);
    message.append(": ").append(why);
    const auto refusal = [message](const std::string&) { fail(Failure::usage, message); };
    state_->app.add_option_function<std::string>(std::string(name), refusal)->expected(0, 1)->group("");
}

void CommandLine::words(std::string_view type, std::vector<std::string> words, std::vector<std::string> levels) {
    state_->words.push_back({std::string(type), std::move(words), std::move(levels)});
}

void CommandLine::essentials(std::vector<std::string> names) {
    state_->description.essentials = std::move(names);
}

void CommandLine::environment(std::string_view name, std::string_view help) {
    state_->description.environment.push_back({std::string(name), std::string(help)});
}

void CommandLine::positional(std::string_view name, std::string& value, std::string_view help) {
    state_->description.positionals.push_back({std::string(name), std::string(help), false});
    state_->app.add_option(std::string(name), value, std::string(help))->type_name("");
}

void CommandLine::positional_or_option(std::string_view name, std::string_view names, std::string& value,
                                       std::string_view help) {
    const auto assign = [&value, option = std::string(names),
                         given = std::make_shared<std::optional<std::string>>()](const std::string& text) {
        if (*given)
            fail(Failure::usage,
                 "'" + **given + "' and '" + text + "': the output is given twice, as an argument and with " + option);
        *given = text;
        value = text;
    };
    state_->description.positionals.push_back({std::string(name), std::string(help), false});
    state_->app.add_option_function<std::string>(std::string(name), assign, std::string(help))->type_name("");
    describe(names, name, help);
    state_->add(names, name, assign, help);
}

void CommandLine::positionals(std::string_view name, std::vector<std::string>& values, std::string_view help) {
    state_->description.positionals.push_back({std::string(name), std::string(help), true});
    state_->app.add_option(std::string(name), values, std::string(help))->type_name("");
}

void CommandLine::flag(std::string_view names, bool& value, std::string_view help) {
    describe(names, "", help);
    state_->app.add_flag(std::string(names), value, std::string(help))->group(state_->group);
}

void CommandLine::option(std::string_view names, std::string_view type, std::string& value, std::string_view help) {
    describe(names, type, help);
    state_->add(
        names, type, [&value](const std::string& text) { value = text; }, help);
}

void CommandLine::option(std::string_view names, std::string_view type, std::optional<std::string>& value,
                         std::string_view help) {
    describe(names, type, help);
    state_->add(
        names, type, [&value](const std::string& text) { value = text; }, help);
}

void CommandLine::option(std::string_view names, std::string_view type, std::vector<std::string>& values,
                         std::string_view help) {
    describe(names, type, help, true);
    state_->app.add_option(std::string(names), values, std::string(help))
        ->type_name(std::string(type))
        ->allow_extra_args(false)
        ->group(state_->group);
}

void CommandLine::choice(std::string_view names, std::vector<std::string> choices, std::string& value,
                         std::string_view help) {
    std::string type;
    for (const std::string& choice : choices)
        type += (type.empty() ? "" : "|") + choice;
    describe(names, type, help);
    const auto check = [choices = std::move(choices), type](const std::string& text) -> std::string {
        for (const std::string& choice : choices)
            if (choice == text) return {};
        return "takes " + type + ", not '" + text + "'";
    };
    state_
        ->add(
            names, type, [&value](const std::string& text) { value = text; }, help)
        ->check(check);
}

void CommandLine::add_count(std::string_view names, std::function<void(std::uint64_t)> set, std::string_view help) {
    describe(names, "N", help);
    const auto check = [](const std::string& text) -> std::string {
        return parse_count(text) ? "" : "takes a number such as 100000, 64K or 1M, not '" + text + "'";
    };
    state_
        ->add(
            names, "N", [set = std::move(set)](const std::string& text) { set(parse_count(text).value_or(0)); }, help)
        ->check(check);
}

void CommandLine::count(std::string_view names, std::uint64_t& value, std::string_view help) {
    add_count(
        names, [&value](std::uint64_t number) { value = number; }, help);
}

void CommandLine::count(std::string_view names, std::optional<std::uint64_t>& value, std::string_view help) {
    add_count(
        names, [&value](std::uint64_t number) { value = number; }, help);
}

std::optional<Exit> CommandLine::parse(int argc, const char* const* argv) {
    CLI::App& app = state_->app;
    const auto refused = [&app](const std::string& why) {
        Messages(app.get_name(), Volume::normal, Colour::off).error("", why + "; try " + app.get_name() + " --help");
        return Exit::usage;
    };
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        const std::string page = full_help(state_->description, output_columns());
        const Pager pager;
        std::cout << page;
        flush_standard_output();
        return Exit::done;
    } catch (const CLI::CallForAllHelp&) {
        std::cout << short_help(state_->description);
        flush_standard_output();
        return Exit::done;
    } catch (const CLI::ExtrasError&) {
        return refused(unexpected(app.remaining(), state_->description.options));
    } catch (const CLI::ArgumentMismatch& error) {
        return refused(mismatch(error.what()));
    } catch (const CLI::ParseError& error) {
        return refused(error.what());
    }
    CommandDescription& description = state_->description;
    for (OptionDescription& option : description.options)
        for (const Words& words : state_->words) {
            if (option.type != words.type) continue;
            option.choices = words.words;
            option.levels = words.levels;
        }
    if (state_->man)
        std::cout << man_page(description, file_text(state_->guide));
    else if (!state_->completion_shell.empty())
        std::cout << completion(description, state_->completion_shell);
    else
        return std::nullopt;
    flush_standard_output();
    return Exit::done;
}

}  // namespace hwtrace::cli
