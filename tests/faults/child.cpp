#include "faults/child.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace hwtrace::test {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A file in memory to which a child writes.
class Capture {
public:
    Capture() : descriptor_(::memfd_create("capture", 0)) {
        if (descriptor_ < 0) fail("memfd_create");
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    ~Capture() { ::close(descriptor_); }

    int descriptor() const noexcept { return descriptor_; }
    std::string text() const {
        std::string text;
        std::array<char, 65536> piece{};
        for (off_t at = 0;;) {
            const ssize_t count = ::pread(descriptor_, piece.data(), piece.size(), at);
            if (count <= 0) return text;
            text.append(piece.data(), static_cast<std::size_t>(count));
            at += count;
        }
    }

private:
    int descriptor_;
};

/// Returns the read end of a pipe. Another process writes the generated input to it.
int open_made(const Command& command) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
    const pid_t writer = ::fork();
    if (writer < 0) fail("fork");
    if (writer != 0) {
        ::close(ends[1]);
        return ends[0];
    }
    ::close(ends[0]);
    constexpr std::size_t enough = 1u << 20;
    const std::uint64_t together = enough / command.piece.size() + 1;
    std::string many;
    for (std::uint64_t i = 0; i < together; ++i)
        many.append(command.piece);
    const auto put = [&](std::string_view text) {
        while (!text.empty()) {
            const ssize_t count = ::write(ends[1], text.data(), text.size());
            if (count <= 0) ::_exit(1);
            text.remove_prefix(static_cast<std::size_t>(count));
        }
    };
    put(command.begin);
    for (std::uint64_t left = command.pieces; left > 0;) {
        const std::uint64_t now = std::min(left, together);
        put(std::string_view(many).substr(0, static_cast<std::size_t>(now) * command.piece.size()));
        left -= now;
    }
    ::_exit(0);
}

int open_input(const Command& command) {
    if (command.pieces != 0) return open_made(command);
    if (command.input.empty()) return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (!command.piped) return ::open((command.folder / command.input).c_str(), O_RDONLY | O_CLOEXEC);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
    const std::string content = read_content(command.folder / command.input);
    if (::write(ends[1], content.data(), content.size()) != static_cast<ssize_t>(content.size())) fail("fill a pipe");
    ::close(ends[1]);
    return ends[0];
}

/// Turns the forked child into the command: redirects its streams and calls exec.
[[noreturn]] void become(const Command& command, char* const* arguments, int input, int output, int errors) {
    ::dup2(input, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    // A shell that runs the tests in the background ignores some signals. The child would inherit this.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT})
        std::signal(signal, SIG_DFL);
    for (const auto& [name, value] : command.environment)
        ::setenv(name.c_str(), value.c_str(), 1);
    if (::chdir(command.folder.c_str()) == 0) ::execvp(arguments[0], arguments);
    ::_exit(127);
}

}  // namespace

std::string Ended::text() const {
    if (hung) return "hung";
    return signal != 0 ? "signal " + std::to_string(signal) : "exit " + std::to_string(status);
}

Ended run(const Command& command, std::optional<Blow> blow, double patience) {
    const Capture output, errors;
    std::vector<char*> arguments;
    for (const std::string& argument : command.arguments)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    const int input = open_input(command);
    if (input < 0) fail("open " + command.input.string());
    const int nowhere = command.keeps_output ? -1 : ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    const Clock::time_point begin = Clock::now();
    const pid_t child = ::fork();
    if (child < 0) fail("fork");
    if (child == 0)
        become(command, arguments.data(), input, nowhere < 0 ? output.descriptor() : nowhere, errors.descriptor());
    ::close(input);
    if (nowhere >= 0) ::close(nowhere);

    Ended ended;
    int status = 0;
    struct rusage usage {};
    for (bool struck = false;;) {
        const pid_t gone = ::wait4(child, &status, WNOHANG, &usage);
        if (gone == child) break;
        if (gone < 0 && errno != EINTR) fail("wait");
        const double now = seconds_since(begin);
        if (blow && !struck && now >= blow->seconds) {
            ::kill(child, blow->signal);
            struck = true;
        }
        if (now > patience && !ended.hung) {
            ::kill(child, SIGKILL);
            ended.hung = true;
        }
        // Poll about every 50 microseconds to send the signal at the right time. Without a signal, poll rarely.
        ::usleep(blow && !struck ? 50 : 500);
    }
    if (command.pieces != 0) ::wait(nullptr);  // waits for the process that writes the input
    ended.seconds = seconds_since(begin);
    ended.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    const auto seconds_of = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    ended.busy_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    if (WIFEXITED(status)) ended.status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
    ended.output = output.text();
    ended.errors = errors.text();
    return ended;
}

Content content_of(const fs::path& folder) {
    Content content;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = fs::relative(entry.path(), folder).string();
        if (entry.is_directory())
            content[name + '/'] = "";
        else
            content[name] = read_content(entry.path());
    }
    return content;
}

void make_folder(const fs::path& folder, const Content& content) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const auto& [name, bytes] : content)
        write_content(folder / name, bytes);
}

std::string read_content(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw std::runtime_error(file.string() + " cannot be read");
    return {std::istreambuf_iterator<char>(stream), {}};
}

void write_content(const fs::path& file, const std::string& content) {
    std::ofstream stream(file, std::ios::binary);
    stream << content;
    stream.flush();
    if (!stream) throw std::runtime_error(file.string() + " cannot be written");
}

}  // namespace hwtrace::test
