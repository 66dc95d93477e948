// io/work_behind.hpp - works on items in a thread of its own, behind the thread that gives them.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include "io/hand_over.hpp"
#include "io/thread_refusal.hpp"

namespace hwtrace {

/// Calls a function for each item, in the order in which they are given: in another thread, or in the calling one if
/// the system allows no other. The thread starts with the first item. An error of the function is thrown by the next
/// give(), or by finish() at the latest, and by all calls after it.
template <typename Item>
class WorkBehind {
public:
    /// At most 8 items, and no more than `most_bytes` unless it is one item, wait for `work`.
    WorkBehind(std::size_t most_bytes, std::function<void(Item&)> work) : work_(std::move(work)), queue_(most_bytes) {}
    WorkBehind(const WorkBehind&) = delete;
    WorkBehind& operator=(const WorkBehind&) = delete;
    /// Drops the items on which no work has begun.
    ~WorkBehind() { halt(); }

    /// Makes give() call the function itself. Call it before the first give().
    void stay_in_caller() noexcept { is_decided_ = true; }
    /// Exchanges `item`, of `bytes` bytes, for a used one. Waits until there is room.
    void give(Item& item, std::size_t bytes) {
        if (!std::exchange(is_decided_, true)) start();
        if (thread_.joinable()) {
            if (queue_.give(item, bytes)) return;
            thread_.join();
        }
        if (error_) std::rethrow_exception(error_);
        work_(item);
    }
    /// Waits for the work on all items. give() must not follow.
    void finish() {
        queue_.end();
        if (thread_.joinable()) thread_.join();
        if (error_) std::rethrow_exception(error_);
    }

private:
    void start() {
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error& error) {
            if (!is_thread_refusal(error)) throw;
            report_thread_refusal();
        }
    }
    void halt() {
        stops_ = true;
        queue_.close();
        if (thread_.joinable()) thread_.join();
    }
    void run() {
        try {
            Item item;
            while (!stops_ && queue_.take(item))
                work_(item);
        } catch (...) {
            error_ = std::current_exception();
            queue_.close();
        }
    }

    const std::function<void(Item&)> work_;
    HandOver<Item> queue_;
    std::exception_ptr error_;  // of the thread; set when it ends early
    std::atomic<bool> stops_ = false;
    bool is_decided_ = false;  // which thread works
    std::thread thread_;
};

}  // namespace hwtrace
