#include "cli/rules_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/citations.hpp"
#include "hwtrace/general_rules.hpp"

namespace hwtrace::cli {

namespace {

constexpr std::string_view introduction = R"(<!--
Generated: do not edit. After a rule changed, build the release preset and run in the source folder:
    build/release/bin/hwtrace-validate --list-rules --markdown > formats/RULES.md
The test cli.rules compares this file with the output of that command.
-->
# Rules

`hwtrace-validate` checks a file against these rules. `hwtrace-validate --explain ID` prints one of
them. Ids are stable and never reused.

The severity is the default; `--rule ID=LEVEL` changes it. An error violates the format. A
warning is legal but suspicious. The effect describes what the reader still delivers:

| effect | meaning |
|---|---|
| harmless | every record |
| incomplete | every whole record; the file ends early |
| damaged | not every record, or records that cannot be trusted |
)";

std::string_view effect_name(Effect effect) noexcept {
    switch (effect) {
        case Effect::harmless:
            return "harmless";
        case Effect::incomplete:
            return "incomplete";
        case Effect::damaged:
            return "damaged";
    }
    return "";
}

/// Returns `text` with a backslash before each character that Markdown would take for markup. Text in backquotes is
/// left unchanged. "_" is not escaped, because "_" inside a word is not markup.
std::string markdown_text(std::string_view text) {
    std::string safe;
    bool is_code = false;
    for (const char character : text) {
        if (character == '`')
            is_code = !is_code;
        else if (!is_code && std::string_view("\\*<>[]|").find(character) != std::string_view::npos)
            safe += '\\';
        safe += character;
    }
    return safe;
}

/// Returns `text` in lines of at most 100 characters. Breaks only before a letter, because "-", "+" or "1." at the
/// beginning of a line would start a list.
std::string wrapped(std::string_view text) {
    constexpr std::size_t width = 100;
    std::string lines;
    std::size_t column = 0;
    while (!text.empty()) {
        const auto may_break = [&](std::size_t space) {
            const char next = space + 1 < text.size() ? text[space + 1] : '\0';
            return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
        };
        std::size_t end = text.find(' ');
        while (end != std::string_view::npos && !may_break(end))
            end = text.find(' ', end + 1);
        const std::string_view words = text.substr(0, end);
        if (column != 0 && column + 1 + words.size() > width) {
            lines += '\n';
            column = 0;
        } else if (column != 0) {
            lines += ' ';
            ++column;
        }
        lines += words;
        column += words.size();
        text.remove_prefix(std::min(words.size() + 1, text.size()));
    }
    return lines;
}

/// Returns the entry of a rule. `reference` has the link and the section of the specification. It is empty for
/// general_rules().
std::string rule_entry(const Rule& rule, const std::string& reference) {
    std::string facts = fmt::format("Severity: {}. Effect: {}.", name_of(rule.severity), effect_name(rule.effect));
    if (!reference.empty()) facts += fmt::format(" See {}.", reference);
    return fmt::format("\n### {}\n\n{}\n\n{}\n\n{}\n", rule.id,
                       wrapped(fmt::format("**{}**", markdown_text(rule.title))), wrapped(facts),
                       wrapped(markdown_text(rule.why)));
}

}  // namespace

std::string rules_page(FormatList formats) {
    std::string page(introduction);
    page += "\n## Rules of every format\n";
    for (const Rule* const rule : general_rules())
        page += rule_entry(*rule, "");
    for (const Format* const format : formats) {
        if (format->rules.empty()) continue;
        page += fmt::format("\n## Rules of {}\n\n[{}]({}/README.md)\n", format->name, format->title, format->name);
        for (const Rule& rule : format->rules) {
            std::string reference = fmt::format("[{}]({}/README.md#{})", markdown_text(rule.section), format->name,
                                                anchor_of(rule.section));
            if (!rule.text.empty()) reference += fmt::format("; {}, {}", markdown_text(format->text_title), rule.text);
            page += rule_entry(rule, reference);
        }
    }
    return page;
}

}  // namespace hwtrace::cli
