#include "select/slice_entry.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "codec/resumable.hpp"
#include "io/error.hpp"

namespace hwtrace {

namespace {

/// Returns the last checkpoint before which the stage needs no record.
const Checkpoint* checkpoint_for(const TraceIndex& index, const Stage& stage) {
    const std::optional<Stage::LeftOut> left_out = stage.left_out();
    if (!left_out || (left_out->needs_relations && !index.totals().has_relations)) return nullptr;
    if (left_out->by_time) return index.before_time(left_out->time);
    // Records before a position may have the same position, and the stage needs those of its first one.
    return left_out->position == 0 ? nullptr : index.before_position(left_out->position - 1);
}

}  // namespace

bool resume_at(const TraceIndex& index, const Checkpoint& checkpoint, Reader& reader, Stage* stage) {
    auto* const resumable = dynamic_cast<Resumable*>(&reader);
    if (resumable == nullptr) return false;
    const std::optional<CheckpointState> state = index.state_of(checkpoint);
    if (!state) return false;
    try {
        Cursor of_reader(state->reader());
        if (!resumable->restore_state(of_reader)) return false;
        Cursor of_stage(state->stage());
        const auto add_text = [&](std::string_view text) {
            const std::optional<StringId> id = resumable->add_text(text);
            return id ? *id : reader.schema().intern(text);
        };
        if (stage != nullptr) stage->restore_state(of_stage, add_text);
        if (of_reader.at_end() && (stage == nullptr || of_stage.at_end())) return true;
    } catch (const Error& error) {
        if (error.failure() != Failure::input) throw;
    }
    refuse_index(index);
}

void enter_slice(Reader& reader, Stage& stage, const TraceIndex* index) {
    const std::optional<Stage::Entry> entry = stage.entry();
    if (entry && reader.seek(entry->time, entry->state)) {
        stage.entered();
    } else if (index != nullptr) {
        const Checkpoint* const checkpoint = checkpoint_for(*index, stage);
        if (checkpoint != nullptr) resume_at(*index, *checkpoint, reader, &stage);
    }
}

void append_occupied(const Occupancy& slots, Appender& out) {
    out.leb128(slots.occupied());
    std::uint32_t next = 0;
    for (std::uint32_t slot = 0; slot < slots.slots() && slots.occupied() != 0; ++slot) {
        if (!slots.is_occupied(slot)) continue;
        out.leb128(slot - next);
        next = slot + 1;
    }
}

void restore_occupied(Occupancy& slots, Cursor& in) {
    std::uint64_t slot = 0;
    for (std::uint64_t left = in.leb128(); left > 0; --left, ++slot) {
        slot += std::min<std::uint64_t>(in.leb128(), slots.slots());
        if (slot >= slots.slots()) fail(Failure::input, "the state states slots that a storage lacks");
        slots.fill(static_cast<std::uint32_t>(slot));
    }
}

void append_storages(const Schema& schema, const StateTable& state, Appender& out) {
    if (StateTable() == state) return;
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        if (schema.tracks()[id].kind != Track::Kind::storage) continue;
        for (const auto bytes : {state.mask(id), state.slots(id), state.properties(id)})
            out.bytes(bytes);
    }
}

namespace {

/// Throws Failure::input if a text of the storage is not in the schema: an index may be forged.
void check_texts(const Schema& schema, TrackId id, const StateTable& state) {
    const Track& track = schema.tracks()[id];
    const auto check = [&](std::uint64_t text) {
        if (text != 0 && text >= schema.string_count())
            fail(Failure::input, "the state states texts that the trace lacks");
    };
    for (std::uint32_t field = 0; field < track.fields.size(); ++field)
        for (std::uint32_t slot = 0; holds_text(track.fields[field].type) && slot < track.slots; ++slot)
            check(state.value(id, slot, field));
    for (std::uint32_t property = 0; property < track.properties.size(); ++property)
        if (holds_text(track.properties[property].type)) check(state.property(id, property));
}

}  // namespace

void restore_storages(const Schema& schema, StateTable& state, Cursor& in) {
    for (TrackId id = 0; id < schema.tracks().size(); ++id) {
        if (schema.tracks()[id].kind != Track::Kind::storage) continue;
        for (const auto bytes : {state.mutable_mask(id), state.mutable_slots(id), state.mutable_properties(id)}) {
            const auto saved = in.take(bytes.size());
            if (!saved.empty()) std::memcpy(bytes.data(), saved.data(), saved.size());
        }
        check_texts(schema, id, state);
    }
}

void WaitingRelations::give_up() noexcept {
    is_exact_ = false;
    relations_.clear();
    by_end_.clear();
    seen_ = {};
}

/// Returns true if a relation of the track means the same wherever it is.
bool WaitingRelations::is_plain(TrackId track) {
    const auto& fields = schema_.tracks()[track].fields;
    return std::ranges::none_of(fields, [](const Field& field) { return holds_text(field.type); });
}

void WaitingRelations::add(const Batch& batch) {
    constexpr std::size_t around = 256;  // memory of a relation
    for (const Record& record : batch.records()) {
        if (!is_exact_) return;
        if (record.kind == Kind::relation) {
            const auto cells = batch.cells(record);
            if (cells.size() < 2 || record.flags != 0 || !is_plain(record.track)) return give_up();
            if (seen_.contains(cells[1])) continue;
            relations_[next_] = {record.track, record.time, {cells.begin(), cells.end()}};
            by_end_[cells[1]].push_back(next_++);
            bytes_ += around;
        } else if (const auto id = ids_.of(batch, record)) {
            if (!seen_.insert(*id)) return give_up();
            const auto found = by_end_.find(*id);
            if (found == by_end_.end()) continue;
            for (const std::uint64_t number : found->second)
                relations_.erase(number);
            bytes_ -= around * found->second.size();
            by_end_.erase(found);
        } else if (record.kind == Kind::change) {  // a slice restates signals at its first relation
            return give_up();
        }
        if (bytes_ + seen_.bytes() > limits_.block) return give_up();
    }
}

void WaitingRelations::save(Appender& out) const {
    out.leb128(relations_.size());
    for (const auto& [number, relation] : relations_) {
        out.leb128(relation.track);
        out.le(relation.time);
        out.leb128(relation.cells.size());
        for (const std::uint64_t cell : relation.cells)
            out.leb128(cell);
    }
}

void restore_relations(const Schema& schema, Cursor& in, Batch& batch) {
    std::vector<std::uint64_t> cells;
    for (std::uint64_t left = in.leb128(); left > 0; --left) {
        const std::uint64_t track = in.leb128();
        const auto time = in.le<Tick>();
        const std::uint64_t count = in.leb128();
        const bool fits = track < schema.tracks().size() &&
                          schema.tracks()[static_cast<TrackId>(track)].kind == Track::Kind::relation_type &&
                          count >= 2 && count == schema.tracks()[static_cast<TrackId>(track)].fields.size();
        if (!fits) fail(Failure::input, "the state states relations that the trace lacks");
        cells.clear();
        for (std::uint64_t i = 0; i < count; ++i)
            cells.push_back(in.leb128());
        batch.relation(static_cast<TrackId>(track), time, cells);
    }
}

}  // namespace hwtrace
