// formats/stf/instruction_data.cpp - the view "instructions" as JSON and CSV (formats/stf/README.md#instruction-data).
#include <algorithm>
#include <array>

#include "code_text.hpp"
#include "domain/value_text.hpp"
#include "instruction_walk.hpp"

namespace hwtrace::stf {
namespace {

/// The lists of an instruction. Each is a member of its JSON object and a column of its CSV row.
enum class DataSection : std::uint8_t {
    accesses,
    bus_accesses,
    page_table_walks,
    registers,
    events,
    comments,
    microops,
    ready_registers,
    force_pcs,
    encoding_modes,
    replaced_targets,
    replaced_processes,
    other_records,
};
constexpr std::array<std::string_view, 13> section_names{
    "accesses",         "bus_accesses",       "page_table_walks", "registers", "events",
    "comments",         "microops",           "ready_registers",  "force_pc",  "inst_iem",
    "replaced_targets", "replaced_processes", "other_records"};

constexpr std::string_view role_name(unsigned operand) noexcept {
    constexpr std::string_view names[] = {"", "state", "src", "dst"};
    return operand < std::size(names) ? names[operand] : std::string_view{};
}

/// Prints each instruction as an object or a row. Each record is printed at once into the buffer of its section.
class InstructionData {
public:
    InstructionData(CurrentInstruction& current, TextForm form, const Settings& settings, TextOutput& out)
        : now_(current), out_(out), settings_(settings), form_(form) {}

    // The functions that InstructionWalk calls.
    void header(std::span<const HeaderRecord> records);
    void before(const RawRecord& record) { cut_long_group(record.descriptor); }
    void access(const RawRecord& record);
    void content(std::uint64_t value) {
        append_content(DataSection::accesses, access_open_, access_has_content_, value);
    }
    void bus_access(const RawRecord& record);
    void bus_content(std::uint64_t value) {
        append_content(DataSection::bus_accesses, bus_open_, bus_has_content_, value);
    }
    void register_value(const RawRecord& record);
    void event(const RawRecord& record);
    void event_target(std::uint64_t pc);
    void page_table_walk(const RawRecord& record);
    void microop(const RawRecord& record);
    void ready_register(std::uint16_t number) { item(DataSection::ready_registers).decimal(number); }
    void comment(std::string_view words);
    void other(const RawRecord& record);
    void replaced_target() { number(*now_.target, item(DataSection::replaced_targets)); }
    void replaced_process();
    void instruction(const RawRecord& opcode);
    bool has_records() const noexcept;
    void without_instruction(std::string_view) { append_without_instruction(false); }

    /// Ends the document after the walk.
    void end() {
        if (form_ == TextForm::json) out_.put("\n]}\n");
    }

private:
    bool is_csv() const noexcept { return form_ == TextForm::csv; }
    SectionText& in(DataSection section) { return sections_[static_cast<std::size_t>(section)]; }
    /// Begins a new item of a section.
    TextOutput& item(DataSection section) {
        SectionText& out = in(section);
        if (!out.text().empty()) out.put(is_csv() ? "; " : ",");
        return out;
    }
    void number(std::uint64_t value, TextOutput& out) const {
        if (is_csv())
            append_hex(value, out);
        else
            append_json_integer(value, settings_.json_integers, out);
    }
    /// Prints `,"key":` in JSON, ` key ` in CSV.
    void key(std::string_view name, TextOutput& out) const {
        if (!is_csv()) out.put(",\"");
        if (is_csv()) out.put(' ');
        out.put(name);
        out.put(is_csv() ? " " : "\":");
    }
    /// Prints a physical address. If no walk states the address, prints null in JSON and "unknown" in CSV.
    void physical(std::optional<std::uint64_t> address, TextOutput& out) const {
        if (address)
            number(*address, out);
        else
            out.put(is_csv() ? "unknown" : "null");
    }
    template <typename Put>
    void text(const Put& put, TextOutput& out);
    void name(std::string_view name, std::uint64_t code, TextOutput& out) {
        text([&](TextOutput& to) { append_name_or_number(name, code, to); }, out);
    }

    void header_json(std::span<const HeaderRecord> records);
    void append_process(TextOutput& out) const;
    void append_content(DataSection section, bool& open, bool& has_content, std::uint64_t value);
    void close(DataSection section, bool& open, std::string_view end);
    void close_all();
    void append_disassembly(std::uint32_t encoding, unsigned size);
    void begin_row();
    void append_physical();
    void append_sections();
    void end_row() { out_.put(is_csv() ? "\n" : form_ == TextForm::jsonl ? "}\n" : "}"); }
    void append_without_instruction(bool is_part);
    void cut_long_group(Descriptor next);

    CurrentInstruction& now_;
    TextOutput& out_;
    const Settings& settings_;
    TextForm form_;
    std::array<SectionText, section_names.size()> sections_;
    SectionText word_;  ///< buffer for a name
    bool first_row_ = true;
    // Open items, which the next records may extend.
    bool access_open_ = false, access_has_content_ = false;
    bool bus_open_ = false, bus_has_content_ = false;
    bool event_open_ = false;
};

// --- values ----------------------------------------------------------------------------------------------------------

/// Prints the text that `put(out)` writes. JSON gets a JSON string, CSV the unchanged text.
template <typename Put>
void InstructionData::text(const Put& put, TextOutput& out) {
    if (is_csv()) return put(out);
    word_.clear();
    put(word_);
    append_json_string(word_.text(), out);
}

void InstructionData::append_process(TextOutput& out) const {
    if (now_.unread.process) {
        if (!is_csv()) out.put("null");
        return;
    }
    if (is_csv()) {
        out.decimal(now_.process.hardware_thread);
        out.put(':');
        out.decimal(now_.process.process);
        out.put(':');
        out.decimal(now_.process.thread);
        return;
    }
    out.put("{\"hardware_thread\":");
    out.decimal(now_.process.hardware_thread);
    out.put(",\"process\":");
    out.decimal(now_.process.process);
    out.put(",\"thread\":");
    out.decimal(now_.process.thread);
    out.put('}');
}

// --- the header ------------------------------------------------------------------------------------------------------

void InstructionData::header(std::span<const HeaderRecord> records) {
    if (is_csv()) {
        out_.put("instruction,pc,size,encoding,target,disassembly,process");
        for (const std::string_view name : section_names) {
            out_.put(',');
            out_.put(name);
        }
        if (now_.translation) out_.put(",physical_pc,physical_target");
        out_.put('\n');
        return;
    }
    const bool lines = form_ == TextForm::jsonl;
    out_.put('{');
    append_json_head("hwtrace-stf-instructions/1", settings_, out_);
    out_.put(lines ? ",\"header\":{" : ",\n\"header\":{");
    header_json(records);
    out_.put(lines ? "}}\n" : "},\n\"instructions\":[");
}

/// Prints one member per kind of record. The member is an array if the kind may repeat.
void InstructionData::header_json(std::span<const HeaderRecord> records) {
    using enum Descriptor;
    bool first = true;
    const auto member = [&](std::string_view name) {
        out_.put(first ? "\"" : ",\"");
        first = false;
        out_.put(name);
        out_.put("\":");
    };
    const auto each = [&](Descriptor kind, const auto& put) {
        bool is_first = true;
        for (const HeaderRecord& record : records) {
            if (record.descriptor != kind) continue;
            if (!is_first) out_.put(',');
            is_first = false;
            put(record.raw());
        }
    };
    // Kinds of records that may occur once. If such a record is repeated, which is a fault, the last one applies.
    const auto once = [&](Descriptor kind, std::string_view name, const auto& put) {
        const HeaderRecord* last = nullptr;
        for (const HeaderRecord& record : records)
            if (record.descriptor == kind) last = &record;
        if (last == nullptr) return;
        member(name);
        put(last->raw());
    };
    once(version, "version", [&](const RawRecord& record) {
        out_.put('"');
        out_.decimal(record.at<std::uint32_t>(1));
        out_.put('.');
        out_.decimal(record.at<std::uint32_t>(5));
        out_.put('"');
    });
    once(isa, "isa", [&](const RawRecord& record) {
        name(isa_name(record.at<std::uint16_t>(1)), record.at<std::uint16_t>(1), out_);
    });
    once(inst_iem, "inst_iem", [&](const RawRecord& record) {
        name(iem_name(record.at<std::uint16_t>(1)), record.at<std::uint16_t>(1), out_);
    });
    once(isa_extended, "isa_extended",
         [&](const RawRecord& record) { append_json_string(record.text(comment_head), out_); });
    once(vlen_config, "vlen", [&](const RawRecord& record) { out_.decimal(record.at<std::uint32_t>(1)); });
    once(process_id_ext, "process", [&](const RawRecord&) { append_process(out_); });
    once(trace_info_feature, "features", [&](const RawRecord& record) { number(record.at<std::uint64_t>(1), out_); });
    once(force_pc, "force_pc", [&](const RawRecord& record) { number(record.at<std::uint64_t>(1), out_); });
    member("trace_info");
    out_.put('[');
    each(trace_info, [&](const RawRecord& record) {
        out_.put("{\"generator\":");
        name(generator_name(record.at<std::uint8_t>(1)), record.at<std::uint8_t>(1), out_);
        out_.put(",\"version\":\"");
        for (const std::size_t at : {2u, 3u, 4u}) {
            if (at > 2) out_.put('.');
            out_.decimal(record.at<std::uint8_t>(at));
        }
        out_.put("\",\"comment\":");
        append_json_string(record.text(trace_info_head), out_);
        out_.put('}');
    });
    out_.put("]");
    member("comments");
    out_.put('[');
    each(comment, [&](const RawRecord& record) { append_json_string(record.text(comment_head), out_); });
    out_.put(']');
}

// --- records before an opcode ----------------------------------------------------------------------------------------

void InstructionData::comment(std::string_view words) {
    TextOutput& out = item(DataSection::comments);
    if (is_csv())
        append_one_line(words, out);
    else
        append_json_string(words, out);
}

void InstructionData::other(const RawRecord& record) {
    switch (record.descriptor) {
        case Descriptor::force_pc:
            number(record.at<std::uint64_t>(1), item(DataSection::force_pcs));
            break;
        case Descriptor::inst_iem:
            name(iem_name(record.at<std::uint16_t>(1)), record.at<std::uint16_t>(1), item(DataSection::encoding_modes));
            break;
        default:
            text([&](TextOutput& to) { to.put(name_of(record.descriptor)); }, item(DataSection::other_records));
            break;
    }
}

/// Prints an earlier process of the same instruction. The header's process is printed in the header.
void InstructionData::replaced_process() {
    if (now_.process_is_said) append_process(item(DataSection::replaced_processes));
}

/// Prints the records of a very long group before its instruction, to bound memory. Avoids splitting an item.
void InstructionData::cut_long_group(Descriptor next) {
    constexpr std::size_t largest_item = 4 * part_size;
    std::size_t kept = 0;
    for (const SectionText& section : sections_)
        kept += section.text().size();
    const bool continues = next == Descriptor::inst_mem_content || next == Descriptor::bus_master_content ||
                           next == Descriptor::event_pc_target;
    if (kept > (continues ? largest_item : part_size)) append_without_instruction(true);
}

void InstructionData::close(DataSection section, bool& open, std::string_view end) {
    if (open && !is_csv()) in(section).put(end);
    open = false;
}

void InstructionData::close_all() {
    close(DataSection::accesses, access_open_, "]}");
    close(DataSection::bus_accesses, bus_open_, "]}");
    close(DataSection::events, event_open_, "}");
}

void InstructionData::access(const RawRecord& record) {
    close(DataSection::accesses, access_open_, "]}");
    TextOutput& out = item(DataSection::accesses);
    const auto type = record.at<std::uint8_t>(13);
    if (!is_csv()) out.put("{\"type\":");
    name(memory_type_name(type), type, out);
    key("address", out);
    number(record.at<std::uint64_t>(1), out);
    if (now_.translation) {
        key("physical", out);
        physical(now_.translation->physical(record.at<std::uint64_t>(1)), out);
    }
    key("size", out);
    out.decimal(record.at<std::uint16_t>(9));
    key("attributes", out);
    number(record.at<std::uint16_t>(11), out);
    key("data", out);
    if (!is_csv()) out.put('[');
    access_open_ = true;
    access_has_content_ = false;
}

void InstructionData::bus_access(const RawRecord& record) {
    close(DataSection::bus_accesses, bus_open_, "]}");
    TextOutput& out = item(DataSection::bus_accesses);
    const auto type = record.at<std::uint8_t>(17), master = record.at<std::uint8_t>(11);
    if (!is_csv()) out.put("{\"type\":");
    name(memory_type_name(type), type, out);
    key("address", out);
    number(record.at<std::uint64_t>(1), out);
    key("size", out);
    out.decimal(record.at<std::uint16_t>(9));
    key("master", out);
    name(bus_master_name(master), master, out);
    key("index", out);
    out.decimal(record.at<std::uint8_t>(12));
    key("attributes", out);
    number(record.at<std::uint32_t>(13), out);
    key("data", out);
    if (!is_csv()) out.put('[');
    bus_open_ = true;
    bus_has_content_ = false;
}

void InstructionData::append_content(DataSection section, bool& open, bool& has_content, std::uint64_t value) {
    if (!open) {
        item(section).put(is_csv() ? "no access data " : "{\"type\":null,\"data\":[");
        open = true;
        has_content = false;
    }
    if (has_content) in(section).put(is_csv() ? ' ' : ',');
    number(value, in(section));
    has_content = true;
}

void InstructionData::page_table_walk(const RawRecord& record) {
    TextOutput& out = item(DataSection::page_table_walks);
    out.put(is_csv() ? "address " : "{\"address\":");
    number(record.at<std::uint64_t>(1), out);
    key("first_access", out);
    number(record.at<std::uint64_t>(9), out);
    key("page_size", out);
    number(record.at<std::uint32_t>(17), out);
    key("entries", out);
    if (!is_csv()) out.put('[');
    for (std::size_t at = page_walk_head; at < record.size; at += page_walk_entry) {
        if (at > page_walk_head) out.put(is_csv() ? ' ' : ',');
        if (!is_csv()) out.put("{\"address\":");
        number(record.at<std::uint64_t>(at), out);
        out.put(is_csv() ? "=" : ",\"pte\":");
        number(record.at<std::uint64_t>(at + 8), out);
        if (!is_csv()) out.put('}');
    }
    if (!is_csv()) out.put("]}");
}

void InstructionData::register_value(const RawRecord& record) {
    TextOutput& out = item(DataSection::registers);
    const auto meta = record.at<std::uint8_t>(3);
    const unsigned type = meta & 0xFu, operand = meta >> 4u;
    if (!is_csv()) out.put("{\"role\":");
    name(role_name(operand), operand, out);
    out.put(is_csv() ? " " : ",\"register\":");
    text([&](TextOutput& to) { append_register_name(type, record.at<std::uint16_t>(1), to); }, out);
    out.put(is_csv() ? " " : type == register_vector ? ",\"words\":[" : ",\"value\":");
    for (std::size_t at = vector_head; at < record.size; at += 8) {  // least significant word first
        if (at > vector_head) out.put(is_csv() ? ' ' : ',');
        number(record.at<std::uint64_t>(at), out);
    }
    if (!is_csv()) out.put(type == register_vector ? "]}" : "}");
}

void InstructionData::event(const RawRecord& record) {
    close(DataSection::events, event_open_, "}");
    TextOutput& out = item(DataSection::events);
    const bool wide = now_.scanner.event64();
    const EventHead head = head_of_event(record, wide);
    if (!is_csv()) out.put("{\"class\":");
    text([&](TextOutput& to) { to.put(event_class(head.wide_id)); }, out);
    out.put(is_csv() ? " " : ",\"event\":");
    text([&](TextOutput& to) { append_event_name(head.id, wide, to); }, out);
    key("fields", out);
    if (!is_csv()) out.put('[');
    for (std::size_t at = head.size; at < record.size; at += 8) {
        if (at > head.size) out.put(is_csv() ? ' ' : ',');
        number(record.at<std::uint64_t>(at), out);
    }
    if (!is_csv()) out.put(']');
    event_open_ = true;
}

void InstructionData::event_target(std::uint64_t pc) {
    if (!event_open_) item(DataSection::events).put(is_csv() ? "no event" : "{\"class\":null");
    TextOutput& out = in(DataSection::events);
    key("target", out);
    number(pc, out);
    if (!is_csv()) out.put('}');
    event_open_ = false;
}

void InstructionData::microop(const RawRecord& record) {
    TextOutput& out = item(DataSection::microops);
    out.put(is_csv() ? "size " : "{\"size\":");
    out.decimal(record.at<std::uint8_t>(1));
    key("encoding", out);
    number(record.at<std::uint32_t>(2), out);
    if (!is_csv()) out.put('}');
}

// --- instructions ----------------------------------------------------------------------------------------------------

void InstructionData::begin_row() {
    if (form_ == TextForm::json) out_.put(first_row_ ? "\n" : ",\n");
    first_row_ = false;
}

void InstructionData::append_sections() {
    for (std::size_t at = 0; at < sections_.size(); ++at) {
        SectionText& section = sections_[at];
        const bool empty = section.text().empty();
        if (is_csv()) {
            out_.put(',');
            if (!empty) append_csv(section.text(), out_);
        } else if (!empty) {
            out_.put(",\"");
            out_.put(section_names[at]);
            out_.put("\":[");
            out_.put(section.text());
            out_.put(']');
        }
        section.clear();
    }
}

void InstructionData::instruction(const RawRecord& opcode) {
    close_all();
    begin_row();
    const bool csv = is_csv();
    if (!csv) out_.put("{\"instruction\":");
    out_.decimal(now_.number());
    out_.put(csv ? "," : ",\"pc\":");
    number(now_.pc(), out_);
    out_.put(csv ? "," : ",\"size\":");
    out_.decimal(instruction_size(opcode));
    out_.put(csv ? "," : ",\"encoding\":");
    number(encoding_of(opcode), out_);
    if (csv) out_.put(',');
    if (now_.target) {
        if (!csv) out_.put(",\"target\":");
        number(*now_.target, out_);
    }
    if (csv) out_.put(',');
    if (now_.disassembler) {
        if (!csv) out_.put(",\"disassembly\":");
        append_disassembly(encoding_of(opcode), instruction_size(opcode));
    }
    if (csv) out_.put(',');
    if (csv || now_.process_is_news) {
        if (!csv) out_.put(",\"process\":");
        append_process(out_);
    }
    append_sections();
    if (now_.translation) append_physical();
    end_row();
}

/// Prints the physical addresses of the instruction and its target.
void InstructionData::append_physical() {
    const bool csv = is_csv();
    out_.put(csv ? "," : ",\"physical_pc\":");
    physical(now_.translation->physical(now_.pc()), out_);
    if (csv) out_.put(',');
    if (now_.target) {
        if (!csv) out_.put(",\"physical_target\":");
        physical(now_.translation->physical_next(*now_.target), out_);
    }
}

/// Prints the disassembly. One blank separates the mnemonic and the operands.
void InstructionData::append_disassembly(std::uint32_t encoding, unsigned size) {
    const std::string_view text = now_.disassembler->text(now_.pc(), encoding, size);
    if (is_csv())
        append_csv(text, out_);
    else
        append_json_string(text, out_);
}

bool InstructionData::has_records() const noexcept {
    for (const SectionText& section : sections_)
        if (!section.text().empty()) return true;
    return false;
}

/// Prints records without their instruction. The instruction is missing or, if `is_part`, too many records precede it.
void InstructionData::append_without_instruction(bool is_part) {
    close_all();
    begin_row();
    if (is_csv()) {
        out_.put(",,,,");
        if (now_.target && !is_part) number(*now_.target, out_);
        out_.put(",,");
        if (now_.process_is_said && !is_part) append_process(out_);
    } else {
        out_.put("{\"instruction\":null");
        if (is_part) {
            out_.put(",\"part_of\":");
            out_.decimal(now_.number());
        } else if (now_.target) {
            out_.put(",\"target\":");
            number(*now_.target, out_);
        }
        if (now_.process_is_said && !is_part) {
            out_.put(",\"process\":");
            append_process(out_);
        }
    }
    append_sections();
    if (is_csv() && now_.translation) out_.put(",,");
    end_row();
}

}  // namespace

void render_instruction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings) {
    Scanner scanner(input, settings.limits, findings, settings.jobs);
    CurrentInstruction current(scanner);
    InstructionData data(current, form, settings, out);
    InstructionWalk(scanner, current, data, settings).run(input);
    data.end();
}

}  // namespace hwtrace::stf
