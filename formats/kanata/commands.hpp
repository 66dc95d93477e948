// formats/kanata/commands.hpp - parses one line of a log (formats/kanata/README.md#commands).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hwtrace::kanata {

constexpr std::string_view magic = "Kanata";
constexpr std::string_view known_version = "0004";
/// States the length of a cycle in picoseconds, in the last column of the first line. Konata ignores this column, but
/// refuses comments. A log may also state it in a comment.
constexpr std::string_view clock_remark = "#hwtrace: clock_ps ";

// Metadata keys of a trace that was read from a log.
constexpr std::string_view version_key = "kanata.version";
constexpr std::string_view first_cycle_key = "kanata.first_cycle";  ///< first cycle of the log, if not 0
constexpr std::string_view last_cycle_key = "kanata.last_cycle";    ///< last cycle, if cycles follow the last command
constexpr std::string_view stage_key = "kanata.stage";  ///< name of one stage, if neither enum nor list holds all
/// The name of the track for lines that are not commands. The lines are stored unchanged.
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
    unknown,      ///< begins with no known command
    malformed,    ///< a command with missing, non-numeric or out-of-range columns
};

/// Returns true for a command about one instruction, whose id is Command::id.
constexpr bool names_instruction(Action action) noexcept {
    return action >= Action::begin && action <= Action::dependency;
}

/// A parsed command. Members for which the action has no column are 0 or empty.
struct Command {
    Action action = Action::blank;
    bool has_rest = false;       ///< text follows the last column
    std::uint32_t id = 0;        ///< instruction; dependency: consumer
    std::uint32_t kind = 0;      ///< begin: thread; stages: lane; others: type
    std::uint64_t number = 0;    ///< begin: simulator id; retire: retire id; dependency: producer
    std::int64_t cycles = 0;     ///< start_cycle and advance
    std::string_view text = {};  ///< label: text, with `\n` as two characters; stages: name
};

/// The largest cycle that a log may state. The sum of two such cycles does not overflow.
constexpr std::int64_t most_cycles = std::int64_t{1} << 62;

/// Parses a line without its line end. `Command::text` refers to the line.
Command parse(std::string_view line) noexcept;

/// Returns the period that a clock remark states, 1 to 2^32 - 1 ps. Returns nullopt for other lines.
std::optional<std::uint64_t> stated_clock(std::string_view line) noexcept;

/// Returns the address that a label begins with (formats/kanata/README.md#label-addresses). Returns nullopt if the
/// label begins with other text.
std::optional<std::uint64_t> label_address(std::string_view text) noexcept;

/// Appends a label's text, with each `\n` (two characters) replaced by a newline.
void append_unescaped(std::string_view text, std::string& to);

}  // namespace hwtrace::kanata
