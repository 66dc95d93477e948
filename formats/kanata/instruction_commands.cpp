// formats/kanata/instruction_commands.cpp - the commands with which an instruction begins, gets its label, and leaves.
#include "writer.hpp"

#include <algorithm>
#include <span>

#include "commands.hpp"

namespace hwtrace::kanata {
namespace {

using Role = PipelineRole;

std::optional<std::uint64_t> unless_0(std::uint64_t value) noexcept {
    return value != 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::uint32_t KanataWriter::id_of(Core& core, std::uint64_t entity) {
    const auto id = static_cast<std::uint32_t>(entity);
    if (cores_.size() == 1 && next_id_ == 0) return id;
    if (const std::optional<std::uint32_t> known = core.ids.find(id)) return *known;
    if (cores_.size() == 1) return id;
    core.ids.set(id, next_id_);
    if (core.in_flight.find(id) == no_slot) core.ids.leave(id, core.in_flight);
    return next_id_++;
}

/// Returns the id of an instruction that begins. Konata refuses a log in which an id begins twice.
std::uint32_t KanataWriter::new_id_of(Core& core, std::uint32_t entity) {
    const std::uint32_t id = id_of(core, entity);
    if (born_here_ || begun_ids_.insert(id)) return id;
    while (!begun_ids_.insert(next_id_++)) {
    }
    count(Loss::type_changed, core.cpu.entities, "an instruction gets another id than an earlier one");
    core.ids.set(entity, next_id_ - 1);
    return next_id_ - 1;
}

/// Returns true if `record` is the next record that a reader derives from the last written `R`.
bool KanataWriter::is_part_of_leaving(const Batch& batch, const Record& record, PipelineUse use) {
    Leaving& now = leaving_now_;
    if (record.time != now.time || use.core != now.core) return false;
    if (now.flush) {
        if (use.role != Role::flush || record.count < 2) return false;
        const std::span<const std::uint64_t> cells = batch.cells(record);
        now.flush = false;
        return cells[0] == now.entity && cells[1] == 0;
    }
    if (now.clear) {
        now.clear = false;
        return use.role == Role::entities && record.kind == Kind::clear && record.ref == now.slot;
    }
    now.commit = false;
    return use.role == Role::committed && record.kind == Kind::add && record.value == 1;
}

bool KanataWriter::joins_pending(const Record& record, PipelineUse use) const {
    return use.role == Role::entities && record.kind == Kind::set && !is_property(record) &&
           use.core == pending_.core && record.ref == pending_.slot && record.time == pending_.time &&
           record.field != cores_[use.core].cpu.entity_id;
}

void KanataWriter::append_set(const Record& record, PipelineUse use) {
    Core& core = cores_[use.core];
    const CpuScope& cpu = core.cpu;
    if (record.ref >= InFlight::most_slots) return drop(record);
    if (record.field == cpu.entity_id) {
        const auto entity = static_cast<std::uint32_t>(record.value);
        core.in_flight.put(record.ref, entity);
        if (record.ref >= core.left.size()) core.left.resize(record.ref + std::size_t{1});
        core.left[record.ref] = false;
        if (core.gone == entity) core.gone = no_entity;
        pending_ = {.core = use.core, .slot = record.ref, .entity = entity, .time = record.time, .fresh = true};
        go_to(record);
        if (leaving_[entity & low_mask]) write_leavers();  // the previous instruction with this id leaves first
        return;
    }
    if (pending_.slot == no_slot) {
        if (core.in_flight.is_free(record.ref)) return drop(record);
        pending_ = {
            .core = use.core, .slot = record.ref, .entity = core.in_flight.owner(record.ref), .time = record.time};
        go_to(record);
    }
    const unsigned rank = record.field == cpu.simulator_id ? 1
                          : record.field == cpu.thread_id  ? 2
                          : record.field == cpu.pc         ? 3
                                                           : 4;
    pending_.ordered = pending_.ordered && rank > pending_.last_rank;
    pending_.last_rank = rank;
    const std::vector<Field>& fields = schema_.tracks()[record.track].fields;
    const std::uint64_t value = record.field < fields.size() ? stored(fields[record.field].type, record.value) : 0;
    if (record.field == cpu.pc) {
        pending_.sets_pc = true;
        pending_.pc = unless_0(value);
    } else if (record.field == cpu.inst_bits) {
        pending_.bits = unless_0(value);
    } else if (record.field == cpu.simulator_id && pending_.fresh) {
        pending_.has_simulator_id = true;
        pending_.simulator_id = value;
    } else if (record.field == cpu.thread_id && pending_.fresh) {
        pending_.has_thread_id = true;
        pending_.thread_id = static_cast<std::uint32_t>(value);
    } else {
        count(Loss::field_dropped, record.track, "a set of a field for which there is no command");
    }
}

/// Returns true if `next`, the record after the pending set records, is a label that begins with the address that they
/// set.
bool KanataWriter::tells_address(const Batch& batch, const Record* next) const {
    if (next == nullptr) return false;
    const PipelineUse use = uses_[next->track];
    if (use.role != Role::annotate || use.core != pending_.core || next->count < 2 || next->time != pending_.time)
        return false;
    const std::span<const std::uint64_t> cells = batch.cells(*next);
    const Core& core = cores_[use.core];
    return pending_.pc && cells[0] == pending_.entity && !core.label_open &&
           label_address(schema_.text(static_cast<StringId>(cells[1]))) == pending_.pc;
}

void KanataWriter::write_pending(const Batch& batch, const Record* next) {
    Core& core = cores_[pending_.core];
    const TrackId entities = core.cpu.entities;
    const std::uint32_t id = pending_.fresh ? new_id_of(core, pending_.entity) : id_of(core, pending_.entity);
    if (pending_.fresh) {
        const std::uint64_t simulator_id = pending_.has_simulator_id ? pending_.simulator_id : core.next_simulator_id;
        core.next_simulator_id = simulator_id + 1;
        log_.begin(id, simulator_id, pending_.has_thread_id ? pending_.thread_id : pending_.core);
        if (!pending_.has_simulator_id || !pending_.has_thread_id || cores_.size() > 1)
            count(Loss::type_changed, entities, "an instruction gets new numbers");
        if (!is_log_) {
            bool evicts = false;
            if (core.seats.take(id, evicts) != pending_.slot) ++core.moved;
            core.most_begun = std::max(core.most_begun, ++core.begun);
        }
    }
    if (!pending_.ordered) count(Loss::order_changed, entities, "repeated sets, or sets in an unusual order,");
    address_told_ = pending_.sets_pc && tells_address(batch, next);
    if (pending_.sets_pc && !pending_.pc && !address_told_)
        count(Loss::part_dropped, entities, "an address of 0 without a label");
    if (address_told_ && pending_.bits)
        count(Loss::field_dropped, entities, "the encoding of an instruction whose label is in the trace");
    if ((pending_.pc || pending_.bits) && !address_told_) {
        log_.label(id, 0, labels_.text(pending_.pc, pending_.bits));
        count(Loss::type_changed, entities, "an address becomes a label");
    }
    pending_.slot = no_slot;
}

void KanataWriter::append_clear(const Record& record, PipelineUse use) {
    Core& core = cores_[use.core];
    if (core.in_flight.is_free(record.ref)) return drop(record);
    go_to(record);
    const std::uint32_t entity = core.in_flight.owner(record.ref);
    if (!core.left[record.ref]) {
        count(Loss::type_changed, record.track, "a finished instruction gets a retire id");
        add_leaver(use.core, entity, false);
    }
    core.gone = no_entity;
    core.in_flight.release(record.ref);
}

void KanataWriter::leave(Core& core, std::uint32_t entity, std::uint64_t retire_id, std::uint64_t type) {
    const std::uint32_t id = id_of(core, entity);
    log_.retire(id, retire_id, type);
    core.ids.leave(entity, core.in_flight);
    if (is_log_) return;
    if (const std::uint32_t slot = core.seats.find(id); slot != no_slot) core.seats.release(slot);
    core.begun -= core.begun == 0 ? 0u : 1u;
}

void KanataWriter::append_retire(Core& core, std::uint32_t entity, std::uint64_t retire_id, std::uint64_t type) {
    leave(core, entity, retire_id, type);
    core.next_retire_id = retire_id + 1;
    core.gone = entity;
    const std::uint32_t slot = core.in_flight.find(entity);
    if (slot == no_slot && !core.in_flight.was_evicted(entity)) return;
    if (slot != no_slot) core.left[slot] = true;
    if (type == 0) ++core.uncounted_commits;
}

void KanataWriter::add_leaver(std::uint32_t core, std::uint32_t entity, bool is_flushed) {
    if (leavers_.size() >= most_leavers) write_leavers();
    leavers_.push_back({core, entity, is_flushed});
    leaving_[entity & low_mask] = true;
}

/// Writes an `R` for each leaver at the end of a cycle. A flush record may follow the clear record of its instruction,
/// because frames of µScope 0.1 hold all operations before all events.
void KanataWriter::write_leavers() {
    std::ranges::sort(late_flushes_, {}, &LateFlush::order);
    for (const Leaver& leaver : leavers_) {
        bool is_flushed = leaver.is_flushed;
        const std::pair whose(leaver.core, leaver.entity);
        auto flush = std::ranges::lower_bound(late_flushes_, whose, {}, &LateFlush::order);
        for (; flush != late_flushes_.end() && flush->order() == whose; ++flush)
            is_flushed = flush->finds_leaver = true;
        Core& core = cores_[leaver.core];
        leave(core, leaver.entity, core.next_retire_id++, is_flushed ? 1 : 0);
        if (!is_flushed) ++core.uncounted_commits;
        leaving_[leaver.entity & low_mask] = false;
    }
    leavers_.clear();
    for (const LateFlush& flush : late_flushes_)
        if (!flush.finds_leaver) drop(cores_[flush.core].cpu.flush, Kind::event, cycle_);
    late_flushes_.clear();
}

}  // namespace hwtrace::kanata
