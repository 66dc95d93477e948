// formats/kanata/log.hpp - a log as commands at cycles, plain or in gzip; faults of single lines become findings.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "codec/findings.hpp"
#include "commands.hpp"
#include "io/compression.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "rules.hpp"

namespace hwtrace::kanata {

/// True when the head is that of a log, plain or in gzip.
bool recognise(std::span<const std::byte> head);

/// Walks over a log from its beginning.
class Log {
public:
    /// Reads the first line. All three outlive the log; `input` is seekable. Throws Failure::input, after a finding,
    /// where it is no log.
    Log(Input& input, const Limits& limits, Findings& findings);

    /// The next command that is neither a cycle nor blank: `cycle()` says when. False at the end. Its text is valid
    /// until the next call. Throws Failure::limit for a line longer than Limits::string.
    bool next(Command& command);

    /// The line of the command that next() has brought, without its end.
    std::string_view line() const noexcept { return line_; }
    /// What the log counts; never decreases.
    std::int64_t cycle() const noexcept { return cycle_; }
    /// Where the log starts: what a C= before every command and cycle says, else 0.
    std::int64_t first_cycle() const noexcept { return first_cycle_; }
    /// False before the first command or cycle: there may be lines that are no commands, and then a C=.
    bool started() const noexcept { return started_; }
    /// Of a cycle, in picoseconds; 0: not stated (so far).
    std::uint64_t clock_ps() const noexcept { return clock_ps_; }
    /// The second column of the first line; may be empty.
    const std::string& version() const noexcept { return version_; }
    bool compressed() const noexcept { return gzip_.has_value(); }
    std::uint64_t lines() const noexcept { return number_; }

    /// A finding about the line that next() has brought, and the same reported.
    Finding finding(Check check, std::string expected = {}, std::string got = {}) const;
    void report(Check check, std::string expected = {}, std::string got = {});

private:
    bool fetch_line();
    void read_header();
    void check_end();
    void go_to(std::int64_t cycle);
    bool is_our_remark();

    const Limits& limits_;
    Findings& findings_;
    std::optional<GzipSource> gzip_;
    std::optional<Window> window_;

    std::string_view line_;
    std::uint64_t offset_ = 0;  ///< of the line, in the decompressed log
    std::uint64_t number_ = 0;  ///< of the line, from 1
    bool line_ended_ = true;

    std::string version_;
    std::int64_t cycle_ = 0, first_cycle_ = 0;
    bool started_ = false;  ///< some command has come, or a cycle
    std::uint64_t clock_ps_ = 0;
};

}  // namespace hwtrace::kanata
