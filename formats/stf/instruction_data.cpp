// formats/stf/instruction_data.cpp - the view "instructions" as JSON and CSV (formats/stf/README.md#instruction-data).
#include <algorithm>
#include <array>

#include "code_text.hpp"
#include "codec/json_object.hpp"
#include "codec/rows.hpp"
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
constexpr std::size_t data_section_count = 13;

constexpr auto instruction_columns =
    columns_of("instruction", "pc", "size", "encoding", "target", "disassembly", "process", "accesses", "bus_accesses",
               "page_table_walks", "registers", "events", "comments", "microops", "ready_registers", "force_pc",
               "inst_iem", "replaced_targets", "replaced_processes", "other_records", "physical_pc", "physical_target",
               "function", "offset", "source");
using InstructionRows = Rows<instruction_columns>;
constexpr std::size_t first_section = InstructionRows::At("accesses").index;

constexpr std::string_view role_name(unsigned operand) noexcept {
    constexpr std::string_view names[] = {"", "state", "src", "dst"};
    return operand < std::size(names) ? names[operand] : std::string_view{};
}

/// Prints each instruction as an object or a row. Each record is printed at once into the buffer of its section.
class InstructionData {
public:
    InstructionData(CurrentInstruction& current, TextForm form, const Settings& settings, TextOutput& out)
        : now_(current), out_(out), settings_(settings), form_(form), rows_(form, settings, out) {}

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
    void end() { rows_.end(); }

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
    /// Begins an object of a section with its first member. CSV has no braces and no key.
    TextOutput& object(DataSection section, std::string_view first) {
        TextOutput& out = item(section);
        if (is_csv()) return out;
        out.put("{\"");
        out.put(first);
        out.put("\":");
        return out;
    }
    /// Prints `,"key":` in JSON, a blank in CSV.
    void unnamed_key(std::string_view name, TextOutput& out) const {
        if (is_csv()) return out.put(' ');
        key(name, out);
    }
    /// Prints brackets and other text that only JSON has.
    void in_json(std::string_view text, TextOutput& out) const {
        if (!is_csv()) out.put(text);
    }
    /// Prints the words of a record from byte `begin` on.
    void words(const RawRecord& record, std::size_t begin, TextOutput& out) const {
        for (std::size_t at = begin; at < record.size; at += 8) {
            if (at > begin) out.put(is_csv() ? ' ' : ',');
            number(record.at<std::uint64_t>(at), out);
        }
    }
    void name(std::string_view name, std::uint64_t code, TextOutput& out) {
        text([&](TextOutput& to) { append_name_or_number(name, code, to); }, out);
    }

    void header_json(std::span<const HeaderRecord> records);
    void append_process(TextOutput& out) const;
    void append_content(DataSection section, bool& open, bool& has_content, std::uint64_t value);
    void close(DataSection section, bool& open, std::string_view end);
    void close_all();
    void append_place();
    void append_sections();
    void append_without_instruction(bool is_part);
    void cut_long_group(Descriptor next);

    CurrentInstruction& now_;
    TextOutput& out_;
    const Settings& settings_;
    TextForm form_;
    InstructionRows rows_;
    std::array<SectionText, data_section_count> sections_;
    SectionText word_;  ///< buffer for a name
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
    // With --elf only, the columns of physical addresses are empty.
    if (!now_.places) rows_.end_columns(now_.translation ? InstructionRows::At("function") : "physical_pc");
    rows_.begin("hwtrace-stf-instructions/1", settings_);
    if (!is_csv()) {
        out_.put(form_ == TextForm::jsonl ? ",\"header\":" : ",\n\"header\":");
        header_json(records);
    }
    rows_.begin_rows(",\n\"instructions\":[");
}

/// Prints one member per kind of record. The member is an array if the kind may repeat.
void InstructionData::header_json(std::span<const HeaderRecord> records) {
    using enum Descriptor;
    JsonObject json(settings_.json_integers, out_);
    const auto each = [&](Descriptor kind, std::string_view name, const auto& put) {
        json.known_member(name).put('[');
        bool is_first = true;
        for (const HeaderRecord& record : records) {
            if (record.descriptor != kind) continue;
            if (!is_first) out_.put(',');
            is_first = false;
            put(record.raw());
        }
        out_.put(']');
    };
    // Kinds of records that may occur once. If such a record is repeated, which is a fault, the last one applies.
    const auto once = [&](Descriptor kind, std::string_view name, const auto& put) {
        const HeaderRecord* last = nullptr;
        for (const HeaderRecord& record : records)
            if (record.descriptor == kind) last = &record;
        if (last == nullptr) return;
        json.known_member(name);
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
    each(trace_info, "trace_info", [&](const RawRecord& record) {
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
    each(comment, "comments", [&](const RawRecord& record) { append_json_string(record.text(comment_head), out_); });
    json.close();
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
    TextOutput& out = object(DataSection::accesses, "type");
    const auto type = record.at<std::uint8_t>(13);
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
    in_json("[", out);
    access_open_ = true;
    access_has_content_ = false;
}

void InstructionData::bus_access(const RawRecord& record) {
    close(DataSection::bus_accesses, bus_open_, "]}");
    TextOutput& out = object(DataSection::bus_accesses, "type");
    const auto type = record.at<std::uint8_t>(17), master = record.at<std::uint8_t>(11);
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
    in_json("[", out);
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
    TextOutput& out = object(DataSection::page_table_walks, "address");
    if (is_csv()) out.put("address ");
    number(record.at<std::uint64_t>(1), out);
    key("first_access", out);
    number(record.at<std::uint64_t>(9), out);
    key("page_size", out);
    number(record.at<std::uint32_t>(17), out);
    key("entries", out);
    in_json("[", out);
    for (std::size_t at = page_walk_head; at < record.size; at += page_walk_entry) {
        if (at > page_walk_head) out.put(is_csv() ? ' ' : ',');
        in_json("{\"address\":", out);
        number(record.at<std::uint64_t>(at), out);
        out.put(is_csv() ? "=" : ",\"pte\":");
        number(record.at<std::uint64_t>(at + 8), out);
        in_json("}", out);
    }
    in_json("]}", out);
}

void InstructionData::register_value(const RawRecord& record) {
    TextOutput& out = object(DataSection::registers, "role");
    const auto meta = record.at<std::uint8_t>(3);
    const unsigned type = meta & 0xFu, operand = meta >> 4u;
    const bool is_list = type == register_vector;
    name(role_name(operand), operand, out);
    unnamed_key("register", out);
    text([&](TextOutput& to) { append_register_name(type, record.at<std::uint16_t>(1), to); }, out);
    unnamed_key(is_list ? "words" : "value", out);
    in_json(is_list ? "[" : "", out);
    words(record, vector_head, out);  // least significant word first
    in_json(is_list ? "]}" : "}", out);
}

void InstructionData::event(const RawRecord& record) {
    close(DataSection::events, event_open_, "}");
    TextOutput& out = object(DataSection::events, "class");
    const bool wide = now_.scanner.event64();
    const EventHead head = head_of_event(record, wide);
    text([&](TextOutput& to) { to.put(event_class(head.wide_id)); }, out);
    unnamed_key("event", out);
    text([&](TextOutput& to) { append_event_name(head.id, wide, to); }, out);
    key("fields", out);
    in_json("[", out);
    words(record, head.size, out);
    in_json("]", out);
    event_open_ = true;
}

void InstructionData::event_target(std::uint64_t pc) {
    if (!event_open_) item(DataSection::events).put(is_csv() ? "no event" : "{\"class\":null");
    TextOutput& out = in(DataSection::events);
    key("target", out);
    number(pc, out);
    in_json("}", out);
    event_open_ = false;
}

void InstructionData::microop(const RawRecord& record) {
    TextOutput& out = object(DataSection::microops, "size");
    if (is_csv()) out.put("size ");
    out.decimal(record.at<std::uint8_t>(1));
    key("encoding", out);
    number(record.at<std::uint32_t>(2), out);
    in_json("}", out);
}

// --- instructions ----------------------------------------------------------------------------------------------------

void InstructionData::append_sections() {
    for (std::size_t at = 0; at < sections_.size(); ++at) {
        SectionText& section = sections_[at];
        if (section.text().empty()) continue;
        TextOutput& out = rows_.cell(InstructionRows::At(first_section + at));
        if (is_csv()) {
            append_csv(section.text(), out);
        } else {
            out.put('[');
            out.put(section.text());
            out.put(']');
        }
        section.clear();
    }
}

void InstructionData::instruction(const RawRecord& opcode) {
    close_all();
    rows_.begin_row();
    rows_.number("instruction", now_.number());
    rows_.hex("pc", now_.pc());
    rows_.number("size", std::uint64_t{instruction_size(opcode)});
    rows_.hex("encoding", std::uint64_t{encoding_of(opcode)});
    if (now_.target) rows_.hex("target", *now_.target);
    if (now_.disassembler)  // one blank separates the mnemonic and the operands
        rows_.text("disassembly", now_.disassembler->text(now_.pc(), encoding_of(opcode), instruction_size(opcode)));
    if (is_csv() || now_.process_is_news) append_process(rows_.cell("process"));
    append_sections();
    if (now_.translation) {
        physical(now_.translation->physical(now_.pc()), rows_.cell("physical_pc"));
        if (now_.target) physical(now_.translation->physical_next(*now_.target), rows_.cell("physical_target"));
    }
    if (now_.places) append_place();
    rows_.end_row();
}

/// Prints the function, the offset in it, and the source line as "file:line".
void InstructionData::append_place() {
    const CodePlace place = now_.places->at(now_.pc());
    if (place.function == nullptr) return;
    rows_.text("function", place.function->name);
    rows_.hex("offset", place.offset);
    if (place.file.empty()) return;
    word_.clear();
    word_.put(place.file);
    word_.put(':');
    word_.decimal(place.line);
    rows_.text("source", word_.text());
}

bool InstructionData::has_records() const noexcept {
    for (const SectionText& section : sections_)
        if (!section.text().empty()) return true;
    return false;
}

/// Prints records without their instruction. The instruction is missing or, if `is_part`, too many records precede it.
void InstructionData::append_without_instruction(bool is_part) {
    close_all();
    rows_.begin_row();
    if (!is_csv()) rows_.cell("instruction").put("null");
    if (is_part) {
        if (!is_csv()) rows_.member("part_of").decimal(now_.number());
    } else {
        if (now_.target) rows_.hex("target", *now_.target);
        if (now_.process_is_said) append_process(rows_.cell("process"));
    }
    append_sections();
    rows_.end_row();
}

}  // namespace

void render_instruction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings) {
    const std::optional<ChosenRecords> chosen = chosen_instructions(input, settings);
    Scanner scanner(input, settings.limits, findings, settings.jobs);
    CurrentInstruction current(scanner);
    InstructionData data(current, form, settings, out);
    InstructionWalk(scanner, current, data, settings, chosen).run(input);
    data.end();
}

}  // namespace hwtrace::stf
