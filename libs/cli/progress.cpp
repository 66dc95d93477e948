#include "cli/progress.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "cli/json.hpp"

namespace hwtrace::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto first_shown = std::chrono::seconds(1);
constexpr auto bar_period = std::chrono::milliseconds(100);
constexpr auto json_period = std::chrono::seconds(1);

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string bar_text(std::uint64_t bytes, std::optional<std::uint64_t> total, double seconds) {
    constexpr double mega = 1e6;
    constexpr unsigned width = 24;
    const auto done = static_cast<double>(bytes);
    const double rate = seconds > 0 ? done / seconds : 0;
    if (!total || *total == 0) return fmt::format("{:.1f} MB  {:.0f} MB/s", done / mega, rate / mega);
    const double part = std::min(1.0, done / static_cast<double>(*total));
    const auto filled = static_cast<unsigned>(part * width);
    const double left = rate > 0 ? (static_cast<double>(*total) - done) / rate : 0;
    const auto left_seconds = static_cast<unsigned long>(std::lround(std::max(0.0, left)));
    return fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  {:.1f} of {:.1f} MB  {:.0f} MB/s  {}:{:02} left", "", filled, "",
                       width - filled, part * 100, done / mega, static_cast<double>(*total) / mega, rate / mega,
                       left_seconds / 60, left_seconds % 60);
}

}  // namespace

Progress::Progress(Messages& messages, ProgressForm form, std::string file, std::optional<std::uint64_t> total)
    : messages_(messages),
      form_(form),
      file_(std::move(file)),
      total_(total),
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
    if (form_ == ProgressForm::bar) {
        messages_.status(bar_text(bytes_, total_, seconds));
        return;
    }
    Json line;
    line["progress"] = file_;
    line["bytes"] = bytes_;
    line["total"] = total_ ? Json(*total_) : Json();
    line["seconds"] = seconds;
    const std::string text = to_text(line) + "\n";
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace hwtrace::cli
