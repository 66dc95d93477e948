// formats/txlog/log.hpp - splits a log, compressed or not, into statements and reports malformed lines.
#pragma once

#include <cstdint>
#include <string>

#include "codec/findings.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "io/text_lines.hpp"
#include "io/unpacked.hpp"
#include "rules.hpp"
#include "statement.hpp"

namespace hwtrace {
class Appender;
class Cursor;
}  // namespace hwtrace

namespace hwtrace::txlog {

/// Returns true if the file with this head is a log, compressed or not.
bool recognise(std::span<const std::byte> head);

/// Reads the statements of a log from its beginning.
class Log {
public:
    /// All arguments must outlive the log. `input` must be seekable. If the input is not a log, reports a finding and
    /// throws Failure::input.
    Log(Input& input, const Limits& limits, Findings& findings);

    /// Reads the next valid statement and reports invalid ones. Returns false at the end. Strings of the statement are
    /// valid until the next call. Throws Failure::limit for a line longer than Limits::string.
    bool next(Statement& statement);

    /// Prepares for save_place(). Call it before the first next(). Returns false if the file cannot be read from a
    /// place inside.
    bool keep_places() { return bytes_.keep_places(); }
    /// Appends the place of the next line.
    void save_place(Appender& out) const;
    /// Continues where another object called save_place(). Returns false if the file lacks the place.
    bool restore_place(Cursor& in);

    Packing packing() const noexcept { return bytes_.packing(); }
    std::uint64_t lines() const noexcept { return lines_.number(); }
    /// Returns false if the last line has no line end. Such a line may have been cut.
    bool line_ended() const noexcept { return lines_.ended(); }

    /// The text for the expected value in a finding about a time that is too large.
    static constexpr std::string_view greatest_time = "at most 2^63 - 1 ticks";

    /// Reports a finding about the current line.
    void report(Check check, std::string expected = {}, std::string got = {});

private:
    bool join_text(Statement& statement);
    void check_end();

    Findings& findings_;
    Unpacked bytes_;
    TextLines lines_;
    bool values_ = false;  ///< value lines may follow the latest statement
};

/// Returns the exponent of the log's tick: -12, or -15 if a time needs femtoseconds. Reads `input`, which must be
/// seekable, up to its end or a limit.
int tick_exponent(Input& input, const Limits& limits);

}  // namespace hwtrace::txlog
