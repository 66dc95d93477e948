// io/workers.hpp - threads that do pieces of work, such as compressing a block.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace hwtrace {

/// Threads that do pieces of work, in the order in which the work is given. A thread starts when all others are busy,
/// and then waits for more work, because starting one takes longer than most pieces of work. The caller of result()
/// works, too, while it waits, so J - 1 threads suffice for J jobs.
class Workers {
public:
    /// Starts up to `most` threads, at least one.
    explicit Workers(unsigned most) noexcept : most_(most > 0 ? most : 1) {}
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    /// Waits for the work that has begun, and drops the rest, whose futures then have the error broken_promise. Declare
    /// the workers behind everything that their work uses.
    ~Workers();

    /// Does `work`, and returns its result or its exception. If the system allows no thread at all, the thread that
    /// calls get() or wait() does the work.
    template <typename Work>
    auto start(Work work) {
        using Result = std::invoke_result_t<Work&>;
        const auto task = std::make_shared<std::packaged_task<Result()>>(std::move(work));
        std::future<Result> future = task->get_future();
        if (give([task] { (*task)(); })) return future;
        return std::async(std::launch::deferred, [task, future = std::move(future)]() mutable {
            (*task)();
            return future.get();
        });
    }

    /// Returns the result of start(), or rethrows its exception. Until the result is ready, the calling thread does
    /// work that no thread has begun, and ends what it has begun. Work may wait for work that was started before it,
    /// but it must not call result().
    template <typename Future>
    decltype(auto) result(Future& future) {
        {
            std::unique_lock lock(mutex_);
            while (future.wait_for(std::chrono::seconds(0)) == std::future_status::timeout && do_next(lock)) {
            }
        }
        return future.get();
    }

private:
    /// Does the next piece of work, with `lock` open meanwhile. Returns false if there is none.
    bool do_next(std::unique_lock<std::mutex>& lock);
    /// Returns false if there is no thread.
    bool give(std::function<void()> task);
    void run();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> tasks_;
    std::size_t most_, idle_ = 0;
    bool ends_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace hwtrace
