// tests/bench/log_bench.hpp - operations on text logs, and table rows with their costs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/format.hpp"
#include "measure.hpp"

namespace hwtrace::bench {

/// Counts the line ends: the minimum cost of reading.
Work find_lines(const std::string& path);
/// Copies the bytes once: the minimum cost of writing.
Work copy_bytes(const std::string& path);
/// Reads the whole log. `log.records` is the number of items that the table of results states.
Work read_log(const std::string& path, const Format& format, Work log);
/// Converts to another format or to the same one, and discards the output at no cost.
Work convert_log(const std::string& from_path, const Format& from, const Format& to, Work log);

struct LogFormat {
    const Format& format;
    std::string_view container;  ///< name of the option that selects the compression
};
/// Converts a file. `container` is the value of the compression option; an empty value selects the default.
void convert_file(const std::string& from_path, const Format& from, const std::string& to_path, const LogFormat& to,
                  std::string_view container);

/// Prints the title and the column heads.
void print_log_head(std::string_view title, Work log, std::uint64_t gzip_bytes);

}  // namespace hwtrace::bench
