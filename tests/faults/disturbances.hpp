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
    std::size_t most = 0;  ///< number of random tries per command (0: all, or 200 if unbounded); pour_streams: MiB
    std::uint32_t seed = 1;
};

/// The result of a kind of disturbance.
struct Tally {
    std::string what;         ///< name for the last line of output
    std::uint64_t tries = 0;  ///< number of disturbed runs
    std::uint64_t done = 0;   ///< number of runs that succeeded nevertheless
    std::vector<std::string> faults{};
    std::string skipped{};  ///< reason why no run was tried; empty otherwise
};

/// Makes each relevant system call of each command fail once.
Tally fail_calls(const Extent& extent);
/// Interrupts each of these calls once (EINTR). The program must retry it, with the same result.
Tally interrupt_calls(const Extent& extent);
/// Makes every read and write transfer only a few bytes.
Tally cut_transfers(const Extent& extent);
/// Fills the file system.
Tally fill_disk(const Extent& extent);
/// Sends signals to commands that write traces: SIGINT at random times and at system calls, SIGKILL at random times.
Tally interrupt_runs(const Extent& extent);
Tally interrupt_between_calls(const Extent& extent);
Tally kill_runs(const Extent& extent);
/// Runs the programs on files that each exceed a limit.
Tally refuse_bombs(const Extent& extent);

/// Passes a stream in every format through each program, which must use little memory. The stream has extent.most
/// MiB; 0: 1024.
Tally pour_streams(const Extent& extent);

}  // namespace hwtrace::test
