// io/task.hpp - runs work on another thread, or in the calling thread if the system allows no further thread.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <system_error>
#include <utility>

namespace hwtrace {

/// Returns true if the error says that the system allows no further thread.
bool is_thread_refusal(const std::system_error& error) noexcept;
/// Calls the function of on_thread_refusal(), for the first refusal only.
void report_thread_refusal();
/// Sets the function that is called when the system refuses a thread for the first time. Any thread may call it.
void on_thread_refusal(std::function<void()> listener);

/// Starts `work` on a new thread and returns its result. If the system allows no further thread, the work is done in
/// the thread that calls get() or wait().
template <typename Work>
auto start_task(Work work) {
    const auto shared = std::make_shared<Work>(std::move(work));
    const auto call = [shared] { return (*shared)(); };
    try {
        return std::async(std::launch::async, call);
    } catch (const std::system_error& error) {
        if (!is_thread_refusal(error)) throw;
        report_thread_refusal();
        return std::async(std::launch::deferred, call);
    }
}

}  // namespace hwtrace
