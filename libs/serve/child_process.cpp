#include "serve/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>

#include "io/descriptor.hpp"
#include "io/error.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every system's unistd.h declares it

namespace hwtrace {

namespace {

constexpr std::size_t most_messages = 64u << 10;
constexpr int child_tick_milliseconds = 100;

struct Pipe {
    Descriptor reads, writes;
};

Pipe make_pipe(const std::string& command) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail_errno(command, "start it", errno);
    return {Descriptor{ends[0]}, Descriptor{ends[1]}};
}

/// The attributes and file actions of posix_spawn.
class Spawning {
public:
    Spawning(int output, int messages) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, messages, STDERR_FILENO);
        posix_spawnattr_init(&attributes_);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        // A group of its own: an interrupt of the terminal reaches the server only, which ends the group.
        posix_spawnattr_setpgroup(&attributes_, 0);
        posix_spawnattr_setflags(
            &attributes_, static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
    }
    Spawning(const Spawning&) = delete;
    Spawning& operator=(const Spawning&) = delete;
    ~Spawning() {
        posix_spawn_file_actions_destroy(&actions_);
        posix_spawnattr_destroy(&attributes_);
    }

    pid_t start(const std::vector<std::string>& arguments) {
        std::vector<char*> pointers;
        for (const std::string& argument : arguments)
            pointers.push_back(const_cast<char*>(argument.c_str()));  // posix_spawn does not change them
        pointers.push_back(nullptr);
        pid_t process = -1;
        const int error = ::posix_spawnp(&process, pointers[0], &actions_, &attributes_, pointers.data(), environ);
        if (error != 0) fail_errno(arguments[0], "start it", error);
        return process;
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

/// A started process, which is killed and collected at the latest when this object is destroyed.
class Child {
public:
    explicit Child(pid_t process) noexcept : process_(process) {}
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        if (process_ < 0) return;
        kill();
        wait();
    }
    void kill() const noexcept { ::kill(-process_, SIGKILL); }
    /// Returns the status of waitpid().
    int wait() noexcept {
        int status = 0;
        while (::waitpid(process_, &status, 0) < 0 && errno == EINTR)
            continue;
        process_ = -1;
        return status;
    }

private:
    pid_t process_;
};

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, std::chrono::milliseconds time_limit,
                      const std::function<bool(std::string_view)>& take, const std::function<bool()>& is_abandoned) {
    using End = ChildResult::End;
    const auto deadline = std::chrono::steady_clock::now() + time_limit;
    Pipe output = make_pipe(arguments[0]), messages = make_pipe(arguments[0]);
    Child child(Spawning(output.writes.get(), messages.writes.get()).start(arguments));
    output.writes.close();
    messages.writes.close();
    ChildResult result;
    std::string block(64u << 10, '\0');
    std::array<pollfd, 2> ready{{{output.reads.get(), POLLIN, 0}, {messages.reads.get(), POLLIN, 0}}};
    while (result.end == End::exited && (ready[0].fd >= 0 || ready[1].fd >= 0)) {
        if (::poll(ready.data(), ready.size(), child_tick_milliseconds) < 0) {
            if (errno != EINTR) fail_errno(arguments[0], "read from it", errno);
            ready[0].revents = ready[1].revents = 0;  // those of the call before: reading could block
        }
        for (pollfd& stream : ready) {
            if (stream.fd < 0 || stream.revents == 0) continue;
            const ssize_t count = ::read(stream.fd, block.data(), block.size());
            if (count < 0 && errno == EINTR) continue;
            const bool is_output = &stream == ready.data();
            const std::string_view bytes(block.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
            if (bytes.empty())
                stream.fd = -1;  // poll() ignores it from now on
            else if (is_output && !take(bytes))
                result.end = End::stopped;
            else if (!is_output)
                result.messages.append(
                    bytes.substr(0, most_messages - std::min(most_messages, result.messages.size())));
        }
        if (result.end == End::exited && std::chrono::steady_clock::now() > deadline) result.end = End::timed_out;
        if (result.end == End::exited && is_abandoned()) result.end = End::abandoned;
    }
    if (result.end != End::exited) child.kill();
    const int status = child.wait();
    if (WIFEXITED(status))
        result.status = WEXITSTATUS(status);
    else if (result.end == End::exited)
        result.end = End::killed;
    return result;
}

std::string sibling_command(const std::string& name) {
    std::array<char, PATH_MAX> path{};
    const ssize_t size = ::readlink("/proc/self/exe", path.data(), path.size());
    if (size <= 0) return name;
    std::string command(path.data(), static_cast<std::size_t>(size));
    command.resize(command.rfind('/') + 1);
    command += name;
    return ::access(command.c_str(), X_OK) == 0 ? command : name;
}

}  // namespace hwtrace
