#include "cli/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <system_error>

#include "cli/messages.hpp"
#include "cli/plugins.hpp"
#include "cli/version.hpp"
#include "io/output.hpp"

namespace hwtrace::cli {

namespace {

extern "C" void clean_up_and_die(int signal) {
    remove_open_temporaries();
    erase_status();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void install_signal_handlers() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN)
            continue;  // ignored signals stay ignored (nohup)
        action = {};
        action.sa_handler = clean_up_and_die;
        action.sa_flags = static_cast<int>(SA_NODEFER | SA_RESETHAND);
        sigaction(signal, &action, nullptr);
    }
    std::signal(SIGXFSZ, SIG_IGN);  // makes write() fail at a file size limit
}

// Opens /dev/null for each closed standard stream. Otherwise the next opened file would get the descriptor of that
// stream, and messages would be written to a trace.
void occupy_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0) continue;
        // Open it in the wrong direction, so that every use fails.
        const int number = ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (number >= 0 && number != stream) ::close(number);
    }
}

int end(std::string_view tool, Exit code, std::string_view message) noexcept {
    try {
        Messages(tool, Volume::normal, Colour::off).error("", message);
    } catch (const std::exception&) {
        std::fputs("hwtrace: out of memory\n", stderr);
    }
    return static_cast<int>(code);
}

}  // namespace

int run(std::string_view tool, const std::function<Exit()>& work) noexcept {
    occupy_standard_streams();
    install_signal_handlers();
    std::string message;
    try {
        try {
            return static_cast<int>(work());
        } catch (const Error& error) {
            if (error.failure() != Failure::internal) return end(tool, exit_of(error.failure()), error.what());
            message = error.what();
        } catch (const std::bad_alloc&) {
            return end(tool, Exit::limit, "not enough memory; lower --max-block or -j");
        } catch (const std::exception& error) {
            message = error.what();
        } catch (...) {
            message = "an exception of an unknown type";
        }
        if (has_plugins())
            return end(tool, Exit::usage,
                       fmt::format("{}; a plug-in may have thrown this. If it also happens without HWTRACE_PLUGINS, it "
                                   "is a bug in hwtrace {}: please report it",
                                   message, version()));
        return end(tool, Exit::bug,
                   fmt::format("{}; this is a bug in hwtrace {}: please report it with the command line and the input.",
                               message, version()));
    } catch (const std::exception&) {
        return end(tool, Exit::limit, "not enough memory");
    }
}

void flush_standard_output() {
    std::cout.flush();
    const int reason = errno;
    if (!std::cout)
        fail(Failure::io, "<stdout>: cannot write: " + std::system_category().message(reason != 0 ? reason : EIO));
}

}  // namespace hwtrace::cli
