// apps/record-qemu/command.cpp - hwtrace-record-qemu: runs a RISC-V program in QEMU and records an STF trace of it.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../commands.hpp"
#include "cli/command_line.hpp"
#include "cli/process.hpp"
#include "cli/version.hpp"
#include "cli/version_report.hpp"
#include "codec/format.hpp"
#include "formats.hpp"
#include "io/error.hpp"

namespace {

using namespace hwtrace;
using namespace hwtrace::cli;

constexpr std::string_view tool = "hwtrace-record-qemu";

constexpr std::string_view what =
    "Runs a RISC-V Linux program in QEMU and records an STF trace of it.\n"
    "The trace has every instruction with its memory accesses, and every thread. It has no register values, because\n"
    "QEMU 7.2 does not give them to plugins.";

constexpr std::string_view examples =
    "Examples:\n"
    "  hwtrace-record-qemu -o sort.zstf -- ./sort 1000\n"
    "  hwtrace-record-qemu -o kernel.zstf --from kernel --stop -- ./program\n"
    "  hwtrace-record-qemu -o late.zstf --skip 100000000 --limit 1M -- ./program\n\n"
    "Exit codes: 0 or that of the program, 2 usage error, 5 the trace cannot be written, 70 a bug in hwtrace.";

struct RecordOptions {
    std::vector<std::string> program;
    std::string output, from, to, qemu, sysroot, plugin;
    std::optional<std::uint64_t> skip, limit;
    std::uint64_t chunk = 100'000, level = 1;
    bool force = false, stop = false, quiet = false, version = false;
};

/// The words of the target machine in an ELF header.
enum class Machine { rv32, rv64 };

/// Returns the machine of a program. Throws Failure::usage if it is not a RISC-V program.
Machine machine_of(const std::string& program) {
    std::array<unsigned char, 20> head{};
    const int file = ::open(program.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : ::read(file, head.data(), head.size());
    const int why = errno;
    if (file >= 0) ::close(file);
    if (size < 0) fail(Failure::usage, program + ": cannot be read: " + std::strerror(why));
    constexpr unsigned char little_endian = 1, class_32 = 1;
    constexpr unsigned riscv = 243;
    const bool is_elf = size == static_cast<ssize_t>(head.size()) && std::memcmp(head.data(), "\177ELF", 4) == 0;
    const unsigned machine = head[18] | static_cast<unsigned>(head[19]) << 8;
    if (!is_elf || head[5] != little_endian || machine != riscv)
        fail(Failure::usage,
             program + ": is not a RISC-V Linux program; compile it with a compiler such as riscv64-linux-gnu-gcc");
    return head[4] == class_32 ? Machine::rv32 : Machine::rv64;
}

/// Returns the file `name` in the folders of PATH, or an empty string.
std::string find_in_path(const std::string& name) {
    const char* const path = ::getenv("PATH");
    std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string file = std::string(rest.substr(0, end)) + "/" + name;
        if (::access(file.c_str(), X_OK) == 0) return file;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

std::string qemu_for(const RecordOptions& options, Machine machine) {
    if (!options.qemu.empty()) return options.qemu;
    const std::string name = machine == Machine::rv32 ? "qemu-riscv32" : "qemu-riscv64";
    const std::string found = find_in_path(name);
    if (found.empty())
        fail(Failure::usage, name + " is not installed (Debian: qemu-user), and --qemu names no other program");
    return found;
}

/// Returns the plugin, which is installed at a fixed place relative to this program.
std::string plugin_file(const RecordOptions& options) {
    if (!options.plugin.empty()) return options.plugin;
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::filesystem::path file = (here / HWTRACE_QEMU_PLUGIN).lexically_normal();
    if (!std::filesystem::exists(file))
        fail(Failure::usage, "the QEMU plugin " + file.string() + " is missing; --plugin names another place");
    return file.string();
}

/// Returns the first three numbers in the output of `qemu --version`; zeros if it cannot be run.
std::array<unsigned, 3> version_of(const std::string& qemu) {
    std::array<unsigned, 3> version{};
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return version;
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::execl(qemu.c_str(), qemu.c_str(), "--version", static_cast<char*>(nullptr));
        ::_exit(127);
    }
    ::close(ends[1]);
    FILE* const from = ::fdopen(ends[0], "r");
    std::array<char, 256> line{};
    const bool has_line = std::fgets(line.data(), static_cast<int>(line.size()), from) != nullptr;
    std::fclose(from);
    if (child > 0) ::waitpid(child, nullptr, 0);
    const char* const number = std::strstr(line.data(), "version ");
    if (has_line && number != nullptr)
        static_cast<void>(
            std::sscanf(number, "version %3u.%3u.%3u", version.data(), version.data() + 1, version.data() + 2));
    return version;
}

/// Appends ",key=value" to the plugin's arguments. QEMU reads a doubled comma as a comma.
void append_argument(std::string& arguments, std::string_view key, std::string_view value) {
    arguments.append(",").append(key).append("=");
    for (const char c : value)
        arguments.append(c == ',' ? 2 : 1, c);
}

std::string plugin_arguments(const RecordOptions& options, const std::string& qemu) {
    std::string arguments;
    for (const char c : plugin_file(options))
        arguments.append(c == ',' ? 2 : 1, c);
    const auto number = [&](std::string_view key, std::uint64_t value) {
        append_argument(arguments, key, std::to_string(value));
    };
    // The program may change its folder; messages name the trace as the user does.
    append_argument(arguments, "out", std::filesystem::absolute(options.output).string());
    append_argument(arguments, "name", options.output);
    if (!options.from.empty()) append_argument(arguments, "from", options.from);
    if (!options.to.empty()) append_argument(arguments, "to", options.to);
    if (options.skip) number("skip", *options.skip);
    if (options.limit) number("limit", *options.limit);
    number("chunk", options.chunk);
    number("level", options.level);
    number("replace", options.force ? 1 : 0);
    number("stop", options.stop ? 1 : 0);
    number("quiet", options.quiet ? 1 : 0);
    const auto [major, minor, patch] = version_of(qemu);
    number("major", major);
    number("minor", minor);
    number("patch", patch);
    append_argument(arguments, "comment", std::string(tool) + " " + std::string(version()));
    return arguments;
}

/// Throws Failure::usage for an address that is no hexadecimal number.
void check_place(std::string_view option, const std::string& place) {
    if (!place.starts_with("0x")) return;
    if (place.size() > 2 && place.size() <= 18 &&
        place.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos)
        return;
    fail(Failure::usage, std::string(option) + " takes a function or an address such as 0x10400, not " + place);
}

/// Checks what can be checked before the program runs.
void check(const RecordOptions& options) {
    if (options.program.empty()) fail(Failure::usage, "a program is needed: hwtrace-record-qemu -o FILE -- PROGRAM");
    if (options.output.empty()) fail(Failure::usage, "an output is needed: -o FILE");
    const Format* const format = format_by_extension(formats(), options.output);
    if (format == nullptr || format->name != "stf")
        fail(Failure::usage,
             options.output + ": the recorder writes STF; name the output .zstf, .stf, .stf.gz, .stf.zst or .stf.xz");
    if (options.level < 1 || options.level > 19) fail(Failure::usage, "--level takes 1 to 19");
    if (options.chunk == 0) fail(Failure::usage, "--chunk takes at least 1");
    check_place("--from", options.from);
    check_place("--to", options.to);
    if (!options.force && ::access(options.output.c_str(), F_OK) == 0)
        fail(Failure::usage, options.output + ": exists; --force replaces it");
    const std::string folder = std::filesystem::absolute(options.output).parent_path().string();
    if (::access(folder.c_str(), W_OK) != 0)
        fail(Failure::io, options.output + ": the folder cannot be written: " + std::strerror(errno));
}

/// Returns the temporary files of the output.
std::set<std::filesystem::path> temporaries(const std::string& output) {
    const std::filesystem::path file = std::filesystem::absolute(output);
    const std::string prefix = "." + file.filename().string() + ".hwtrace-";
    std::set<std::filesystem::path> found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(file.parent_path(), ignored))
        if (entry.path().filename().string().starts_with(prefix)) found.insert(entry.path());
    return found;
}

pid_t child = 0;  // QEMU; signal handlers pass signals on to it

void pass_on(int signal) {
    if (child > 0) ::kill(child, signal);
}

/// Ends this process as its child has ended.
[[noreturn]] void end_like(int status) {
    if (WIFSIGNALED(status)) {
        ::signal(WTERMSIG(status), SIG_DFL);
        ::raise(WTERMSIG(status));
    }
    ::_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/// Runs QEMU, waits for it, and ends like it. Nothing in QEMU cleans up when a signal ends the program, so the
/// temporary file is removed here.
[[noreturn]] void run_and_end(const RecordOptions& options, const std::string& qemu, char* const* arguments) {
    const std::set<std::filesystem::path> before = temporaries(options.output);
    child = ::fork();
    if (child < 0) fail(Failure::io, "no process can be started: " + std::string(std::strerror(errno)));
    if (child == 0) {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
            ::signal(signal, SIG_DFL);
        ::execv(qemu.c_str(), arguments);
        std::fprintf(stderr, "%s: %s: cannot be run: %s\n", tool.data(), qemu.c_str(), std::strerror(errno));
        ::_exit(static_cast<int>(Exit::usage));
    }
    for (const int signal : {SIGTERM, SIGHUP})
        ::signal(signal, pass_on);
    ::signal(SIGINT, SIG_IGN);  // the terminal sends it to the program, too
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    for (const std::filesystem::path& file : temporaries(options.output))
        if (!before.contains(file)) ::unlink(file.c_str());
    if (WIFSIGNALED(status)) {
        const bool remains = ::access(options.output.c_str(), F_OK) == 0;
        std::fprintf(stderr, "%s: warning: %s: the program was ended by signal %d; %s\n", tool.data(),
                     options.output.c_str(), WTERMSIG(status),
                     remains ? "the trace ends with the last whole chunk before it"
                             : "there is no trace, because no chunk was complete; try a smaller --chunk and .zstf");
    }
    end_like(status);
}

/// Runs the program in QEMU.
[[noreturn]] void start(const RecordOptions& options) {
    const Machine machine = machine_of(options.program.front());
    const std::string qemu = qemu_for(options, machine);
    std::string sysroot = options.sysroot;
    const std::string of_compiler = machine == Machine::rv32 ? "/usr/riscv32-linux-gnu" : "/usr/riscv64-linux-gnu";
    if (sysroot.empty() && std::filesystem::is_directory(of_compiler)) sysroot = of_compiler;

    std::vector<std::string> words{qemu, "-plugin", plugin_arguments(options, qemu)};
    if (!options.from.empty() || !options.to.empty())
        words.insert(words.end(), {"-d", "plugin", "-D", "/dev/null"});  // QEMU then reads the program's symbols
    if (!sysroot.empty()) words.insert(words.end(), {"-L", sysroot});
    words.insert(words.end(), options.program.begin(), options.program.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (::access(qemu.c_str(), X_OK) != 0) fail(Failure::usage, qemu + ": cannot be run: " + std::strerror(errno));
    run_and_end(options, qemu, arguments.data());
}

}  // namespace

int hwtrace::apps::record_qemu(int argc, char** argv) {
    return run(tool, [&] {
        RecordOptions options;
        CommandLine line(tool, what, examples);
        line.positionals("PROGRAM", options.program, "After --: the program and its arguments");

        line.group("Output");
        line.option("-o,--output", "FILE", options.output,
                    "The trace: .zstf, which can be read while it grows, or .stf, .stf.gz, .stf.zst, .stf.xz");
        line.flag("-f,--force", options.force, "Replaces the output if it exists");
        line.count("--chunk", options.chunk, "Instructions per chunk of a ZSTF file (100000)");
        line.count("--level", options.level, "Level of the compression, 1 to 19 (1)");

        line.group("Region");
        line.option("--from", "PLACE", options.from,
                    "Starts when the program enters PLACE: a function, or an address such as 0x10400");
        line.option("--to", "PLACE", options.to, "Ends before the program enters PLACE");
        line.count("--skip", options.skip, "Leaves out the first instructions");
        line.count("--limit", options.limit, "Records at most this many instructions");
        line.flag("--stop", options.stop, "Ends the program when the region is recorded");

        line.group("QEMU");
        line.option("--qemu", "FILE", options.qemu, "Runs this QEMU instead of qemu-riscv64 or qemu-riscv32");
        line.option("--sysroot", "FOLDER", options.sysroot,
                    "Libraries of dynamic programs (/usr/riscv64-linux-gnu, if it exists)");
        line.option("--plugin", "FILE", options.plugin, "Uses this plugin instead of the installed one");

        line.group("Common");
        line.flag("-q,--quiet", options.quiet, "Prints errors only");
        line.flag("--version", options.version, "Prints the version");
        line.essentials({"--output", "--force", "--from", "--to", "--skip", "--limit", "--stop", "--chunk", "--quiet"});
        if (const auto exit = line.parse(argc, argv)) return *exit;
        if (options.version) {
            std::cout << version_text(tool);
            return Exit::done;
        }
        check(options);
        start(options);
    });
}
