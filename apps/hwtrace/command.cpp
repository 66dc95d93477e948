// apps/hwtrace/command.cpp - hwtrace VERB: starts the binary hwtrace-VERB.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "../commands.hpp"
#include "cli/command_description.hpp"
#include "cli/completion.hpp"
#include "cli/exit_code.hpp"
#include "cli/man_page.hpp"
#include "cli/plugins.hpp"
#include "cli/process.hpp"
#include "cli/version.hpp"
#include "cli/version_report.hpp"
#include "io/error.hpp"
#include "io/http/url.hpp"
#include "io/similar_text.hpp"

namespace {

struct Verb {
    std::string_view name;
    std::string_view what;
};
constexpr std::array verbs{
    Verb{"convert", "converts a trace to another format"},
    Verb{"diff", "compares two traces"},
    Verb{"dump", "prints a trace as text or data"},
    Verb{"index", "writes the index of a trace"},
    Verb{"info", "summarises traces"},
    Verb{"merge", "merges traces in order of time"},
#ifdef HWTRACE_SQLITE
    Verb{"query", "runs SQL on traces"},
#endif
    Verb{"record-qemu", "records a RISC-V program in QEMU"},
    Verb{"recover", "salvages a valid trace from a damaged file"},
    Verb{"serve", "serves traces to browsers and programs"},
    Verb{"split", "splits a trace into pieces"},
    Verb{"validate", "checks traces against their formats"},
};

std::string usage() {
    std::string text =
        "hwtrace reads, writes, converts, dumps and validates hardware traces.\n\nUsage: hwtrace VERB ...\n\n";
    for (const Verb& verb : verbs) {
        std::string line = "  " + std::string(verb.name);
        line.resize(14, ' ');
        text += line + std::string(verb.what) + "\n";
    }
    return text +
           "\n"
           "hwtrace FILE          says what is in a trace, and how to go on\n"
           "hwtrace VERB -h       the most important options of a verb\n"
           "hwtrace help VERB     all of them\n\n"
           "hwtrace-VERB is the same command as hwtrace VERB.\n";
}

hwtrace::cli::CommandDescription description() {
    hwtrace::cli::CommandDescription command;
    command.tool = "hwtrace";
    command.version = hwtrace::cli::version();
    command.what =
        "Reads, writes, converts, dumps and validates hardware traces.\n"
        "Starts the binary hwtrace-VERB with the arguments that follow the verb. 'hwtrace FILE' means "
        "'hwtrace info --next FILE', and 'hwtrace help VERB' means 'hwtrace VERB --help'.";
    command.examples =
        "Examples:\n"
        "  hwtrace core.zstf                          what is in it, and how to go on\n"
        "  hwtrace convert core.zstf core.uscope\n"
        "  hwtrace convert core.zstf part.html --range 99900#:100100#    instruction 100,000 in a browser\n"
        "  hwtrace dump core.zstf --around 99999#     the same as text\n"
        "  hwtrace validate *.zstf *.uscope\n\n"
        "Exit codes: 0 done, 2 unknown verb, 5 the verb's binary cannot be started. Otherwise the verb's binary "
        "determines the exit code.";
    for (const Verb& verb : verbs)
        command.verbs.push_back({std::string(verb.name), std::string(verb.what)});
    command.options.push_back({"Options", {"-h", "--help"}, "", {}, "Lists the verbs and exits"});
    command.options.push_back({"Options", {"--version"}, "", {}, "Prints the version and exits"});
    command.options.push_back(
        {"Options", {"--json"}, "", {}, "After --version: prints versions, formats and libraries as JSON"});
    return command;
}

/// Prints to standard output. Throws Failure::io.
void print(const std::string& text) {
    if (std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
        hwtrace::fail_errno("<stdout>", "write", errno);
}

/// Returns the folder of this binary with a slash at the end; empty if the system does not report it.
std::string own_folder() {
    std::array<char, PATH_MAX> path{};
    const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
    if (size <= 0) return {};
    const std::string_view name(path.data(), static_cast<std::size_t>(size));
    return std::string(name.substr(0, name.rfind('/') + 1));
}

/// Replaces this process with `binary` from the same folder, otherwise from PATH. Throws Failure::io.
[[noreturn]] void become(const std::string& binary, char** arguments) {
    std::string name = binary;
    arguments[0] = name.data();
    if (const std::string folder = own_folder(); !folder.empty()) ::execv((folder + binary).c_str(), arguments);
    ::execvp(binary.c_str(), arguments);
    hwtrace::fail_errno(binary, "start it", errno);
}

bool is_verb(std::string_view word) noexcept {
    return std::any_of(verbs.begin(), verbs.end(), [&](const Verb& verb) { return verb.name == word; });
}

/// Returns true if the word names a file or folder, a URL or standard input.
bool is_trace(std::string_view word) noexcept {
    return word == "-" || hwtrace::is_url(word) || ::access(std::string(word).c_str(), F_OK) == 0;
}

/// Throws Failure::usage for a word that is neither a verb nor a file.
[[noreturn]] void reject(std::string_view word) {
    hwtrace::SimilarText similar(word);
    for (const Verb& verb : verbs)
        similar.consider(verb.name);
    hwtrace::fail(hwtrace::Failure::usage, "'" + std::string(word) + "' is neither a verb nor a file" +
                                               similar.question() + "; try hwtrace --help");
}

/// Returns the page that --help-guide FILE names; empty without it.
std::string guide_of(int argc, char** argv) {
    if (argc < 4 || std::string_view(argv[2]) != "--help-guide") return {};
    std::ifstream file(argv[3]);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Runs hwtrace-VERB --help.
[[noreturn]] void explain(std::string_view verb) {
    if (!is_verb(verb)) reject(verb);
    std::string help = "--help";
    std::array<char*, 3> arguments{nullptr, help.data(), nullptr};
    become("hwtrace-" + std::string(verb), arguments.data());
}

/// Runs hwtrace-info --next with all arguments.
[[noreturn]] void summarise(int argc, char** argv) {
    std::string next = "--next", file = argv[1];
    if (file.size() > 1 && file.front() == '-') file.insert(0, "./");  // a file, not an option
    std::vector<char*> arguments{nullptr, next.data(), file.data()};
    arguments.insert(arguments.end(), argv + 2, argv + argc);
    arguments.push_back(nullptr);
    become("hwtrace-info", arguments.data());
}

}  // namespace

int hwtrace::apps::launcher(int argc, char** argv) {
    using hwtrace::cli::Exit;
    return hwtrace::cli::run("hwtrace", [&] {
        const std::string_view word = argc > 1 ? argv[1] : "";
        const std::string_view next = argc > 2 ? argv[2] : "";
        const bool is_about_itself = next == "help" || next == "-h" || next == "--help";
        if (word == "help" && argc > 2 && !is_about_itself) explain(argv[2]);
        if (word == "--help" || word == "-h" || word == "help") {
            print(usage());
            return Exit::done;
        }
        if (word == "--version") {
            print(next == "--json" ? hwtrace::cli::version_json("hwtrace", hwtrace::cli::known_formats())
                                   : hwtrace::cli::version_text("hwtrace"));
            return Exit::done;
        }
        if (word == "--help-man" || word == "--help-completion") {
            print(word == "--help-man" ? hwtrace::cli::man_page(description(), guide_of(argc, argv))
                                       : hwtrace::cli::completion(description(), next));
            return Exit::done;
        }
        if (is_verb(word)) become("hwtrace-" + std::string(word), argv + 1);
        if (!word.empty() && is_trace(word)) summarise(argc, argv);
        if (!word.empty()) reject(word);
        std::fputs(usage().c_str(), stderr);
        return Exit::usage;
    });
}
