// cli/follow.hpp - waits for a file that another process is still writing (--follow).
#pragma once

namespace hwtrace::cli {

/// Waiting that the user can end: while one of these lives, the first SIGINT or SIGTERM ends the waiting and not the
/// process; a second one ends the process.
class Follow {
public:
    Follow();
    ~Follow();
    Follow(const Follow&) = delete;
    Follow& operator=(const Follow&) = delete;

    /// Sleeps for a tenth of a second at most. False when the user has had enough: a signal came, or nobody reads
    /// standard output any more.
    bool wait();
    /// Whether wait() has returned false.
    bool is_over() const noexcept { return over_; }

private:
    bool over_ = false;
};

}  // namespace hwtrace::cli
