// cli/pager.hpp - shows the output of a command in a pager, as git does.
#pragma once

#include <string>

#include "cli/common_options.hpp"

namespace hwtrace::cli {

/// Runs a pager while it exists: standard output goes to the pager, and so does standard error if it is a terminal. If
/// the user leaves the pager before the end of the output, the process ends with exit code 0. SIGINT ends the output at
/// once, and the process when the user leaves the pager.
class Pager {
public:
    /// Starts the pager that HWTRACE_PAGER or PAGER names, else `less` with LESS=FRX. Does nothing if standard output
    /// is not a capable terminal, if the variable is empty or `cat`, or if the program is not in PATH.
    Pager();
    /// Ends the output and waits until the user leaves the pager.
    ~Pager();
    Pager(const Pager&) = delete;
    Pager& operator=(const Pager&) = delete;

private:
    void start(const std::string& command);

    int process_ = -1;
    int terminal_ = -1;  ///< standard output before the start; -1: no pager runs
    int messages_ = -1;  ///< standard error before the start; -1: unchanged
};

}  // namespace hwtrace::cli
