#include "hart.hpp"

#include <array>
#include <span>
#include <utility>

#include "domain/traps.hpp"
#include "io/appender.hpp"
#include "io/cursor.hpp"
#include "io/limits.hpp"
#include "trap_names.hpp"

namespace hwtrace::commitlog {

// --- lines -----------------------------------------------------------------------------------------------------------

void Hart::take(Line& line, Batch& batch) {
    last_line_ = log_->lines();
    switch (line.kind) {
        case LineKind::fetched:
            promote(batch);
            begin(line);
            break;
        case LineKind::committed:
            commit(line, batch);
            break;
        case LineKind::effect:
            if (last_.is_present) add_effect(line);
            break;
        case LineKind::trap:
            trap(line, batch);
            break;
        case LineKind::value:
            trap_value(line);
            break;
        case LineKind::repeats:
            if (!has_commits_) log_->count(Check::repeated);
            break;
        default:
            break;
    }
}

void Hart::begin(const Line& line) {
    listed_.begin(line, xlen_);
    if (is_checked_) check_encoding(line);
}

void Hart::check_encoding(const Line& line) {
    // CVA6 prints the pc of RV32 with 16 digits.
    if (line.pc_digits <= 8 && xlen_ == riscv::Xlen::rv64) log_->count(Check::width_changes);
    const bool is_short = (line.encoding & 3) != 3;
    const bool is_padded = line.kind == LineKind::fetched || line.encoding <= 0xFFFF;
    if (is_short ? line.encoding_digits > 8 || !is_padded : line.encoding_digits != 8)
        log_->count(Check::encoding_length);
}

void Hart::commit(Line& line, Batch& batch) {
    const bool is_listed = listed_.is_present && listed_.pc == line.pc && listed_.traps.empty();
    if (!is_listed) {
        promote(batch);
        begin(line);
    }
    listed_.has_mode = line.has_mode;
    listed_.mode = line.mode;
    listed_.is_committed = has_commits_ = true;
    if (line.has_trap) {
        listed_.is_faulting = true;
        listed_.traps.push_back({line.trap.id, line.trap.value, line.pc, true});
    }
    listed_.add(line);
    promote(batch);
}

/// Adds a line of the Sail model. It prints the accesses of page table walks as well.
void Hart::add_effect(Line& line) {
    using enum riscv::Class;
    const riscv::Encoding& decoded = last_.decoded;
    const bool touches = decoded.reads != riscv::Use::never || decoded.writes != riscv::Use::never ||
                         decoded.instruction_class == illegal || decoded.instruction_class == custom;
    if (!touches) line.accesses.clear();
    last_.add(line);
    check_limit(last_.bytes(), most_bytes_, "the results of an instruction", "--max-record");
}

void Hart::trap(const Line& line, Batch& batch) {
    Trap trap{line.trap.id, line.trap.value, {}, line.trap.has_value};
    if (line.trap.has_epc) trap.epc = line.trap.epc;
    if (line.trap.is_own) {
        promote(batch);
        begin(line);
    }
    const bool is_interrupt = (trap.id & traps::interrupt_bit) != 0;
    const bool hits_listed =
        listed_.is_present && (!listed_.traps.empty() || (listed_.pc == trap.epc && !is_interrupt));
    if (!hits_listed) promote(batch);
    Step& step = hits_listed ? listed_ : last_;
    if (!step.is_present || step.traps.size() >= most_traps) {
        log_->count(Check::stray_trap);
        return;
    }
    if (step.traps.empty()) {
        // A vector instruction that faults after some of its elements has a commit.
        const bool is_here = !trap.epc || trap.epc == step.pc;
        step.is_faulting = hits_listed || (is_here && !is_interrupt && !is_fetch_fault(trap.id));
        if (step.is_faulting) trap.epc = step.pc;
    }
    step.traps.push_back(trap);
}

void Hart::trap_value(const Line& line) {
    Step& step = listed_.is_present && !listed_.traps.empty() ? listed_ : last_;
    if (!step.is_present || step.traps.empty()) return;
    step.traps.back().value = line.trap.value;
    step.traps.back().has_value = true;
}

// --- checkpoints -----------------------------------------------------------------------------------------------------

void Hart::save(Appender& out) const {
    last_.save(out);
    listed_.save(out);
    out.le(mode_);
    out.le(static_cast<std::uint8_t>((has_commits_ ? 1u : 0u) | (has_accesses_ ? 2u : 0u)));
    out.leb128(count_);
    out.leb128(last_line_);
}

void Hart::restore(Cursor& in) {
    last_.restore(in, xlen_);
    listed_.restore(in, xlen_);
    mode_ = in.le<std::uint8_t>();
    const auto flags = in.le<std::uint8_t>();
    has_commits_ = (flags & 1u) != 0;
    has_accesses_ = (flags & 2u) != 0;
    count_ = in.leb128();
    last_line_ = in.leb128();
}

// --- instructions ----------------------------------------------------------------------------------------------------

/// Appends the last instruction, whose outcome the listed instruction shows. The listed one becomes the last one.
void Hart::promote(Batch& batch) {
    if (!listed_.is_present) return;
    if (has_commits_ && !listed_.is_committed && listed_.traps.empty()) log_->count(Check::not_committed);
    append_last(&listed_, batch);
    std::swap(last_, listed_);
    listed_.is_present = false;
}

/// Returns true if the lines after the last instruction may say more about it.
bool Hart::is_last_open() const noexcept {
    if (!last_.is_present) return false;
    const bool has_effects = !last_.registers.empty() || !last_.accesses.empty();
    return last_.is_open() || (log_->survey().dialect == Dialect::sail && !has_effects);
}

void Hart::finish(Batch& batch) {
    if (listed_.is_present) {
        append_last(&listed_, batch);
        std::swap(last_, listed_);
        listed_.is_present = false;
    }
    if (is_last_open()) log_->count(Check::no_outcome);
    append_last(nullptr, batch);
    last_.is_present = false;
}

/// Returns the address at which the instruction continues, if it transfers control and the log shows it.
std::optional<std::uint64_t> Hart::target_of_last(const Step* next) const {
    const Step& step = last_;
    const riscv::Encoding& decoded = step.decoded;
    if (step.is_faulting || (!decoded.transfers() && !decoded.returns_from_trap())) return std::nullopt;
    std::optional<std::uint64_t> continuation;
    if (!step.traps.empty())
        continuation = step.traps.front().epc;
    else if (next != nullptr)
        continuation = next->pc;
    if (!decoded.has_offset) return continuation;
    const std::uint64_t encoded = masked(step.pc + static_cast<std::uint64_t>(std::int64_t{decoded.offset}));
    if (decoded.jumps()) return encoded;
    const bool is_taken = continuation == encoded && decoded.offset != static_cast<std::int32_t>(step.size);
    return is_taken ? std::optional(encoded) : std::nullopt;
}

void Hart::append_last(Step* next, Batch& batch) {
    if (!last_.is_present) return;
    const auto target = target_of_last(next);
    if (next != nullptr && last_.traps.empty()) {
        next->is_resumed = next->pc != target.value_or(masked(last_.pc + last_.size));
        if (next->is_resumed && is_checked_) log_->count(Check::pc_jumps);
    }
    if (is_checked_) check_last();
    append_events(next, batch);
    append_registers(batch);
    append_accesses(batch);
    Instruction& instruction = batch.instruction(tracks_.instructions, now(), last_.pc);
    instruction.encoding = last_.encoding;
    instruction.size = last_.size;
    instruction.has_target = target.has_value();
    instruction.target = target.value_or(0);
    ++count_;
}

/// Checks the last instruction as a whole, if it has ended without a trap.
void Hart::check_last() {
    using riscv::Use;
    const riscv::Encoding& decoded = last_.decoded;
    if (!last_.traps.empty()) return;
    if (decoded.instruction_class == riscv::Class::illegal) log_->count(Check::encoding_illegal);
    const bool is_atomic = decoded.instruction_class == riscv::Class::atomic;
    const bool accesses = decoded.reads == Use::always || (decoded.writes == Use::always && !is_atomic);
    // CVA6 leaves out the loads of x0 and of floating-point registers.
    const bool is_expected = has_accesses_ && last_.is_committed && log_->survey().dialect != Dialect::cva6;
    if (accesses && last_.accesses.empty() && is_expected) log_->count(Check::access_missing);
    has_accesses_ = has_accesses_ || !last_.accesses.empty();
}

void Hart::append_mode(std::uint64_t mode, Batch& batch) {
    const std::array<std::uint64_t, 2> cells{traps::mode_change_id, mode};
    batch.event(tracks_.traps, now(), cells);
}

/// Appends the records that precede the instruction: its pc if it is a surprise, its traps, and changes of the mode.
void Hart::append_events(const Step* next, Batch& batch) {
    const auto append_pc = [&](TrackId track, std::uint64_t pc) {
        batch.event(track, now(), std::span<const std::uint64_t>(&pc, 1));
    };
    if (last_.is_resumed) append_pc(tracks_.resumptions, last_.pc);
    const bool is_first = count_ == 0;
    if (is_first && last_.has_mode) mode_ = last_.mode;
    const bool changes = next != nullptr && next->has_mode && next->mode != mode_;
    // A mode change of the first instruction states its own mode (formats/stf/README.md#address-translation).
    if (is_first && (changes || mode_ != machine_mode)) append_mode(mode_, batch);
    for (std::size_t at = 0; at < last_.traps.size(); ++at) {
        const Trap& trap = last_.traps[at];
        const std::array<std::uint64_t, 3> cells{trap.id, trap.epc.value_or(last_.pc), trap.value};
        batch.event(tracks_.traps, now(), std::span(cells).first(trap.has_value ? 3 : 2));
        const bool is_latest = at + 1 == last_.traps.size();
        if (!is_latest && last_.traps[at + 1].epc)
            append_pc(tracks_.trap_targets, *last_.traps[at + 1].epc);
        else if (is_latest && next != nullptr)
            append_pc(tracks_.trap_targets, next->pc);
    }
    if (changes) {
        append_mode(next->mode, batch);
        mode_ = next->mode;
    }
}

void Hart::append_registers(Batch& batch) {
    std::size_t first = 0;
    for (const Written& written : last_.registers) {
        if (written.register_class == RegisterClass::vector) {
            batch.vector_operand(written.number, OperandRole::destination,
                                 std::span(last_.words).subspan(first, written.words));
            first += written.words;
            continue;
        }
        batch.operand(written.number, written.register_class, OperandRole::destination, written.value);
        if (is_checked_ && written.number == 0 && written.register_class == RegisterClass::integer)
            log_->count(Check::zero_written);
    }
}

void Hart::append_accesses(Batch& batch) {
    if (last_.accesses.empty()) return;
    const riscv::Encoding& decoded = last_.decoded;
    const bool is_known =
        decoded.instruction_class != riscv::Class::illegal && decoded.instruction_class != riscv::Class::custom;
    const bool is_split = last_.is_split();
    std::size_t loads = 0;
    for (const Touched& touched : last_.accesses) {
        const unsigned size = last_.size_of(touched, is_split, xlen_);
        batch.access(touched.address, static_cast<std::uint16_t>(size), 0,
                     touched.is_write ? AccessType::write : AccessType::read);
        std::optional<std::uint64_t> data;
        if (touched.has_data)
            data = size >= 8 ? touched.data : touched.data & ((std::uint64_t{1} << 8 * size) - 1);
        else
            data = last_.loaded(loads++, size, is_split, xlen_);
        if (!data) log_->count(Check::unknown_data);
        batch.access_data(data.value_or(0));
        if (size > 8) batch.access_data(0);
        const riscv::Use use = touched.is_write ? decoded.writes : decoded.reads;
        if (is_checked_ && is_known && use == riscv::Use::never) log_->count(Check::access_unfounded);
    }
}

}  // namespace hwtrace::commitlog
