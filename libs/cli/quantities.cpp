#include "cli/quantities.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iterator>

#include "domain/value_text.hpp"

namespace hwtrace::cli {

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < 1000) return counted(bytes, "byte");
    constexpr std::array units{"kB", "MB", "GB", "TB", "PB", "EB"};
    std::size_t unit = 0;
    auto value = static_cast<double>(bytes) / 1000;
    for (; value >= 999.95 && unit + 1 < units.size(); ++unit)
        value /= 1000;
    return fmt::format("{:.1f} {}", value, units[unit]);
}

namespace {

/// Returns a time with at most `digits` digits. `limit`: a value that these digits would round up to 1000.
std::string picoseconds_text(double value, int digits, double limit) {
    constexpr std::array units{"ps", "ns", "µs", "ms", "s"};
    std::size_t chosen = 0;
    for (; std::abs(value) >= limit && chosen + 1 < units.size(); ++chosen)
        value /= 1000;
    const bool needs_exponent = std::abs(value) >= std::pow(10.0, digits) - 0.5;
    if (needs_exponent) return fmt::format("{:.0f} {}", value, units[chosen]);
    return fmt::format("{:.{}g} {}", value, digits, units[chosen]);
}

}  // namespace

std::string time_text(std::int64_t ticks, std::string_view unit) {
    if (unit != "ps") return fmt::format("{} {}", ticks, unit);
    return picoseconds_text(static_cast<double>(ticks), 6, 999.9995);
}

std::string picoseconds_cell(double picoseconds) {
    return picoseconds_text(picoseconds, 3, 999.5);
}

std::string time_heading(std::string_view title, std::string_view unit) {
    if (unit == "ps") return std::string(title);
    return fmt::format("{}, {}", title, unit == "(position)" ? "position" : unit);
}

std::string time_range_text(std::int64_t first, std::int64_t last, std::string_view unit) {
    std::string begin = time_text(first, unit);
    const std::string end = time_text(last, unit);
    const auto unit_of = [](const std::string& text) { return text.substr(text.find(' ')); };
    if (first == 0 || unit_of(begin) == unit_of(end)) begin.resize(begin.find(' '));
    return fmt::format("{} to {}", begin, end);
}

}  // namespace hwtrace::cli
