// formats/stf/instruction_walk.hpp - a trace instruction by instruction, without a model: for views.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "codec/settings.hpp"
#include "io/error.hpp"
#include "scanner.hpp"

namespace hwtrace::stf {

/// The instructions [begin, end) that views show.
struct InstructionRange {
    std::uint64_t begin = 0, end = 0;
};
inline InstructionRange instructions_of(const std::optional<TraceWindow>& window) noexcept {
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    if (!window) return {0, all};
    return {window->begin, window->end.value_or(all)};
}

/// Throws Failure::input for a trace of transactions. The header has been read.
inline void need_instructions(const Scanner& scanner, const Input& input) {
    if (scanner.transactions())
        fail(Failure::input, input.name() +
                                 ": a trace of transactions has no instructions; --view records and "
                                 "--view model show it");
}

/// Goes towards the first instruction of `window` by the index. True when chunks were left out, so that nobody knows
/// what they said; false where reading goes on behind the header, which has been read.
inline bool leave_out_chunks(Scanner& scanner, const std::optional<TraceWindow>& window) {
    const std::uint64_t begin = instructions_of(window).begin;
    return begin > 0 && scanner.seek(begin) && !scanner.counts_records();
}

/// What was said in chunks that were left out, if anywhere, and is not known since.
struct Unread {
    bool process = false;
    bool encoding_mode = false;  ///< and instructions are disassembled, by the header's
};
/// Tells the user what of `shown` an output behind chunks that were left out lacks; nothing where that is nothing.
/// `first`: the number of the first instruction that was read, from 1.
inline void note_unread(const Unread& shown, std::uint64_t first, const Settings& settings) {
    if (!settings.note || !(shown.process || shown.encoding_mode)) return;
    std::string text = "what stands in front of instruction " + std::to_string(first) + " was not read: ";
    if (shown.process) text += "until the trace says it again, the process is not known";
    if (shown.process && shown.encoding_mode) text += ", and ";
    if (shown.encoding_mode) text += "the header's encoding mode is taken for the disassembly";
    settings.note(text);
}

/// Gives `view` the records of the instructions in `window` (all of them where there is none), in stream order:
/// `view.record(record)` for those before an instruction's opcode, `view.instruction(opcode)` for the opcode, and
/// `view.end()` when the trace or the window is over. Of what stands before the window and was not left out,
/// `view.skipped(record)`. Where damage has taken an instruction and reading goes on behind it, `view.lost()`. The
/// header has been read. False when there was nothing to give.
template <typename View>
bool walk_instructions(Scanner& scanner, const std::optional<TraceWindow>& window, View& view) {
    RawRecord record;
    bool any = false;
    const auto [begin, end] = instructions_of(window);
    while (true) {
        while (scanner.instructions() < begin && scanner.next(record))
            view.skipped(record);
        while (scanner.instructions() < end && scanner.next(record)) {
            any = true;
            if (is_marker(record.descriptor))
                view.instruction(record);
            else
                view.record(record);
        }
        if (scanner.instructions() >= end || !scanner.resume()) break;
        view.lost();
    }
    view.end();
    return any;
}

/// Tells the user that a view shows nothing because `window` has nothing in it.
inline void note_empty(bool any, const Settings& settings) {
    if (!any && settings.window && settings.note) settings.note("nothing is in the range");
}

/// Who executes, as PROCESS_ID_EXT says.
struct Process {
    std::uint32_t hardware_thread = 0, process = 0, thread = 0;

    static Process of(const RawRecord& record) noexcept {
        return {record.at<std::uint32_t>(1), record.at<std::uint32_t>(5), record.at<std::uint32_t>(9)};
    }
    friend bool operator==(const Process&, const Process&) = default;
};

/// What the reference's tools call an event's class.
constexpr std::string_view event_class(std::uint64_t wide_id) noexcept {
    if (wide_id == event_mode_change) return "MODE";
    if ((wide_id & event_interrupt) != 0) return "INTERRUPT";
    if ((wide_id & event_special) != 0) return "EVENT";
    return wide_id >= first_system_call && wide_id <= last_system_call ? "SYSCALL" : "FAULT";
}

/// Bytes of an instruction by its opcode's record.
constexpr unsigned instruction_size(const RawRecord& opcode) noexcept {
    return opcode.descriptor == Descriptor::inst_opcode32 ? 4 : 2;
}
inline std::uint32_t encoding_of(const RawRecord& opcode) noexcept {
    return opcode.descriptor == Descriptor::inst_opcode32 ? opcode.at<std::uint32_t>(1) : opcode.at<std::uint16_t>(1);
}

}  // namespace hwtrace::stf
