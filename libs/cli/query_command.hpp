// cli/query_command.hpp - the command hwtrace-query. It is built only if SQLite is installed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.hpp"
#include "cli/csv_options.hpp"
#include "cli/elf_options.hpp"
#include "cli/part_options.hpp"

namespace hwtrace::cli {

struct QueryCommandOptions {
    explicit QueryCommandOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::vector<std::string> arguments;  ///< the files, then the statements; with `list`, only files
    bool list = false;
    CsvOptions csv;
    std::string format = "text";        ///< name of a TextForm; see name_of()
    std::string clock;                  ///< see parse_clock; empty: not given
    PartOptions part;                   ///< the slice that is queried
    ElfOptions elf;                     ///< symbols for functions and source lines of instructions
    std::uint64_t memory = 256u << 20;  ///< for rows that are read repeatedly, in bytes
    bool allow_incomplete = false;
};

/// Runs SQL on the tables of traces and prints the rows, or lists the tables.
Exit query_command(const QueryCommandOptions& options);

}  // namespace hwtrace::cli
