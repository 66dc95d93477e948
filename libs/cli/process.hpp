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

/// Returns "FILE: message", or `message` alone if it already begins with the name of the file.
std::string about(std::string_view file, std::string_view message);
/// Returns the message without a leading "FILE: ".
std::string_view without(std::string_view file, std::string_view message) noexcept;

/// Runs `work` and adds the name `file` to every Error that leaves it.
template <typename Work>
auto naming(std::string_view file, Work&& work) {
    try {
        return work();
    } catch (const Error& error) {
        throw Error(error.failure(), about(file, error.what()));
    }
}

}  // namespace hwtrace::cli
