// formats/stf/instruction_walk.hpp - walks a trace by instruction, without the model. All forms of the view
// "instructions" (text, JSON, CSV) share it.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec.hpp"
#include "codec/chosen_records.hpp"
#include "codec/disassembler.hpp"
#include "io/error.hpp"
#include "scanner.hpp"
#include "symbols/code_places.hpp"
#include "transaction_tracks.hpp"
#include "translation.hpp"

namespace hwtrace::stf {

/// The half-open range [begin, end) of instructions that a view shows.
struct InstructionRange {
    std::uint64_t begin = 0, end = 0;
};
inline InstructionRange instructions_of(const std::optional<TraceWindow>& window) noexcept {
    constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
    if (!window) return {0, all};
    return {window->begin, window->end.value_or(all)};
}

/// Throws Failure::input for a trace of transactions. Call after the header has been read.
inline void need_instructions(const Scanner& scanner, const Input& input) {
    if (scanner.transactions())
        fail(Failure::input, input.name() +
                                 ": a trace of transactions has no instructions; use --view records or "
                                 "--view model");
}

/// Uses the index to seek towards the first instruction of `window`. Returns true if chunks were skipped. The effect of
/// these chunks on the state is then unknown. Otherwise returns false, and reading continues after the header.
inline bool leave_out_chunks(Scanner& scanner, const std::optional<TraceWindow>& window) {
    const std::uint64_t begin = instructions_of(window).begin;
    return begin > 0 && scanner.seek(begin) && !scanner.counts_records();
}

/// State that is unknown because chunks were skipped.
struct Unread {
    bool process = false;
    bool encoding_mode = false;  ///< true: disassembly uses the header's mode
};
/// Prints a note if some state of the first shown instruction is unknown. `first` is the number of the first
/// instruction that was read, counted from 1.
inline void note_unread(const Unread& shown, std::uint64_t first, const Settings& settings) {
    if (!settings.note || !(shown.process || shown.encoding_mode)) return;
    std::string text = "records before instruction " + std::to_string(first) + " were not read: ";
    if (shown.process) text += "the process is unknown until the trace states it again";
    if (shown.process && shown.encoding_mode) text += ", and ";
    if (shown.encoding_mode) text += "disassembly uses the header's encoding mode";
    settings.note(text);
}

/// Prints a note if the view shows nothing because the window is empty.
inline void note_empty(bool any, const Settings& settings) {
    if (!any && settings.window && settings.note) settings.note("nothing is in the range");
}

/// Returns the instructions of the slice in Settings::part, or nullopt for all instructions. An instruction is chosen
/// if the slice has a record of its group. In a trace of transactions, chooses records of the body instead, because the
/// reader delivers each of them as one record.
inline std::optional<ChosenRecords> chosen_instructions(Input& input, const Settings& settings) {
    if (!settings.part) return std::nullopt;
    input.spool(settings.temporary_folder);
    Findings reported_later(0);
    const std::unique_ptr<Reader> whole = open_reader(input, settings, reported_later);
    if (has_transactions(whole->schema())) {
        ChosenRecords records(*whole, settings);
        input.seek(0);
        return records;
    }
    const std::unique_ptr<Reader> part = settings.part(*whole);
    ChosenRecords chosen;
    Batch batch;
    for (; part->read(batch); batch.clear())
        for (const Record& record : batch.records())
            chosen.add(static_cast<std::uint64_t>(record.time), settings.limits);
    input.seek(0);
    return chosen;
}

/// The maximum size of the text that waits for its instruction, in bytes.
inline constexpr std::size_t part_size = 4u << 20;

/// The text of one section, kept in memory by a TextOutput without a file descriptor.
struct SectionText : TextOutput {
    SectionText() : TextOutput(-1, 4u << 10) {}
};

/// The ids of PROCESS_ID_EXT.
struct Process {
    std::uint32_t hardware_thread = 0, process = 0, thread = 0;

    static Process of(const RawRecord& record) noexcept {
        return {record.at<std::uint32_t>(1), record.at<std::uint32_t>(5), record.at<std::uint32_t>(9)};
    }
    friend bool operator==(const Process&, const Process&) = default;
};

/// The state of the walk at the current record, shared with the form of the view.
struct CurrentInstruction {
    explicit CurrentInstruction(const Scanner& scan) : scanner(scan) {}

    const Scanner& scanner;
    std::optional<Disassembler> disassembler;  ///< none: no disassembly
    std::optional<Translation> translation;    ///< none: no physical addresses
    std::optional<CodePlaces> places;          ///< none: no names of functions
    std::optional<std::uint64_t> target;
    Process process;
    bool has_process = false;      ///< true: `process` is known
    bool process_is_news = true;   ///< true: `process` changed after the previous instruction
    bool process_is_said = false;  ///< true: a record of this instruction states `process`
    Unread unread;
    bool has_opcode = false;  ///< true: the scanner has counted this instruction

    std::uint64_t number() const noexcept { return scanner.instructions() + (has_opcode ? 0 : 1); }  ///< from 1
    std::uint64_t pc() const noexcept { return has_opcode ? scanner.pc() : scanner.next_pc(); }
};

/// Returns the instruction set that a header states: ISA, INST_IEM and ISA_EXTENDED.
inline InstructionSet instruction_set(std::span<const HeaderRecord> header) {
    InstructionSet set;
    for (const HeaderRecord& record : header) {
        if (record.descriptor == Descriptor::isa_extended && record.raw().size > comment_head)
            set.isa_string = record.raw().text(comment_head);
        if (record.descriptor == Descriptor::isa) set.is_riscv = record.raw().at<std::uint16_t>(1) == isa_riscv;
        if (record.descriptor == Descriptor::inst_iem && record.raw().at<std::uint16_t>(1) == iem_rv32)
            set.base = riscv::Xlen::rv32;
    }
    return set;
}

/// Calls a form of the view "instructions" in stream order:
/// - `form.header(records)` once;
/// - `form.before(record)` for each record before an opcode, followed by the function for its kind:
///   `access`, `content`, `bus_access`, `bus_content`, `register_value`, `event`, `event_target`, `page_table_walk`,
///   `microop`, `ready_register`, `comment` or `other`;
/// - `form.replaced_target()` and `form.replaced_process()` before the current target or process changes;
/// - `form.instruction(opcode)` for each instruction;
/// - `form.without_instruction(why)` if an instruction is missing but some of its data is present: records
///   (`form.has_records()`), a target or a process.
template <typename Form>
class InstructionWalk {
public:
    /// `form` may read `current`. `chosen`: the instructions to show, see chosen_instructions(). All arguments must
    /// outlive the walk.
    InstructionWalk(Scanner& scanner, CurrentInstruction& current, Form& form, const Settings& settings,
                    const std::optional<ChosenRecords>& chosen)
        : scanner_(scanner), now_(current), form_(form), settings_(settings), chosen_(chosen) {}

    /// Walks the header and the instructions in the settings' window or slice. Prints notes about unknown state and
    /// about an empty window. Throws Failure::input for a trace of transactions.
    void run(const Input& input) {
        const std::vector<HeaderRecord> header = scanner_.read_header();
        need_instructions(scanner_, input);
        for (const HeaderRecord& record : header)
            if (record.descriptor == Descriptor::process_id_ext) remember(Process::of(record.raw()));
        if (disassembles(settings_))
            now_.disassembler.emplace(instruction_set(header));
        else if (settings_.disassembly == Disassembly::automatic && settings_.note)
            settings_.note("no disassembly: " + Decoding::reason_of_absence() + "; --disasm off hides this note");
        const bool translates = settings_.text(options, "stf-physical") == "on";
        if (translates) now_.translation.emplace(header, settings_.limits.schema_objects);
        if (settings_.symbols) now_.places.emplace(settings_.symbols);
        form_.header(header);
        // Translation needs all page table walks.
        const bool leaves_out = !translates && leave_out_chunks(scanner_, settings_.window);
        const std::uint64_t first = scanner_.instructions() + 1;
        if (leaves_out) forget();
        note_empty(walk(), settings_);
        if (leaves_out) note_unread(shown_unread_, first, settings_);
    }

private:
    /// Walks the instructions. Returns false if the window contains nothing to show.
    bool walk() {
        RawRecord record;
        bool any = false;
        const auto [begin, window_end] = instructions_of(settings_.window);
        const std::uint64_t end = chosen_ ? std::min(window_end, chosen_->end()) : window_end;
        while (true) {
            while (scanner_.instructions() < begin && scanner_.next(record))
                skip(record);
            while (scanner_.instructions() < end) {
                const bool is_left_out = chosen_ && !chosen_->has(scanner_.instructions());
                if (!scanner_.next(record)) break;
                if (is_left_out) [[unlikely]] {
                    skip(record);
                    continue;
                }
                any = true;
                if (is_marker(record.descriptor))
                    instruction(record);
                else if (now_.translation && now_.translation->awaits_mode()) [[unlikely]]
                    wait_for_mode(record);
                else
                    show(record);
            }
            if (scanner_.instructions() >= end || !scanner_.resume()) break;
            lose();
        }
        end_group("the trace ends before the instruction of these records");
        return any;
    }

    void translate(const RawRecord& record) {
        if (now_.translation) now_.translation->record(record, scanner_.event64());
    }

    /// Updates the state from a record that is not shown.
    void skip(const RawRecord& record) {
        if (record.descriptor == Descriptor::process_id_ext) {
            remember(Process::of(record));
            now_.process_is_news = true;
        }
        if (record.descriptor == Descriptor::inst_iem) set_mode(record);
        translate(record);
    }

    /// Holds back a record of the first instruction. Its addresses depend on the mode, which a later record states.
    void wait_for_mode(const RawRecord& record) {
        check_limit(waiting_.size() + record.size, settings_.limits.record, "the first instruction's group of records",
                    "--max-record");
        const auto bytes = record.bytes();
        waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
        waiting_sizes_.push_back(record.size);
        if (record.descriptor != Descriptor::event) return;
        translate(record);
        if (!now_.translation->awaits_mode()) show_waiting();
    }
    void show_waiting() {
        const std::byte* next = waiting_.data();
        for (const std::size_t size : waiting_sizes_) {
            show({static_cast<Descriptor>(*next), next, size});
            next += size;
        }
        waiting_ = {};
        waiting_sizes_ = {};
    }

    void show(const RawRecord& record) {
        translate(record);
        form_.before(record);
        switch (record.descriptor) {
            case Descriptor::inst_mem_access:
                return form_.access(record);
            case Descriptor::inst_mem_content:
                return form_.content(record.at<std::uint64_t>(1));
            case Descriptor::inst_reg:
                return form_.register_value(record);
            case Descriptor::inst_pc_target:
                if (now_.target) form_.replaced_target();
                now_.target = record.at<std::uint64_t>(1);
                return;
            case Descriptor::bus_master_access:
                return form_.bus_access(record);
            case Descriptor::bus_master_content:
                return form_.bus_content(record.at<std::uint64_t>(1));
            case Descriptor::event:
                return form_.event(record);
            case Descriptor::event_pc_target:
                return form_.event_target(record.at<std::uint64_t>(1));
            case Descriptor::page_table_walk:
                return form_.page_table_walk(record);
            case Descriptor::inst_microop:
                return form_.microop(record);
            case Descriptor::inst_ready_reg:
                return form_.ready_register(record.at<std::uint16_t>(1));
            case Descriptor::comment:
                return form_.comment(record.text(comment_head));
            case Descriptor::process_id_ext:
                return change_process(Process::of(record));
            case Descriptor::inst_iem:
                set_mode(record);
                return form_.other(record);
            default:
                return form_.other(record);
        }
    }

    void instruction(const RawRecord& opcode) {
        now_.has_opcode = true;
        if (!waiting_sizes_.empty()) [[unlikely]]
            show_waiting();
        if (!has_shown_) [[unlikely]] {
            shown_unread_ = now_.unread;
            has_shown_ = true;
        }
        form_.instruction(opcode);
        now_.target.reset();
        now_.process_is_news = now_.process_is_said = now_.has_opcode = false;
        translate(opcode);
    }

    void end_group(std::string_view why) {
        show_waiting();
        if (!form_.has_records() && !now_.target && !now_.process_is_said) return;
        form_.without_instruction(why);
        now_.target.reset();
        now_.process_is_said = false;
    }

    /// Handles damage: the state is unknown until later records state it again.
    void lose() {
        end_group("the instruction of these records is lost");
        if (now_.translation) now_.translation->lose(scanner_.instructions());
        forget();
        now_.process_is_news = true;
    }
    void forget() {
        now_.has_process = false;
        now_.unread = {.process = true, .encoding_mode = now_.disassembler.has_value()};
    }
    void remember(const Process& process) {
        now_.process = process;
        now_.has_process = true;
        now_.unread.process = false;
    }
    void change_process(const Process& process) {
        if (process == now_.process && !now_.unread.process) return;
        if (now_.process_is_news && now_.has_process) form_.replaced_process();
        remember(process);
        now_.process_is_news = now_.process_is_said = true;
    }
    void set_mode(const RawRecord& record) {
        const auto mode = record.at<std::uint16_t>(1);
        if (now_.disassembler && (mode == iem_rv32 || mode == iem_rv64))
            now_.disassembler->set_base(mode == iem_rv32 ? riscv::Xlen::rv32 : riscv::Xlen::rv64);
        now_.unread.encoding_mode = false;
    }

    Scanner& scanner_;
    CurrentInstruction& now_;
    Form& form_;
    const Settings& settings_;
    const std::optional<ChosenRecords>& chosen_;
    std::vector<std::byte> waiting_;          ///< records that wait for the mode of the first instruction
    std::vector<std::size_t> waiting_sizes_;  ///< sizes of these records
    Unread shown_unread_;                     ///< unknown state of the first shown instruction
    bool has_shown_ = false;
};

/// Returns the reference's name for the class of an event.
constexpr std::string_view event_class(std::uint64_t wide_id) noexcept {
    if (wide_id == event_mode_change) return "MODE";
    if ((wide_id & event_interrupt) != 0) return "INTERRUPT";
    if ((wide_id & event_special) != 0) return "EVENT";
    return wide_id >= first_system_call && wide_id <= last_system_call ? "SYSCALL" : "FAULT";
}

/// Returns the size of an instruction in bytes.
constexpr unsigned instruction_size(const RawRecord& opcode) noexcept {
    return opcode.descriptor == Descriptor::inst_opcode32 ? 4 : 2;
}
inline std::uint32_t encoding_of(const RawRecord& opcode) noexcept {
    return opcode.descriptor == Descriptor::inst_opcode32 ? opcode.at<std::uint32_t>(1) : opcode.at<std::uint16_t>(1);
}

}  // namespace hwtrace::stf
