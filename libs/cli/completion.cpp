#include "cli/completion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

/// The kind of value that an option takes.
enum class Value { none, words, file, folder, other };

Value value_of(const OptionDescription& option) {
    if (option.type.empty()) return Value::none;
    if (!option.choices.empty()) return Value::words;
    if (option.type.find("FOLDER") != std::string::npos) return Value::folder;
    for (const std::string_view word : {"FILE", "OUT", "PATTERN"})
        if (option.type.find(word) != std::string::npos) return Value::file;
    return Value::other;
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
    std::string text;
    for (const std::string& word : words) {
        if (!text.empty()) text += separator;
        text += word;
    }
    return text;
}

std::string all_names(const CommandDescription& command) {
    std::vector<std::string> names;
    for (const OptionDescription& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return joined(names, " ");
}

std::vector<std::string> verb_names(const CommandDescription& command) {
    std::vector<std::string> names;
    for (const VerbDescription& verb : command.verbs)
        names.push_back(verb.name);
    return names;
}

std::string function_name(std::string_view tool) {
    std::string name = "_";
    name += tool;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

std::string made_by(const CommandDescription& command, std::string_view shell) {
    return "# Made by " + command.tool + " --help-completion " + std::string(shell) + ".\n";
}

/// Returns `text` with a backslash before each character of `special`, and with spaces in place of newlines.
std::string with_backslashes(std::string_view text, std::string_view special) {
    std::string result;
    for (const char letter : text) {
        if (special.find(letter) != std::string_view::npos) result += '\\';
        result += letter == '\n' ? ' ' : letter;
    }
    return result;
}

// bash

constexpr std::string_view bash_of_verbs = R"(    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$verbs" -- "$current")
        return
    fi
    local verb=${COMP_WORDS[1]}
    [[ " $verbs " == *" $verb "* && $verb != -* ]] || return
    if ! declare -F "_hwtrace_$verb" >/dev/null; then
        # shellcheck source=/dev/null
        . "$(dirname "${BASH_SOURCE[0]}")/hwtrace-$verb" || return
    fi
    COMP_WORDS=("hwtrace-$verb" "${COMP_WORDS[@]:2}")
    ((COMP_CWORD--))
    "_hwtrace_$verb"
)";

// bash splits words at '=': --color=al is three words.
constexpr std::string_view bash_begin =
    R"(    local current=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1))
    if [[ $current == = ]]; then
        current=
    elif [[ ${COMP_WORDS[at]} == = ]]; then
        ((at--))
    fi
    local previous=${COMP_WORDS[at]}
)";

// After "--rule GEN001=" or "--rule=GEN001=", $previous becomes "--rule=".
constexpr std::string_view bash_levels =
    R"(    if [[ ${COMP_WORDS[at + 1]} == = && $previous != -* && $at -gt 1 ]]; then
        previous=${COMP_WORDS[at - 1]}
        [[ $previous != = ]] || previous=${COMP_WORDS[at - 2]}
        previous+='='
    fi
)";

constexpr std::string_view bash_case = R"(    COMPREPLY=()
    case $previous in
)";

constexpr std::string_view bash_end = R"(    *)
        case $current in
        -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current") ;;
        *) files=-f ;;
        esac
        ;;
    esac
    if [[ -n $files ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen "$files" -- "$current")
    fi
)";

std::vector<std::string> with_equals(std::vector<std::string> words) {
    for (std::string& word : words)
        word += '=';
    return words;
}

/// Returns a branch of a bash `case` that offers `words` if the option matches `pattern`. `besides`: commands to run
/// first.
std::string bash_words(const std::string& pattern, const std::vector<std::string>& words, std::string_view besides) {
    return fmt::format("    {}) {}mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$current\") ;;\n", pattern, besides,
                       joined(words, " "));
}

std::string bash_options(const CommandDescription& command) {
    std::string text = "    local files='' options='" + all_names(command) + "'\n";
    text += bash_begin;
    const auto has_levels = [](const OptionDescription& option) { return !option.levels.empty(); };
    if (std::ranges::any_of(command.options, has_levels)) text += bash_levels;
    text += bash_case;
    for (const OptionDescription& option : command.options) {
        if (has_levels(option)) {
            text += bash_words(joined(with_equals(option.names), " | "), option.levels, "");
            text += bash_words(joined(option.names, " | "), with_equals(option.choices),
                               "compopt -o nospace 2>/dev/null; ");
            continue;
        }
        const Value value = value_of(option);
        if (value == Value::none) continue;
        if (value == Value::words) {
            text += bash_words(joined(option.names, " | "), option.choices, "");
            continue;
        }
        text += "    " + joined(option.names, " | ") + ")";
        switch (value) {
            case Value::folder:
                text += " files=-d ;;\n";
                break;
            case Value::file:
                text += " files=-f ;;\n";
                break;
            default:
                text += " ;;\n";
        }
    }
    return text += bash_end;
}

std::string bash(const CommandDescription& command) {
    const std::string name = function_name(command.tool);
    std::string text = "# shellcheck shell=bash\n" + made_by(command, "bash") + name + "() {\n";
    if (command.verbs.empty()) {
        text += bash_options(command);
    } else {
        text += "    local current=${COMP_WORDS[COMP_CWORD]} verbs='" + joined(verb_names(command), " ") + " " +
                all_names(command) + "'\n";
        text += bash_of_verbs;
    }
    return text + "}\ncomplete -F " + name + " " + command.tool + "\n";
}

// zsh

std::string zsh_action(const OptionDescription& option) {
    if (!option.levels.empty())
        return fmt::format("{{if compset -P \"*=\"; then compadd {}; else compadd -S = {}; fi}}",
                           joined(option.levels, " "), joined(option.choices, " "));
    switch (value_of(option)) {
        case Value::words:
            return fmt::format("({})", joined(option.choices, " "));
        case Value::folder:
            return "_files -/";
        case Value::file:
            return "_files";
        default:
            return " ";
    }
}

std::string zsh_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char letter : text) {
        if (letter == '\'')
            quoted += "'\\''";
        else
            quoted += letter;
    }
    return quoted += '\'';
}

std::string zsh_options(const CommandDescription& command) {
    std::string text;
    for (const OptionDescription& option : command.options) {
        for (const std::string& name : option.names) {
            std::string spec;
            if (option.repeats)
                spec += '*';
            else if (option.names.size() > 1)
                spec.append("(").append(joined(option.names, " ")).append(")");
            spec += name;
            if (!option.type.empty()) spec += name.starts_with("--") ? '=' : '+';
            spec.append("[").append(with_backslashes(option.help, "[]\\:")).append("]");
            if (!option.type.empty())
                spec.append(":").append(with_backslashes(option.type, "\\:")).append(":").append(zsh_action(option));
            text += " \\\n    " + zsh_quoted(spec);
        }
    }
    return text;
}

std::string zsh(const CommandDescription& command) {
    std::string text = "#compdef " + command.tool + "\n" + made_by(command, "zsh");
    if (command.verbs.empty()) return text + "_arguments -s" + zsh_options(command) + " \\\n    '*:file:_files'\n";
    text += "local -a verbs=(\n";
    for (const VerbDescription& verb : command.verbs)
        text += "    " + zsh_quoted(verb.name + ":" + with_backslashes(verb.help, "\\:")) + "\n";
    text += ")\nlocal curcontext=$curcontext state\n_arguments -C" + zsh_options(command) +
            " \\\n    '1:verb:{_describe verb verbs}' '*::argument:->arguments'\n";
    return text + "if [[ $state == arguments ]]; then\n    words[1]=" + command.tool + "-$words[1]\n    _normal\nfi\n";
}

// fish

std::string fish_quoted(std::string_view text) {
    return fmt::format("'{}'", with_backslashes(text, "\\'"));
}

/// Returns the words to offer for an option. With levels, offers "WORD=" first and "WORD=LEVEL" after that.
std::string fish_words(const OptionDescription& option) {
    if (option.levels.empty()) return joined(option.choices, " ");
    return fmt::format(
        "(set -l word (string replace -r -- \"^--[a-z-]*=\" \"\" (commandline -ct)); "
        "if string match -q -- \"*=*\" $word; printf \"%s\\n\" (string replace -r -- \"=.*\" \"\" $word)={{{}}}; "
        "else; printf \"%s=\\n\" {}; end)",
        joined(option.levels, ","), joined(option.choices, " "));
}

std::string fish_options(const CommandDescription& command, std::string_view condition) {
    std::string text;
    for (const OptionDescription& option : command.options) {
        text += "complete -c " + command.tool;
        text += condition;
        for (const std::string& name : option.names)
            text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        switch (value_of(option)) {
            case Value::none:
                break;
            case Value::words:
                text += " -x -a " + fish_quoted(fish_words(option));
                break;
            case Value::folder:
                text += " -x -a '(__fish_complete_directories)'";
                break;
            case Value::file:
                text += " -r -F";
                break;
            case Value::other:
                text += " -x";
        }
        text += " -d " + fish_quoted(option.help) + "\n";
    }
    return text;
}

constexpr std::string_view fish_of_verbs = R"(function __hwtrace_complete_verb
    set -l words (commandline -opc)
    set -e words[1]
    complete -C (string join ' ' -- hwtrace-(string join ' ' -- (string escape -- $words)) (commandline -ct))
end
complete -c hwtrace -n 'not __fish_use_subcommand' -f -a '(__hwtrace_complete_verb)'
)";

std::string fish(const CommandDescription& command) {
    std::string text = made_by(command, "fish");
    if (command.verbs.empty()) return text + fish_options(command, "");
    for (const VerbDescription& verb : command.verbs)
        text += "complete -c " + command.tool + " -n __fish_use_subcommand -f -a " + verb.name + " -d " +
                fish_quoted(verb.help) + "\n";
    text += fish_options(command, " -n __fish_use_subcommand -f");
    return text += fish_of_verbs;
}

}  // namespace

std::string completion(const CommandDescription& command, std::string_view shell) {
    if (shell == "bash") return bash(command);
    if (shell == "zsh") return zsh(command);
    if (shell == "fish") return fish(command);
    fail(Failure::usage, "--help-completion takes bash, zsh or fish, not '" + std::string(shell) + "'");
}

}  // namespace hwtrace::cli
