// tests/bench/log_bench.hpp - ways through logs of text, and the rows that say what each costs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/format.hpp"
#include "measure.hpp"

namespace hwtrace::bench {

/// Counts the line ends, as whoever reads lines has to.
Work find_lines(const std::string& path);
/// Copies the bytes once, as whoever writes them has to.
Work copy_bytes(const std::string& path);
/// Reads everything; `log` is what the row counts.
Work read_log(const std::string& path, const Format& format, Work log);
/// From one format to the other, or to the same, whose output costs nothing.
Work convert_log(const std::string& from_path, const Format& from, const Format& to, Work log);

struct LogFormat {
    const Format& format;
    std::string_view container;  ///< the option that says how its files are stored
};
/// `container`: the value of that option; empty for the default.
void convert_file(const std::string& from_path, const Format& from, const std::string& to_path, const LogFormat& to,
                  std::string_view container);

/// The title and the columns.
void print_log_head(std::string_view title, Work log, std::uint64_t gzip_bytes);

}  // namespace hwtrace::bench
