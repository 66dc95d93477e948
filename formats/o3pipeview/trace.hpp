// formats/o3pipeview/trace.hpp - reads the instructions of a plain or compressed trace, in the order of the file.
// Reports faulty lines.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/findings.hpp"
#include "io/input.hpp"
#include "io/limits.hpp"
#include "io/text_lines.hpp"
#include "io/unpacked.hpp"
#include "lines.hpp"
#include "model/name_table.hpp"
#include "rules.hpp"

namespace hwtrace::o3pipeview {

/// The name of the core whose lines have no prefix.
inline constexpr std::string_view unnamed_core = "core0";

/// Returns true if a file with this head is a trace, plain or compressed.
bool recognise(std::span<const std::byte> head);

/// One instruction. Tick 0 means that a stage was not reached; the fetch tick is always valid.
struct Instruction {
    std::array<Tick, stage_count> ticks{};
    Tick store = 0;  ///< completion of a store; 0: no store, or not completed
    std::uint64_t pc = 0, seq = 0;
    std::uint32_t microop = 0, thread = 0;
    std::uint32_t core = 0;              ///< index in Trace::cores()
    std::uint32_t label = 0;             ///< for the caller
    std::uint64_t offset = 0, line = 0;  ///< of the fetch line in the text

    Tick fetch() const noexcept { return ticks[0]; }
    bool is_retired() const noexcept { return ticks[index_of(Stage::retire)] != 0; }
    /// Returns the last tick of a stage; the completion of a store does not count.
    Tick last() const noexcept;
};

/// Reads a trace from its beginning.
class Trace {
public:
    /// `input` must be seekable; it and the next two arguments must outlive the trace. Numbers the cores in the order
    /// of `cores`, and then in the order in which they appear.
    Trace(Input& input, const Limits& limits, Findings& findings, const std::vector<std::string>& cores = {});

    /// Reads the next complete instruction. Returns false at the end. label() is valid until the next call. Throws
    /// Failure::limit for a line longer than Limits::string.
    bool next(Instruction& instruction);
    /// Returns the disassembly of the last instruction.
    std::string_view label() const noexcept { return label_; }
    /// Reads the next line of an instruction. Reports faults of single lines, and leaves out other lines. Use either
    /// this function or next().
    bool next_line(Line& line);
    std::string_view line() const noexcept { return lines_.text(); }

    /// Returns the names of the cores so far.
    const std::vector<std::string>& cores() const noexcept { return cores_.names(); }
    /// Returns the stated ticks per cycle and ticks per second; 0: not stated so far.
    std::uint64_t stated_cycle() const noexcept { return stated_cycle_; }
    std::uint64_t stated_rate() const noexcept { return stated_rate_; }
    Packing packing() const noexcept { return bytes_.packing(); }
    std::uint64_t lines() const noexcept { return lines_.number(); }
    std::uint64_t other_lines() const noexcept { return other_lines_; }
    /// Returns true if a line of O3PipeView was read.
    bool is_known() const noexcept { return is_known_; }

    /// Returns a finding about the last line.
    Finding finding(Check check, std::string expected = {}, std::string got = {}) const;
    void report(Check check, std::string expected = {}, std::string got = {});
    /// The same about the fetch line of an instruction.
    Finding finding(const Instruction& instruction, Check check, std::string expected = {}, std::string got = {}) const;
    void report(const Instruction& instruction, Check check, std::string expected = {}, std::string got = {});

private:
    /// Returns true if the line, which is the last one and has no line end, is the beginning of another line.
    bool is_cut(const Line& line) const;
    void note_other(const Line& line);
    void begin(const Line& line);
    void add_stage(const Line& line);
    void check_order();
    std::uint32_t core_of(std::string_view cpu);

    Findings& findings_;
    Unpacked bytes_;
    TextLines lines_;
    NameTable cores_;
    std::uint32_t last_core_ = 0;

    Instruction open_;
    std::string label_;
    std::string open_label_;
    unsigned stated_ = 0;  ///< bit mask: the stages that the open instruction states
    bool is_open_ = false;
    bool is_known_ = false, is_cut_ = false;
    std::uint64_t other_lines_ = 0, stated_cycle_ = 0, stated_rate_ = 0;
};

}  // namespace hwtrace::o3pipeview
