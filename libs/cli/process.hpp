// cli/process.hpp - the frame around a binary's work: signals, standard streams, and how every failure ends.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/exit_code.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

/// Runs `work` as the body of main and returns its exit status. Exceptions become one line on standard error and the
/// exit code of their kind; SIGINT, SIGTERM and SIGHUP remove unfinished outputs and then end the process by that
/// signal.
int run(std::string_view tool, const std::function<Exit()>& work) noexcept;

/// What was printed so far is written. Throws Failure::io where it cannot be.
void flush_standard_output();

/// "FILE: message", where the message does not begin with the file's name already.
std::string about(std::string_view file, std::string_view message);
/// The message without "FILE: " at its beginning.
std::string_view without(std::string_view file, std::string_view message) noexcept;

/// Runs `work` and names `file` in every Error that leaves it.
template <typename Work>
auto naming(std::string_view file, Work&& work) {
    try {
        return work();
    } catch (const Error& error) {
        throw Error(error.failure(), about(file, error.what()));
    }
}

}  // namespace hwtrace::cli
