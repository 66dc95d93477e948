// formats/stf/record_text.cpp - the view "records": the lines of the reference record dump, directly from the scan
// (formats/stf/README.md#record-view).
#include <initializer_list>

#include "code_text.hpp"
#include "codec.hpp"
#include "instruction_walk.hpp"
#include "scanner.hpp"
#include "transaction_text.hpp"

namespace hwtrace::stf {
namespace {

constexpr std::size_t longest_register_name = 128;  // upper bound, including the operand

/// Prints records as lines. Values that the reference prints raw, or cannot print, are printed in readable form.
class RecordText {
public:
    explicit RecordText(TextOutput& out) : out_(out) {}

    void header(std::span<const HeaderRecord> records);
    void record(const RawRecord& record, bool event64);

private:
    void line_hex(std::string_view name, std::uint64_t value, unsigned digits);
    void line_text(std::string_view name, std::string_view text);
    void name_or_number(std::string_view name, std::uint64_t number) { append_name_or_number(name, number, out_); }
    void memory_access(const RawRecord& record);
    void bus_access(const RawRecord& record);
    void microop(const RawRecord& record);
    void process_id(const RawRecord& record);
    void version_numbers(const RawRecord& record);
    void trace_info(const RawRecord& record);
    void inst_reg(const RawRecord& record);
    void page_table_walk(const RawRecord& record);
    void event(const RawRecord& record, bool event64);

    TextOutput& out_;
};

void RecordText::line_hex(std::string_view name, std::uint64_t value, unsigned digits) {
    out_.put(name);
    out_.put(' ');
    out_.hex(value, digits);
    out_.put('\n');
}

void RecordText::line_text(std::string_view name, std::string_view text) {
    out_.put(name);
    out_.put(' ');
    append_one_line(text, out_);
    out_.put('\n');
}

/// Prints the header in the reference's order, without PROCESS_ID_EXT.
void RecordText::header(std::span<const HeaderRecord> records) {
    using enum Descriptor;
    for (const Descriptor kind :
         {version, comment, isa, inst_iem, isa_extended, force_pc, trace_info, trace_info_feature, vlen_config}) {
        for (const HeaderRecord& record : records)
            if (record.descriptor == kind) this->record(record.raw(), false);
    }
}

void RecordText::record(const RawRecord& record, bool event64) {
    const auto number = [&](auto value) { line_hex(name_of(record.descriptor), value, 2 * sizeof value); };
    const auto label = [&](std::string_view name, std::uint64_t value) {
        out_.put(name_of(record.descriptor));
        out_.put(' ');
        name_or_number(name, value);
        out_.put('\n');
    };
    switch (record.descriptor) {
        case Descriptor::inst_opcode32:
        case Descriptor::vlen_config:
            number(record.at<std::uint32_t>(1));
            break;
        case Descriptor::inst_opcode16:
        case Descriptor::inst_ready_reg:
            number(record.at<std::uint16_t>(1));
            break;
        case Descriptor::inst_mem_access:
            memory_access(record);
            break;
        case Descriptor::inst_reg:
            inst_reg(record);
            break;
        case Descriptor::inst_mem_content:
        case Descriptor::inst_pc_target:
        case Descriptor::event_pc_target:
        case Descriptor::bus_master_content:
        case Descriptor::force_pc:
        case Descriptor::trace_info_feature:
            number(record.at<std::uint64_t>(1));
            break;
        case Descriptor::bus_master_access:
            bus_access(record);
            break;
        case Descriptor::event:
            event(record, event64);
            break;
        case Descriptor::page_table_walk:
            page_table_walk(record);
            break;
        case Descriptor::inst_microop:
            microop(record);
            break;
        case Descriptor::process_id_ext:
            process_id(record);
            break;
        case Descriptor::comment:
        case Descriptor::isa_extended:
            line_text(name_of(record.descriptor), record.text(comment_head));
            break;
        case Descriptor::version:
            version_numbers(record);
            break;
        case Descriptor::isa:
            label(isa_name(record.at<std::uint16_t>(1)), record.at<std::uint16_t>(1));
            break;
        case Descriptor::inst_iem:
            label(iem_name(record.at<std::uint16_t>(1)), record.at<std::uint16_t>(1));
            break;
        case Descriptor::trace_info:
            trace_info(record);
            break;
        case Descriptor::identifier:
        case Descriptor::end_header:
            out_.put(name_of(record.descriptor));
            out_.put('\n');
            break;
        case Descriptor::reserved:
        case Descriptor::protocol_id:
        case Descriptor::clock_id:
        case Descriptor::transaction:
        case Descriptor::transaction_dependency:
        case Descriptor::reserve_end:
            break;  // these are printed by TransactionText, or end the scan
    }
}

void RecordText::memory_access(const RawRecord& record) {
    out_.put("INST_MEM_ACCESS ");
    name_or_number(memory_type_name(record.at<std::uint8_t>(13)), record.at<std::uint8_t>(13));
    out_.put(' ');
    out_.hex(record.at<std::uint64_t>(1), 16);
    out_.put(' ');
    out_.hex(record.at<std::uint16_t>(11), 4);
    out_.put(' ');
    out_.decimal(record.at<std::uint16_t>(9));
    out_.put('\n');
}

void RecordText::bus_access(const RawRecord& record) {
    out_.put("BUS_MASTER_ACCESS ");
    name_or_number(memory_type_name(record.at<std::uint8_t>(17)), record.at<std::uint8_t>(17));
    out_.put(' ');
    out_.hex(record.at<std::uint64_t>(1), 16);
    out_.put(' ');
    name_or_number(bus_master_name(record.at<std::uint8_t>(11)), record.at<std::uint8_t>(11));
    out_.decimal(record.at<std::uint8_t>(12));
    out_.put(' ');
    out_.decimal(record.at<std::uint16_t>(9));
    out_.put(' ');
    out_.hex(record.at<std::uint32_t>(13), 8);
    out_.put('\n');
}

void RecordText::microop(const RawRecord& record) {
    out_.put("INST_MICROOP ");
    out_.decimal(record.at<std::uint8_t>(1));
    out_.put(' ');
    out_.hex(record.at<std::uint32_t>(2), 8);
    out_.put('\n');
}

void RecordText::process_id(const RawRecord& record) {
    out_.put("PROCESS_ID_EXT hw_tid = ");
    out_.hex(record.at<std::uint32_t>(1), 8);
    out_.put(" pid = ");
    out_.hex(record.at<std::uint32_t>(5), 8);
    out_.put(" tid = ");
    out_.hex(record.at<std::uint32_t>(9), 8);
    out_.put('\n');
}

void RecordText::version_numbers(const RawRecord& record) {
    out_.put("VERSION ");
    out_.decimal(record.at<std::uint32_t>(1));
    out_.put('.');
    out_.decimal(record.at<std::uint32_t>(5));
    out_.put('\n');
}

void RecordText::trace_info(const RawRecord& record) {
    out_.put("TRACE_INFO ");
    name_or_number(generator_name(record.at<std::uint8_t>(1)), record.at<std::uint8_t>(1));
    char separator = ' ';
    for (const std::size_t at : {2u, 3u, 4u}) {
        out_.put(separator);
        out_.decimal(record.at<std::uint8_t>(at));
        separator = '.';
    }
    out_.put(' ');
    append_one_line(record.text(trace_info_head), out_);
    out_.put('\n');
}

void RecordText::inst_reg(const RawRecord& record) {
    const auto meta = record.at<std::uint8_t>(3);
    const unsigned type = meta & 0xFu, operand = meta >> 4u;
    out_.put("INST_REG ");
    // The other words of a vector are aligned below the first word. reserve() prevents a flush in between.
    out_.reserve(longest_register_name);
    const std::size_t begin = out_.text().size();
    name_or_number(operand_name(operand), operand);
    out_.put(' ');
    append_register_name(type, record.at<std::uint16_t>(1), out_);
    out_.put(' ');
    const std::size_t indent = out_.text().size() - begin;
    out_.hex(record.at<std::uint64_t>(vector_head), 16);
    out_.put('\n');
    for (std::size_t at = vector_head + 8; at < record.size; at += 8) {
        char* place = out_.reserve(indent);
        std::memset(place, ' ', indent);
        out_.advance(indent);
        out_.hex(record.at<std::uint64_t>(at), 16);
        out_.put('\n');
    }
}

void RecordText::page_table_walk(const RawRecord& record) {
    out_.put("PAGE_TABLE_WALK ");
    append_page_table_walk(record, out_);
    out_.put('\n');
}

void RecordText::event(const RawRecord& record, bool event64) {
    const EventHead head = head_of_event(record, event64);
    out_.put("EVENT ");
    append_event_name(head.id, event64, out_);
    out_.put(" [");
    for (std::size_t at = head.size; at < record.size; at += 8) {
        if (at > head.size) out_.put(", ");
        out_.hex(record.at<std::uint64_t>(at), 16);
    }
    out_.put("]\n");
}

/// Calls `put()` for the records of the instructions (or transactions) in `range`, except those for which
/// `is_left_out()` returns true beforehand, and `end_run()` behind each run of records without damage. Returns true if
/// there were any.
template <typename IsLeftOut, typename Put, typename EndRun>
bool show_range(Scanner& scanner, RawRecord& record, InstructionRange range, IsLeftOut is_left_out, Put put,
                EndRun end_run) {
    bool any = false;
    do {
        while (scanner.instructions() < range.begin && scanner.next(record))
            continue;
        while (scanner.instructions() < range.end) {
            const bool hidden = is_left_out();
            if (!scanner.next(record)) break;
            if (hidden) continue;
            put();
            any = true;
        }
        end_run();
    } while (scanner.instructions() < range.end && scanner.resume());
    return any;
}

bool show_instructions(Scanner& scanner, const std::optional<ChosenRecords>& chosen, const Settings& settings,
                       RecordText& text) {
    RawRecord record;
    InstructionRange range = instructions_of(settings.window);
    if (chosen) range.end = std::min(range.end, chosen->end());
    leave_out_chunks(scanner, settings.window);
    return show_range(
        scanner, record, range, [&] { return chosen && !chosen->has(scanner.instructions()); },
        [&] { text.record(record, scanner.event64()); }, [] {});
}

/// Shows transactions with their dependencies. A selection shows the chosen records, and the transaction that ends the
/// group of a chosen dependency.
bool show_transactions(Scanner& scanner, std::span<const HeaderRecord> header,
                       const std::optional<ChosenRecords>& chosen, const Settings& settings, RecordText& text,
                       TextOutput& out) {
    TransactionText transactions(settings.limits, out);
    transactions.header(header);
    RawRecord record;
    const auto put = [&] {
        if (!transactions.record(record)) text.record(record, scanner.event64());
    };
    if (!chosen) {
        leave_out_chunks(scanner, settings.window);
        return show_range(
            scanner, record, instructions_of(settings.window), [] { return false; }, put, [&] { transactions.end(); });
    }
    std::uint64_t next = 0;
    bool any = false;
    const auto is_wanted = [&] { return next < chosen->end() || transactions.has_dependencies(); };
    do {
        while (is_wanted() && scanner.next(record)) {
            const bool ends_group = record.descriptor == Descriptor::transaction && transactions.has_dependencies();
            if (!chosen->has(next++) && !ends_group) continue;
            put();
            any = true;
        }
        transactions.end();
    } while (is_wanted() && scanner.resume());
    return any;
}

}  // namespace

void render_records(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    const std::optional<ChosenRecords> chosen = chosen_instructions(input, settings);
    Scanner scanner(input, settings.limits, findings, settings.jobs);
    RecordText text(out);
    const std::vector<HeaderRecord> header = scanner.read_header();
    text.header(header);
    const bool any = scanner.transactions() ? show_transactions(scanner, header, chosen, settings, text, out)
                                            : show_instructions(scanner, chosen, settings, text);
    note_empty(any, settings);
}

}  // namespace hwtrace::stf
