#include "cli/progress.hpp"

#include <fmt/format.h>

#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "cli/json.hpp"
#include "cli/quantities.hpp"
#include "cli/terminal.hpp"

namespace hwtrace::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto first_shown = std::chrono::seconds(1);
constexpr auto bar_period = std::chrono::milliseconds(100);
constexpr auto json_period = std::chrono::seconds(1);

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

std::string progress_text(const ProgressState& state, std::size_t width) {
    const auto done = static_cast<double>(state.bytes);
    const double rate = state.seconds > 0 ? done / state.seconds : 0;
    const bool has_total = state.total && *state.total != 0;
    std::string text = has_total ? bytes_of_text(state.bytes, *state.total) : bytes_text(state.bytes);
    if (state.work && state.seconds > 0)
        text += fmt::format("  {} records/s", rate_text(static_cast<double>(state.work->records) / state.seconds));
    else
        text += fmt::format("  {}/s", bytes_text(static_cast<std::uint64_t>(rate)));
    if (state.work && state.work->output.value_or(0) != 0)  // a database has its size at the end
        text += fmt::format("  {} written", bytes_text(*state.work->output));
    if (!has_total) return text.substr(0, width);
    const double part = std::min(1.0, done / static_cast<double>(*state.total));
    const double left = rate > 0 ? std::max(0.0, (static_cast<double>(*state.total) - done) / rate) : 0;
    const auto left_seconds = static_cast<unsigned long>(std::lround(left));
    text = fmt::format("{:3.0f} %  {}  {}:{:02} left", part * 100, text, left_seconds / 60, left_seconds % 60);
    constexpr std::size_t longest_bar = 24, shortest_bar = 4, frame = 3;
    const std::size_t room = width > text.size() + frame ? width - text.size() - frame : 0;
    if (room < shortest_bar) return text.substr(0, width);
    const std::size_t length = std::min(room, longest_bar);
    const auto filled = static_cast<std::size_t>(part * static_cast<double>(length));
    return fmt::format("[{:#<{}}{:.<{}}] {}", "", filled, "", length - filled, text);
}

Progress::Progress(Messages& messages, ProgressForm form, std::string file, std::optional<std::uint64_t> total, Ask ask)
    : messages_(messages),
      form_(form),
      file_(std::move(file)),
      total_(total),
      ask_(std::move(ask)),
      start_(Clock::now()),
      next_(start_ + first_shown) {}

Progress::~Progress() {
    if (form_ == ProgressForm::bar) messages_.status({});
    if (form_ == ProgressForm::json) show(seconds_since(start_));
}

void Progress::operator()(std::uint64_t bytes) {
    bytes_ = bytes;
    if (form_ == ProgressForm::off) return;
    const Time now = Clock::now();
    if (now < next_) return;
    next_ = now + (form_ == ProgressForm::bar ? Clock::duration(bar_period) : Clock::duration(json_period));
    show(seconds_since(start_));
}

void Progress::show(double seconds) {
    const std::optional<WorkDone> work = ask_ ? std::optional(ask_()) : std::nullopt;
    if (form_ == ProgressForm::bar) {
        messages_.status(progress_text({bytes_, total_, seconds, work}, columns_of_messages() - 1));
        return;
    }
    Json line;
    line["progress"] = file_;
    line["bytes"] = bytes_;
    line["total"] = total_ ? Json(*total_) : Json();
    line["seconds"] = seconds;
    if (work) line["records"] = work->records;
    if (work && work->output) line["output_bytes"] = *work->output;
    const std::string text = to_text(line) + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace hwtrace::cli
