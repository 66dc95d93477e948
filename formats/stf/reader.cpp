// formats/stf/reader.cpp - converts STF to the model: each opcode ends a group and becomes an instruction
// (formats/stf/README.md#model).
#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "codec.hpp"
#include "codec/resumable.hpp"
#include "encode.hpp"
#include "group_order.hpp"
#include "header_facts.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"
#include "open_trace.hpp"
#include "semantic_check.hpp"
#include "tracks.hpp"

namespace hwtrace::stf {
namespace {

class StfReader final : public Reader, public Resumable {
public:
    StfReader(std::unique_ptr<OpenTrace> trace, Input& input, const Settings& settings);

    Schema& schema() override { return schema_; }
    bool read(Batch& batch) override;
    bool seek(Tick time, StateTable* state) override;
    bool keep_states() override { return !semantics_ && scanner_.keep_states(); }
    bool save_state(Appender& out) override;
    bool restore_state(Cursor& in) override;
    bool finds_locally() const override {
        const ContainerKind kind = scanner_.container().kind();
        return !semantics_ && (kind == ContainerKind::plain || kind == ContainerKind::zstf);
    }
    Facts facts() const override;
    std::uint64_t position() const override { return input_.position(); }

private:
    /// An element of the group in progress: a separate record, or a part of the next instruction. Both members are
    /// packed into one integer, because two bytes that are stored separately and loaded together fail store forwarding.
    class Unit {
    public:
        Unit(Descriptor descriptor, Part part) noexcept
            : code_(static_cast<std::uint16_t>(static_cast<unsigned>(descriptor) << 8u | static_cast<unsigned>(part))) {
        }
        Descriptor descriptor() const noexcept { return static_cast<Descriptor>(code_ >> 8u); }
        Part part() const noexcept { return static_cast<Part>(code_ & 0xFFu); }

    private:
        std::uint16_t code_;
    };

    /// Reads records into `batch`. If `checked`, also passes every record to semantics_.
    template <bool checked>
    void fill(Batch& batch);
    template <bool checked>
    bool next(RawRecord& record) {
        if (!scanner_.next(record)) return false;
        if constexpr (checked) semantics_->record(record);
        return true;
    }
    void end_instruction(Batch& batch, std::uint64_t encoding, std::uint8_t size);
    void end_input(Batch& batch);
    void begin_group(const Batch& batch) noexcept;
    bool has_own_parts() const noexcept { return units_.size() > separate_; }
    void unit(Descriptor descriptor, Part part) {
        in_order_ = in_order_ && descriptor >= last_;
        last_ = descriptor;
        units_.emplace_back(descriptor, part);
    }
    void check_group() const {
        if (scanner_.offset() - group_offset_ > limits_.record) [[unlikely]]
            refuse(scanner_.offset() - group_offset_, limits_.record, "an instruction's group of records",
                   "--max-record");
    }
    void store_order(Batch& batch, Instruction& instruction);
    void drop_group(Batch& batch);
    void keep_parts_raw(Batch& batch);
    void cut_long_group(Batch& batch);

    template <bool checked>
    void other_record(Batch& batch, RawRecord& record);
    template <bool checked>
    void memory_access(Batch& batch, RawRecord& record);
    template <bool checked>
    void bus_access(Batch& batch, RawRecord& record);
    void register_value(Batch& batch, const RawRecord& record);
    void branch_target(Batch& batch, const RawRecord& record);
    void event(Batch& batch, const RawRecord& record);
    void page_table_walk(Batch& batch, const RawRecord& record);
    void native(Batch& batch, const RawRecord& record);
    template <typename... Cells>
    void event_of(Batch& batch, Descriptor descriptor, Cells... cells);
    void push_event(Batch& batch, Descriptor descriptor);

    Tick now() const noexcept { return static_cast<Tick>(scanner_.instructions()); }
    TrackId track(Descriptor descriptor) const noexcept { return tracks_.of(descriptor); }

    Input& input_;
    const Limits& limits_;
    std::unique_ptr<OpenTrace> trace_;
    Scanner& scanner_;
    Schema schema_;
    Facts header_facts_;
    std::uint64_t header_records_ = 0;
    std::optional<SemanticCheck> semantics_;

    Tracks tracks_ = declare_tracks(schema_);

    // The group in progress.
    std::vector<Unit> units_;
    std::size_t separate_ = 0;        ///< number of separate records in units_
    std::size_t carried_ = 0;         ///< number of units delivered with the previous batch
    std::size_t first_record_ = 0;    ///< index in the batch of the first record after these units
    std::uint64_t group_offset_ = 0;  ///< offset of the group's first byte in the stream
    std::uint64_t target_ = 0;
    bool has_target_ = false;
    bool in_order_ = true;  ///< descriptors have not decreased, so the order is canonical
    Descriptor last_ = Descriptor::reserved;
    unsigned events_without_target_ = 0;

    std::vector<std::uint64_t> cells_;
    std::vector<Part> parts_, canonical_;
    std::vector<Descriptor> descriptors_;
    bool ended_ = false;
    std::exception_ptr failure_;  ///< thrown after the records before it have been delivered
};

StfReader::StfReader(std::unique_ptr<OpenTrace> trace, Input& input, const Settings& settings)
    : input_(input), limits_(settings.limits), trace_(std::move(trace)), scanner_(trace_->scanner) {
    const std::vector<HeaderRecord>& header = trace_->header;
    for (const HeaderRecord& record : header)
        describe_header_record(record.raw(), schema_, header_facts_);
    if (settings.check >= CheckLevel::semantic) semantics_.emplace(scanner_, header, limits_);
    header_records_ = scanner_.records();
    group_offset_ = scanner_.offset();
}

// --- the schema ------------------------------------------------------------------------------------------------------

Facts StfReader::facts() const {
    Facts facts;
    add_container_facts(scanner_, ended_, facts);
    facts.insert(facts.end(), header_facts_.begin(), header_facts_.end());
    if (ended_) {  // before the end, a count could be mistaken for the total
        facts.emplace_back("instructions", scanner_.instructions() - scanner_.lost());
        if (scanner_.lost() != 0) facts.emplace_back("lost_instructions", scanner_.lost());
        if (scanner_.counts_records()) facts.emplace_back("records", scanner_.records() - header_records_);
    }
    return facts;
}

// --- groups ----------------------------------------------------------------------------------------------------------

bool StfReader::read(Batch& batch) {
    if (failure_) std::rethrow_exception(failure_);
    if (ended_) return false;
    first_record_ = batch.records().size();
    carried_ = units_.size();
    try {
        while (batch.empty() && !ended_) {  // damage may precede the first record
            if (semantics_)
                fill<true>(batch);
            else
                fill<false>(batch);
        }
    } catch (const Error&) {
        ended_ = true;
        failure_ = std::current_exception();
        if (scanner_.offset() - group_offset_ > limits_.record)
            drop_group(batch);
        else
            end_input(batch);
        if (batch.empty()) throw;
    }
    return !batch.empty();
}

bool StfReader::seek(Tick time, StateTable* state) {
    if (!scanner_.seek(static_cast<std::uint64_t>(std::max<Tick>(time, 0)))) return false;
    if (state != nullptr) *state = StateTable(schema_);
    failure_ = nullptr;
    ended_ = false;
    events_without_target_ = 0;
    begin_group(Batch{});
    return true;
}

bool StfReader::save_state(Appender& out) {
    if (semantics_ || ended_ || failure_ || !units_.empty() || has_target_ || !scanner_.save_state(out)) return false;
    out.leb128(events_without_target_);
    return true;
}

bool StfReader::restore_state(Cursor& in) {
    if (semantics_ || !scanner_.restore_state(in)) return false;
    events_without_target_ = static_cast<unsigned>(in.leb128());
    failure_ = nullptr;
    ended_ = false;
    begin_group(Batch{});
    return true;
}

template <bool checked>
void StfReader::fill(Batch& batch) {
    RawRecord record;
    while (next<checked>(record)) {
        switch (record.descriptor) {
            case Descriptor::inst_opcode32:
                end_instruction(batch, record.at<std::uint32_t>(1), 4);
                if (batch.full()) return;
                continue;
            case Descriptor::inst_opcode16:
                end_instruction(batch, record.at<std::uint16_t>(1), 2);
                if (batch.full()) return;
                continue;
            case Descriptor::inst_mem_access:
                memory_access<checked>(batch, record);
                break;
            case Descriptor::inst_reg:
                register_value(batch, record);
                break;
            case Descriptor::inst_pc_target:
                branch_target(batch, record);
                break;
            default:
                other_record<checked>(batch, record);
                break;
        }
        check_group();
        if (separate_ >= piece_records) [[unlikely]] {
            cut_long_group(batch);
            if (batch.full()) return;
        }
    }
    end_input(batch);
    events_without_target_ = 0;
    semantics_.reset();  // after damage, the state of the trace is unknown
    ended_ = !scanner_.resume();
    begin_group(batch);
}

void StfReader::begin_group(const Batch& batch) noexcept {
    units_.clear();
    separate_ = 0;
    carried_ = 0;
    first_record_ = batch.records().size();
    group_offset_ = scanner_.offset();
    has_target_ = false;
    in_order_ = true;
    last_ = Descriptor::reserved;
}

void StfReader::end_instruction(Batch& batch, std::uint64_t encoding, std::uint8_t size) {
    Instruction& instruction = batch.instruction(tracks_.hart, now() - 1, scanner_.pc());
    instruction.encoding = encoding;
    instruction.size = size;
    if (has_target_) {
        instruction.target = target_;
        instruction.has_target = true;
    }
    if (!in_order_) [[unlikely]]
        store_order(batch, instruction);
    events_without_target_ = 0;
    begin_group(batch);
}

void StfReader::store_order(Batch& batch, Instruction& instruction) {
    parts_.clear();
    descriptors_.clear();
    for (const Unit& unit : units_) {
        parts_.push_back(unit.part());
        if (unit.part() == Part::record) descriptors_.push_back(unit.descriptor());
    }
    canonical_order(descriptors_, has_target_ ? 1 : 0, instruction.operands.count, instruction.accesses.count,
                    canonical_);
    if (parts_ != canonical_) batch.set_order(instruction, parts_);
}

/// Discards the group in progress, which exceeds the limit.
void StfReader::drop_group(Batch& batch) {
    Batch kept;
    for (const Record& record : batch.records().first(first_record_))
        kept.copy(batch, record, record.track);
    batch = std::move(kept);
    begin_group(batch);
}

/// Converts the parts of a missing instruction into raw records, in place.
void StfReader::keep_parts_raw(Batch& batch) {
    Batch kept;
    std::vector<Unit> raw;
    const auto keep = [&](Descriptor descriptor, std::span<const std::byte> bytes) {
        kept.native(tracks_.natives, now(), bytes);
        raw.emplace_back(descriptor, Part::record);
    };
    const auto records = batch.records();
    for (const Record& record : records.first(first_record_))
        kept.copy(batch, record, record.track);
    auto separate = records.subspan(first_record_).begin();
    auto operand = batch.open_operand_list().begin();
    auto access = batch.open_access_list().begin();
    Appender bytes;
    raw.assign(units_.begin(), units_.begin() + static_cast<std::ptrdiff_t>(carried_));
    for (const Unit& unit : std::span(units_).subspan(carried_)) {
        bytes.clear();
        switch (unit.part()) {
            case Part::record:
                kept.copy(batch, *separate, separate->track);
                raw.push_back(unit);
                ++separate;
                continue;
            case Part::target:
                append_record(bytes, Descriptor::inst_pc_target, target_);
                break;
            case Part::operand:
                append_operand(bytes, *operand, batch.cells(operand->words));
                ++operand;
                break;
            case Part::access: {
                const std::size_t head = fixed_sizes[static_cast<std::size_t>(Descriptor::inst_mem_access)];
                append_access(bytes, *access, batch.cells(access->data));
                keep(Descriptor::inst_mem_access, bytes.span().first(head));
                for (auto content = bytes.span().subspan(head); !content.empty(); content = content.subspan(9))
                    keep(Descriptor::inst_mem_content, content.first(9));
                ++access;
                continue;
            }
        }
        keep(unit.descriptor(), bytes.span());
    }
    batch = std::move(kept);
    units_ = std::move(raw);
    separate_ = units_.size();
    has_target_ = false;
}

/// Completes the whole blocks of a long group (see piece_records). The remaining records begin the next block.
void StfReader::cut_long_group(Batch& batch) {
    if (has_own_parts()) keep_parts_raw(batch);
    const std::size_t left = separate_ % piece_records;
    std::vector<Unit> rest(units_.end() - static_cast<std::ptrdiff_t>(left), units_.end());
    begin_group(batch);
    if (left == 0) return;
    units_ = std::move(rest);
    separate_ = left;
    first_record_ -= left;
    in_order_ = false;
}

void StfReader::end_input(Batch& batch) {
    if (semantics_) semantics_->finish();
    if (!has_own_parts()) return;
    if (scanner_.ended_whole())
        scanner_.report_at({group_offset_, std::nullopt, scanner_.instructions(), 1}, Check::group_unfinished,
                           "an instruction that ends the group", "the end of the trace");
    keep_parts_raw(batch);
    begin_group(batch);
}

// --- records ---------------------------------------------------------------------------------------------------------

template <bool checked>
void StfReader::other_record(Batch& batch, RawRecord& record) {
    switch (record.descriptor) {
        case Descriptor::force_pc:
            event_of(batch, record.descriptor, record.at<std::uint64_t>(1));
            break;
        case Descriptor::inst_iem:
            if (const auto mode = record.at<std::uint16_t>(1); iem_name(mode).empty())
                scanner_.report(Check::header_code_unknown, "encoding mode 1 or 2", std::to_string(mode));
            [[fallthrough]];
        case Descriptor::inst_ready_reg:
            event_of(batch, record.descriptor, record.at<std::uint16_t>(1));
            break;
        case Descriptor::process_id_ext:
            event_of(batch, record.descriptor, record.at<std::uint32_t>(1), record.at<std::uint32_t>(5),
                     record.at<std::uint32_t>(9));
            break;
        case Descriptor::page_table_walk:
            page_table_walk(batch, record);
            break;
        case Descriptor::bus_master_access:
            bus_access<checked>(batch, record);
            break;
        case Descriptor::event:
            event(batch, record);
            break;
        case Descriptor::event_pc_target:
            if (events_without_target_ == 0) {
                scanner_.report(Check::target_without_event, "an EVENT before it in the group", "none");
            } else {
                --events_without_target_;
            }
            event_of(batch, record.descriptor, record.at<std::uint64_t>(1));
            break;
        case Descriptor::inst_microop:
            if (const unsigned size = record.at<std::uint8_t>(1); size != 2 && size != 4)
                scanner_.report(Check::microop_size, "2 or 4", std::to_string(size));
            event_of(batch, record.descriptor, record.at<std::uint8_t>(1), record.at<std::uint32_t>(2));
            break;
        case Descriptor::comment:
            batch.note(tracks_.comments, now(), record.text(comment_head));
            unit(record.descriptor, Part::record);
            ++separate_;
            break;
        case Descriptor::inst_mem_content:
            scanner_.report(Check::content_without_access, "INST_MEM_ACCESS directly before it", "another record");
            native(batch, record);
            break;
        case Descriptor::bus_master_content:
            scanner_.report(Check::bus_content_without_access, "BUS_MASTER_ACCESS directly before it",
                            "another record");
            native(batch, record);
            break;
        default:
            scanner_.report(Check::header_record_in_body, "a body record", std::string(name_of(record.descriptor)));
            native(batch, record);
            break;
    }
}

template <typename... Cells>
void StfReader::event_of(Batch& batch, Descriptor descriptor, Cells... cells) {
    const std::array<std::uint64_t, sizeof...(cells)> payload{cells...};
    batch.event(track(descriptor), now(), payload);
    unit(descriptor, Part::record);
    ++separate_;
}

void StfReader::push_event(Batch& batch, Descriptor descriptor) {
    batch.event(track(descriptor), now(), cells_);
    unit(descriptor, Part::record);
    ++separate_;
}

void StfReader::native(Batch& batch, const RawRecord& record) {
    batch.native(tracks_.natives, now(), record.bytes());
    unit(record.descriptor, Part::record);
    ++separate_;
    in_order_ = false;  // the order must be compared, because the instruction may have parts with the same descriptor
}

void StfReader::branch_target(Batch& batch, const RawRecord& record) {
    if (has_target_) {
        scanner_.report(Check::second_target, "one INST_PC_TARGET", "another");
        native(batch, record);
        return;
    }
    target_ = record.at<std::uint64_t>(1);
    has_target_ = true;
    unit(record.descriptor, Part::target);
}

template <bool checked>
void StfReader::memory_access(Batch& batch, RawRecord& record) {
    const auto type = record.at<std::uint8_t>(13);
    const bool defined = !memory_type_name(type).empty();
    if (!defined || type == 0) scanner_.report(Check::memory_type, "1 or 2", std::to_string(type));
    if (!defined) {
        native(batch, record);
        while (scanner_.next_is(Descriptor::inst_mem_content) && next<checked>(record)) {
            native(batch, record);
            check_group();
        }
        return;
    }
    batch.access(record.at<std::uint64_t>(1), record.at<std::uint16_t>(9), record.at<std::uint16_t>(11),
                 static_cast<AccessType>(type));
    unit(Descriptor::inst_mem_access, Part::access);
    while (scanner_.next_is(Descriptor::inst_mem_content) && next<checked>(record)) {
        batch.access_data(record.at<std::uint64_t>(1));
        check_group();
    }
}

void StfReader::register_value(Batch& batch, const RawRecord& record) {
    const auto number = record.at<std::uint16_t>(1);
    const auto meta = record.at<std::uint8_t>(3);
    const unsigned type = meta & 0xFu, operand = meta >> 4u;
    if (operand < operand_state || operand > operand_destination || type < register_integer || type > register_csr) {
        scanner_.report(Check::register_code, "type 1 to 4, operand 1 to 3",
                        "type " + std::to_string(type) + ", operand " + std::to_string(operand));
        native(batch, record);
        return;
    }
    if (number > last_register(type)) {
        scanner_.report(Check::register_number, "at most " + std::to_string(last_register(type)),
                        std::to_string(number));
        native(batch, record);
        return;
    }
    const auto role = static_cast<OperandRole>(operand - operand_state);
    if (type == register_vector) {
        cells_.clear();
        for (std::size_t at = vector_head; at < record.size; at += 8)
            cells_.push_back(record.at<std::uint64_t>(at));
        batch.vector_operand(number, role, cells_);
    } else {
        batch.operand(number, static_cast<RegisterClass>(type - register_integer), role,
                      record.at<std::uint64_t>(vector_head));
    }
    unit(record.descriptor, Part::operand);
}

void StfReader::event(Batch& batch, const RawRecord& record) {
    const EventHead head = head_of_event(record, scanner_.event64());
    cells_.assign(1, head.id);
    for (std::size_t at = head.size; at < record.size; at += 8)
        cells_.push_back(record.at<std::uint64_t>(at));
    const std::uint64_t id = head.wide_id;
    if (event_name(id).stem.empty()) {
        scanner_.report(Check::event_unknown, "a RISC-V cause or MODE_CHANGE", hexadecimal_text(id, 16));
    } else if (id == event_mode_change && (cells_.size() < 2 || cells_[1] > 3)) {
        scanner_.report(Check::mode_change, "a field from 0 to 3",
                        cells_.size() < 2 ? "no field" : std::to_string(cells_[1]));
    }
    push_event(batch, record.descriptor);
    ++events_without_target_;
}

void StfReader::page_table_walk(Batch& batch, const RawRecord& record) {
    cells_.assign({record.at<std::uint64_t>(1), record.at<std::uint64_t>(9), record.at<std::uint32_t>(17)});
    for (std::size_t at = page_walk_head; at < record.size; at += 8)
        cells_.push_back(record.at<std::uint64_t>(at));
    push_event(batch, record.descriptor);
}

template <bool checked>
void StfReader::bus_access(Batch& batch, RawRecord& record) {
    const auto master = record.at<std::uint8_t>(11), type = record.at<std::uint8_t>(17);
    if (bus_master_name(master).empty() || type == 0 || memory_type_name(type).empty()) {
        scanner_.report(Check::bus_code, "master 0 to 6, type 1 or 2",
                        "master " + std::to_string(master) + ", type " + std::to_string(type));
    }
    cells_.assign({record.at<std::uint64_t>(1), record.at<std::uint16_t>(9), master, record.at<std::uint8_t>(12),
                   record.at<std::uint32_t>(13), type});
    while (scanner_.next_is(Descriptor::bus_master_content) && next<checked>(record)) {
        cells_.push_back(record.at<std::uint64_t>(1));
        check_group();
    }
    push_event(batch, Descriptor::bus_master_access);
}

}  // namespace

std::unique_ptr<Reader> open_reader(Input& input, const Settings& settings, Findings& findings) {
    auto trace = std::make_unique<OpenTrace>(input, settings, findings);
    if (trace->scanner.transactions()) return open_transactions(std::move(trace), input, settings);
    return std::make_unique<StfReader>(std::move(trace), input, settings);
}

}  // namespace hwtrace::stf
