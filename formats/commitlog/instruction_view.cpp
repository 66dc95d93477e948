// formats/commitlog/instruction_view.cpp - the view "instructions": one line per instruction, with its events.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec.hpp"
#include "codec/disassembler.hpp"
#include "codec/rows.hpp"
#include "domain/conventions.hpp"
#include "domain/traps.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::commitlog {
namespace {

using enum RowColumn::Text;
constexpr auto instruction_columns =
    columns_of(RowColumn{"index", bare}, RowColumn{"hart", bare}, RowColumn{"pc", bare}, RowColumn{"encoding", bare},
               RowColumn{"disassembly", bare_quoted}, "target", RowColumn{"registers", bare},
               RowColumn{"accesses", bare}, RowColumn{"events", bare});

/// Appends "0x" and the digits of a value.
void append_value(std::uint64_t value, unsigned digits, TextOutput& out) {
    out.put("0x");
    out.hex(value, digits);
}

/// Prints the instructions of a reader.
class InstructionRows {
public:
    InstructionRows(Reader& reader, TextForm form, const Settings& settings, TextOutput& out)
        : reader_(reader), integers_(settings.json_integers), rows_(form, settings, out) {
        InstructionSet instructions{.is_riscv = true};
        if (const std::string* const mode = reader.schema().metadata(conventions::instruction_mode);
            mode != nullptr && *mode == "1")
            instructions.base = riscv::Xlen::rv32;
        digits_ = instructions.base == riscv::Xlen::rv64 ? 16 : 8;
        if (disassembles(settings)) disassembler_ = std::make_unique<Disassembler>(instructions);
        rows_.begin("hwtrace-commitlog-instructions/1", settings);
        rows_.begin_rows(R"(,"instructions":[)");
    }
    void put(const Batch& batch) {
        for (const Record& record : batch.records())
            if (record.kind == Kind::instruction)
                instruction(batch, record);
            else
                event(batch, record);
    }
    void end() { rows_.end(); }

private:
    void instruction(const Batch& batch, const Record& record);
    void event(const Batch& batch, const Record& record);
    void append_registers(const Batch& batch, const Instruction& instruction);
    void append_accesses(const Batch& batch, const Instruction& instruction);
    void append_json_event(std::string_view name, std::span<const std::uint64_t> cells);
    /// Writes a cell that holds text, or the elements of a JSON array. Leaves out an empty cell, and clears the text.
    void list_cell(ColumnOf<instruction_columns> at, TextOutput& list) {
        if (list.text().empty()) return;
        if (rows_.is_json()) {
            TextOutput& out = rows_.cell(at);
            out.put('[');
            out.put(list.text());
            out.put(']');
        } else if (rows_.is_csv()) {
            rows_.text(at, list.text());
        } else {
            rows_.cell(at).put(list.text());
        }
        list.clear();
    }
    /// Appends a JSON array of integers.
    void append_array(std::span<const std::uint64_t> values, TextOutput& out) const {
        out.put('[');
        for (const std::uint64_t& value : values) {
            if (&value != values.data()) out.put(',');
            append_json_integer(value, integers_, out);
        }
        out.put(']');
    }
    void separate(TextOutput& out) const {
        if (!out.text().empty()) out.put(rows_.is_json() ? ',' : ' ');
    }

    Reader& reader_;
    JsonIntegers integers_;
    Rows<instruction_columns> rows_;
    std::unique_ptr<Disassembler> disassembler_;
    unsigned digits_ = 16;
    TextOutput results_{-1, 4096}, events_{-1, 4096};  // of the next instruction
};

void InstructionRows::append_json_event(std::string_view name, std::span<const std::uint64_t> cells) {
    if (name != conventions::trap) {
        events_.put(name == conventions::resumption ? R"({"resumes":)" : R"({"handler":)");
        append_json_integer(cells[0], integers_, events_);
        events_.put('}');
        return;
    }
    const traps::Name trap = traps::name_of(traps::wide_id(cells[0], true));
    events_.put(R"({"event":")");
    events_.put(trap.stem);
    if (trap.numbered) events_.decimal(trap.number);
    events_.put(R"(","fields":)");
    append_array(cells.subspan(1), events_);
    events_.put('}');
}

void InstructionRows::event(const Batch& batch, const Record& record) {
    const std::string& name = reader_.schema().tracks()[record.track].name;
    const auto cells = batch.cells(record);
    separate(events_);
    if (rows_.is_json()) return append_json_event(name, cells);
    if (name != conventions::trap) {
        events_.put(name == conventions::resumption ? "resumes=" : "handler=");
        append_value(cells[0], digits_, events_);
        return;
    }
    if (conventions::is_mode_change(cells[0])) {
        events_.put("mode=");
        events_.put(conventions::modes[cells[1] % conventions::modes.size()]);
        return;
    }
    const traps::Name trap = traps::name_of(cells[0]);
    events_.put(trap.stem);
    if (trap.numbered) events_.decimal(trap.number);
    events_.put(" epc=");
    append_value(cells[1], digits_, events_);
    if (cells.size() < 3) return;
    events_.put(" tval=");
    append_value(cells[2], digits_, events_);
}

void InstructionRows::append_registers(const Batch& batch, const Instruction& instruction) {
    for (const Operand& operand : batch.operands(instruction)) {
        separate(results_);
        const auto words = batch.cells(operand.words);
        const bool is_vector = operand.register_class == RegisterClass::vector;
        if (rows_.is_json()) results_.put(R"({"register":")");
        results_.put(name_of(operand.register_class));
        results_.decimal(operand.number);
        if (rows_.is_json()) {
            results_.put(is_vector ? R"(","words":)" : R"(","value":)");
            if (is_vector)
                append_array(words, results_);
            else
                append_json_integer(operand.value, integers_, results_);
            results_.put('}');
            continue;
        }
        results_.put('=');
        if (!is_vector) {
            append_value(operand.value, operand.register_class == RegisterClass::floating ? 16 : digits_, results_);
            continue;
        }
        results_.put("0x");
        for (std::size_t at = words.size(); at-- > 0;)
            results_.hex(words[at], 16);
    }
}

void InstructionRows::append_accesses(const Batch& batch, const Instruction& instruction) {
    for (const Access& access : batch.accesses(instruction)) {
        separate(results_);
        if (rows_.is_json()) {
            results_.put(R"({"type":")");
            results_.put(name_of(access.type));
            results_.put(R"(","address":)");
            append_json_integer(access.address, integers_, results_);
            results_.put(R"(,"size":)");
            results_.decimal(access.size);
            results_.put(R"(,"data":)");
            append_array(batch.cells(access.data), results_);
            results_.put('}');
            continue;
        }
        results_.put(name_of(access.type));
        results_.put(':');
        append_value(access.address, digits_, results_);
        results_.put('=');
        const auto words = batch.cells(access.data);
        append_value(words.empty() ? 0 : words[0], access.size >= 8 ? 16u : 2u * access.size, results_);
    }
}

void InstructionRows::instruction(const Batch& batch, const Record& record) {
    const Instruction& instruction = batch.instruction(record);
    rows_.begin_row();
    rows_.number("index", static_cast<std::uint64_t>(record.time));
    rows_.text("hart", reader_.schema().tracks()[record.track].name);
    rows_.hex("pc", record.value);
    rows_.hex("encoding", instruction.encoding);
    if (disassembler_ != nullptr)
        rows_.text("disassembly", disassembler_->text(record.value, static_cast<std::uint32_t>(instruction.encoding),
                                                      instruction.size));
    if (instruction.has_target) rows_.hex("target", instruction.target);
    append_registers(batch, instruction);
    list_cell("registers", results_);
    append_accesses(batch, instruction);
    list_cell("accesses", results_);
    list_cell("events", events_);
    rows_.end_row();
}

void show(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    const std::unique_ptr<Reader> whole = open_reader(input, settings, findings);
    const std::unique_ptr<Reader> part = settings.part ? settings.part(*whole) : nullptr;
    Reader& reader = part ? *part : *whole;
    InstructionRows rows(reader, form, settings, out);
    for (Batch batch; reader.read(batch); batch.clear())
        rows.put(batch);
    rows.end();
}

}  // namespace

void render_instruction_data(Input& input, TextForm form, TextOutput& out, const Settings& settings,
                             Findings& findings) {
    show(input, form, out, settings, findings);
}

void render_instructions(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    show(input, TextForm::text, out, settings, findings);
}

}  // namespace hwtrace::commitlog
