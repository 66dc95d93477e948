// tests/faults/disturbances.hpp - what can happen to a command from outside, and whether it takes it as it should.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace hwtrace::test {

/// How much is tried.
struct Extent {
    std::filesystem::path binaries;  ///< the folder of hwtrace-convert and the others
    std::filesystem::path pieces;    ///< the library that cuts reads and writes to pieces
    std::size_t most = 0;            ///< tries per command, chosen at random; 0: all, or 200 where there is no end
    std::uint32_t seed = 1;
};

/// What came of it.
struct Tally {
    std::string what;         ///< for the last line
    std::uint64_t tries = 0;  ///< disturbed runs
    std::uint64_t done = 0;   ///< of them, those that did all the same what they should
    std::vector<std::string> faults{};
    std::string skipped{};  ///< why nothing was tried; empty: something was
};

/// Each system call that matters fails once, of every binary.
Tally fail_calls(const Extent& extent);
/// Each such call is interrupted once: it is tried again, and nothing comes of it.
Tally interrupt_calls(const Extent& extent);
/// Reads and writes that move a few bytes only.
Tally cut_transfers(const Extent& extent);
/// A full file system.
Tally fill_disk(const Extent& extent);
/// SIGINT at random moments and at system calls, and SIGKILL at random moments, of those that write traces.
Tally interrupt_runs(const Extent& extent);
Tally interrupt_between_calls(const Extent& extent);
Tally kill_runs(const Extent& extent);
/// Files that ask for more than each of the limits.
Tally refuse_bombs(const Extent& extent);

/// Streams of so many MiB of every format (`most`; without it, 1024) through each program, which takes little memory.
Tally pour_streams(const Extent& extent);

}  // namespace hwtrace::test
