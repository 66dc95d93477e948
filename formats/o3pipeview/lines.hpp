// formats/o3pipeview/lines.hpp - parses one line of a trace (formats/o3pipeview/README.md#lines).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/time.hpp"
#include "stages.hpp"

namespace hwtrace::o3pipeview {

/// The word with which gem5 begins the lines.
constexpr std::string_view magic = "O3PipeView:";
// Lines of hwtrace, which other tools skip.
constexpr std::string_view cycle_remark = "#hwtrace: ticks_per_cycle ";
constexpr std::string_view rate_remark = "#hwtrace: ticks_per_second ";

enum class LineKind : std::uint8_t {
    other,      ///< not of O3PipeView
    fetch,      ///< begins an instruction
    thread,     ///< states its thread
    stage,      ///< decode to complete
    retire,     ///< ends it
    unknown,    ///< of O3PipeView, with another word
    malformed,  ///< with missing, non-numeric or too large columns
    cycle,      ///< cycle_remark
    rate,       ///< rate_remark
};

/// A parsed line. Members for which the line has no column are 0 or empty.
struct Line {
    LineKind kind = LineKind::other;
    Stage stage = Stage::fetch;
    bool has_rest = false;    ///< text follows the last column
    bool lacks_tick = false;  ///< a tick is empty
    Tick tick = 0;            ///< 0: the stage was never reached
    Tick store = 0;           ///< retire: the completion of the store
    std::uint64_t pc = 0, seq = 0;
    std::uint64_t number = 0;     ///< fetch: the micro-op; thread: the thread; remarks: their number
    std::string_view label = {};  ///< fetch: the disassembly, unchanged
    std::string_view cpu = {};    ///< the name in front of "O3PipeView:"; may be empty
};

/// The largest tick. The sum of two ticks does not overflow.
constexpr Tick most_ticks = (Tick{1} << 62) - 1;

/// Parses a line without its line end. The texts refer to the line.
Line parse(std::string_view line) noexcept;

}  // namespace hwtrace::o3pipeview
