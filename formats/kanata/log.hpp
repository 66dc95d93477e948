// formats/kanata/log.hpp - a log as commands at cycles, compressed or not; faults of single lines become findings.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "codec/findings.hpp"
#include "commands.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "io/text_lines.hpp"
#include "io/unpacked.hpp"
#include "rules.hpp"

namespace hwtrace::kanata {

/// True when the head is that of a log, compressed or not.
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
    std::string_view line() const noexcept { return lines_.text(); }
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
    Packing packing() const noexcept { return bytes_.packing(); }
    std::uint64_t lines() const noexcept { return lines_.number(); }

    /// A finding about the line that next() has brought, and the same reported.
    Finding finding(Check check, std::string expected = {}, std::string got = {}) const;
    void report(Check check, std::string expected = {}, std::string got = {});

private:
    void read_header();
    void check_end();
    void go_to(std::int64_t cycle);
    bool is_our_remark();

    Findings& findings_;
    Unpacked bytes_;
    TextLines lines_;

    std::string version_;
    std::int64_t cycle_ = 0, first_cycle_ = 0;
    bool started_ = false;  ///< some command has come, or a cycle
    std::uint64_t clock_ps_ = 0;
};

}  // namespace hwtrace::kanata
