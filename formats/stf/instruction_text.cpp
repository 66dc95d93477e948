// formats/stf/instruction_text.cpp - the view "instructions" as text: the lines of the reference instruction dump, plus
// the records that the dump hides (formats/stf/README.md#instruction-view).
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "code_text.hpp"
#include "instruction_walk.hpp"

namespace hwtrace::stf {
namespace {

// Columns, counted from 0, and widths.
constexpr std::size_t label_width = 20;         // label of PID, PTE, FORCE_PC and header lines
constexpr std::size_t kind_width = 10;          // INST32
constexpr std::size_t number_width = 10;        // instruction number
constexpr std::size_t name_at = 41;             // name in continuation lines; the kind is right before it
constexpr std::size_t name_width = 25;          // name of registers and events
constexpr std::size_t value_at = 66;            // value of registers, events and addresses
constexpr std::size_t access_name_width = 14;   // READ
constexpr std::size_t content_at = 87;          // content of accesses
constexpr std::size_t microop_blanks = 41;      // before the encoding of a micro-operation
constexpr std::size_t disassembly_blanks = 13;  // between encoding and disassembly
constexpr std::size_t disassembly_width = 30;   // up to the name of the function
constexpr std::size_t shortest_field = 8;       // digits of an event field
constexpr unsigned physical_digits = 10;
constexpr std::size_t physical_width = 11;  // physical address with its colon
constexpr std::size_t longest_line = 256;   // line of numbers and names
constexpr std::size_t longest_disassembly = 4096;
/// Appends `count` blanks, at most `Most`. Always writes `Most` blanks, because a constant size is faster, and then
/// advances by `count`.
template <std::size_t Most = 128>
void append_blanks(std::size_t count, TextOutput& out) {
    std::memset(out.reserve(Most), ' ', Most);
    out.advance(std::min(count, Most));
}

/// Returns the beginning of a line, with its kind right before the column of names.
template <std::size_t Size>
consteval std::array<char, name_at> beginning(const char (&kind)[Size]) {
    std::array<char, name_at> text{};
    text.fill(' ');
    for (std::size_t at = 0; at + 1 < Size; ++at)
        text[name_at - Size + at] = kind[at];
    return text;
}
constexpr auto memory_line = beginning("MEM"), bus_line = beginning("BUS"), state_line = beginning("state"),
               source_line = beginning("src"), destination_line = beginning("dst"), target_line = beginning("TARGET"),
               ready_line = beginning("ReadyReg");

// The padded names of the most frequent registers: integer, floating point and vector.
constexpr std::size_t named_registers = 32;
constexpr auto register_columns = [] {
    constexpr std::string_view stems[] = {"REG_", "REG_F", "REG_V"};
    std::array<std::array<char, name_width>, std::size(stems) * named_registers> columns{};
    for (std::size_t at = 0; at < columns.size(); ++at) {
        columns[at].fill(' ');
        std::size_t end = 0;
        for (const char c : stems[at / named_registers])
            columns[at][end++] = c;
        const std::size_t number = at % named_registers;
        if (number >= 10) columns[at][end++] = static_cast<char>('0' + number / 10);
        columns[at][end] = static_cast<char>('0' + number % 10);
    }
    return columns;
}();

/// The groups of an instruction's lines, in order of output. This order does not depend on the order of the records.
enum class TextSection : std::uint8_t {
    before,  ///< before the instruction; all others follow it
    reads,
    writes,
    other_accesses,
    bus_accesses,
    page_walks,
    states,
    sources,
    destinations,
    other_registers,
    events,
    comments,
    microops,
    ready_registers,
};
constexpr std::size_t section_count = 14;

/// Prints instructions. Each record is printed at once into the buffer of its section.
class InstructionText {
public:
    InstructionText(CurrentInstruction& current, TextOutput& out) : now_(current), out_(out) {}

    // The functions that InstructionWalk calls.
    void header(std::span<const HeaderRecord> records);
    void before(const RawRecord& record) { cut_long_group(record.size); }
    void access(const RawRecord& record);
    void content(std::uint64_t value) { append_content(value, "MEM", false); }
    void bus_access(const RawRecord& record);
    void bus_content(std::uint64_t value) { append_content(value, "BUS", true); }
    void register_value(const RawRecord& record);
    void event(const RawRecord& record);
    void event_target(std::uint64_t pc);
    void page_table_walk(const RawRecord& record);
    void microop(const RawRecord& record);
    void ready_register(std::uint16_t number);
    void comment(std::string_view text);
    void other(const RawRecord& record) { header_record(record, in(TextSection::before)); }
    void replaced_target() { word_line("INST_PC_TARGET", *now_.target, in(TextSection::before)); }
    /// Prints an earlier process of the same instruction. The last one is printed with the instruction.
    void replaced_process() { append_process(in(TextSection::before)); }
    void instruction(const RawRecord& opcode);
    bool has_records() const noexcept { return used_ != 0; }
    void without_instruction(std::string_view why);

private:
    /// An access whose contents may follow.
    struct Access {
        TextSection section;
        std::uint16_t size = 0;
        std::uint8_t master = 0, index = 0;  ///< bus accesses only
        bool has_content = false;
    };

    TextOutput& in(TextSection section) {
        used_ |= 1u << static_cast<unsigned>(section);
        return sections_[static_cast<std::size_t>(section)];
    }
    static void begin_line(const std::array<char, name_at>& text, std::size_t shift, TextOutput& out) {
        if (shift > 0) append_blanks<32>(shift, out);
        out.put(std::string_view(text.data(), text.size()));
    }
    static void begin_line(std::string_view kind, std::size_t shift, TextOutput& out) {
        append_blanks(name_at + shift - 1 - kind.size(), out);
        out.put(kind);
        out.put(' ');
    }
    static void append_label(std::string_view label, TextOutput& out) {
        out.put(label);
        append_blanks(label.size() < label_width ? label_width - label.size() : 0, out);
    }
    static void pad(std::size_t begin, std::size_t width, TextOutput& out) {
        const std::size_t length = out.text().size() - begin;
        append_blanks<32>(length < width ? width - length : 1, out);
    }
    /// Prints an address. With translation, also prints the physical address, or dashes if it is unknown.
    void append_address(std::uint64_t address, std::optional<std::uint64_t> physical, TextOutput& out) const {
        out.hex(address, 16);
        if (!now_.translation) return;
        out.put(':');
        if (!physical) {
            out.put(std::string_view("----------").substr(0, physical_digits));
            return;
        }
        const auto digits = static_cast<unsigned>(std::bit_width(*physical) + 3) / 4;
        out.hex(*physical, std::max(digits, physical_digits));
    }
    std::optional<std::uint64_t> physical(std::uint64_t address) const {
        return now_.translation ? now_.translation->physical(address) : std::nullopt;
    }
    static void append_field(std::uint64_t value, TextOutput& out) {
        const auto digits = static_cast<std::size_t>(std::bit_width(value) + 3) / 4;
        out.hex(value, static_cast<unsigned>(std::max(digits, shortest_field)));
    }

    void header_record(const RawRecord& record, TextOutput& out);
    void word_line(std::string_view label, std::uint64_t value, TextOutput& out);
    void append_process(TextOutput& out) const;
    void append_content(std::uint64_t value, std::string_view kind, bool on_bus);
    void append_access_end(TextOutput& out);
    void close_access();
    void append_disassembly(std::uint64_t pc, std::uint32_t encoding, unsigned size, TextOutput& out);
    void append_sections(unsigned used);
    void cut_long_group(std::size_t next);

    CurrentInstruction& now_;
    TextOutput& out_;
    std::array<SectionText, section_count> sections_;
    unsigned used_ = 0;          ///< one bit per section that holds text
    std::size_t shift_ = 0;      ///< shift of the columns after the first address of a line
    std::size_t unchecked_ = 0;  ///< bytes of the trace since the last check of how much text is kept
    std::optional<Access> access_;
};

// --- the header ------------------------------------------------------------------------------------------------------

void InstructionText::word_line(std::string_view label, std::uint64_t value, TextOutput& out) {
    append_label(label, out);
    out.hex(value, 16);
    out.put('\n');
}

/// Prints the header in the reference's order, then the records that the reference hides.
void InstructionText::header(std::span<const HeaderRecord> records) {
    using enum Descriptor;
    if (now_.translation) shift_ = physical_width;
    bool has_vectors = false;
    for (const Descriptor kind :
         {version, trace_info, isa, inst_iem, vlen_config, isa_extended, trace_info_feature, force_pc, comment}) {
        for (const HeaderRecord& record : records) {
            if (record.descriptor != kind) continue;
            has_vectors = has_vectors || kind == vlen_config;
            header_record(record.raw(), out_);
        }
        if (kind == vlen_config && !has_vectors) out_.put("VLEN                0\n");
    }
}

void InstructionText::header_record(const RawRecord& record, TextOutput& out) {
    const auto name_or_number = [&](std::string_view label, std::string_view name, std::uint64_t number) {
        append_label(label, out);
        append_name_or_number(name, number, out);
        out.put('\n');
    };
    const auto text = [&](std::string_view label, std::size_t head) {
        append_label(label, out);
        append_one_line(record.text(head), out);
        out.put('\n');
    };
    switch (record.descriptor) {
        case Descriptor::version:
            append_label("VERSION", out);
            out.decimal(record.at<std::uint32_t>(1));
            out.put('.');
            out.decimal(record.at<std::uint32_t>(5));
            out.put('\n');
            break;
        case Descriptor::trace_info:
            name_or_number("GENERATOR", generator_name(record.at<std::uint8_t>(1)), record.at<std::uint8_t>(1));
            append_label("GEN_VERSION", out);
            for (const std::size_t at : {2u, 3u, 4u}) {
                if (at > 2) out.put('.');
                out.decimal(record.at<std::uint8_t>(at));
            }
            out.put('\n');
            text("GEN_COMMENT", trace_info_head);
            break;
        case Descriptor::isa:
            name_or_number("ISA", isa_name(record.at<std::uint16_t>(1)), record.at<std::uint16_t>(1));
            break;
        case Descriptor::inst_iem:
            name_or_number("INST_IEM", iem_name(record.at<std::uint16_t>(1)), record.at<std::uint16_t>(1));
            break;
        case Descriptor::vlen_config:
            append_label("VLEN", out);
            out.decimal(record.at<std::uint32_t>(1));
            out.put('\n');
            break;
        case Descriptor::isa_extended:
            text("INST_EXT", comment_head);
            break;
        case Descriptor::trace_info_feature:
            word_line("FEATURES", record.at<std::uint64_t>(1), out);
            break;
        case Descriptor::force_pc:
            word_line("FORCE_PC", record.at<std::uint64_t>(1), out);
            break;
        case Descriptor::comment:
            text("COMMENT", comment_head);
            break;
        default:  // no payload
            out.put(name_of(record.descriptor));
            out.put('\n');
            break;
    }
}

// --- records before an opcode ----------------------------------------------------------------------------------------

void InstructionText::page_table_walk(const RawRecord& record) {
    TextOutput& out = in(TextSection::page_walks);
    append_label("PTE", out);
    append_page_table_walk(record, out);
}

void InstructionText::ready_register(std::uint16_t number) {
    TextOutput& out = in(TextSection::ready_registers);
    begin_line(ready_line, 0, out);
    out.decimal(number);
    out.put('\n');
}

void InstructionText::comment(std::string_view text) {
    TextOutput& out = in(TextSection::comments);
    out.put("    COMMENT         ");
    append_one_line(text, out);
    out.put('\n');
}

void InstructionText::append_process(TextOutput& out) const {
    append_label("PID", out);
    if (now_.unread.process) {
        out.put("--------:--------:--------\n");
        return;
    }
    out.hex(now_.process.hardware_thread, 8);
    out.put(':');
    out.hex(now_.process.process, 8);
    out.put(':');
    out.hex(now_.process.thread, 8);
    out.put('\n');
}

void InstructionText::access(const RawRecord& record) {
    close_access();
    const auto type = record.at<std::uint8_t>(13);
    access_ = Access{.section = type == memory_read    ? TextSection::reads
                                : type == memory_write ? TextSection::writes
                                                       : TextSection::other_accesses,
                     .size = record.at<std::uint16_t>(9)};
    TextOutput& out = in(access_->section);
    out.reserve(longest_line);
    begin_line(memory_line, shift_, out);
    const std::size_t name = out.text().size();
    append_name_or_number(memory_type_name(type), type, out);
    pad(name, access_name_width, out);
    out.hex(record.at<std::uint16_t>(11), 4);
    append_blanks(7, out);
    append_address(record.at<std::uint64_t>(1), physical(record.at<std::uint64_t>(1)), out);
}

void InstructionText::bus_access(const RawRecord& record) {
    close_access();
    access_ = Access{.section = TextSection::bus_accesses,
                     .size = record.at<std::uint16_t>(9),
                     .master = record.at<std::uint8_t>(11),
                     .index = record.at<std::uint8_t>(12)};
    const auto type = record.at<std::uint8_t>(17);
    TextOutput& out = in(access_->section);
    begin_line(bus_line, shift_, out);
    const std::size_t name = out.text().size();
    append_name_or_number(memory_type_name(type), type, out);
    pad(name, access_name_width, out);
    out.hex(record.at<std::uint32_t>(13), 8);
    append_blanks(3, out);
    out.hex(record.at<std::uint64_t>(1), 16);
}

/// Ends the line of an access. Call after the first content, or after the blanks that replace it.
void InstructionText::append_access_end(TextOutput& out) {
    out.put("  size ");
    out.decimal(access_->size);
    if (access_->section == TextSection::bus_accesses) {
        out.put("  ");
        append_name_or_number(bus_master_name(access_->master), access_->master, out);
        out.put(' ');
        out.decimal(access_->index);
    }
    out.put('\n');
}

void InstructionText::append_content(std::uint64_t value, std::string_view kind, bool on_bus) {
    if (!access_ || (access_->section == TextSection::bus_accesses) != on_bus) {
        TextOutput& out = in(on_bus ? TextSection::bus_accesses : TextSection::other_accesses);
        close_access();
        begin_line(kind, shift_, out);
        const std::size_t name = out.text().size();
        out.put("no access");
        append_blanks(content_at + shift_ - name_at - (out.text().size() - name), out);
        out.hex(value, 16);
        out.put('\n');
        return;
    }
    TextOutput& out = in(access_->section);
    append_blanks(access_->has_content ? content_at + 2 * shift_ : 5, out);
    out.hex(value, 16);
    if (access_->has_content)
        out.put('\n');
    else
        append_access_end(out);
    access_->has_content = true;
}

void InstructionText::close_access() {
    if (access_ && !access_->has_content) {
        TextOutput& out = in(access_->section);
        append_blanks(5 + 16, out);
        append_access_end(out);
    }
    access_.reset();
}

void InstructionText::register_value(const RawRecord& record) {
    const auto meta = record.at<std::uint8_t>(3);
    const unsigned type = meta & 0xFu, operand = meta >> 4u;
    const TextSection section = operand == operand_state         ? TextSection::states
                                : operand == operand_source      ? TextSection::sources
                                : operand == operand_destination ? TextSection::destinations
                                                                 : TextSection::other_registers;
    TextOutput& out = in(section);
    out.reserve(longest_line);
    switch (section) {
        case TextSection::states:
            begin_line(state_line, shift_, out);
            break;
        case TextSection::sources:
            begin_line(source_line, shift_, out);
            break;
        case TextSection::destinations:
            begin_line(destination_line, shift_, out);
            break;
        default:
            append_blanks(shift_ + (operand < 10 ? 30 : 29), out);
            append_name_or_number({}, operand, out);
            out.put(' ');
            break;
    }
    const auto number = record.at<std::uint16_t>(1);
    if (type >= register_integer && type <= register_vector && number < register_pc) [[likely]] {
        const auto& column = register_columns[(type - register_integer) * named_registers + number];
        out.put(std::string_view(column.data(), column.size()));
    } else {
        const std::size_t name = out.text().size();
        append_register_name(type, number, out);
        pad(name, name_width, out);
    }
    for (std::size_t at = record.size; at > vector_head; at -= 8)  // most significant word first
        out.hex(record.at<std::uint64_t>(at - 8), 16);
    out.put('\n');
}

void InstructionText::event(const RawRecord& record) {
    const bool wide = now_.scanner.event64();
    const EventHead head = head_of_event(record, wide);
    TextOutput& out = in(TextSection::events);
    begin_line(event_class(head.wide_id), shift_, out);
    std::size_t at = head.size;
    if (head.wide_id == event_mode_change) {
        if (at < record.size) {
            append_name_or_number(mode_name(record.at<std::uint64_t>(at)), record.at<std::uint64_t>(at), out);
            at += 8;
        } else {
            out.put("no mode");
        }
    } else {
        const std::size_t name = out.text().size();
        append_event_name(head.id, wide, out);
        pad(name, name_width, out);
        if (at < record.size) {
            append_blanks(shift_, out);
            append_field(record.at<std::uint64_t>(at), out);
            at += 8;
        }
    }
    out.put('\n');
    for (; at < record.size; at += 8) {
        append_blanks(value_at + 2 * shift_, out);
        append_field(record.at<std::uint64_t>(at), out);
        out.put('\n');
    }
}

void InstructionText::event_target(std::uint64_t pc) {
    TextOutput& out = in(TextSection::events);
    begin_line(target_line, shift_, out);
    append_blanks(name_width, out);
    out.hex(pc, 16);
    out.put('\n');
}

void InstructionText::microop(const RawRecord& record) {
    TextOutput& out = in(TextSection::microops);
    const std::size_t begin = out.text().size();
    const unsigned bits = 8u * record.at<std::uint8_t>(1);
    append_blanks(bits < 100 ? 35 : 34, out);
    out.put("UOp");
    out.decimal(bits);
    append_blanks(name_at - (out.text().size() - begin), out);
    append_blanks(microop_blanks, out);
    const auto encoding = record.at<std::uint32_t>(2);
    out.hex(encoding, 8);
    // A micro-operation has the same pc as its instruction.
    if (now_.disassembler) append_disassembly(now_.pc(), encoding, record.at<std::uint8_t>(1) == 2 ? 2 : 4, out);
    out.put('\n');
}

void InstructionText::append_disassembly(std::uint64_t pc, std::uint32_t encoding, unsigned size, TextOutput& out) {
    append_blanks(disassembly_blanks, out);
    now_.disassembler->put(pc, encoding, size, out);
}

// --- instructions ----------------------------------------------------------------------------------------------------

void InstructionText::instruction(const RawRecord& opcode) {
    if (access_) close_access();
    constexpr unsigned in_front = 1u << static_cast<unsigned>(TextSection::before);
    if ((used_ & in_front) != 0) append_sections(in_front);
    if (now_.process_is_news) append_process(out_);  // always true for the first instruction

    out_.reserve(longest_line);
    const std::size_t begin = out_.text().size();
    out_.put(opcode.descriptor == Descriptor::inst_opcode32 ? "INST32    " : "INST16    ");
    out_.decimal(now_.number());
    pad(begin, kind_width + number_width, out_);
    append_address(now_.pc(), physical(now_.pc()), out_);
    if (now_.target) {
        out_.put(" PC ");
        append_address(*now_.target, now_.translation ? now_.translation->physical_next(*now_.target) : std::nullopt,
                       out_);
        append_blanks(10, out_);
    } else {
        append_blanks(30 + shift_, out_);
    }
    out_.hex(encoding_of(opcode), 8);
    if (now_.places) [[unlikely]] {
        out_.reserve(longest_disassembly);
        const std::size_t end = out_.text().size();
        if (now_.disassembler) append_disassembly(now_.pc(), encoding_of(opcode), instruction_size(opcode), out_);
        pad(end, disassembly_blanks + disassembly_width, out_);
        append_place_comment(now_.places->at(now_.pc()), out_);
    } else if (now_.disassembler) {
        append_disassembly(now_.pc(), encoding_of(opcode), instruction_size(opcode), out_);
    }
    out_.put('\n');
    if (used_ != 0) append_sections(used_);
}

void InstructionText::append_sections(unsigned used) {
    used_ &= ~used;
    for (; used != 0; used &= used - 1) {
        SectionText& section = sections_[static_cast<std::size_t>(std::countr_zero(used))];
        out_.put(section.text());
        section.clear();
    }
}

/// Prints the records of a very long group before its instruction, to bound memory. Never cuts between an access and
/// its first content, which share a line.
void InstructionText::cut_long_group(std::size_t next) {
    constexpr std::size_t check_every = 64u << 10;
    unchecked_ += next;
    const bool on_line = access_ && !access_->has_content;
    if (unchecked_ < check_every || on_line) [[likely]]
        return;
    unchecked_ = 0;
    std::size_t kept = 0;
    for (const SectionText& section : sections_)
        kept += section.text().size();
    if (kept < part_size) return;
    append_label("PART", out_);
    out_.put("of the records of instruction ");
    out_.decimal(now_.number());
    out_.put(", which follows\n");
    append_sections(used_);
}

void InstructionText::without_instruction(std::string_view why) {
    close_access();
    append_label("NO_INST", out_);
    out_.put(why);
    out_.put('\n');
    if (now_.process_is_said) append_process(out_);
    if (now_.target) word_line("INST_PC_TARGET", *now_.target, out_);
    append_sections(used_);
}

}  // namespace

void render_instructions(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    const std::optional<ChosenRecords> chosen = chosen_instructions(input, settings);
    Scanner scanner(input, settings.limits, findings, settings.jobs);
    CurrentInstruction current(scanner);
    InstructionText text(current, out);
    InstructionWalk(scanner, current, text, settings, chosen).run(input);
}

}  // namespace hwtrace::stf
