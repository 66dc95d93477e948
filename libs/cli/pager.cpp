#include "cli/pager.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
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

std::atomic<pid_t> running_pager = -1;  // the pager
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
        ::dup2(pipe[0], STDIN_FILENO);
        ::setenv("LESS", "FRX", 0);  // quit if it fits on a screen, keep colours, leave the text on the screen
        ::setenv("LV", "-c", 0);
        ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
        ::_exit(127);
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
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR)
        continue;
}

}  // namespace hwtrace::cli
