// formats/kanata/log.hpp - reads the commands of a plain or compressed log with their cycles. Reports faulty lines.
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
#include "model/hash.hpp"
#include "model/id_set.hpp"
#include "rules.hpp"

namespace hwtrace::kanata {

/// Returns true if a file with this head is a log, plain or compressed.
bool recognise(std::span<const std::byte> head);

/// Reads a log from its beginning.
class Log {
public:
    /// Reads the first line. `input` must be seekable. All arguments must outlive the log. Throws Failure::input, after
    /// reporting a finding, if the input is not a log.
    Log(Input& input, const Limits& limits, Findings& findings);

    /// Reads the next command; cycle commands and blank lines are skipped. Returns false at the end. The command's text
    /// is valid until the next call. Throws Failure::limit for a line longer than Limits::string.
    bool next(Command& command);

    /// Prepares for save_place(). Call it before the first next(). Returns false if the file cannot be read from a
    /// place inside.
    bool keep_places() { return bytes_.keep_places(); }
    /// Appends the place of the next line and what the lines before it teach.
    void save_place(Appender& out) const;
    /// Continues where another object called save_place(). Returns false if the file lacks the place.
    bool restore_place(Cursor& in);

    /// Returns the line of the last command, without its line end.
    std::string_view line() const noexcept { return lines_.text(); }
    /// Returns the cycle of the last command. It never decreases.
    std::int64_t cycle() const noexcept { return cycle_; }
    /// Returns the cycle of the first C= if no other command or cycle precedes it, else 0.
    std::int64_t first_cycle() const noexcept { return first_cycle_; }
    /// Returns true after the first command or cycle. Comments and unknown lines may precede the first C=.
    bool started() const noexcept { return started_; }
    /// Returns the length of a cycle in picoseconds; 0 if the lines read so far do not state it.
    std::uint64_t clock_ps() const noexcept { return clock_ps_; }
    /// Returns the second column of the first line. It may be empty.
    const std::string& version() const noexcept { return version_; }
    Packing packing() const noexcept { return bytes_.packing(); }
    std::uint64_t lines() const noexcept { return lines_.number(); }

    /// Returns a finding about the last line.
    Finding finding(Check check, std::string expected = {}, std::string got = {}) const;
    /// Reports a finding about the last line.
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
    bool started_ = false;  ///< true after the first command or cycle
    std::uint64_t clock_ps_ = 0;
};

/// Numbers the rows of a log for ChosenRows: the lives of its instructions. Ids may be used again.
class LogRows {
public:
    explicit LogRows(const Limits& limits) noexcept : limits_(limits) {}

    /// Returns the row of the next command, which `log` has just read. A dependency belongs to the consumer. Every line
    /// that concerns no instruction is a row of its own. Throws Failure::limit if more than Limits::block would be
    /// needed.
    std::uint64_t next(const Command& command, const Log& log) {
        constexpr std::uint64_t first_other = std::uint64_t{1} << 63;
        if (!names_instruction(command.action)) return first_other + log.lines();
        if (command.action == Action::begin && !begun_.insert(command.id)) {
            ++later_lives_[command.id];
            check_limit(later_lives_.size() * bytes_a_life, limits_.block, "the rows in the slice", "--max-block");
        }
        const auto later = later_lives_.find(command.id);
        return std::uint64_t{later == later_lives_.end() ? 0 : later->second} << 32 | command.id;
    }

private:
    static constexpr std::uint64_t bytes_a_life = 64;  // approximately

    const Limits& limits_;
    IdSet begun_;
    HashMap<std::uint32_t, std::uint32_t> later_lives_;  // how often an id was used again
};

}  // namespace hwtrace::kanata
