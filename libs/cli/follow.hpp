// cli/follow.hpp - waits for a file that another process is still writing (--follow).
#pragma once

#include <cstdint>
#include <string>

#include "io/input.hpp"

namespace hwtrace::cli {

/// Waits for a file to grow, until the user interrupts the waiting. The first SIGINT or SIGTERM during the life of this
/// object ends the waiting. A second signal ends the process.
class Follow {
public:
    /// `input` is the file that was opened at `path`. It must outlive this object.
    Follow(const Input& input, std::string path);
    ~Follow();
    Follow(const Follow&) = delete;
    Follow& operator=(const Follow&) = delete;

    /// Sleeps for at most a tenth of a second. Returns false if the user ended the waiting by a signal or by closing
    /// standard output. After the file is lost, returns true once, so that the caller can read the rest, and then
    /// false.
    bool wait();
    /// Returns true if the user ended the waiting.
    bool is_over() const noexcept { return over_; }
    /// Returns why the file was lost: removed, replaced or truncated. Empty if it was not lost.
    const std::string& loss() const noexcept { return loss_; }

private:
    std::string what_is_lost();

    const Input& input_;
    std::string path_;
    std::uint64_t largest_ = 0;  // the largest size seen, in bytes
    bool over_ = false;
    std::string loss_;
};

}  // namespace hwtrace::cli
