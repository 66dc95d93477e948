#include "cli/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "domain/value_text.hpp"
#include "io/number_text.hpp"
#include "model/time.hpp"

namespace hwtrace::cli {

namespace {

struct ByteUnit {
    const char* name;
    double bytes;
};

/// Returns the unit in which one decimal place shows so many bytes.
ByteUnit unit_for(std::uint64_t bytes) noexcept {
    constexpr std::array units{"kB", "MB", "GB", "TB", "PB", "EB"};
    ByteUnit unit{units.front(), 1000};
    for (std::size_t next = 1; static_cast<double>(bytes) / unit.bytes >= 999.95 && next < units.size(); ++next)
        unit = {units[next], unit.bytes * 1000};
    return unit;
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
    if (bytes < 1000) return counted(bytes, "byte");
    const ByteUnit unit = unit_for(bytes);
    return fmt::format("{:.1f} {}", static_cast<double>(bytes) / unit.bytes, unit.name);
}

std::string bytes_of_text(std::uint64_t part, std::uint64_t whole) {
    const std::string text = bytes_text(whole);
    if (whole < 1000) return fmt::format("{} of {}", part, text);
    return fmt::format("{:.1f} of {}", static_cast<double>(part) / unit_for(whole).bytes, text);
}

std::string ratio_text(std::uint64_t part, std::uint64_t whole) {
    const double ratio = static_cast<double>(part) / static_cast<double>(whole);
    if (ratio >= 10) return fmt::format("{:.0f} times", ratio);
    const double percent = 100 * ratio;
    if (percent < 0.001) return part == 0 ? "0 %" : "less than 0.001 %";
    return percent >= 999.5 ? fmt::format("{:.0f} %", percent) : fmt::format("{:.3g} %", percent);
}

std::string rate_text(double rate) {
    constexpr std::string_view units[] = {"", " k", " M", " G"};
    std::size_t unit = 0;
    for (; rate >= 999.5 && unit + 1 < std::size(units); ++unit)
        rate /= 1000;
    const int places = rate < 9.995 ? 2 : rate < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f}{}", rate, places, units[unit]);
}

namespace {

/// Returns a time with at most `digits` digits. `limit`: a value that these digits would round up to 1000.
std::string picoseconds_text(double value, int digits, double limit) {
    constexpr std::array units{"fs", "ps", "ns", "µs", "ms", "s"};
    std::size_t chosen = 1;
    if (value != 0 && std::abs(value) < 1) {
        value *= 1000;
        chosen = 0;
    }
    for (; std::abs(value) >= limit && chosen + 1 < units.size(); ++chosen)
        value /= 1000;
    const bool needs_exponent = std::abs(value) >= std::pow(10.0, digits) - 0.5;
    if (needs_exponent) return fmt::format("{:.0f} {}", value, units[chosen]);
    return fmt::format("{:.{}g} {}", value, digits, units[chosen]);
}

constexpr std::string_view ticks_of = "ticks of ";

/// Returns the length of a tick in seconds that unit_of() has written as "ticks of 1/3000000000 s".
std::optional<Ratio> tick_of_unit(std::string_view unit) {
    if (!unit.starts_with(ticks_of)) return std::nullopt;
    unit.remove_prefix(ticks_of.size());
    const std::size_t slash = std::min(unit.find('/'), unit.size()), blank = std::min(unit.find(' '), unit.size());
    const auto num = parse_digits(unit.substr(0, slash));
    const auto den = parse_digits(unit.substr(std::min(slash + 1, blank), blank - std::min(slash + 1, blank)));
    return num && den && *den != 0 ? std::optional(Ratio{*num, *den}) : std::nullopt;
}

}  // namespace

std::optional<double> picoseconds_per(std::string_view unit) {
    constexpr std::array<std::pair<std::string_view, double>, 6> units{
        {{"fs", 1e-3}, {"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
    const auto known = std::ranges::find(units, unit, [](const auto& entry) { return entry.first; });
    if (known != units.end()) return known->second;
    const auto tick = tick_of_unit(unit);
    return tick ? std::optional(1e12 * static_cast<double>(tick->num) / static_cast<double>(tick->den)) : std::nullopt;
}

std::string unit_text(std::string_view unit) {
    const auto tick = tick_of_unit(unit);
    if (!tick) return std::string(unit);
    __extension__ using Wide = unsigned __int128;
    constexpr std::uint64_t per_second = 1'000'000'000'000'000;
    const Wide femtoseconds = Wide{tick->num} * per_second / tick->den;
    Wide last_digit = 1;  // of the six that are shown
    while (femtoseconds / last_digit >= 1'000'000)
        last_digit *= 10;
    const bool is_exact = Wide{tick->num} * per_second % tick->den == 0 && femtoseconds % last_digit == 0;
    return is_exact ? picoseconds_text(*picoseconds_per(unit), 6, 999.9995) : std::string(unit.substr(ticks_of.size()));
}

std::string time_text(std::int64_t ticks, std::string_view unit) {
    const std::optional<double> each = picoseconds_per(unit);
    if (!each) return fmt::format("{} {}", ticks, unit);
    return picoseconds_text(static_cast<double>(ticks) * *each, 6, 999.9995);
}

std::string picoseconds_cell(double picoseconds) {
    return picoseconds_text(picoseconds, 3, 999.5);
}

std::optional<std::string> ticks_cell(double ticks, std::string_view unit) {
    const std::optional<double> each = picoseconds_per(unit);
    return each ? std::optional(picoseconds_cell(ticks * *each)) : std::nullopt;
}

std::string time_heading(std::string_view title, std::string_view unit) {
    if (picoseconds_per(unit)) return std::string(title);
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
