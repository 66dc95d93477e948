#include "views/instruction_statistics.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/traps.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t most_ids = 4096;
constexpr std::uint64_t other_events = std::numeric_limits<std::uint64_t>::max();

bool states(const Schema& schema, std::string_view key, std::string_view value) noexcept {
    const std::string* const stated = schema.metadata(key);
    return stated != nullptr && *stated == value;
}

std::string event_name(std::uint64_t id) {
    const traps::Name name = traps::name_of(id);
    if (name.stem.empty()) return "unknown(" + std::to_string(id) + ")";
    std::string text(name.stem);
    return name.numbered ? text.append(std::to_string(name.number)) : text;
}

}  // namespace

InstructionCounts& InstructionCounts::operator+=(const InstructionCounts& more) noexcept {
    for (const NamedCounter& counter : instruction_counters)
        this->*counter.value += more.*counter.value;
    return *this;
}

InstructionMeter::InstructionMeter(const Schema& schema, std::uint64_t interval, const Limits& limits)
    : schema_(schema), interval_(interval), most_intervals_(limits.schema_objects) {
    const std::string* const features = schema.metadata(conventions::features);
    features_ = features == nullptr ? std::nullopt : parse_hexadecimal(*features);
    wide_events_ = (features_.value_or(0) & conventions::feature_wide_events) != 0;
    riscv_ = states(schema, conventions::isa, "1");
    xlen_ = states(schema, conventions::instruction_mode, "1") ? riscv::Xlen::rv32 : riscv::Xlen::rv64;
}

void InstructionMeter::learn() {
    while (parts_.size() < schema_.tracks().size()) {
        const std::string& name = schema_.tracks()[parts_.size()].name;
        Part part = Part::other;
        if (name == conventions::trap) part = Part::event;
        if (name == conventions::microop) part = Part::microop;
        if (name == conventions::page_table_walk) part = Part::page_walk;
        if (name == conventions::bus_access) part = Part::bus_access;
        if (name == conventions::process_id) part = Part::process;
        parts_.push_back(part);
    }
}

void InstructionMeter::add(const Batch& batch) {
    if (parts_.size() < schema_.tracks().size()) learn();
    for (const Record& record : batch.records()) {
        if (begun_ && record.time != group_time_) forget_group();
        if (record.kind == Kind::instruction)
            instruction(batch.instruction(record), batch);
        else
            take(record, batch);
    }
}

/// Drops the current group, because its records belong to an instruction that was lost.
void InstructionMeter::forget_group() {
    group_ = {};
    begun_ = fault_ = false;
    next_user_.reset();
}

/// Counts a record of the current group.
void InstructionMeter::take(const Record& record, const Batch& batch) {
    if ((record.flags & record_restated) != 0) [[unlikely]] {
        if (parts_[record.track] == Part::event && record.count > 1) user_ = batch.cells(record)[1] == traps::user_mode;
        return;
    }
    begun_ = true;
    group_time_ = record.time;
    ++group_.total_record_count;
    if (record.kind == Kind::note) ++group_.comment_count;
    if (record.kind != Kind::event) return;
    switch (parts_[record.track]) {
        case Part::event:
            event(batch.cells(record));
            break;
        case Part::microop:
            ++group_.uop_count;
            break;
        case Part::page_walk:
            ++group_.pte_count;
            break;
        case Part::bus_access: {
            const std::size_t fixed = schema_.tracks()[record.track].fixed_fields();
            if (record.count > fixed) group_.total_record_count += record.count - fixed;
            break;
        }
        case Part::process:
            ++processes_;
            break;
        case Part::other:
            break;
    }
}

void InstructionMeter::event(std::span<const std::uint64_t> cells) {
    ++group_.event_count;
    if (cells.empty()) return;
    const std::uint64_t id = traps::wide_id(cells[0], wide_events_);
    if (events_.size() < most_ids || events_.contains(id))
        ++events_[id];
    else
        ++other_events_;
    const traps::Kind kind = traps::kind_of(id);
    if (kind == traps::Kind::fault) fault_ = true;
    if (kind == traps::Kind::mode_change && cells.size() > 1) next_user_ = cells[1] == traps::user_mode;
}

void InstructionMeter::instruction(const Instruction& instruction, const Batch& batch) {
    if (begun_) {
        counts_ += group_;
        group_ = {};
        begun_ = false;
    }
    const auto operands = batch.operands(instruction);
    const auto accesses = batch.accesses(instruction);
    std::uint64_t access_records = 0;
    for (const Operand& operand : operands) {
        if (operand.role == OperandRole::state) ++states_;
        if (operand.register_class == RegisterClass::vector) ++vectors_;
    }
    for (const Access& access : accesses) {
        access_records += 1 + access.data.count;
        if (access.attributes != 0) ++attributes_;
        count_access(access);
    }
    operands_ += operands.size();
    counts_.mem_access_count += accesses.size();
    counts_.mem_record_count += access_records;
    counts_.total_record_count += 1 + (instruction.has_target ? 1 : 0) + operands.size() + access_records;

    ++counts_.inst_record_count;
    if (instruction.size == 2) ++short_;
    if (instruction.size == 4) ++long_;
    if (riscv_) {
        const riscv::Class instruction_class = riscv::class_of(instruction.encoding, instruction.size, xlen_);
        ++classes_[static_cast<std::size_t>(instruction_class)];
        if (instruction_class == riscv::Class::branch && instruction.has_target) ++taken_;
    }
    if (fault_) {
        ++counts_.fault_count;
    } else {
        ++counts_.inst_count;
        ++(user_ ? counts_.user_count : counts_.non_user_count);
    }
    fault_ = false;
    if (next_user_) user_ = *next_user_;
    next_user_.reset();
    if (interval_ != 0 && counts_.inst_record_count - begin_.inst_record_count == interval_) end_interval();
}

void InstructionMeter::count_access(const Access& access) {
    const auto type = static_cast<std::size_t>(access.type);
    if (access.size < usual_sizes)
        ++sizes_[type][access.size];
    else
        ++other_sizes_[{access.type, access.size}];
}

void InstructionMeter::end_interval() {
    check_limit(intervals_.size() + 1, most_intervals_, "a number of intervals", "--max-schema");
    InstructionCounts counts = counts_;
    for (const NamedCounter& counter : instruction_counters)
        counts.*counter.value -= begin_.*counter.value;
    intervals_.push_back(counts);
    begin_ = counts_;
}

std::optional<InstructionStatistics> InstructionMeter::result() {
    if (counts_.inst_record_count == 0) return std::nullopt;
    if (interval_ != 0 && begin_.inst_record_count != counts_.inst_record_count) end_interval();
    InstructionStatistics result;
    result.counts = counts_;
    result.short_encodings = short_;
    result.long_encodings = long_;
    result.other_encodings = counts_.inst_record_count - short_ - long_;
    if (riscv_) {
        result.classes = classes_;
        result.branches_taken = taken_;
        result.branches_not_taken = classes_[static_cast<std::size_t>(riscv::Class::branch)] - taken_;
    }
    for (const AccessType type : {AccessType::invalid, AccessType::read, AccessType::write}) {
        const auto& usual = sizes_[static_cast<std::size_t>(type)];
        for (std::size_t size = 0; size < usual_sizes; ++size)
            if (usual[size] != 0) result.accesses.push_back({type, static_cast<std::uint16_t>(size), usual[size]});
        for (const auto& [key, count] : other_sizes_)
            if (key.first == type) result.accesses.push_back({type, key.second, count});
    }
    for (const auto& [id, count] : events_)
        result.events.push_back({event_name(id), count, id});
    if (other_events_ != 0) result.events.push_back({"others", other_events_, other_events});
    if (features_) {
        const auto feature = [&](std::string_view name, std::uint64_t bit, std::uint64_t count) {
            result.features.push_back({name, (*features_ & bit) != 0, count});
        };
        feature("DATA_ATTRIBUTE", conventions::feature_data_attributes, attributes_);
        feature("OPERAND_VALUE", conventions::feature_operand_values, operands_);
        feature("EVENT", conventions::feature_events, counts_.event_count);
        feature("RV64", conventions::feature_rv64,
                riscv_ && xlen_ == riscv::Xlen::rv64 ? counts_.inst_record_count : 0);
        feature("PTE", conventions::feature_page_table_walks, counts_.pte_count);
        feature("PROCESS_ID", conventions::feature_process_ids, processes_);
        feature("REG_STATE", conventions::feature_register_state, states_);
        feature("MICROOP", conventions::feature_microops, counts_.uop_count);
        feature("VEC", conventions::feature_vectors, vectors_);
    }
    result.intervals = std::move(intervals_);
    return result;
}

void InstructionMeter::save(StateOut& out) const {
    each_sum(*this, [&](std::uint64_t sum) { out(sum); });
    out(other_sizes_.size());
    for (const auto& [key, count] : other_sizes_)
        out(key.first, key.second, count);
    out(events_.size());
    for (const auto& [id, count] : events_)
        out(id, count);
}

void InstructionMeter::add(StateIn& in) {
    each_sum(*this, [&](std::uint64_t& sum) { sum += in.get<std::uint64_t>(); });
    for (std::size_t left = in.count(); left > 0; --left) {
        const AccessType type = in.one_up_to(AccessType::write);
        const auto size = in.get<std::uint16_t>();
        other_sizes_[{type, size}] += in.get<std::uint64_t>();
    }
    for (std::size_t left = in.count(); left > 0; --left) {
        const auto id = in.get<std::uint64_t>(), count = in.get<std::uint64_t>();
        if (events_.size() < most_ids || events_.contains(id))
            events_[id] += count;
        else
            other_events_ += count;
    }
}

}  // namespace hwtrace
