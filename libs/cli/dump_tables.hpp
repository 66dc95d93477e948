// cli/dump_tables.hpp - hwtrace-dump writes a folder of tables (-o).
#pragma once

#include "cli/dump_command.hpp"

namespace hwtrace::cli {

/// Writes the tables of a trace to the folder `options.tables`, as hwtrace-convert does.
Exit dump_tables(const DumpOptions& options);

}  // namespace hwtrace::cli
