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
    [[nodiscard]] bool lock();
    void unlock() noexcept;

private:
    bool wait_unless_for_ever();

    std::mutex mutex_;
    std::atomic<std::uint64_t> holder_{0};  ///< id of the thread that holds the lock; 0: none
    unsigned depth_ = 0;                    ///< how often the holder has taken the lock
};

}  // namespace hwtrace::recording::detail
