#include "cli/pager.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <span>
#include <string_view>

#include "cli/messages.hpp"
#include "cli/terminal.hpp"
#include "io/output.hpp"

namespace hwtrace::cli {

namespace {

/// Returns the command of the pager, or an empty string for none.
std::string pager_command() {
    for (const char* const name : {"HWTRACE_PAGER", "PAGER"})
        if (const char* const command = std::getenv(name)) return std::string_view(command) == "cat" ? "" : command;
    return "less";
}

/// Returns the program of a command of the shell: its first word that assigns no variable, such as less of
/// "LESS=R less".
std::string program_of(std::string_view command) {
    constexpr std::string_view blanks = " \t\n";
    std::string_view word;
    do {
        command.remove_prefix(std::min(command.find_first_not_of(blanks), command.size()));
        word = command.substr(0, command.find_first_of(blanks));
        command.remove_prefix(word.size());
    } while (word.substr(0, word.find('/')).find('=') != std::string_view::npos);
    return std::string(word);
}

/// Returns true if PATH, or the path itself, leads to the program.
bool is_installed(const std::string& program) {
    if (program.empty()) return false;
    if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
    const char* const path = std::getenv("PATH");
    std::string_view left = path == nullptr ? "" : path;
    while (!left.empty()) {
        const std::size_t end = left.find(':');
        if (::access((std::string(left.substr(0, end)) + '/' + program).c_str(), X_OK) == 0) return true;
        left = end == std::string_view::npos ? std::string_view() : left.substr(end + 1);
    }
    return false;
}

extern "C" void end_quietly(int /*signal*/) {
    remove_open_temporaries();
    ::_exit(0);
}

std::atomic<pid_t> running_pager = -1;  // the process that passes the output to the pager
std::atomic<bool> is_ending = false;

/// Ends the command by a signal, as git does: the output ends at once, and the command when the user leaves the pager.
extern "C" void end_after_pager(int signal) {
    if (is_ending.exchange(true)) return;
    remove_open_temporaries();
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
    while (::waitpid(running_pager, nullptr, 0) < 0 && errno == EINTR)
        continue;
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

/// Writes all bytes. Returns false if nobody reads them.
bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

/// Reads some bytes. Returns an empty string at the end.
std::string_view read_some(int descriptor, std::span<char> block) {
    ssize_t count = 0;
    while ((count = ::read(descriptor, block.data(), block.size())) < 0 && errno == EINTR)
        continue;
    return {block.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

/// Waits for the end of a process. Returns true if it ended with exit code 0.
bool succeeds(pid_t process) {
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR)
        continue;
    return status == 0;
}

/// The process between the command and the pager. It shows the output itself if the pager fails before it has read
/// anything, such as a program that does not start.
class Relay {
public:
    Relay(const std::string& command, int input) : command_(command), input_(input) {}

    /// Passes bytes on until the output ends, or the user leaves the pager.
    void run() {
        if (!start()) return show();
        std::array<char, 16u << 10> block{};
        while (true) {
            std::array<pollfd, 2> ends{pollfd{to_pager_[1], POLLOUT, 0}, pollfd{alive_[0], POLLIN, 0}};
            if (pending_.empty()) ends[0] = {input_, POLLIN, 0};
            while (::poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR)
                continue;
            if (ends[1].revents != 0) break;  // the pager has ended
            if (!pending_.empty()) {
                pass();
            } else if (pending_ = read_some(input_, block); pending_.empty()) {
                break;
            } else if (written_ < most_held) {
                held_ += pending_;
            }
        }
        ::close(to_pager_[1]);
        if (!succeeds(pager_) && has_read_nothing()) {
            write_all(STDERR_FILENO, "hwtrace: the pager '" + printable(command_) +
                                         "' failed; set HWTRACE_PAGER to another one, or use --no-pager\n");
            show();
        }
    }

private:
    static constexpr std::size_t most_held = 1u << 20;  // no pipe holds more

    /// Starts the pager. Returns false if that is not possible.
    bool start() {
        if (::pipe2(to_pager_.data(), O_CLOEXEC) != 0 || ::pipe(alive_.data()) != 0) return false;
        pager_ = ::fork();
        if (pager_ == 0) {
            ::dup2(to_pager_[0], STDIN_FILENO);
            ::close(alive_[0]);
            ::setenv("LESS", "FRX", 0);  // quit if it fits on a screen, keep colours, leave the text on the screen
            ::setenv("LV", "-c", 0);
            ::execl("/bin/sh", "sh", "-c", command_.c_str(), nullptr);
            ::_exit(127);
        }
        ::close(alive_[1]);            // the pager alone has it, so that its end is seen
        std::signal(SIGINT, SIG_IGN);  // the pager decides
        std::signal(SIGPIPE, SIG_IGN);
        ::fcntl(to_pager_[1], F_SETFL, O_NONBLOCK);
        return pager_ > 0;
    }
    void pass() {
        const ssize_t count = ::write(to_pager_[1], pending_.data(), pending_.size());
        if (count <= 0) return;
        pending_.remove_prefix(static_cast<std::size_t>(count));
        written_ += static_cast<std::size_t>(count);
    }
    bool has_read_nothing() const {
        int left = 0;
        return ::ioctl(to_pager_[0], FIONREAD, &left) == 0 && static_cast<std::size_t>(left) == written_;
    }
    /// Shows what the pager did not, and the rest.
    void show() {
        std::array<char, 16u << 10> block{};
        for (std::string_view bytes = held_; write_all(STDOUT_FILENO, bytes);)
            if (bytes = read_some(input_, block); bytes.empty()) break;
    }

    const std::string& command_;
    int input_;
    std::array<int, 2> to_pager_{-1, -1}, alive_{-1, -1};
    pid_t pager_ = -1;
    std::string_view pending_;  // read, but not yet written
    std::string held_;          // the first bytes that were read
    std::size_t written_ = 0;
};

}  // namespace

Pager::Pager() {
    if (!is_capable_terminal(STDOUT_FILENO)) return;
    const std::string command = pager_command();
    if (is_installed(program_of(command))) start(command);
}

void Pager::start(const std::string& command) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return;
    const std::string columns = std::to_string(output_columns());
    process_ = ::fork();
    if (process_ == 0) {
        ::close(pipe[1]);
        Relay(command, pipe[0]).run();
        ::_exit(0);
    }
    ::close(pipe[0]);
    if (process_ > 0) {
        std::signal(SIGPIPE, end_quietly);
        running_pager = process_;
        if (std::signal(SIGINT, end_after_pager) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
        ::setenv("COLUMNS", columns.c_str(), 1);
        terminal_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        ::dup2(pipe[1], STDOUT_FILENO);
        if (::isatty(STDERR_FILENO) != 0) {
            messages_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
            ::dup2(pipe[1], STDERR_FILENO);
        }
    }
    ::close(pipe[1]);
}

Pager::~Pager() {
    if (terminal_ < 0) return;
    ::dup2(terminal_, STDOUT_FILENO);
    if (messages_ >= 0) ::dup2(messages_, STDERR_FILENO);
    ::close(terminal_);
    if (messages_ >= 0) ::close(messages_);
    static_cast<void>(succeeds(process_));
}

}  // namespace hwtrace::cli
