// cli/quantities.hpp - sizes and times as people read them. Data forms carry exact numbers instead.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hwtrace::cli {

/// Returns a number of bytes such as "12.3 kB"; below 1000 "1 byte" or "12 bytes".
std::string bytes_text(std::uint64_t bytes);

/// Returns a time in a unit of info: picoseconds as "56.7 µs", with at most six digits; any other unit as it is, such
/// as "3152 cycles".
std::string time_text(std::int64_t ticks, std::string_view unit);
/// Returns picoseconds as a cell of a table such as "56.7 µs", with at most three digits.
std::string picoseconds_cell(double picoseconds);
/// Returns the heading of a column of times: with the unit, unless its cells have units.
std::string time_heading(std::string_view title, std::string_view unit);
/// Returns "0 to 7 ns", or "500 ps to 7 ns" if the units differ.
std::string time_range_text(std::int64_t first, std::int64_t last, std::string_view unit);

}  // namespace hwtrace::cli
