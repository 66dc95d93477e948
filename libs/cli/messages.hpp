// cli/messages.hpp - what a binary says on standard error: messages, findings, and a status line that comes and goes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/findings.hpp"

namespace hwtrace::cli {

/// How much is said.
enum class Volume : std::uint8_t { quiet, normal, verbose };
enum class Colour : std::uint8_t { off, on };

class Messages {
public:
    /// `tool` stands in front of every line.
    Messages(std::string_view tool, Volume volume, Colour colour);

    /// "hwtrace-convert: FILE: text". `file` may be empty. Said even when quiet.
    void error(std::string_view file, std::string_view text);
    /// Said unless quiet.
    void note(std::string_view file, std::string_view text);
    /// Said only when verbose.
    void detail(std::string_view file, std::string_view text);
    /// Errors are always said, warnings unless quiet, notes only when verbose.
    void finding(std::string_view file, const Finding& finding, Severity severity);

    /// One like this that says everything into `text`, which outlives it: for work whose turn to speak comes later.
    Messages into(std::string& text) const;
    /// What such a one said.
    void pass_on(std::string_view said);

    /// Shows `text` on a line that the next message, or an empty status, takes away.
    void status(std::string_view text);

    const std::string& tool() const noexcept { return tool_; }
    Volume volume() const noexcept { return volume_; }

private:
    void report(std::string_view file, std::string_view text);

    std::string tool_;
    Volume volume_;
    Colour colour_;
    std::string* into_ = nullptr;  // none: standard error
    bool status_shown_ = false;
};

/// What a file or its name brings into a message, on one line: control characters (those of C1 too) and bytes that are
/// not UTF-8 as \xNN.
std::string printable(std::string_view text);

/// "error STF012 at byte 660473 (chunk 35): the trace ends inside a record; expected ..., found ...",
/// printable.
std::string finding_text(const Finding& finding, Severity severity, Colour colour);

/// On for a terminal that is not a dumb one, unless NO_COLOR is set.
Colour colour_of_stderr() noexcept;
/// Whether the descriptor is a terminal that can move its cursor.
bool is_capable_terminal(int descriptor) noexcept;

}  // namespace hwtrace::cli
