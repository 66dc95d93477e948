// serve/child_process.hpp - runs a command as a process with bounded time and output.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hwtrace {

/// How a process ended.
struct ChildResult {
    enum class End : std::uint8_t {
        exited,     ///< by itself, with `status`
        stopped,    ///< because take() returned false
        timed_out,  ///< after the time limit
        abandoned,  ///< because nobody waits for the result any more
        killed,     ///< by a signal from elsewhere
    };
    End end = End::exited;
    int status = 0;
    std::string messages{};  ///< of standard error, at most 64 KiB
};

/// Runs `arguments[0]`, a path or a name in PATH, and waits for its end. Its standard input is empty. `take` gets its
/// output block by block, and returns false to end it. `is_abandoned` is asked several times a second. A process that
/// is not to go on is killed, with the processes that it started. Throws Failure::io if the process cannot be started.
ChildResult run_child(const std::vector<std::string>& arguments, std::chrono::milliseconds time_limit,
                      const std::function<bool(std::string_view)>& take, const std::function<bool()>& is_abandoned);

/// Returns the path of a command in the folder of this program; its name alone if the system does not report the
/// folder, or if it has no such command.
std::string sibling_command(const std::string& name);

}  // namespace hwtrace
