// tests/faults/disturbances.hpp - external disturbances of a command, and the check of its reaction.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hwtrace::test {

/// The extent of a test.
struct Extent {
    std::filesystem::path binaries;  ///< the folder of hwtrace-convert and the other commands
    std::filesystem::path pieces;    ///< the library that splits reads and writes
    std::size_t most = 0;            ///< tries per command, chosen at random; 0: all, or 200 if unbounded
    std::uint32_t seed = 1;
};

/// The result of a test.
struct Tally {
    std::string what;         ///< for the last line
    std::uint64_t tries = 0;  ///< disturbed runs
    std::uint64_t done = 0;   ///< those that succeeded nevertheless
    std::vector<std::string> faults{};
    std::string skipped{};  ///< the reason why nothing was tried; empty if something was
};

/// Makes each relevant system call fail once, for every command.
Tally fail_calls(const Extent& extent);
/// Interrupts each such call once. The program must retry it, with the same result.
Tally interrupt_calls(const Extent& extent);
/// Makes reads and writes move only a few bytes.
Tally cut_transfers(const Extent& extent);
/// Fills the file system.
Tally fill_disk(const Extent& extent);
/// Sends SIGINT at random moments and at system calls, and SIGKILL at random moments, to commands that write traces.
Tally interrupt_runs(const Extent& extent);
Tally interrupt_between_calls(const Extent& extent);
Tally kill_runs(const Extent& extent);
/// Runs files that exceed each of the limits.
Tally refuse_bombs(const Extent& extent);

/// Passes streams of so many MiB (`most`; default 1024) in every format through each program, which must use little
/// memory.
Tally pour_streams(const Extent& extent);

}  // namespace hwtrace::test
