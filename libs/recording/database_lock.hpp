// recording/database_lock.hpp - the lock of one database, also for functions that another database is calling.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace hwtrace::recording::detail {

/// A lock that its thread may take again. Threads that have locks of some databases may wait for those of others in any
/// order: the one that would close a circle of threads that wait for each other for ever does not wait.
class DatabaseLock {
public:
    DatabaseLock() = default;
    DatabaseLock(const DatabaseLock&) = delete;
    DatabaseLock& operator=(const DatabaseLock&) = delete;

    /// False, without the lock, where waiting would be for ever: who has it waits for a lock of this thread, inside a
    /// function that its database is calling. As long as this thread goes on holding that, it may read and write
    /// what this lock protects, as that function may.
    [[nodiscard]] bool lock();
    void unlock() noexcept;

private:
    bool wait_unless_for_ever();

    std::mutex mutex_;
    std::atomic<std::uint64_t> holder_{0};  ///< number of the thread; 0: none
    unsigned depth_ = 0;                    ///< how many times the holder has it
};

}  // namespace hwtrace::recording::detail
