// recording/database_lock.hpp - the lock of one database, which avoids deadlocks between databases.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace hwtrace::recording::detail {

/// A recursive lock. Threads may hold locks of some databases and wait for others in any order. If waiting would close
/// a circle of threads, the call returns without waiting.
class DatabaseLock {
public:
    DatabaseLock() = default;
    DatabaseLock(const DatabaseLock&) = delete;
    DatabaseLock& operator=(const DatabaseLock&) = delete;

    /// Takes the lock. Returns false, without the lock, if waiting would never end: the holder waits for a lock of this
    /// thread, inside a function that its database is calling. As long as this thread keeps that lock, it may access
    /// the data of this lock, because the holder cannot proceed.
    [[nodiscard]] bool lock();
    void unlock() noexcept;

private:
    bool wait_unless_for_ever();

    std::mutex mutex_;
    std::atomic<std::uint64_t> holder_{0};  ///< number of the holding thread; 0: none
    unsigned depth_ = 0;                    ///< how often the holder has taken it
};

}  // namespace hwtrace::recording::detail
