// tests/faults/child.hpp - runs a command, optionally interrupts it, and returns how it ended.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hwtrace::test {

/// A command to run.
struct Command {
    std::vector<std::string> arguments;                ///< the first one names the program
    std::filesystem::path folder;                      ///< the working folder
    std::filesystem::path input{};                     ///< standard input; empty: nothing
    bool piped = false;                                ///< the input, at most 64 KiB, comes through a pipe
    std::map<std::string, std::string> environment{};  ///< in addition to that of this process
    std::string begin = {}, piece = {};                ///< generated piped input: `begin`, then `piece` repeatedly
    std::uint64_t pieces = 0;                          ///< number of repetitions; 0: the input is the file
    bool keeps_output = true;                          ///< false: standard output is discarded
};

/// A signal, sent after that many seconds.
struct Blow {
    int signal;
    double seconds;
};

/// How a command ended.
struct Ended {
    int status = -1;               ///< exit code; -1: a signal ended it
    int signal = 0;                ///< the signal that ended it, or 0
    bool hung = false;             ///< it had to be killed
    double seconds = 0;            ///< wall time
    double busy_seconds = 0;       ///< CPU time
    std::uint64_t peak_bytes = 0;  ///< maximum resident memory
    std::string output, errors;

    /// Returns "exit 5" or "signal 9".
    std::string text() const;
};

/// Runs the command to its end, or for `patience` seconds.
Ended run(const Command& command, std::optional<Blow> blow = std::nullopt, double patience = 60);

/// The files below a folder with their contents; names of folders end in '/'.
using Content = std::map<std::string, std::string>;
Content content_of(const std::filesystem::path& folder);
/// Makes a folder with exactly these files.
void make_folder(const std::filesystem::path& folder, const Content& content);
std::string read_content(const std::filesystem::path& file);
void write_content(const std::filesystem::path& file, const std::string& content);

}  // namespace hwtrace::test
