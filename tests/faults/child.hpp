// tests/faults/child.hpp - runs a command, sends it a signal if requested, and returns how it ended.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hwtrace::test {

/// A command to run.
struct Command {
    std::vector<std::string> arguments;                ///< the first one is the program
    std::filesystem::path folder;                      ///< working folder
    std::filesystem::path input{};                     ///< file for standard input; empty: no input
    bool piped = false;                                ///< the input, at most 64 KiB, comes through a pipe
    std::map<std::string, std::string> environment{};  ///< variables added to the environment of this process
    std::string begin = {}, piece = {};  ///< generated input through a pipe: `begin`, then `piece` repeatedly
    std::uint64_t pieces = 0;            ///< number of repetitions; 0: `input` is used instead
    bool keeps_output = true;            ///< false: standard output is discarded
};

/// A signal, and the time in seconds at which it is sent.
struct Blow {
    int signal;
    double seconds;
};

/// The exit status and cost of a command.
struct Ended {
    int status = -1;               ///< exit code; -1: a signal ended it
    int signal = 0;                ///< the signal that ended it, or 0
    bool hung = false;             ///< the process did not end by itself and was killed
    double seconds = 0;            ///< wall time
    double busy_seconds = 0;       ///< CPU time
    std::uint64_t peak_bytes = 0;  ///< maximum resident memory
    std::string output, errors;

    /// Returns the exit status or signal, as in "exit 5" or "signal 9".
    std::string text() const;
};

/// Runs the command. Kills it after `patience` seconds.
Ended run(const Command& command, std::optional<Blow> blow = std::nullopt, double patience = 60);

/// The files below a folder, by path, with their contents. Paths of folders end in '/'.
using Content = std::map<std::string, std::string>;
Content content_of(const std::filesystem::path& folder);
/// Creates a folder that has exactly these files.
void make_folder(const std::filesystem::path& folder, const Content& content);
std::string read_content(const std::filesystem::path& file);
void write_content(const std::filesystem::path& file, const std::string& content);

}  // namespace hwtrace::test
