#include "recorder.hpp"

#include <charconv>
#include <utility>

namespace hwtrace::record_qemu {

namespace {

/// Returns true for sc.w and sc.d.
bool stores_conditionally(std::uint32_t encoding) noexcept {
    constexpr std::uint32_t major_opcode = 0x7F, atomic = 0x2F, store_conditional = 3;
    constexpr unsigned function_shift = 27;
    return (encoding & major_opcode) == atomic && encoding >> function_shift == store_conditional;
}

/// Returns true if `place`, a symbol or an address, names this instruction.
bool names(std::string_view place, std::uint64_t pc, const char* symbol) noexcept {
    if (place.empty()) return false;
    if (!place.starts_with("0x")) return symbol != nullptr && place == symbol;
    std::uint64_t address = 0;
    const char* const end = place.data() + place.size();
    const auto [stop, error] = std::from_chars(place.data() + 2, end, address, 16);
    return error == std::errc() && stop == end && address == pc;
}

/// Returns the target of an instruction that `next` follows in its thread, if it transferred control. A signal handler
/// may follow instead; the target of a direct branch is then not known to be taken.
std::optional<std::uint64_t> target_of(const Code& code, const Code* next) noexcept {
    if (next == nullptr || !code.decoded.transfers()) return std::nullopt;
    if (!code.decoded.has_offset) return next->pc;
    const std::uint64_t target = code.pc + static_cast<std::uint64_t>(code.decoded.offset);
    if (code.decoded.jumps() || next->pc == target) return target;
    return std::nullopt;
}

/// The ids do not depend on the run, so that equal runs make equal traces.
stf::ProcessId process_of(const Thread& thread) noexcept {
    return {thread.number(), 1, thread.number() + 1};
}

}  // namespace

Recorder::Recorder(std::string path, stf::Header header, const stf::Storage& storage, Region region)
    : path_(std::move(path)),
      header_(std::move(header)),
      storage_(storage),
      region_(std::move(region)),
      xlen_(header_.encoding_mode == 1 ? riscv::Xlen::rv32 : riscv::Xlen::rv64),
      is_inside_(region_.from.empty()) {}

const Code& Recorder::code(std::uint64_t pc, std::uint32_t encoding, unsigned size, const char* symbol) {
    const std::scoped_lock lock(mutex_);
    std::vector<Code*>& known = codes_at_[pc];
    for (const Code* code : known)
        if (code->encoding == encoding) return *code;
    Code& code = codes_.emplace_back();
    code.pc = pc;
    code.encoding = encoding;
    code.size = static_cast<std::uint8_t>(size);
    code.begins_region = names(region_.from, pc, symbol);
    code.ends_region = names(region_.to, pc, symbol);
    code.decoded = riscv::decode(encoding, size, xlen_);
    code.is_store_conditional = stores_conditionally(encoding);
    known.push_back(&code);
    return code;
}

void Recorder::take(Thread& thread, bool is_last) {
    const std::scoped_lock lock(mutex_);
    const std::size_t count = thread.executed_.size();
    if (count == 0) return;
    const std::size_t end = is_last ? count : count - 1;
    for (std::size_t index = 0; index < end && !is_complete(); ++index)
        if (is_wanted(*thread.executed_[index].code))
            write(thread, index, index + 1 < count ? thread.executed_[index + 1].code : nullptr);
    if (is_last) {
        thread.executed_.clear();
        thread.touches_.clear();
        return;
    }
    Thread::Executed kept = thread.executed_.back();
    thread.touches_.erase(thread.touches_.begin(), thread.touches_.begin() + kept.first_touch);
    kept.first_touch = 0;
    thread.executed_.assign(1, kept);
}

bool Recorder::is_wanted(const Code& code) {
    if (!is_inside_ && !code.begins_region) return false;
    is_inside_ = true;
    const bool is_behind = seen_ >= region_.skip;
    ++seen_;
    if ((code.ends_region && seen_ > 1) || (region_.limit && written_ >= *region_.limit)) {
        is_complete_ = true;
        return false;
    }
    return is_behind;
}

void Recorder::write(const Thread& thread, std::size_t index, const Code* next) {
    const Thread::Executed& executed = thread.executed_[index];
    const std::size_t end =
        index + 1 < thread.executed_.size() ? thread.executed_[index + 1].first_touch : thread.touches_.size();
    accesses_.clear();
    for (std::size_t at = executed.first_touch; at < end; ++at) {
        const Touch& touch = thread.touches_[at];
        stf::MemoryAccess& access = accesses_.emplace_back();
        access.kind = touch.is_store ? stf::AccessKind::write : stf::AccessKind::read;
        access.address = touch.address;
        access.size = touch.size;
        access.data = std::span(&touch.data, 1);
    }
    if (!writer_) open(thread, executed.code->pc);
    const stf::ProcessId id = process_of(thread);
    const std::array<std::uint64_t, 3> process = {id.hardware_thread, id.process, id.thread};
    events_.clear();
    for (const std::string& comment : comments_) {
        events_.emplace_back().type = stf::RecordType::comment;
        events_.back().text = comment;
    }
    if (last_thread_ != thread.number()) {
        events_.emplace_back().type = stf::RecordType::process_id;
        events_.back().values = process;
    }
    stf::Instruction instruction;
    instruction.events = events_;
    last_thread_ = thread.number();
    instruction.pc = executed.code->pc;
    instruction.encoding = executed.code->encoding;
    instruction.size = executed.code->size;
    instruction.target = target_of(*executed.code, next);
    instruction.accesses = accesses_;
    writer_->write(instruction);
    comments_.clear();
    ++written_;
}

void Recorder::loaded(const LoadedFile& file) {
    std::array<char, 16> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), file.base, 16).ptr;
    const std::scoped_lock lock(mutex_);
    comments_.push_back("loaded " + file.name + " at 0x" + std::string(digits.data(), end));
}

void Recorder::open(const Thread& thread, std::uint64_t pc) {
    header_.comments = std::exchange(comments_, {});
    header_.pc = pc;
    header_.process = process_of(thread);
    last_thread_ = thread.number();
    writer_.emplace(path_, header_, storage_);
}

std::uint64_t Recorder::finish() {
    const std::scoped_lock lock(mutex_);
    is_complete_ = true;
    if (std::exchange(is_finished_, true)) return written_;
    if (!writer_) open(Thread(0), 0);
    writer_->finish();
    return written_;
}

}  // namespace hwtrace::record_qemu
