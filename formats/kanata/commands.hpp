// formats/kanata/commands.hpp - what one line of a log says (formats/kanata/README.md, "Commands").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hwtrace::kanata {

constexpr std::string_view magic = "Kanata";
constexpr std::string_view known_version = "0004";
/// A comment of ours, which other tools skip: the length of a cycle in picoseconds.
constexpr std::string_view clock_remark = "#hwtrace: clock_ps ";

// Metadata of a trace that was a log.
constexpr std::string_view version_key = "kanata.version";
constexpr std::string_view first_cycle_key = "kanata.first_cycle";  ///< where the log starts, when that is not 0
constexpr std::string_view last_cycle_key =
    "kanata.last_cycle";                                ///< where it ends, when that is behind the last command
constexpr std::string_view stage_key = "kanata.stage";  ///< each stage's name, when neither enum nor list can hold them
/// The event of a line that is no command: its text, as it stands.
constexpr std::string_view line_track = "kanata.line";

enum class Action : std::uint8_t {
    blank,
    start_cycle,  ///< C=
    advance,      ///< C
    begin,        ///< I
    label,        ///< L
    stage_start,  ///< S
    stage_end,    ///< E
    retire,       ///< R
    dependency,   ///< W
    remark,       ///< begins with #
    unknown,      ///< begins with none of these
    malformed,    ///< a command with columns missing, or not numbers, or out of range
};

/// Columns by what they mean; those that the action does not have are 0 and empty.
struct Command {
    Action action = Action::blank;
    bool has_rest = false;       ///< there is text behind the last column
    std::uint32_t id = 0;        ///< of the instruction; of the consumer
    std::uint32_t kind = 0;      ///< thread of begin; lane of a stage; type of the others
    std::uint64_t number = 0;    ///< the simulator's id of begin; the retire id; the producer
    std::int64_t cycles = 0;     ///< of start_cycle and advance
    std::string_view text = {};  ///< of a label, its `\n` still two characters; the name of a stage
};

/// Cycles that a log may state: such that sums of two of them fit.
constexpr std::int64_t most_cycles = std::int64_t{1} << 62;

/// The command of a line without its line end. `text` refers to the line.
Command parse(std::string_view line) noexcept;

/// The period that our comment states, 1 to 2^32 - 1 ps; none where the line is not that comment.
std::optional<std::uint64_t> stated_clock(std::string_view line) noexcept;

/// The address that a label begins with: a first word of 4 to 16 hexadecimal digits, perhaps with 0x before and a colon
/// behind them, that is not 0 (formats/uscope.md 4.10).
std::optional<std::uint64_t> label_address(std::string_view text) noexcept;

/// Appends a label's text with each `\n` (two characters) as a newline; and back, each newline as `\n`.
void append_unescaped(std::string_view text, std::string& to);

}  // namespace hwtrace::kanata
