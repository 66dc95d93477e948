// apps/static/main.cpp - all commands in one program, for builds with HWTRACE_STATIC. The name by which it is called
// chooses the command: hwtrace-convert is a symbolic link to it.
#include <array>
#include <string_view>

#include "../commands.hpp"

namespace {

struct Command {
    std::string_view name;
    int (*run)(int argc, char** argv);
};
constexpr std::array commands{
    Command{"hwtrace-convert", hwtrace::apps::convert},   Command{"hwtrace-diff", hwtrace::apps::diff},
    Command{"hwtrace-dump", hwtrace::apps::dump},         Command{"hwtrace-index", hwtrace::apps::index},
    Command{"hwtrace-info", hwtrace::apps::info},         Command{"hwtrace-merge", hwtrace::apps::merge},
#ifdef HWTRACE_SQLITE
    Command{"hwtrace-query", hwtrace::apps::query},
#endif
    Command{"hwtrace-recover", hwtrace::apps::recover},   Command{"hwtrace-record-qemu", hwtrace::apps::record_qemu},
    Command{"hwtrace-serve", hwtrace::apps::serve},       Command{"hwtrace-split", hwtrace::apps::split},
    Command{"hwtrace-validate", hwtrace::apps::validate},
};

}  // namespace

int main(int argc, char** argv) {
    const std::string_view path = argc > 0 ? argv[0] : "";
    const std::string_view name = path.substr(path.rfind('/') + 1);
    for (const Command& command : commands) {
        if (name == command.name) return command.run(argc, argv);
        // Without a second process, so that it works where /proc is not mounted.
        constexpr std::string_view prefix = "hwtrace-";
        if (argc > 1 && argv[1] == command.name.substr(prefix.size())) return command.run(argc - 1, argv + 1);
    }
    return hwtrace::apps::launcher(argc, argv);
}
