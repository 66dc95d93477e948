// cli/convert_command.hpp - the command hwtrace-convert.
#pragma once

#include <string>
#include <string_view>

#include "cli/around_options.hpp"
#include "cli/common_options.hpp"
#include "cli/conversion.hpp"
#include "cli/csv_options.hpp"
#include "cli/elf_options.hpp"
#include "cli/part_options.hpp"
#include "cli/time_options.hpp"

namespace hwtrace::cli {

struct ConvertOptions {
    explicit ConvertOptions(FormatList formats) : common(formats) {}

    CommonOptions common;
    std::string input;
    TargetOptions target;
    PartOptions part;
    AroundOptions around;
    ElfOptions elf;  ///< the programs that ran
    TimeOptions time;
    std::string manifest;  ///< with --shard: the file that states the shard; empty: none
    CsvOptions csv;
    std::string_view tool = "hwtrace-convert";  ///< the name of the command in messages and reports
};

/// Converts one file. The output is written atomically.
Exit convert_command(const ConvertOptions& options);

}  // namespace hwtrace::cli
