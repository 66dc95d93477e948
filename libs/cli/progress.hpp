// cli/progress.hpp - the progress of a long run: a bar for people, lines of JSON for programs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "cli/messages.hpp"

namespace hwtrace::cli {

enum class ProgressForm : std::uint8_t { off, bar, json };

/// The progress of a run, besides the bytes that it has read.
struct WorkDone {
    std::uint64_t records = 0;
    std::optional<std::uint64_t> output{};  ///< bytes written
};

/// Shows how many bytes of an input are done, in one line that fits the terminal. Starts after one second. Updates the
/// bar ten times per second, but prints JSON only once per second. Calls are cheap enough for every batch.
class Progress {
public:
    /// Returns the work done, whenever progress is shown.
    using Ask = std::function<WorkDone()>;
    /// `total` is the size of the input in bytes, or nullopt for a pipe. Compressed bytes count as they are in the
    /// file. `messages` must outlive this object.
    Progress(Messages& messages, ProgressForm form, std::string file, std::optional<std::uint64_t> total, Ask ask = {});
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
    Ask ask_;
    std::uint64_t bytes_ = 0;
    Time start_, next_;
};

/// The numbers in a progress bar.
struct ProgressState {
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> total{};
    double seconds = 0;
    std::optional<WorkDone> work{};
};
/// Returns the text of a bar that is at most `width` columns wide: "[###...]  42 %  12.3 of 29.1 MB  3.2 M
/// records/s  8.1 MB written  0:03 left".
std::string progress_text(const ProgressState& state, std::size_t width);

}  // namespace hwtrace::cli
