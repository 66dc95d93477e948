// formats/uscope/api/handles.hpp - the objects that C callers hold pointers to, and that outlive being closed.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace hwtrace::uscope {

/// What an opaque C type derives from: something that is there while the handle is open.
template <typename Body>
struct Handle {
    std::shared_ptr<Body> body;  ///< null: closed
};

/// All handles of one opaque type. They are never freed, so that a caller who uses one that was closed is told so
/// instead of touching freed memory; a closed one is used again when `delay` others have been closed after it.
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
    /// Ends the body of an open handle, if nobody else holds it.
    void close(Opaque& handle) noexcept {
        decltype(handle.body) body;  // ends when others may use the list again
        const std::lock_guard lock(mutex_);
        body.swap(handle.body);
        try {
            closed_.push_back(&handle);
        } catch (...) {  // no memory to note it: this one is never used again
        }
    }

    /// The bodies of all open handles.
    template <typename Use>
    void for_each_open(Use use) {
        const std::lock_guard lock(mutex_);
        for (Opaque& handle : all_)
            if (handle.body != nullptr) use(*handle.body);
    }

private:
    std::mutex mutex_;
    std::deque<Opaque> all_;
    std::deque<Opaque*> closed_;  // the one closed first in front
};

/// The handles of a type. Lives as long as the process, because pointers in C programs do.
template <typename Opaque>
Handles<Opaque>& handles_of() {
    static auto& handles = *new Handles<Opaque>;
    return handles;
}

}  // namespace hwtrace::uscope
