// cli/messages.hpp - writes messages, findings and a transient status line to standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/findings.hpp"

namespace hwtrace::cli {

/// The verbosity.
enum class Volume : std::uint8_t { quiet, normal, verbose };
enum class Colour : std::uint8_t { off, on };

class Messages {
public:
    /// Every line begins with `tool`. Lines are wrapped if standard error is a terminal now, even if a pager shows them
    /// later.
    Messages(std::string_view tool, Volume volume, Colour colour);

    /// Prints an error as "hwtrace-convert: FILE: text", even if the volume is quiet. `file` may be empty.
    void error(std::string_view file, std::string_view text);
    /// Prints a note, unless the volume is quiet.
    void note(std::string_view file, std::string_view text);
    /// Prints a detail if the volume is verbose.
    void detail(std::string_view file, std::string_view text);
    /// Prints the result of a command if the volume is verbose, or if it is normal and standard error is a terminal.
    void summary(std::string_view file, std::string_view text);
    /// Returns the time since this object was made.
    double seconds() const noexcept;
    /// Returns true if findings of this severity are printed.
    bool prints(Severity severity) const noexcept;
    /// Prints a finding. An error is always printed. A warning is printed unless the volume is quiet, and a note only
    /// if the volume is verbose.
    void finding(std::string_view file, const Finding& finding, Severity severity);

    /// Returns a copy that appends to `text` instead of printing, for work whose messages are printed later. `text`
    /// must outlive the copy.
    Messages into(std::string& text) const;
    /// Prints the text that a copy made by into() has collected.
    void pass_on(std::string_view said);

    /// Shows `text` as a status line. The next message or an empty status erases it.
    void status(std::string_view text);

    const std::string& tool() const noexcept { return tool_; }
    Volume volume() const noexcept { return volume_; }

private:
    void report(std::string_view file, std::string_view text);

    std::string tool_;
    Volume volume_;
    Colour colour_;
    std::string* into_ = nullptr;  // null: standard error
    std::size_t columns_;          // of the terminal on standard error; npos: it is none
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Erases the status line. A signal handler may call this.
void erase_status() noexcept;

/// Returns `text` in a form that is safe to print on one line. Control characters (C0 and C1) and bytes that are not
/// UTF-8 become \xNN.
std::string printable(std::string_view text);

/// Returns the printable text "error STF012 at byte 660473 (chunk 35): the trace ends inside a record; expected ...,
/// found ...".
std::string finding_text(const Finding& finding, Severity severity, Colour colour);

/// The colour of a result.
enum class Paint : std::uint8_t { red, green, yellow };
/// Returns the text in a colour, or as it is for Colour::off.
std::string painted(std::string_view text, Paint paint, Colour colour);

/// Returns Colour::on if the descriptor is a capable terminal and NO_COLOR is not set.
Colour automatic_colour(int descriptor) noexcept;
/// Returns true if the descriptor is a terminal that can move its cursor.
bool is_capable_terminal(int descriptor) noexcept;

}  // namespace hwtrace::cli
