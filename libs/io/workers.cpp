#include "io/workers.hpp"

#include <system_error>

#include "io/thread_refusal.hpp"

namespace hwtrace {

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
        tasks_.clear();
    }
    changed_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

bool Workers::give(std::function<void()> task) {
    const std::lock_guard lock(mutex_);
    if (idle_ <= tasks_.size() && threads_.size() < most_) {
        try {
            threads_.emplace_back([this] { run(); });
        } catch (const std::system_error& error) {
            if (!is_thread_refusal(error)) throw;
            report_thread_refusal();
            most_ = threads_.size();
        }
    }
    if (threads_.empty()) return false;
    tasks_.push_back(std::move(task));
    changed_.notify_one();
    return true;
}

bool Workers::do_next(std::unique_lock<std::mutex>& lock) {
    if (tasks_.empty()) return false;
    {
        const std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        task();
    }
    lock.lock();
    return true;
}

void Workers::run() {
    std::unique_lock lock(mutex_);
    while (true) {
        ++idle_;
        changed_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
        --idle_;
        if (!do_next(lock)) return;
    }
}

}  // namespace hwtrace
