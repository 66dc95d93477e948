// cli/process.hpp - runs a command as a process: handles signals and standard streams, maps exceptions to
// exit codes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/exit_code.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

/// Runs `work` as the body of main and returns the exit status. An exception becomes one line on standard error and an
/// exit code. SIGINT, SIGTERM, SIGHUP and SIGPIPE remove unfinished outputs, then end the process by that signal.
int run(std::string_view tool, const std::function<Exit()>& work) noexcept;

/// Flushes standard output. Throws Failure::io if it cannot be written.
void flush_standard_output();

}  // namespace hwtrace::cli
