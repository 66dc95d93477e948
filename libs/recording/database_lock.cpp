#include "database_lock.hpp"

namespace hwtrace::recording::detail {

namespace {

/// A thread that holds locks and waits for another one.
struct Waiting {
    std::uint64_t thread;
    const DatabaseLock* lock;
    Waiting* next;
};

// Constant-initialised and never destroyed, because a database may be a global object.
constinit std::mutex waiting_mutex;
constinit Waiting* waiting = nullptr;

constinit std::atomic<std::uint64_t> threads{0};

const DatabaseLock* awaited_by(std::uint64_t thread) noexcept {
    for (const Waiting* one = waiting; one != nullptr; one = one->next)
        if (one->thread == thread) return one->lock;
    return nullptr;
}

}  // namespace

[[gnu::tls_model("initial-exec")]] constinit thread_local DatabaseLock::ThisThread DatabaseLock::this_thread;

std::uint64_t DatabaseLock::next_number() noexcept {
    return ++threads;
}

// Returns false if waiting would close a cycle of waiting threads. A thread adds itself to the list before it waits.
// The last thread of a cycle therefore finds all other threads of the cycle in the list: each holds the lock that its
// predecessor waits for. The list's mutex makes their earlier writes to holder_ visible. A listed thread that has
// received its lock meanwhile is not part of a cycle, because it is the holder of that lock.
bool DatabaseLock::wait_unless_for_ever() {
    Waiting self{this_thread.number, this, nullptr};
    {
        const std::lock_guard<std::mutex> guard(waiting_mutex);
        for (const DatabaseLock* awaited = this; awaited != nullptr;) {
            const std::uint64_t holder = awaited->holder_.load(std::memory_order_relaxed);
            if (holder == self.thread) return false;
            const DatabaseLock* const next = awaited_by(holder);
            if (next == awaited) break;
            awaited = next;
        }
        self.next = waiting;
        waiting = &self;
    }
    mutex_.lock();
    const std::lock_guard<std::mutex> guard(waiting_mutex);
    Waiting** link = &waiting;
    while (*link != &self)
        link = &(*link)->next;
    *link = self.next;
    return true;
}

}  // namespace hwtrace::recording::detail
