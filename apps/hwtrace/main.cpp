// apps/hwtrace/main.cpp - hwtrace VERB: starts the binary that does it.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <string>
#include <string_view>

#include "cli/exit_code.hpp"
#include "cli/process.hpp"
#include "cli/version.hpp"
#include "io/error.hpp"

namespace {

struct Verb {
    std::string_view name;
    std::string_view what;
};
constexpr std::array verbs{
    Verb{"convert", "a trace in another format"},
    Verb{"diff", "do two traces say the same?"},
    Verb{"dump", "a trace as text"},
    Verb{"info", "what is in a trace"},
    Verb{"merge", "several traces as one, in order of time"},
    Verb{"recover", "a valid trace of a damaged one"},
    Verb{"split", "a trace in pieces"},
    Verb{"validate", "is a trace what its format says it is?"},
};

std::string usage() {
    std::string text =
        "hwtrace reads, writes, converts, dumps and validates hardware traces.\n\nUsage: hwtrace VERB ...\n\n";
    for (const Verb& verb : verbs) {
        std::string line = "  " + std::string(verb.name);
        line.resize(14, ' ');
        text += line + std::string(verb.what) + "\n";
    }
    return text + "\nhwtrace VERB --help tells more; hwtrace-VERB is the same binary.\n";
}

/// The folder that this binary stands in, with a slash at its end; empty where the system does not tell.
std::string own_folder() {
    std::array<char, PATH_MAX> path{};
    const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
    if (size <= 0) return {};
    const std::string_view name(path.data(), static_cast<std::size_t>(size));
    return std::string(name.substr(0, name.rfind('/') + 1));
}

/// Becomes the verb's binary: the one beside this one, else the one that PATH finds. Throws Failure::io.
[[noreturn]] void become(const std::string& binary, char** arguments) {
    std::string name = binary;
    arguments[0] = name.data();
    if (const std::string folder = own_folder(); !folder.empty()) ::execv((folder + binary).c_str(), arguments);
    ::execvp(binary.c_str(), arguments);
    hwtrace::fail_errno(binary, "start it", errno);
}

}  // namespace

int main(int argc, char** argv) {
    using hwtrace::cli::Exit;
    return hwtrace::cli::run("hwtrace", [&] {
        const std::string_view word = argc > 1 ? argv[1] : "";
        if (word == "--help" || word == "-h" || word == "help") {
            std::fputs(usage().c_str(), stdout);
            return Exit::done;
        }
        if (word == "--version") {
            std::printf("hwtrace %s\n", std::string(hwtrace::cli::version()).c_str());
            return Exit::done;
        }
        if (std::any_of(verbs.begin(), verbs.end(), [&](const Verb& verb) { return verb.name == word; }))
            become("hwtrace-" + std::string(word), argv + 1);
        if (!word.empty())
            hwtrace::fail(hwtrace::Failure::usage, "there is no verb '" + std::string(word) + "'; try hwtrace --help");
        std::fputs(usage().c_str(), stderr);
        return Exit::usage;
    });
}
