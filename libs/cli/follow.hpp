// cli/follow.hpp - waits for a file that another process is still writing (--follow).
#pragma once

#include <cstdint>
#include <string>

#include "io/input.hpp"

namespace hwtrace::cli {

/// Waiting that the user can end: while one of these lives, the first SIGINT or SIGTERM ends the waiting and not the
/// process; a second one ends the process.
class Follow {
public:
    /// `input` is the file that `path` named when it was opened; it outlives this.
    Follow(const Input& input, std::string path);
    ~Follow();
    Follow(const Follow&) = delete;
    Follow& operator=(const Follow&) = delete;

    /// Sleeps for a tenth of a second at most. False when the user has had enough (a signal came, or nobody reads
    /// standard output any more), and when the file has been lost: then it has been looked at once more before.
    bool wait();
    /// Whether the user ended the waiting.
    bool is_over() const noexcept { return over_; }
    /// What has become of the file, where that ended the waiting; empty: nothing.
    const std::string& loss() const noexcept { return loss_; }

private:
    std::string what_is_lost();

    const Input& input_;
    std::string path_;
    std::uint64_t largest_ = 0;  // size seen, in bytes
    bool over_ = false;
    std::string loss_;
};

}  // namespace hwtrace::cli
