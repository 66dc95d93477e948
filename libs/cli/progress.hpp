// cli/progress.hpp - the progress of a long run: a bar for people, lines of JSON for programs.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/messages.hpp"

namespace hwtrace::cli {

enum class ProgressForm : std::uint8_t { off, bar, json };

/// Shows how many bytes of an input are done. Starts after one second. Updates the bar ten times per second, but prints
/// JSON only once per second. Calls are cheap enough for every batch.
class Progress {
public:
    /// `total` is the size of the input in bytes, or nullopt for a pipe. `messages` must outlive this object.
    Progress(Messages& messages, ProgressForm form, std::string file, std::optional<std::uint64_t> total);
    /// Erases the bar, or prints a last line of JSON.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void operator()(std::uint64_t bytes);

private:
    using Time = std::chrono::steady_clock::time_point;
    void show(double seconds);

    Messages& messages_;
    ProgressForm form_;
    std::string file_;
    std::optional<std::uint64_t> total_;
    std::uint64_t bytes_ = 0;
    Time start_, next_;
};

}  // namespace hwtrace::cli
