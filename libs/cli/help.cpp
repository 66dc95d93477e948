#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/terminal.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::size_t least_columns = 60, most_columns = 110;  // longer lines are hard to read
constexpr std::size_t short_columns = 80, short_examples = 3, short_options = 10;
constexpr std::size_t indent = 2, gap = 2;

/// Appends `left`, and `right` beside it from column `margin`, or below if `left` is too long.
void append_row(std::string_view left, std::string_view right, std::size_t margin, std::size_t columns,
                std::string& page) {
    page.append(indent, ' ').append(left);
    std::size_t column = indent + columns_of(left);
    if (right.empty()) {
        page += '\n';
        return;
    }
    if (column + gap > margin) {
        page += '\n';
        column = 0;
    }
    page.append(margin - column, ' ');
    append_wrapped(right, margin, margin, columns, page);
}

/// Returns "-j, --jobs N". Options without a short name are indented as if they had one.
std::string label_of(const OptionDescription& option) {
    std::string label;
    for (const std::string& name : option.names)
        label.append(label.empty() ? (name.starts_with("--") ? "    " : "") : ", ").append(name);
    return option.type.empty() ? label : label.append(" ").append(option.type);
}

/// Returns true for a name that says itself what may be repeated, such as "FILE... SQL".
bool has_ellipsis(const PositionalDescription& positional) noexcept {
    return positional.name.find("...") != std::string::npos;
}

std::string usage_of(const CommandDescription& command) {
    std::string usage = "Usage: " + command.tool + " [OPTION]...";
    for (const PositionalDescription& positional : command.positionals)
        usage.append(" [")
            .append(positional.name)
            .append(positional.repeats && !has_ellipsis(positional) ? "]..." : "]");
    return usage + "\n";
}

/// Returns the column of the remarks: where all fit beside their commands, or else where those of short commands do.
std::size_t margin_of_remarks(const std::vector<Example>& examples, std::size_t columns) {
    const std::size_t widest = columns * 3 / 5;  // a longer command has its remark in the next line
    std::size_t margin_of_all = 0, margin_of_short = 0, longest_remark = 0;
    for (const Example& example : examples) {
        if (example.remark.empty()) continue;
        const std::size_t end = indent + columns_of(example.command) + gap;
        margin_of_all = std::max(margin_of_all, end);
        if (end <= widest) margin_of_short = std::max(margin_of_short, end);
        longest_remark = std::max(longest_remark, columns_of(example.remark));
    }
    return margin_of_all + longest_remark <= columns ? margin_of_all : margin_of_short;
}

/// Appends the first `most` examples.
void append_examples(const CommandDescription& command, std::size_t most, std::size_t columns, std::string& page) {
    std::vector<Example> examples = examples_of(command);
    if (examples.empty()) return;
    if (examples.size() > most) examples.resize(most);
    const std::size_t margin = margin_of_remarks(examples, columns);
    page += "\nExamples:\n";
    for (const Example& example : examples) {
        const std::size_t end = indent + columns_of(example.command) + gap;
        const bool is_whole = end + columns_of(example.remark) <= columns;
        append_row(example.command, example.remark,
                   end <= margin ? margin
                   : is_whole    ? end
                                 : 3 * indent,
                   columns, page);
    }
}

/// Returns the help up to its first remark, if the rest does not fit into `width`.
std::string_view shortened(std::string_view help, std::size_t width) noexcept {
    constexpr std::ptrdiff_t few_words = 3;  // such a head does not say enough
    if (columns_of(help) <= width) return help;
    std::size_t end = help.size();
    for (const std::string_view mark : {": ", " (", "; ", ". "})
        for (std::size_t at = help.find(mark); at < end; at = help.find(mark, at + 1))
            if (std::ranges::count(help.substr(0, at), ' ') >= few_words) end = at;
    std::string_view head = help.substr(0, end);
    const std::size_t bracket = head.rfind('(');  // a remark in brackets is not cut
    if (bracket != std::string_view::npos && head.find(')', bracket) == std::string_view::npos)
        head = head.substr(0, head.find_last_not_of(' ', bracket - 1) + 1);
    return head;
}

const OptionDescription* find_option(const CommandDescription& command, std::string_view name) noexcept {
    for (const OptionDescription& option : command.options)
        if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
    return nullptr;
}

}  // namespace

std::string short_help(const CommandDescription& command) {
    std::string page(summary_of(command));
    page.append(".\n").append(usage_of(command));
    append_examples(command, short_examples, short_columns, page);
    std::vector<const OptionDescription*> shown;
    for (const std::string& name : command.essentials)
        if (const OptionDescription* option = find_option(command, name)) shown.push_back(option);
    for (const OptionDescription& option : command.options)
        if (command.essentials.empty() && shown.size() < short_options) shown.push_back(&option);
    std::size_t margin = 0;
    for (const OptionDescription* option : shown)
        margin = std::max(margin, indent + label_of(*option).size() + gap);
    page += "\nOptions:\n";
    for (const OptionDescription* option : shown)
        append_row(label_of(*option), shortened(option->help, short_columns - margin), margin, short_columns, page);
    return page + fmt::format("\n{} --help shows all {} options.\n", command.tool, command.options.size());
}

std::string full_help(const CommandDescription& command, std::size_t columns) {
    columns = std::max(columns, least_columns);
    const std::size_t readable = std::min(columns, most_columns);
    const std::size_t margin = readable < 80 ? 24 : 28;
    std::string page;
    append_wrapped(command.what, 0, 0, readable, page);
    page.append("\n").append(usage_of(command));
    for (const PositionalDescription& positional : command.positionals)
        append_row(positional.name, positional.help, indent + 6 + gap, readable, page);
    append_examples(command, std::string_view::npos, columns, page);
    std::string_view group;
    for (const OptionDescription& option : command.options) {
        if (option.group != group) {
            page += '\n';
            append_wrapped(option.group + ":", 0, indent, readable, page);
            group = option.group;
        }
        append_row(label_of(option), option.help, margin, readable, page);
    }
    const ExitCodes exit = exit_codes_of(command);
    if (!exit.codes.empty()) {
        page += '\n';
        append_wrapped("Exit codes" + (exit.rule.empty() ? "" : ", " + exit.rule) + ":", 0, indent, readable, page);
    }
    for (const ExitCode& code : exit.codes)
        append_row(code.code, code.meaning, indent + 2 + gap, readable, page);
    return page;
}

}  // namespace hwtrace::cli
