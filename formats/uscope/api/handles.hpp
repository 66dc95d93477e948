// formats/uscope/api/handles.hpp - the objects that C pointers refer to. They stay allocated after they are closed.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace hwtrace::uscope {

/// The base of an opaque C type. The body exists while the handle is open.
template <typename Body>
struct Handle {
    std::shared_ptr<Body> body;  ///< null: closed
};

/// All handles of one opaque type. Handles are never freed, so that using a closed one is an error instead of an access
/// to freed memory. A closed handle is reused after `delay` more handles have been closed.
template <typename Opaque>
class Handles {
public:
    static constexpr std::size_t delay = 1024;

    template <typename Body>
    Opaque* open(std::shared_ptr<Body> body) {
        const std::lock_guard lock(mutex_);
        Opaque* handle = nullptr;
        if (closed_.size() > delay) {
            handle = closed_.front();
            closed_.pop_front();
        } else {
            handle = &all_.emplace_back();
        }
        handle->body = std::move(body);
        return handle;
    }
    /// Closes an open handle and releases its body.
    void close(Opaque& handle) noexcept {
        decltype(handle.body) body;  // destroyed after the lock is released
        const std::lock_guard lock(mutex_);
        body.swap(handle.body);
        try {
            closed_.push_back(&handle);
        } catch (...) {  // out of memory: this handle is never reused
        }
    }

    /// Calls `use` with the body of each open handle.
    template <typename Use>
    void for_each_open(Use use) {
        const std::lock_guard lock(mutex_);
        for (Opaque& handle : all_)
            if (handle.body != nullptr) use(*handle.body);
    }

private:
    std::mutex mutex_;
    std::deque<Opaque> all_;
    std::deque<Opaque*> closed_;  // in order of closing
};

/// Returns the handles of a type. They are never destroyed, because a C program may use its pointers until the process
/// ends.
template <typename Opaque>
Handles<Opaque>& handles_of() {
    static auto& handles = *new Handles<Opaque>;
    return handles;
}

}  // namespace hwtrace::uscope
