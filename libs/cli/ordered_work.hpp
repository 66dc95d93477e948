// cli/ordered_work.hpp - runs work on several threads and takes the results in order.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "io/thread_refusal.hpp"

namespace hwtrace::cli {

/// Calls `make(i)` for each i below `count` on `threads` threads, and `take(result)` in the calling thread, in order of
/// i. With one thread, or if the system allows no other, the calling thread does everything. At most 2 * threads
/// results wait to be taken. An exception from `make` is rethrown when its result would be taken, an exception from
/// `take` at once. Either one stops further work.
template <typename Make, typename Take>
void work_in_order(std::size_t count, unsigned threads, Make&& make, Take&& take) {
    if (threads <= 1 || count <= 1) {
        for (std::size_t i = 0; i < count; ++i)
            take(make(i));
        return;
    }
    using Result = decltype(make(std::size_t{}));
    struct Done {
        std::optional<Result> result;
        std::exception_ptr error;
    };
    std::mutex mutex;
    std::condition_variable changed;
    std::map<std::size_t, Done> done;
    std::size_t next = 0, taken = 0;
    bool stopped = false;
    const std::size_t most_waiting = 2 * static_cast<std::size_t>(threads);

    const auto work = [&] {
        std::unique_lock lock(mutex);
        while (true) {
            changed.wait(lock, [&] { return stopped || next >= count || next < taken + most_waiting; });
            if (stopped || next >= count) return;
            const std::size_t i = next++;
            lock.unlock();
            Done made;
            try {
                made.result.emplace(make(i));
            } catch (...) {
                made.error = std::current_exception();
            }
            lock.lock();
            done.emplace(i, std::move(made));
            changed.notify_all();
        }
    };
    std::vector<std::jthread> workers;
    struct Stop {
        std::mutex& mutex;
        std::condition_variable& changed;
        bool& stopped;
        ~Stop() {
            const std::lock_guard lock(mutex);
            stopped = true;
            changed.notify_all();
        }
    };
    const Stop stop{mutex, changed, stopped};  // stops the workers before they are joined, also after an exception
    for (std::size_t i = 0; i < std::min<std::size_t>(threads, count); ++i) {
        try {
            workers.emplace_back(work);
        } catch (const std::system_error& error) {
            if (!is_thread_refusal(error)) throw;
            report_thread_refusal();
            break;
        }
    }
    if (workers.empty()) {
        for (std::size_t i = 0; i < count; ++i)
            take(make(i));
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return done.contains(i); });
        Done ready = std::move(done.extract(i).mapped());
        taken = i + 1;
        changed.notify_all();
        lock.unlock();
        if (ready.error) std::rethrow_exception(ready.error);
        take(std::move(*ready.result));
    }
}

}  // namespace hwtrace::cli
