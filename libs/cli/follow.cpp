#include "cli/follow.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

constexpr int milliseconds = 100;

volatile std::sig_atomic_t asked_to_end = 0;

extern "C" void end_following(int) {
    asked_to_end = 1;
}

}  // namespace

Follow::Follow() {
    asked_to_end = 0;
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        action = {};
        action.sa_handler = end_following;
        action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
        sigaction(signal, &action, nullptr);
    }
}

Follow::~Follow() {
    for (const int signal : {SIGINT, SIGTERM}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == end_following)
            std::signal(signal, SIG_DFL);
    }
}

bool Follow::wait() {
    pollfd output{STDOUT_FILENO, 0, 0};
    if (asked_to_end == 0 && ::poll(&output, 1, milliseconds) < 0 && errno != EINTR)
        fail_errno("standard output", "wait for", errno);
    over_ = asked_to_end != 0 || (output.revents & (POLLERR | POLLHUP)) != 0;
    return !over_;
}

}  // namespace hwtrace::cli
