// cli/info_command.hpp - the command hwtrace-info.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common_options.hpp"
#include "cli/elf_options.hpp"
#include "cli/part_options.hpp"

namespace hwtrace::cli {

struct InfoOptions {
    explicit InfoOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::vector<std::string> inputs;
    PartOptions part;                       ///< the slice to count
    ElfOptions elf;                         ///< the programs that ran
    std::string format = "text";            ///< "text" or "json"
    std::optional<std::uint64_t> interval;  ///< instructions per row of counters; none: no rows
    bool reuse = false;                     ///< also measures reuse distances of cache lines
    bool next = false;                      ///< also prints commands to go on with
    bool partial = false;                   ///< writes partial statistics of a shard
    bool reduce = false;                    ///< the inputs are partial statistics of all shards
    bool quick = false;                     ///< reads only what is needed to open the file
    bool allow_incomplete = false;
};

/// Prints a summary of every file. Continues after a file that cannot be read.
Exit info_command(const InfoOptions& options);

}  // namespace hwtrace::cli
