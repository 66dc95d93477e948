// tests/bench/log_bench.hpp - operations on text logs, and the rows with their costs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/format.hpp"
#include "measure.hpp"

namespace hwtrace::bench {

/// The floor of reading: counts the line ends.
Work find_lines(const std::string& path);
/// The floor of writing: copies the bytes once.
Work copy_bytes(const std::string& path);
/// Reads everything; `log` has the number of items that the row counts.
Work read_log(const std::string& path, const Format& format, Work log);
/// Converts to another format, or to the same one; the output is discarded at no cost.
Work convert_log(const std::string& from_path, const Format& from, const Format& to, Work log);

struct LogFormat {
    const Format& format;
    std::string_view container;  ///< the option for the compression of its files
};
/// `container` is the value of that option; empty for the default.
void convert_file(const std::string& from_path, const Format& from, const std::string& to_path, const LogFormat& to,
                  std::string_view container);

/// Prints the title and the columns.
void print_log_head(std::string_view title, Work log, std::uint64_t gzip_bytes);

}  // namespace hwtrace::bench
