// cli/progress.hpp - how far a long run is: a bar for people, lines of JSON for programs.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/messages.hpp"

namespace hwtrace::cli {

enum class ProgressForm : std::uint8_t { off, bar, json };

/// Shows, from the second second on and about ten times a second, how many bytes of an input are done. Cheap enough to
/// be called for every batch.
class Progress {
public:
    /// `total` is none for a pipe. `messages` outlives the progress.
    Progress(Messages& messages, ProgressForm form, std::string file, std::optional<std::uint64_t> total);
    /// Takes the bar away; a last line of JSON says what was reached.
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
