#include "cli/follow.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <optional>
#include <utility>

#include "io/error.hpp"

namespace hwtrace::cli {

namespace {

constexpr int milliseconds = 100;

volatile std::sig_atomic_t asked_to_end = 0;

extern "C" void end_following(int) {
    asked_to_end = 1;
}

}  // namespace

Follow::Follow(const Input& input, std::string path) : input_(input), path_(std::move(path)) {
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
    if (!loss_.empty()) return false;
    pollfd output{STDOUT_FILENO, 0, 0};
    if (asked_to_end == 0 && ::poll(&output, 1, milliseconds) < 0 && errno != EINTR)
        fail_errno("standard output", "wait for", errno);
    over_ = asked_to_end != 0 || (output.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
    if (!over_) loss_ = what_is_lost();
    return !over_;
}

std::string Follow::what_is_lost() {
    const std::optional<Input::Identity> there = Input::identity_of(path_);
    if (!there) return "was removed; its records up to then were printed";
    if (there != input_.identity())
        return "was replaced by another file; the records of the followed file were printed";
    const std::uint64_t size = input_.size().value_or(0);
    if (size < largest_) return "was truncated while it was followed";
    largest_ = size;
    return {};
}

}  // namespace hwtrace::cli
