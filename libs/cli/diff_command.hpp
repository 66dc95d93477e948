// cli/diff_command.hpp - the command hwtrace-diff.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.hpp"
#include "cli/csv_options.hpp"
#include "cli/part_options.hpp"

namespace hwtrace::cli {

struct DiffOptions {
    explicit DiffOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::string first, second;
    std::string lowered = "auto";     ///< "auto", "raise" or "keep"
    std::string align = "order";      ///< "order", "key" or "shift"
    bool summary = false;             ///< compare statistics instead of records
    std::string threshold;            ///< with `summary`: "5%"; empty: the default
    std::vector<std::string> keys;    ///< the fields of the key
    std::vector<std::string> ignore;  ///< see parse_ignored
    std::string tolerance;            ///< a time such as "5ns"; empty: none
    std::string clock;                ///< see parse_clock; empty: not given
    std::uint64_t window = 4096;
    std::uint64_t context = 3;
    std::uint64_t max_differences = 10;
    CsvOptions csv;
    std::string format = "text";
    PartOptions part;
    bool allow_empty = false;
    bool allow_incomplete = false;
};

/// Compares two traces. Returns Exit::no if they differ or nothing was compared, Exit::incomplete if only the readable
/// or comparable parts are equal, and otherwise Exit::done.
Exit diff_command(const DiffOptions& options);

}  // namespace hwtrace::cli
