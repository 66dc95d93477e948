#include "domain/timeline.hpp"

#include <algorithm>
#include <limits>

#include "domain/conventions.hpp"
#include "domain/value_text.hpp"
#include "io/number_text.hpp"
#include "model/state.hpp"

namespace hwtrace {

namespace {

// Limits for damaged or hostile traces: slots of all catalogues (4 bytes each), entities, and stages and remarks of
// entities (32 bytes each).
constexpr std::size_t most_catalogue_slots = 16u << 20;
constexpr std::size_t most_lives = 256u << 10;
constexpr std::size_t most_kept = 2u << 20;
constexpr std::size_t most_early = 1024;
constexpr std::uint32_t elsewhere = none - 1;  // marks a slot whose entity is not followed
constexpr std::size_t fewest_buckets = 1024;

// The memory of ended entities is kept for reuse up to these limits, so that a typical core allocates nothing.
constexpr std::size_t most_reused_lives = 1024;
constexpr std::size_t most_reused = 256;

template <typename T>
void empty(std::vector<T>& values, std::size_t lives) {
    if (lives > most_reused_lives || values.capacity() > most_reused)
        std::vector<T>().swap(values);
    else
        values.clear();
}

const Field* field_of(const Schema& schema, TrackId track, std::size_t field) noexcept {
    if (track == none || field >= schema.tracks()[track].fields.size()) return nullptr;
    return &schema.tracks()[track].fields[field];
}

Catalogue catalogue_of(const Schema& schema, const CpuScope& cpu) {
    Catalogue catalogue;
    catalogue.protocol = Catalogue::Protocol::cpu;
    catalogue.scope = cpu.scope;
    catalogue.path = path_of(schema, cpu.scope);
    catalogue.storage = cpu.entities;
    catalogue.cycles = CycleScale(schema, schema.tracks()[cpu.entities]);
    catalogue.id = cpu.entity_id;
    catalogue.id_bits = bits_kept(schema.tracks()[cpu.entities].fields[cpu.entity_id]);
    catalogue.pc = cpu.pc;
    catalogue.encoding = cpu.inst_bits;
    catalogue.stages = cpu.stages;
    catalogue.dependency_type = field_of(schema, cpu.dependency, 2);
    catalogue.flush_reason = field_of(schema, cpu.flush, 1);
    catalogue.annotation = field_of(schema, cpu.annotate, 1);
    return catalogue;
}

Catalogue catalogue_of(const Schema& schema, const NocScope& noc) {
    Catalogue catalogue;
    catalogue.protocol = Catalogue::Protocol::noc;
    catalogue.scope = noc.scope;
    catalogue.path = path_of(schema, noc.scope);
    catalogue.storage = noc.transactions;
    catalogue.cycles = CycleScale(schema, schema.tracks()[noc.transactions]);
    catalogue.id = noc.txn_id;
    catalogue.id_bits = bits_kept(schema.tracks()[noc.transactions].fields[noc.txn_id]);
    catalogue.stages = noc.stages;
    catalogue.retry_reason = field_of(schema, noc.retry, 1);
    catalogue.annotation = field_of(schema, noc.annotate, 1);
    return catalogue;
}

/// Returns the value of the hexadecimal word at the start of a string, if it looks like an address.
std::optional<std::uint64_t> leading_address(std::string_view text) noexcept {
    constexpr std::size_t fewest_digits = 4;
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return std::nullopt;
    text.remove_prefix(begin);
    text = text.substr(0, text.find_first_of(" \t\n"));
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    if (text.ends_with(':')) text.remove_suffix(1);
    return text.size() < fewest_digits ? std::nullopt : parse_digits(text, 16);
}

}  // namespace

std::vector<Catalogue> catalogues_of(const Schema& schema) {
    std::vector<Catalogue> catalogues;
    for (const CpuScope& cpu : cpu_scopes(schema))
        if (cpu.entities != none && cpu.entity_id != no_field) catalogues.push_back(catalogue_of(schema, cpu));
    for (const NocScope& noc : noc_scopes(schema))
        if (noc.transactions != none && noc.txn_id != no_field) catalogues.push_back(catalogue_of(schema, noc));
    return catalogues;
}

std::string_view name_of(Lifetime::Status status) noexcept {
    switch (status) {
        case Lifetime::Status::retired:
            return "retired";
        case Lifetime::Status::flushed:
            return "flushed";
        case Lifetime::Status::in_flight:
            return "in_flight";
        case Lifetime::Status::replaced:
            return "replaced";
    }
    return "";
}

std::string summary(Catalogue::Protocol protocol, const LifetimeCounts& counts) {
    std::string text = counted(counts.created, protocol == Catalogue::Protocol::cpu ? "instruction" : "transaction");
    text.append(": ").append(std::to_string(counts.retired)).append(" retired, ");
    text.append(std::to_string(counts.flushed)).append(" flushed, ");
    if (counts.replaced != 0) text.append(std::to_string(counts.replaced)).append(" replaced, ");
    text.append(std::to_string(counts.in_flight)).append(" in flight");
    if (counts.born_before != 0) text.append("; ").append(std::to_string(counts.born_before)).append(" born before");
    return text;
}

std::string text_of(const Schema& schema, const Catalogue& catalogue, const Lifetime::Remark& annotation) {
    const bool is_text = catalogue.annotation != nullptr && catalogue.annotation->type == Type::text &&
                         annotation.what < schema.string_count();
    return is_text ? std::string(schema.text(static_cast<StringId>(annotation.what))) : std::to_string(annotation.what);
}

const Lifetime::Remark* disassembly_of(const Schema& schema, const Catalogue& catalogue, const Lifetime& life) {
    if (!life.has(catalogue.pc) || life.cells[catalogue.pc] == 0) return nullptr;
    for (const Lifetime::Remark& remark : life.remarks)
        if (remark.kind == Lifetime::Remark::Kind::annotation &&
            leading_address(text_of(schema, catalogue, remark)) == life.cells[catalogue.pc])
            return &remark;
    return nullptr;
}

// --- roles of tracks ---

Timeline::Timeline(const Schema& schema, Detail detail, std::optional<std::uint64_t> only)
    : schema_(schema), detail_(detail), only_(only), buckets_(fewest_buckets, none) {
    learn();
}

void Timeline::learn() {
    plays_.resize(schema_.tracks().size());
    const auto cast = [&](TrackId track, Part part, std::size_t catalogue) {
        if (track != none) plays_[track] = {part, static_cast<std::uint32_t>(catalogue)};
    };
    const auto admit = [&](Catalogue catalogue) {
        std::size_t at = catalogues_.size();
        if (plays_[catalogue.storage].part == Part::catalogue) {  // known already, but its scope may have new events
            at = plays_[catalogue.storage].catalogue;
            catalogues_[at] = std::move(catalogue);
            return at;
        }
        cast(catalogue.storage, Part::catalogue, at);
        catalogues_.push_back(std::move(catalogue));
        counts_.emplace_back();
        slots_.emplace_back();
        return at;
    };
    const bool whole = detail_ == Detail::whole;
    for (const CpuScope& cpu : cpu_scopes(schema_)) {
        if (cpu.entities == none || cpu.entity_id == no_field) continue;
        const std::size_t at = admit(catalogue_of(schema_, cpu));
        cast(cpu.flush, Part::flush, at);
        if (!whole) continue;
        cast(cpu.stage_transition, Part::stage_transition, at);
        cast(cpu.annotate, Part::annotate, at);
        cast(cpu.dependency, Part::dependency, at);
        cast(cpu.label_type, Part::label_type, at);
        cast(cpu.lane_stage, Part::lane_stage, at);
        cast(cpu.stage_end, Part::stage_end, at);
        cast(cpu.retire, Part::retire, at);
    }
    for (const NocScope& noc : noc_scopes(schema_)) {
        if (noc.transactions == none || noc.txn_id == no_field) continue;
        const std::size_t at = admit(catalogue_of(schema_, noc));
        if (!whole) continue;
        cast(noc.stage_transition, Part::stage_transition, at);
        cast(noc.annotate, Part::annotate, at);
        cast(noc.beat, Part::beat, at);
        cast(noc.retry, Part::retry, at);
        cast(noc.timeout, Part::timeout, at);
    }
}

// --- entities by slot and by id ---

std::uint32_t* Timeline::place_of(std::uint32_t catalogue, std::uint32_t slot) {
    std::vector<std::uint32_t>& slots = slots_[catalogue];
    if (slot >= slots.size()) {
        const std::size_t more = std::size_t{slot} + 1 - slots.size();
        if (more > most_catalogue_slots - slots_kept_) return nullptr;
        slots.resize(std::size_t{slot} + 1, none);
        slots_kept_ += more;
    }
    return &slots[slot];
}

std::size_t Timeline::bucket(std::uint32_t catalogue, std::uint64_t id) const noexcept {
    constexpr std::uint64_t golden_ratio = 0x9E37'79B9'7F4A'7C15;
    const std::uint64_t mixed = (id ^ (std::uint64_t{catalogue} << 40)) * golden_ratio;
    return static_cast<std::size_t>(mixed >> 32) & (buckets_.size() - 1);
}

std::uint32_t Timeline::find(std::uint32_t catalogue, std::uint64_t id) const noexcept {
    std::uint32_t index = buckets_[bucket(catalogue, id)];
    while (index != none && (lives_[index].life.id != id || lives_[index].life.catalogue != catalogue))
        index = lives_[index].next_in_bucket;
    return index;
}

std::uint32_t* Timeline::link_to(std::uint32_t catalogue, std::uint64_t id) noexcept {
    std::uint32_t* link = &buckets_[bucket(catalogue, id)];
    while (*link != none && (lives_[*link].life.id != id || lives_[*link].life.catalogue != catalogue))
        link = &lives_[*link].next_in_bucket;
    return link;
}

void Timeline::remember(std::uint32_t index) {
    if (in_flight() > buckets_.size()) {
        buckets_.assign(buckets_.size() * 4, none);
        for (std::uint32_t other = 0; other < lives_.size(); ++other) {
            if (!lives_[other].known_by_id || other == index) continue;
            std::uint32_t& head = buckets_[bucket(lives_[other].life.catalogue, lives_[other].life.id)];
            lives_[other].next_in_bucket = head;
            head = other;
        }
    }
    Entry& entry = lives_[index];
    std::uint32_t* const link = link_to(entry.life.catalogue, entry.life.id);
    entry.next_in_bucket = none;
    if (*link != none) {  // events concern the youngest live entity with this id
        entry.next_in_bucket = lives_[*link].next_in_bucket;
        lives_[*link].known_by_id = false;
    }
    entry.known_by_id = true;
    *link = index;
}

void Timeline::forget(std::uint32_t index) noexcept {
    Entry& entry = lives_[index];
    if (!entry.known_by_id) return;
    entry.known_by_id = false;
    *link_to(entry.life.catalogue, entry.life.id) = entry.next_in_bucket;
}

// --- lifetimes ---

void Timeline::create(std::uint32_t catalogue, const Record& record) {
    const std::uint32_t slot = record.ref;
    const std::uint64_t id = record.value & catalogues_[catalogue].id_bits;
    const bool born_before = (record.flags & record_restated) != 0;
    std::uint32_t* const place = place_of(catalogue, slot);
    if (place != nullptr) {
        if (*place < elsewhere && !lives_[*place].over) end(*place, Lifetime::Status::replaced);
        *place = elsewhere;
    }
    if (only_ && *only_ != id) return;
    LifetimeCounts& counts = counts_[catalogue];
    ++counts.created;
    if (born_before) ++counts.born_before;
    if (!counts.first) counts.first = now_;
    const std::size_t fields =
        detail_ != Detail::counts ? schema_.tracks()[catalogues_[catalogue].storage].fields.size() : 0;
    if (place == nullptr || (free_.empty() && lives_.size() == most_lives) || kept_ + fields > most_kept) {
        ++counts.not_followed;
        return;
    }
    kept_ += fields;
    const std::uint32_t index = free_entry();
    Entry& entry = lives_[index];
    entry.in_use = true;
    entry.over = false;
    entry.serial = serial_++;
    entry.next_label = 0;
    entry.open_stages.clear();
    Lifetime& life = entry.life;
    life.catalogue = catalogue;
    life.slot = slot;
    life.id = id;
    life.first = life.last = now_;
    life.born_before = born_before;
    life.status = Lifetime::Status::in_flight;
    life.cells.assign(fields, 0);
    life.known.assign(fields, false);
    life.flush_reason.reset();
    life.retirement.reset();
    life.beats = life.beat_bytes = 0;
    *place = index;
    remember(index);
    if (!early_.empty()) adopt_early(index);
}

std::uint32_t Timeline::free_entry() {
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(lives_.size()));
        lives_.emplace_back();
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
}

/// Gives the new entity the values that were set in its slot before its id. Takes such values back from the previous
/// entity.
void Timeline::adopt_early(std::uint32_t index) {
    Lifetime& life = lives_[index].life;
    const auto is_of_slot = [&](const Early& early) {
        return early.catalogue == life.catalogue && early.slot == life.slot;
    };
    for (auto early = early_.rbegin(); early != early_.rend(); ++early) {
        if (!is_of_slot(*early)) continue;
        if (early->lent_to != none) {
            Lifetime& before = lives_[early->lent_to].life;
            before.cells[early->field] = early->value_before;
            before.known[early->field] = early->known_before;
        }
        if (early->field >= life.cells.size() || life.known[early->field]) continue;
        life.cells[early->field] = early->value;
        life.known[early->field] = true;
    }
    std::erase_if(early_, is_of_slot);
}

void Timeline::end(std::uint32_t index, Lifetime::Status status) {
    Entry& entry = lives_[index];
    LifetimeCounts& counts = counts_[entry.life.catalogue];
    entry.over = true;
    entry.life.status = status;
    entry.life.last = now_;
    while (!entry.open_stages.empty())
        end_stage(entry, entry.life.stages[entry.open_stages.back()].lane);
    counts.last = std::max(counts.last.value_or(now_), now_);
    ended_.push_back(index);
}

void Timeline::show_ended(const LifetimeListener& ended) {
    for (const std::uint32_t index : ended_) {
        Entry& entry = lives_[index];
        LifetimeCounts& counts = counts_[entry.life.catalogue];
        switch (entry.life.status) {  // counted here, because a flush may follow the clear record
            case Lifetime::Status::retired:
                ++counts.retired;
                break;
            case Lifetime::Status::flushed:
                ++counts.flushed;
                break;
            case Lifetime::Status::in_flight:
                ++counts.in_flight;
                break;
            case Lifetime::Status::replaced:
                ++counts.replaced;
                break;
        }
        if (ended) ended(entry.life);
        kept_ -= entry.life.cells.size() + entry.life.stages.size() + entry.life.remarks.size();
        forget(index);
        std::uint32_t& holder = slots_[entry.life.catalogue][entry.life.slot];
        if (holder == index) holder = none;  // no other entity took the slot in the same frame
        entry.in_use = false;
        empty(entry.life.cells, lives_.size());
        empty(entry.life.stages, lives_.size());
        empty(entry.life.remarks, lives_.size());
        free_.push_back(index);
    }
    ended_.clear();
}

bool Timeline::has_room(Entry& entry) {
    if (kept_ < most_kept) {
        ++kept_;
        return true;
    }
    ++counts_[entry.life.catalogue].not_followed;
    return false;
}

void Timeline::end_stage(Entry& entry, std::uint32_t lane) {
    std::vector<std::uint32_t>& open = entry.open_stages;
    const auto found =
        std::ranges::find_if(open, [&](std::uint32_t stage) { return entry.life.stages[stage].lane == lane; });
    if (found == open.end()) return;
    Lifetime::Stage& stage = entry.life.stages[*found];
    stage.end = now_;
    stage.open = false;
    open.erase(found);
}

void Timeline::begin_stage(Entry& entry, std::uint32_t lane, std::uint64_t stage) {
    end_stage(entry, lane);
    if (entry.open_stages.size() == most_lanes) {
        ++counts_[entry.life.catalogue].not_followed;
        return;
    }
    if (!has_room(entry)) return;
    entry.life.stages.push_back({stage, lane, !entry.over, now_, now_});
    if (!entry.over) entry.open_stages.push_back(static_cast<std::uint32_t>(entry.life.stages.size() - 1));
}

void Timeline::remark(Entry& entry, Lifetime::Remark::Kind kind, std::uint64_t what, std::uint64_t type) {
    if (has_room(entry)) entry.life.remarks.push_back({kind, now_, what, type});
}

// --- records ---

void Timeline::play_storage(const Record& record, std::uint32_t catalogue) {
    if (is_property(record) || record.kind == Kind::add) return;
    if (record.kind == Kind::set) {
        if (record.field == catalogues_[catalogue].id) create(catalogue, record);
        if (detail_ != Detail::counts) set(catalogue, record);
        return;
    }
    std::vector<std::uint32_t>& slots = slots_[catalogue];
    if (record.ref < slots.size() && slots[record.ref] < elsewhere) {
        if (!lives_[slots[record.ref]].over) end(slots[record.ref], Lifetime::Status::retired);
        return;
    }
    if (record.ref < slots.size()) slots[record.ref] = none;
    const auto is_of_slot = [&](const Early& early) {
        return early.catalogue == catalogue && early.slot == record.ref;
    };
    if (!early_.empty()) std::erase_if(early_, is_of_slot);
}

void Timeline::set(std::uint32_t catalogue, const Record& record) {
    const std::vector<std::uint32_t>& slots = slots_[catalogue];
    const std::uint32_t holder = record.ref < slots.size() ? slots[record.ref] : none;
    if (holder == elsewhere) return;
    const Field* const field = field_of(schema_, record.track, record.field);
    if (field == nullptr) return;
    Early early{catalogue, record.ref, record.field, stored(field->type, record.value)};
    if (holder != none) {
        Entry& entry = lives_[holder];
        Lifetime& life = entry.life;
        if (record.field >= life.cells.size()) return;
        // Values set in the frame in which the entity ends may still belong to it, if it does not have them yet.
        if (!entry.over || !life.known[record.field] || life.cells[record.field] == 0) {
            early.lent_to = holder;
            early.value_before = life.cells[record.field];
            early.known_before = life.known[record.field];
            life.cells[record.field] = early.value;
            life.known[record.field] = true;
        }
        if (!entry.over) return;
    }
    if (early_.size() < most_early) early_.push_back(early);
}

void Timeline::annotate_entry(Entry& entry, Part part, std::span<const std::uint64_t> cells) {
    const std::uint64_t third = cells.size() > 2 ? cells[2] : 0;
    switch (part) {
        case Part::stage_transition:
            return begin_stage(entry, 0, cells[1]);
        case Part::lane_stage:
            return begin_stage(entry, static_cast<std::uint32_t>(cells[1]), third);
        case Part::stage_end:
            return end_stage(entry, static_cast<std::uint32_t>(cells[1]));
        case Part::label_type:
            entry.next_label = cells[1];
            return;
        case Part::annotate:
            remark(entry, Lifetime::Remark::Kind::annotation, cells[1], entry.next_label);
            entry.next_label = 0;
            return;
        case Part::dependency:
            return remark(entry, Lifetime::Remark::Kind::dependency, cells[0], third);
        case Part::retire:
            entry.life.retirement = Lifetime::Retirement{cells[1], third};
            return;
        case Part::beat:
            ++entry.life.beats;
            entry.life.beat_bytes += third;
            return;
        case Part::retry:
            return remark(entry, Lifetime::Remark::Kind::retry, cells[1], 0);
        case Part::timeout:
            return remark(entry, Lifetime::Remark::Kind::timeout, cells[1], 0);
        case Part::flush:
            entry.life.flush_reason = cells[1];
            return;
        case Part::nothing:
        case Part::catalogue:
            return;
    }
}

void Timeline::play_event(std::span<const std::uint64_t> cells, Meaning play) {
    if (cells.size() < 2) {
        ++counts_[play.catalogue].unattached;
        return;
    }
    const std::uint64_t id = play.part == Part::dependency ? cells[1] : cells[0];
    if (only_ && *only_ != id) return;
    const std::uint32_t index = find(play.catalogue, id);
    if (index == none && shard_) {
        const std::array<std::uint64_t, 3> first{cells[0], cells[1], cells.size() > 2 ? cells[2] : 0};
        note({Operation::Kind::event, play.part, play.catalogue, 0, 0, id, first});
        return;
    }
    if (index == none) {
        ++counts_[play.catalogue].unattached;
        return;
    }
    Entry& entry = lives_[index];
    annotate_entry(entry, play.part, cells);
    if (play.part != Part::flush) return;
    if (entry.over)
        entry.life.status = Lifetime::Status::flushed;  // cleared in this frame, whose events come last
    else
        end(index, Lifetime::Status::flushed);
}

void Timeline::add(const Batch& batch, const LifetimeListener& ended) {
    if (plays_.size() < schema_.tracks().size()) learn();
    if (catalogues_.empty() || batch.empty()) return;
    Tick last = last_.value_or(batch.records().front().time);
    for (const Record& record : batch.records()) {
        last = std::max(last, record.time);
        const Meaning play = plays_[record.track];
        if (play.part == Part::nothing) continue;
        if (shard_ && !follow_shard(record, play)) continue;
        if (record.time != now_) {
            if (!ended_.empty()) show_ended(ended);
            early_.clear();
            now_ = record.time;
        }
        if (play.part == Part::catalogue)
            play_storage(record, play.catalogue);
        else if (record.kind == Kind::event)
            play_event(batch.cells(record), play);
    }
    last_ = last;
}

void Timeline::finish(const LifetimeListener& ended) {
    show_ended(ended);
    std::vector<std::uint32_t> left;
    for (std::uint32_t index = 0; index < lives_.size(); ++index)
        if (lives_[index].in_use) left.push_back(index);
    std::ranges::sort(left, {}, [&](std::uint32_t index) { return lives_[index].serial; });
    now_ = last_.value_or(now_);
    for (const std::uint32_t index : left) {
        Entry& entry = lives_[index];
        for (const std::uint32_t stage : entry.open_stages)
            entry.life.stages[stage].end = now_;
        entry.open_stages.clear();  // no event ended them, so they stay open
        end(index, Lifetime::Status::in_flight);
    }
    show_ended(ended);
}

}  // namespace hwtrace
