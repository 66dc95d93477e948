// The part of timeline.hpp that follows entities from shard to shard.
#include <algorithm>
#include <utility>

#include "domain/timeline.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t most_operations = std::size_t{1} << 20;
constexpr std::size_t most_touched = std::size_t{16} << 20;
constexpr std::size_t most_imported = 256u << 10;  // entities in flight

}  // namespace

// --- a shard ---

void Timeline::begin_shard() {
    shard_ = std::make_unique<OfShard>();
}

/// Takes notice of a record before it is played. Returns false for a record that restates earlier state.
bool Timeline::follow_shard(const Record& record, Meaning play) {
    OfShard& shard = *shard_;
    shard.touched.resize(catalogues_.size());
    shard.earlier_ids.resize(catalogues_.size());
    const bool sets_id = play.part == Part::catalogue && record.kind == Kind::set && !is_property(record) &&
                         record.field == catalogues_[play.catalogue].id;
    const std::uint64_t id = sets_id ? record.value & catalogues_[play.catalogue].id_bits : 0;
    if ((record.flags & record_restated) != 0) {
        if (sets_id) shard.earlier_ids[play.catalogue].insert(id);
        return false;
    }
    if (shard.frame == 0) {
        shard.first_time = record.time;
        shard.frame = 1;
    } else if (record.time != now_) {
        ++shard.frame;
    }
    const bool is_clear = play.part == Part::catalogue && record.kind == Kind::clear;
    if (!sets_id && !is_clear) return true;
    const Tick before = std::exchange(now_, record.time);
    note_slot(sets_id ? Operation::Kind::create : Operation::Kind::clear, play.catalogue, record.ref);
    if (sets_id && shard.earlier_ids[play.catalogue].erase(id) != 0)
        note({Operation::Kind::rename, Part::nothing, play.catalogue, 0, 0, id, {}});
    now_ = before;
    return true;
}

/// Keeps an operation for add().
void Timeline::note(Operation operation) {
    if (shard_->operations.size() == most_operations) {
        not_reduced_ = "too much happens to entities of earlier shards";
        return;
    }
    operation.frame = shard_->frame;
    operation.time = now_;
    shard_->operations.push_back(operation);
}

/// Keeps the first operation on a slot. Returns true if it is the first.
bool Timeline::note_slot(Operation::Kind kind, std::uint32_t catalogue, std::uint32_t slot) {
    std::vector<bool>& touched = shard_->touched[catalogue];
    if (slot >= most_touched) return false;
    if (slot >= touched.size()) touched.resize(std::size_t{slot} + 1);
    if (touched[slot]) return false;
    touched[slot] = true;
    note({kind, Part::nothing, catalogue, 0, 0, slot, {}});
    return true;
}

void Timeline::save_entry(const Entry& entry, StateOut& out) const {
    const Lifetime& life = entry.life;
    out(life.catalogue, life.slot, life.id, life.first, life.last, life.status, life.flush_reason, entry.over,
        entry.known_by_id, slots_[life.catalogue][life.slot] == static_cast<std::uint32_t>(&entry - lives_.data()),
        entry.next_label, life.stages.size());
    for (const Lifetime::Stage& stage : life.stages)
        out(stage.stage, stage.lane, stage.open, stage.begin, stage.end);
    out(entry.open_stages, life.remarks.size());
    for (const Lifetime::Remark& remark : life.remarks)
        out(remark.kind, remark.time, remark.what, remark.type);
}

void Timeline::save(StateOut& out) const {
    out(catalogues_.size());
    for (std::size_t i = 0; i < catalogues_.size(); ++i) {
        const LifetimeCounts& counts = counts_[i];
        out(catalogues_[i].storage, counts.created, counts.retired, counts.flushed, counts.replaced, counts.unattached,
            counts.not_followed, counts.first, counts.last);
    }
    const OfShard& shard = *shard_;
    out(not_reduced_.empty(), shard.frame, shard.first_time, now_, last_, shard.operations.size());
    Tick before = 0;
    for (const Operation& one : shard.operations) {
        out(one.kind, one.catalogue, one.frame,
            static_cast<std::int64_t>(static_cast<std::uint64_t>(one.time) - static_cast<std::uint64_t>(before)),
            one.what);
        if (one.kind == Operation::Kind::event) out(one.part, one.cells);
        before = one.time;
    }
    std::vector<std::uint32_t> left;
    for (std::uint32_t index = 0; index < lives_.size(); ++index)
        if (lives_[index].in_use) left.push_back(index);
    std::ranges::sort(left, {}, [&](std::uint32_t index) { return lives_[index].serial; });
    out(left.size());
    for (const std::uint32_t index : left)
        save_entry(lives_[index], out);
}

// --- the whole trace ---

void Timeline::add_counts(StateIn& in, LifetimeCounts& counts) {
    for (std::uint64_t* const sum : {&counts.created, &counts.retired, &counts.flushed, &counts.replaced,
                                     &counts.unattached, &counts.not_followed})
        *sum += in.get<std::uint64_t>();
    if (counts.not_followed != 0) not_reduced_ = "too many entities are in flight";
    const auto first = in.get<std::optional<Tick>>(), last = in.get<std::optional<Tick>>();
    if (!counts.first) counts.first = first;
    if (last) counts.last = std::max(counts.last.value_or(*last), *last);
}

/// Does to the entities of earlier shards what the next shard does to them.
void Timeline::add_operation(StateIn& in, const std::vector<std::uint32_t>& catalogues, std::uint64_t& frame,
                             const LifetimeListener& ended) {
    Operation one;
    one.kind = in.one_up_to(Operation::Kind::event);
    one.catalogue = catalogues[in.below(catalogues.size())];
    in(one.frame);
    const auto later = static_cast<std::uint64_t>(in.get<std::int64_t>());
    in(one.what);
    if (one.frame != frame) show_ended(ended);
    frame = one.frame;
    now_ = static_cast<Tick>(static_cast<std::uint64_t>(now_) + later);
    if (one.kind == Operation::Kind::event) {
        one.part = in.one_up_to(Part::timeout);
        in(one.cells);
        return play_event(one.cells, {one.part, one.catalogue});
    }
    if (one.kind == Operation::Kind::rename) {
        const std::uint32_t index = find(one.catalogue, one.what);
        if (index != none) forget(index);
        return;
    }
    std::vector<std::uint32_t>& slots = slots_[one.catalogue];
    if (one.what >= slots.size()) return;
    std::uint32_t& holder = slots[static_cast<std::size_t>(one.what)];
    const bool is_clear = one.kind == Operation::Kind::clear;
    if (holder < lives_.size() && !lives_[holder].over)
        end(holder, is_clear ? Lifetime::Status::retired : Lifetime::Status::replaced);
    else if (is_clear && holder < lives_.size())
        return;
    if (!is_clear) holder = none;
}

void Timeline::add_entry(StateIn& in, const std::vector<std::uint32_t>& catalogues) {
    Entry made;
    Lifetime& life = made.life;
    life.catalogue = catalogues[in.below(catalogues.size())];
    in(life.slot, life.id, life.first, life.last);
    life.status = in.one_up_to(Lifetime::Status::replaced);
    in(life.flush_reason, made.over);
    const bool known_by_id = in.get<bool>(), holds_slot = in.get<bool>();
    in(made.next_label);
    for (std::size_t left = in.count(); left > 0; --left) {
        Lifetime::Stage& stage = life.stages.emplace_back();
        in(stage.stage, stage.lane, stage.open, stage.begin, stage.end);
    }
    in(made.open_stages);
    StateIn::require(made.open_stages.size() <= most_lanes);
    for (const std::uint32_t stage : made.open_stages)
        StateIn::require(stage < life.stages.size());
    for (std::size_t left = in.count(); left > 0; --left) {
        Lifetime::Remark& remark = life.remarks.emplace_back();
        remark.kind = in.one_up_to(Lifetime::Remark::Kind::timeout);
        in(remark.time, remark.what, remark.type);
    }
    std::uint32_t* const place = place_of(life.catalogue, life.slot);
    if (place == nullptr || (free_.empty() && lives_.size() == most_imported)) {
        not_reduced_ = "too many entities are in flight";
        return;
    }
    kept_ += life.stages.size() + life.remarks.size();
    const std::uint32_t index = free_entry();
    made.in_use = true;
    made.serial = serial_++;
    lives_[index] = std::move(made);
    if (holds_slot) *place = index;
    if (known_by_id) remember(index);
    if (lives_[index].over) ended_.push_back(index);
}

std::vector<std::uint32_t> Timeline::add(StateIn& in, const LifetimeListener& ended) {
    if (plays_.size() < schema_.tracks().size()) learn();
    std::vector<std::uint32_t> catalogues;
    for (std::size_t left = in.count(); left > 0; --left) {
        const auto storage = static_cast<TrackId>(in.below(schema_.tracks().size()));
        StateIn::require(plays_[storage].part == Part::catalogue);
        catalogues.push_back(plays_[storage].catalogue);
        add_counts(in, counts_[catalogues.back()]);
    }
    if (!in.get<bool>()) not_reduced_ = "too much happens to entities of earlier shards";
    const auto frames = in.get<std::uint64_t>();
    const auto first_time = in.get<Tick>(), last_time = in.get<Tick>();
    const auto last = in.get<std::optional<Tick>>();
    if (frames != 0) {
        if (first_time != now_) show_ended(ended);
        early_.clear();
        now_ = 0;  // operations state distances
    }
    std::uint64_t frame = 1;
    for (std::size_t left = in.count(); left > 0; --left)
        add_operation(in, catalogues, frame, ended);
    if (frames > frame) show_ended(ended);
    for (std::size_t left = in.count(); left > 0; --left)
        add_entry(in, catalogues);
    if (frames != 0) now_ = last_time;
    if (last) last_ = std::max(last_.value_or(*last), *last);
    return catalogues;
}

}  // namespace hwtrace
