// cli/next_steps.hpp - suggests commands for a trace (hwtrace-info --next).
#pragma once

#include "cli/info_report.hpp"
#include "io/text_output.hpp"

namespace hwtrace::cli {

/// Prints commands that look further into the trace. Names of files are quoted for a shell.
void print_next_steps(const FileInfo& info, TextOutput& out);

}  // namespace hwtrace::cli
