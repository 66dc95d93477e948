// cli/quantities.hpp - sizes and times as people read them. Data forms carry exact numbers instead.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hwtrace::cli {

/// Returns a number of bytes such as "12.3 kB"; below 1000 "1 byte" or "12 bytes".
std::string bytes_text(std::uint64_t bytes);
/// Returns two numbers of bytes in the unit of the second one: "12.3 of 48.1 kB".
std::string bytes_of_text(std::uint64_t part, std::uint64_t whole);
/// Returns a part of a whole such as "43.2 %" or "0.013 %", "87 times" if it is ten times the whole or more.
std::string ratio_text(std::uint64_t part, std::uint64_t whole);

/// Returns a rate with three digits, before its unit: "3.21 M", "45.6 k".
std::string rate_text(double rate);

/// Returns the length of a unit of info (see unit_of()) in picoseconds: 1000 for "ns", 10 for "ticks of 1/100000000000
/// s". Returns nullopt for a unit that is no length of time, such as "cycles".
std::optional<double> picoseconds_per(std::string_view unit);
/// Returns a unit of info as a cell of a table: "ps", "cycles", "10 ps" for "ticks of 1/100000000000 s".
std::string unit_text(std::string_view unit);

/// Returns a time in a unit of info: real time as "56.7 µs", with at most six digits; any other unit as it is, such as
/// "3152 cycles".
std::string time_text(std::int64_t ticks, std::string_view unit);
/// Returns picoseconds as a cell of a table such as "56.7 µs", with at most three digits.
std::string picoseconds_cell(double picoseconds);
/// Returns ticks of a unit of info as picoseconds_cell() does. Returns nullopt for a unit that is no length of time.
std::optional<std::string> ticks_cell(double ticks, std::string_view unit);
/// Returns the heading of a column of times: with the unit, unless its cells have units.
std::string time_heading(std::string_view title, std::string_view unit);
/// Returns "0 to 7 ns", or "500 ps to 7 ns" if the units differ.
std::string time_range_text(std::int64_t first, std::int64_t last, std::string_view unit);

}  // namespace hwtrace::cli
