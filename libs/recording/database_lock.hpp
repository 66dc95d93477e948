// recording/database_lock.hpp - a lock for one database that avoids deadlocks between databases.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace hwtrace::recording::detail {

/// A recursive lock. Threads may hold the locks of some databases and wait for other locks in any order. If waiting
/// would deadlock, lock() returns without waiting.
class DatabaseLock {
public:
    DatabaseLock() = default;
    DatabaseLock(const DatabaseLock&) = delete;
    DatabaseLock& operator=(const DatabaseLock&) = delete;

    /// Takes the lock. Returns false, without the lock, if waiting would never end: a callback of the holder waits for
    /// a lock that this thread holds. As long as this thread keeps that lock, the holder cannot proceed. This thread
    /// may therefore access the data that this lock protects.
    [[nodiscard]] bool lock() {
        ThisThread& self = this_thread;
        if (self.number == 0) [[unlikely]]
            self.number = next_number();
        if (holder_.load(std::memory_order_relaxed) != self.number) {
            if (self.locks == 0)
                mutex_.lock();  // no other thread can wait for this thread
            else if (!mutex_.try_lock() && !wait_unless_for_ever())
                return false;
            holder_.store(self.number, std::memory_order_relaxed);
        }
        ++depth_;
        ++self.locks;
        return true;
    }
    void unlock() noexcept {
        --this_thread.locks;
        if (--depth_ != 0) return;
        holder_.store(0, std::memory_order_relaxed);
        mutex_.unlock();
    }

private:
    struct ThisThread {
        std::uint64_t number = 0;  ///< 0: not assigned yet
        unsigned locks = 0;        ///< number of locks that the thread holds
    };
    // "initial-exec" saves the call of a function per access. glibc has room for it in libraries that are loaded later.
    [[gnu::tls_model("initial-exec")]] static constinit thread_local ThisThread this_thread;

    static std::uint64_t next_number() noexcept;
    bool wait_unless_for_ever();

    std::mutex mutex_;
    std::atomic<std::uint64_t> holder_{0};  ///< id of the thread that holds the lock; 0: none
    unsigned depth_ = 0;                    ///< how often the holder has taken the lock
};

}  // namespace hwtrace::recording::detail
