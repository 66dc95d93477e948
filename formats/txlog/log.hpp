// formats/txlog/log.hpp - a log as statements, compressed or not; faults of single lines become findings.
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

namespace hwtrace::txlog {

/// True when the head is that of a log, compressed or not.
bool recognise(std::span<const std::byte> head);

/// Walks over a log from its beginning.
class Log {
public:
    /// All three outlive the log; `input` is seekable. Throws Failure::input, after a finding, where it is no log.
    Log(Input& input, const Limits& limits, Findings& findings);

    /// The next statement that is one; the others are findings. False at the end. Its texts are valid until the next
    /// call. Throws Failure::limit for a line longer than Limits::string.
    bool next(Statement& statement);

    Packing packing() const noexcept { return bytes_.packing(); }
    std::uint64_t lines() const noexcept { return lines_.number(); }
    /// False for the last line of a log that does not end in a line end: it may have been cut.
    bool line_ended() const noexcept { return lines_.ended(); }

    /// A time that is too large is reported with this.
    static constexpr std::string_view greatest_time = "at most 2^63 - 1 ticks";

    /// Reports something about the line that next() has brought.
    void report(Check check, std::string expected = {}, std::string got = {});

private:
    bool join_text(Statement& statement);
    void check_end();

    Findings& findings_;
    Unpacked bytes_;
    TextLines lines_;
    bool values_ = false;  ///< the statement before is one that values follow, or a value
};

/// The exponent of the tick that every time of the log is a whole number of: picoseconds, or femtoseconds where one
/// needs them. Reads `input`, which is seekable, to its end, or to where a limit ends it.
int tick_exponent(Input& input, const Limits& limits);

}  // namespace hwtrace::txlog
