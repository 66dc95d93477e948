// io/thread_refusal.hpp - what to do if the system allows no further thread: the calling thread does the work.
#pragma once

#include <functional>
#include <system_error>

namespace hwtrace {

/// Returns true if the error says that the system allows no further thread.
bool is_thread_refusal(const std::system_error& error) noexcept;
/// Calls the function of on_thread_refusal(), for the first refusal only.
void report_thread_refusal();
/// Sets the function that is called when the system refuses a thread for the first time. Any thread may call it.
void on_thread_refusal(std::function<void()> listener);

}  // namespace hwtrace
