#include "cli/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "cli/guide.hpp"

namespace hwtrace::cli {

namespace {

/// Appends a letter, escaped for man(7). Does not handle a full stop at the beginning of a line.
void append_letter(char32_t letter, std::string& page) {
    switch (letter) {
        case '\\':
            page += "\\e";
            return;
        case '-':
            page += "\\-";
            return;
        case '\t':
            page += "\\t";
            return;
        case '\'':
            page += "\\(aq";
            return;
        case '"':
            page += "\\(dq";
            return;
        case '`':
            page += "\\(ga";
            return;
        case '^':
            page += "\\(ha";
            return;
        case '~':
            page += "\\(ti";
            return;
        default:
            if (letter < 0x80)
                page.push_back(static_cast<char>(letter));
            else
                page += fmt::format("\\[u{:04X}]", static_cast<std::uint32_t>(letter));
    }
}

}  // namespace

std::string man_escaped(std::string_view text) {
    std::string page;
    if (text.starts_with('.')) page += "\\&";
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        auto letter = static_cast<char32_t>(size == 1 ? lead : lead & (0xFFu >> (size + 1)));
        for (std::size_t next = 1; next < size && at + next < text.size(); ++next)
            letter = (letter << 6) | (static_cast<unsigned char>(text[at + next]) & 0x3Fu);
        append_letter(letter, page);
        at += size;
    }
    return page;
}

namespace {

/// Returns the text as one escaped line. Newlines become spaces, because the line breaks are only meant for --help.
std::string running(std::string_view text) {
    std::string one_line(text);
    std::replace(one_line.begin(), one_line.end(), '\n', ' ');
    return man_escaped(one_line);
}

std::string bold(std::string_view text) {
    return "\\fB" + man_escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + man_escaped(text) + "\\fR";
}

/// Returns the text of the NAME section: "converts a hardware trace from one format to another".
std::string summary(const CommandDescription& command) {
    std::string text(summary_of(command));
    if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return running(text);
}

std::string exit_status(const ExitCodes& exit) {
    std::string page;
    if (!exit.rule.empty()) page += "With several inputs, the exit code is " + running(exit.rule) + ".\n";
    for (const ExitCode& code : exit.codes)
        page += ".TP\n.B " + code.code + "\n" + man_escaped(code.meaning) + "\n";
    return page;
}

std::string examples(const std::vector<Example>& shown) {
    std::size_t widest = 0;
    for (const Example& example : shown)
        if (!example.remark.empty()) widest = std::max(widest, example.command.size());
    std::string page = ".EX\n";
    for (const Example& example : shown) {
        std::string line(example.command);
        if (!example.remark.empty()) line.resize(widest + 3, ' ');
        page += man_escaped(line.append(example.remark)) + "\n";
    }
    return page + ".EE\n";
}

std::string options(const CommandDescription& command) {
    std::string page;
    std::string_view group;
    for (const OptionDescription& option : command.options) {
        if (option.group != group) page += ".SS " + man_escaped(option.group) + "\n";
        group = option.group;
        std::string names;
        for (const std::string& name : option.names) {
            if (!names.empty()) names += ", ";
            names += bold(name);
        }
        if (!option.type.empty()) names.append(" ").append(italic(option.type));
        page += ".TP\n" + names + "\n" + running(option.help) + "\n";
    }
    return page;
}

std::string see_also(const CommandDescription& command) {
    if (command.verbs.empty()) return ".BR hwtrace (1)\n";
    std::string page;
    for (const VerbDescription& verb : command.verbs) {
        if (!page.empty()) page += ",\n";
        page += ".BR " + man_escaped(command.tool + "-" + verb.name) + " (1)";
    }
    return page + "\n";
}

}  // namespace

std::string man_page(const CommandDescription& command, std::string_view guide) {
    std::string title = command.tool;
    std::transform(title.begin(), title.end(), title.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
    std::string page = ".\\\" Made by " + command.tool + " --help-man.\n";
    page += fmt::format(".TH \"{}\" 1 \"\" \"hwtrace {}\" \"Hardware traces\"\n", man_escaped(title), command.version);
    page += ".SH NAME\n" + man_escaped(command.tool) + " \\- " + summary(command) + "\n";

    page += ".SH SYNOPSIS\n" + bold(command.tool);
    if (!command.verbs.empty()) page += " " + italic("VERB") + " ...\n.br\n" + bold(command.tool);
    page.append(" [").append(italic("OPTION")).append("]...");
    for (const PositionalDescription& positional : command.positionals)
        page.append(" ").append(italic(positional.name)).append(positional.repeats ? "..." : "");
    page += "\n.SH DESCRIPTION\n" + running(command.what) + "\n";
    for (const PositionalDescription& positional : command.positionals)
        page += ".TP\n" + italic(positional.name) + "\n" + running(positional.help) + ".\n";
    if (!command.verbs.empty()) page += ".SH VERBS\n";
    for (const VerbDescription& verb : command.verbs)
        page += ".TP\n" + bold(verb.name) + "\n" + running(verb.help) + "\n";

    page += ".SH OPTIONS\n" + options(command);
    if (const ExitCodes exit = exit_codes_of(command); !exit.codes.empty())
        page += ".SH EXIT STATUS\n" + exit_status(exit);
    if (!command.environment.empty()) page += ".SH ENVIRONMENT\n";
    for (const EnvironmentDescription& variable : command.environment)
        page += ".TP\n" + bold(variable.name) + "\n" + running(variable.help) + "\n";
    if (const std::string text = guide_as_man(guide); !text.empty()) page += ".SH GUIDE\n" + text;
    if (const std::vector<Example> shown = examples_of(command); !shown.empty())
        page += ".SH EXAMPLES\n" + examples(shown);
    page += ".SH SEE ALSO\n" + see_also(command);
    return page +
           ".PP\nThe pages in share/doc/hwtrace describe views, slices, reports and (in formats/) each format.\n";
}

}  // namespace hwtrace::cli
