// formats/champsim/writer.cpp - writes one record per instruction (formats/champsim/README.md).
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "branches.hpp"
#include "codec.hpp"
#include "codec/container.hpp"
#include "domain/conventions.hpp"
#include "hart_choice.hpp"
#include "io/little_endian.hpp"
#include "io/packed_output.hpp"
#include "lost.hpp"
#include "wire.hpp"

namespace hwtrace::champsim {
namespace {

constexpr std::size_t buffer_size = 256u << 10;
constexpr std::uint64_t narrow_mode = 1, wide_mode = 2;  // of conventions::instruction_mode: RV32, RV64

class ChampsimWriter final : public Writer {
public:
    ChampsimWriter(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
        : schema_(schema),
          losses_(losses),
          harts_(schema, settings),
          output_(output, chosen_container(settings, options, container_option)),
          layout_(settings.text(options, layout_option) == "cloudsuite" ? cloudsuite : plain),
          branch_registers_(settings.text(options, branches_option) == "flags" ? BranchRegisters::flags
                                                                               : BranchRegisters::compared) {
        buffer_.resize(buffer_size);
        const std::string* const isa = schema.metadata(conventions::isa);
        is_riscv_ = isa == nullptr || *isa == "1";
        const std::string* const mode = schema.metadata(conventions::instruction_mode);
        if (mode != nullptr && *mode == "1") xlen_ = riscv::Xlen::rv32;
    }

    void write(const Batch& batch) override {
        for (const Record& record : batch.records()) {
            if (record.kind == Kind::instruction)
                put(batch, record);
            else if (record.kind == Kind::event)
                learn(batch, record);
        }
    }
    bool has_threads() const noexcept override { return output_.has_thread(); }
    void finish() override;

private:
    /// Everything about an encoding that does not depend on the instruction.
    struct Decoded {
        std::uint64_t bits = 0;
        std::uint8_t size = 0;  ///< 0: an unused entry
        riscv::Xlen xlen = riscv::Xlen::rv64;
        bool knows_registers = false;
        bool is_csr = false;
        Slots slots;
    };
    static constexpr std::size_t cache_size = 4096;

    void learn(const Batch& batch, const Record& record);
    const Decoded& decode(const Instruction& instruction);
    void put(const Batch& batch, const Record& record);
    void put_registers(const Batch& batch, const Instruction& instruction, const Decoded& decoded, std::byte* to);
    void put_accesses(const Batch& batch, const Instruction& instruction, std::byte* to);
    Slots recorded_slots(const Batch& batch, const Instruction& instruction);
    void count(Lost kind, std::uint64_t times = 1) noexcept { lost_.add(kind, instructions_, times); }

    const Schema& schema_;
    Losses& losses_;
    HartChoice harts_;
    PackedOutput output_;
    const Layout layout_;
    const BranchRegisters branch_registers_;
    bool is_riscv_ = true;
    riscv::Xlen xlen_ = riscv::Xlen::rv64;
    std::vector<Decoded> cache_ = std::vector<Decoded>(cache_size);
    std::vector<std::byte> buffer_;
    std::size_t filled_ = 0;
    std::uint64_t instructions_ = 0;  ///< met so far, those of other harts included
    bool is_timed_ = false;
    Tick next_time_ = 0;  ///< the time of the next instruction if there is no gap before it
    LostCounts lost_;
};

void ChampsimWriter::learn(const Batch& batch, const Record& record) {
    const std::span<const std::uint64_t> cells = batch.cells(record);
    if (cells.empty()) return;
    if (schema_.tracks()[record.track].name == conventions::process_id) {
        harts_.learn_process(cells[0]);
        count(Lost::processes);
    } else if (cells[0] == narrow_mode || cells[0] == wide_mode) {
        xlen_ = cells[0] == narrow_mode ? riscv::Xlen::rv32 : riscv::Xlen::rv64;
    }
}

/// Programs repeat a few thousand encodings, so decoded ones are kept.
const ChampsimWriter::Decoded& ChampsimWriter::decode(const Instruction& instruction) {
    const auto bits = static_cast<std::uint32_t>(instruction.encoding);
    Decoded& entry = cache_[(bits * 0x9E37'79B1u) >> 20];
    if (entry.bits == instruction.encoding && entry.size == instruction.size && entry.xlen == xlen_) [[likely]]
        return entry;
    const riscv::Encoding encoding =
        is_riscv_ ? riscv::decode(instruction.encoding, instruction.size, xlen_) : riscv::Encoding{};
    const riscv::Operands operands = riscv::operands_of(instruction.encoding, encoding.instruction_class, xlen_);
    entry = {.bits = instruction.encoding,
             .size = instruction.size,
             .xlen = xlen_,
             .knows_registers = operands.known(),
             .is_csr = encoding.instruction_class == riscv::Class::csr,
             .slots = slots_of(encoding, operands, layout_, branch_registers_)};
    return entry;
}

/// Returns the registers whose values the trace has, for an instruction that is not decoded.
Slots ChampsimWriter::recorded_slots(const Batch& batch, const Instruction& instruction) {
    riscv::Operands operands;
    std::uint64_t more_sources = 0, more_destinations = 0;
    bool any = false;
    for (const Operand& operand : batch.operands(instruction)) {
        if (operand.role == OperandRole::state) continue;
        if (operand.register_class == RegisterClass::csr) {
            count(Lost::csr_registers);
            continue;
        }
        if (operand.number > 31) continue;
        any = true;
        const riscv::Register which{operand.register_class, static_cast<std::uint8_t>(operand.number)};
        if (operand.role == OperandRole::source)
            operands.sources().size() < operands.most_sources ? operands.read(which) : void(++more_sources);
        else
            operands.destinations().size() < operands.most_destinations ? operands.write(which)
                                                                        : void(++more_destinations);
    }
    if (!any) count(Lost::unknown_registers);
    if (more_sources != 0) count(Lost::sources, more_sources);
    if (more_destinations != 0) count(Lost::destinations, more_destinations);
    riscv::Encoding encoding;
    if (instruction.has_target) {  // a branch of an unknown kind, which was taken
        encoding.instruction_class = riscv::Class::jump;
        encoding.has_offset = operands.sources().empty();
    }
    return slots_of(encoding, operands, layout_, branch_registers_);
}

void ChampsimWriter::put_registers(const Batch& batch, const Instruction& instruction, const Decoded& decoded,
                                   std::byte* to) {
    const Slots slots = decoded.knows_registers ? decoded.slots : recorded_slots(batch, instruction);
    to[taken_at - 1] = static_cast<std::byte>(slots.is_branch);
    to[taken_at] = static_cast<std::byte>(slots.is_branch && (slots.is_taken || instruction.has_target));
    std::memcpy(to + registers_at, slots.destinations.data(), layout_.destinations);
    std::memcpy(to + registers_at + layout_.destinations, slots.sources.data(), layout_.sources);
    if (slots.lost_destinations != 0) count(Lost::destinations, slots.lost_destinations);
    if (slots.lost_sources != 0) count(Lost::sources, slots.lost_sources);
    if (slots.lost_compared != 0) count(Lost::compared, slots.lost_compared);
    if (decoded.is_csr) count(Lost::csr_registers);
    if (instruction.operands.count != 0) count(Lost::register_values, instruction.operands.count);
}

void ChampsimWriter::put_accesses(const Batch& batch, const Instruction& instruction, std::byte* to) {
    std::size_t written = 0, read = 0;
    for (const Access& access : batch.accesses(instruction)) {
        if (access.address == 0 || access.type == AccessType::invalid) {
            count(access.address == 0 ? Lost::zero_address : Lost::other_access);
        } else if (access.type == AccessType::write) {
            if (written < layout_.destinations)
                store_le(to + layout_.addresses_at + 8 * written++, access.address);
            else
                count(Lost::writes);
        } else if (read < layout_.sources) {
            store_le(to + layout_.addresses_at + 8 * (layout_.destinations + read++), access.address);
        } else {
            count(Lost::reads);
        }
    }
    if (instruction.accesses.count != 0) count(Lost::access_data, instruction.accesses.count);
}

void ChampsimWriter::put(const Batch& batch, const Record& record) {
    const bool is_selected = harts_.selects(record.track, instructions_);
    if (is_selected || !harts_.by_track()) {  // each track counts its own positions
        if (is_timed_ && record.time != next_time_) count(Lost::times);
        is_timed_ = true;
        next_time_ = static_cast<Tick>(static_cast<std::uint64_t>(record.time) + 1);
    }
    if (!is_selected) {
        count(Lost::other_harts);
        ++instructions_;
        return;
    }
    if (filled_ + most_size > buffer_.size()) {
        output_.write({buffer_.data(), filled_});
        filled_ = 0;
    }
    std::byte* const to = buffer_.data() + filled_;
    std::memset(to, 0, layout_.size);
    store_le(to, record.value);
    const Instruction& instruction = batch.instruction(record);
    put_registers(batch, instruction, decode(instruction), to);
    if (instruction.accesses.count != 0) put_accesses(batch, instruction, to);
    if (layout_.asid_at != 0) to[layout_.asid_at] = to[layout_.asid_at + 1] = static_cast<std::byte>(harts_.written());
    filled_ += layout_.size;
    count(Lost::encoding);
    ++instructions_;
}

void ChampsimWriter::finish() {
    harts_.check_found();
    output_.write({buffer_.data(), filled_});
    output_.finish();
    lost_.report(losses_);
    for (const Metadata& fact : schema_.metadata())
        losses_.count(Loss::metadata_dropped, fact.key, [&] { return fact.value; });
    for (const Scope& scope : schema_.scopes())
        losses_.count(Loss::scope_flattened, scope.name, [] { return std::string("a trace has no scopes"); });
}

}  // namespace

bool is_read_event(const Track& track) {
    return std::ranges::find(conventions::in_force, track.name) != conventions::in_force.end() && !track.fields.empty();
}

std::unique_ptr<Writer> create_writer(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<ChampsimWriter>(output, schema, settings, losses);
}

void foresee_losses(const Schema& schema, const Settings&, std::vector<ExpectedLoss>& losses) {
    for (const LostKind& kind : lost_kinds)
        losses.push_back({kind.loss, std::string(kind.subject), std::string(kind.why), true});
    for (const Metadata& fact : schema.metadata())
        losses.push_back({Loss::metadata_dropped, fact.key, "a trace has no metadata"});
    for (const Scope& scope : schema.scopes())
        losses.push_back({Loss::scope_flattened, scope.name, "a trace has no scopes"});
}

}  // namespace hwtrace::champsim
