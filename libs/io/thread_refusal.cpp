#include "io/thread_refusal.hpp"

#include <mutex>
#include <utility>

namespace hwtrace {

namespace {

struct Refusals {
    std::mutex mutex;
    std::function<void()> listener;
    bool is_reported = false;
};

Refusals& refusals() {
    static Refusals state;
    return state;
}

}  // namespace

bool is_thread_refusal(const std::system_error& error) noexcept {
    return error.code() == std::errc::resource_unavailable_try_again;
}

void report_thread_refusal() {
    Refusals& state = refusals();
    const std::lock_guard lock(state.mutex);
    if (!std::exchange(state.is_reported, true) && state.listener) state.listener();
}

void on_thread_refusal(std::function<void()> listener) {
    Refusals& state = refusals();
    const std::lock_guard lock(state.mutex);
    state.listener = std::move(listener);
    state.is_reported = false;
}

}  // namespace hwtrace
