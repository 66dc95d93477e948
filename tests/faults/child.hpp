// tests/faults/child.hpp - runs a command, ends it where wanted, and tells how it ended.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hwtrace::test {

/// What is run.
struct Command {
    std::vector<std::string> arguments;                ///< the first names the program
    std::filesystem::path folder;                      ///< where it runs
    std::filesystem::path input{};                     ///< standard input; empty: nothing
    bool piped = false;                                ///< the input, of at most 64 KiB, comes through a pipe
    std::map<std::string, std::string> environment{};  ///< beside that of this process
    std::string begin = {}, piece = {};  ///< of a piped input that is made: the begin, then the piece again and again
    std::uint64_t pieces = 0;            ///< how often; 0: the input is the file
    bool keeps_output = true;            ///< false: what goes to standard output is thrown away
};

/// A signal so many seconds after the start.
struct Blow {
    int signal;
    double seconds;
};

/// How a command ended.
struct Ended {
    int status = -1;               ///< its exit code; -1: none, a signal ended it
    int signal = 0;                ///< the one that ended it, or 0
    bool hung = false;             ///< it had to be killed
    double seconds = 0;            ///< from its start to its end
    double busy_seconds = 0;       ///< of processors
    std::uint64_t peak_bytes = 0;  ///< of memory
    std::string output, errors;

    /// "exit 5", "signal 9".
    std::string text() const;
};

/// Runs it to its end, or for `patience` seconds.
Ended run(const Command& command, std::optional<Blow> blow = std::nullopt, double patience = 60);

/// Each file below a folder and what is in it, folders with a '/' behind their name.
using Content = std::map<std::string, std::string>;
Content content_of(const std::filesystem::path& folder);
/// Makes a folder that holds these files and nothing else.
void make_folder(const std::filesystem::path& folder, const Content& content);
std::string read_content(const std::filesystem::path& file);
void write_content(const std::filesystem::path& file, const std::string& content);

}  // namespace hwtrace::test
