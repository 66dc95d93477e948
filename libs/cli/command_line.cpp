#include "cli/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <iostream>
#include <utility>

#include "codec/settings.hpp"

namespace hwtrace::cli {

struct CommandLine::State {
    explicit State(std::string_view tool, std::string_view what) : app(std::string(what), std::string(tool)) {}

    CLI::Option* add(std::string_view names, std::string_view type, std::function<void(const std::string&)> assign,
                     std::string_view help) {
        return app.add_option_function<std::string>(std::string(names), std::move(assign), std::string(help))
            ->type_name(std::string(type))
            ->group(group);
    }

    CLI::App app;
    std::string group = "Options";
};

CommandLine::CommandLine(std::string_view tool, std::string_view what, std::string_view examples)
    : state_(std::make_unique<State>(tool, what)) {
    state_->app.footer(std::string(examples));
    state_->app.set_help_flag("-h,--help", "Shows this and exits");
    state_->app.get_formatter()->column_width(34);
}

CommandLine::~CommandLine() = default;

void CommandLine::group(std::string_view title) {
    state_->group = title;
}

void CommandLine::positional(std::string_view name, std::string& value, std::string_view help) {
    state_->app.add_option(std::string(name), value, std::string(help))->type_name("");
}

void CommandLine::positionals(std::string_view name, std::vector<std::string>& values, std::string_view help) {
    state_->app.add_option(std::string(name), values, std::string(help))->type_name("");
}

void CommandLine::flag(std::string_view names, bool& value, std::string_view help) {
    state_->app.add_flag(std::string(names), value, std::string(help))->group(state_->group);
}

void CommandLine::option(std::string_view names, std::string_view type, std::string& value, std::string_view help) {
    state_->add(
        names, type, [&value](const std::string& text) { value = text; }, help);
}

void CommandLine::option(std::string_view names, std::string_view type, std::optional<std::string>& value,
                         std::string_view help) {
    state_->add(
        names, type, [&value](const std::string& text) { value = text; }, help);
}

void CommandLine::option(std::string_view names, std::string_view type, std::vector<std::string>& values,
                         std::string_view help) {
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
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::cout << app.help() << std::flush;
        return Exit::done;
    } catch (const CLI::ParseError& error) {
        std::cerr << app.get_name() << ": " << error.what() << "; try " << app.get_name() << " --help\n";
        return Exit::usage;
    }
    return std::nullopt;
}

}  // namespace hwtrace::cli
