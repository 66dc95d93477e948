// tests/faults/disturbances.hpp - disturbs commands from outside and checks their reactions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hwtrace::test {

/// The extent of a test run.
struct Extent {
    std::filesystem::path binaries;  ///< folder of hwtrace-convert and the other commands
    std::filesystem::path pieces;    ///< library that splits reads and writes
    /// The number of random tries per command. 0: all tries, or 200 if their number has no limit. For pour_streams():
    /// the size of the stream in MiB, or 0 for 1024 MiB.
    std::size_t most = 0;
    std::uint32_t seed = 1;
};

/// The result of a kind of disturbance.
struct Tally {
    std::string what;         ///< name for the last line of output
    std::uint64_t tries = 0;  ///< number of disturbed runs
    std::uint64_t done = 0;   ///< number of runs that succeeded nevertheless
    std::vector<std::string> faults{};
    std::string skipped{};  ///< reason why no run was tried; empty if runs were tried
};

/// Makes each relevant system call of each command fail once.
Tally fail_calls(const Extent& extent);
/// Makes each of these calls fail once with EINTR. The program must retry the call and have the same result.
Tally interrupt_calls(const Extent& extent);
/// Makes every read and write transfer only a few bytes.
Tally cut_transfers(const Extent& extent);
/// Runs each command on file systems that are too small, and enlarges them until the output fits.
Tally fill_disk(const Extent& extent);
/// Sends signals to commands that write traces: SIGINT at random times and at system calls, SIGKILL at random times.
Tally interrupt_runs(const Extent& extent);
Tally interrupt_between_calls(const Extent& extent);
Tally kill_runs(const Extent& extent);
/// Runs the programs on files that each exceed a limit.
Tally refuse_bombs(const Extent& extent);

/// Passes a stream in every format through each program, which must use little memory. The stream has extent.most
/// MiB, or 1024 MiB if extent.most is 0.
Tally pour_streams(const Extent& extent);

}  // namespace hwtrace::test
