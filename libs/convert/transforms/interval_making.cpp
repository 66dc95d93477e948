#include "convert/transforms/interval_making.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "domain/conventions.hpp"
#include "domain/instruction_values.hpp"
#include "domain/picosecond_scale.hpp"
#include "model/state.hpp"

namespace hwtrace {

namespace {

namespace names = conventions;

constexpr std::uint32_t most_slots = 1u << 16;

}  // namespace

bool IntervalMaking::takes(const Track& track, Shapes target) noexcept {
    switch (track.kind) {
        case Track::Kind::event_type:
        case Track::Kind::notes:
        case Track::Kind::hart:
        case Track::Kind::stream:
            return true;
        case Track::Kind::storage:
            return track.sparse;
        case Track::Kind::relation_type:
            return target.has(Shape::relation_type);
        case Track::Kind::signal:
        case Track::Kind::native:
            break;
    }
    return false;
}

struct IntervalMaking::Growing {
    IntervalMaking& stage;

    void clock(ClockId id) { stage.schema_.declare(stage.source_.clocks()[id]); }
    void scope(ScopeId id) { stage.schema_.declare(stage.source_.scopes()[id]); }
    void enumeration(EnumId id) { stage.enums_.push_back(stage.schema_.declare(stage.source_.enums()[id])); }
    void label(EnumId id, std::size_t index) {
        stage.schema_.add_label(stage.enums_[id], stage.source_.enums()[id].values[index]);
    }
    void track(TrackId id) { stage.declare(stage.source_.tracks()[id]); }
    void attribute(TrackId track, std::uint32_t field) {
        stage.add_attribute(track, stage.source_.tracks()[track].fields[field]);
    }
    void metadata(std::size_t entry) {
        const Metadata& fact = stage.source_.metadata()[entry];
        stage.schema_.describe(fact.key, fact.value);
    }
};

IntervalMaking::IntervalMaking(const Schema& source, TimeBase instruction_time, Shapes target, Detail detail,
                               Losses& losses, Unused unused)
    : source_(source),
      instruction_time_(instruction_time),
      target_(target),
      detail_(detail),
      counts_unused_(unused == Unused::counted),
      losses_(losses),
      news_(source),
      translate_(source, schema_) {
    news_.report(Growing{*this});
}

void IntervalMaking::translate_enumeration(Field& field) const {
    if (field.enumeration != none) field.enumeration = enums_[field.enumeration];
}

void IntervalMaking::add_attribute(TrackId track, Field field) {
    Origin& origin = origins_[track];
    if (origin.target == none) return;
    translate_enumeration(field);
    if (holds_text(field.type)) {
        origin.text.resize(origin.fields);
        origin.text.push_back(true);
    }
    schema_.add_attribute(origin.target, std::move(field));
    ++origin.fields;
}

void IntervalMaking::declare(const Track& track) {
    Origin& origin = origins_.emplace_back();
    if (!takes(track, target_)) return;
    Track stream;
    stream.kind = track.kind == Track::Kind::relation_type ? track.kind : Track::Kind::stream;
    stream.scope = track.scope;
    stream.name = track.kind == Track::Kind::hart ? std::string(names::instruction) : track.name;
    stream.time = has_duration(track.time) ? track.time : instruction_time_;
    switch (track.kind) {
        case Track::Kind::event_type:
            stream.fields = track.fields;
            origin.fixed = track.fixed_fields();
            break;
        case Track::Kind::notes:
            stream.fields = {Field{std::string(names::note_text), Type::text}};
            break;
        case Track::Kind::hart:
            if (detail_ == Detail::everything)
                stream.fields = InstructionValues::members(&schema_);
            else
                stream.fields = {Field{std::string(names::pc), Type::u64},
                                 Field{std::string(names::inst_bits), Type::u64}};
            break;
        case Track::Kind::storage:
            stream.fields = track.fields;
            origin.slot_limit = std::min(track.slots, most_slots);
            break;
        case Track::Kind::stream:
        case Track::Kind::signal:
        case Track::Kind::relation_type:
        case Track::Kind::native:
            stream.fields = track.fields;
            stream.native_id = track.native_id;
            break;
    }
    if (track.kind != Track::Kind::hart)
        for (Field& field : stream.fields)
            translate_enumeration(field);
    // In streams made from other tracks, a field named `id` must not become the interval's id. Such a field therefore
    // gets phase begin, and repeated fields get phase record.
    if (track.kind != Track::Kind::stream && track.kind != Track::Kind::relation_type)
        for (Field& field : stream.fields)
            field.phase = field.repeated                     ? Phase::record
                          : field.name == names::interval_id ? Phase::begin
                                                             : field.phase;
    origin.fields = stream.fields.size();
    origin.text = text_fields(stream.fields);
    if (track.kind == Track::Kind::storage) stream.fields.push_back(Field{std::string(names::slot), Type::u32});
    origin.target = schema_.declare(std::move(stream));
}

std::uint64_t IntervalMaking::cell(const Origin& origin, std::size_t field, std::uint64_t value) {
    const bool text = field < origin.text.size() && origin.text[field];
    return text ? translate_(static_cast<StringId>(value)) : value;
}

void IntervalMaking::count(Loss loss, const Record& record) {
    origins_[record.track].is_used = true;
    losses_.count(loss, source_.tracks()[record.track].name,
                  [&] { return std::string(name_of(record.kind)).append(" at ").append(std::to_string(record.time)); });
}

void IntervalMaking::apply(const Batch& in, Batch& out) {
    any_record_ = any_record_ || !in.records().empty();
    news_.report(in, Growing{*this});
    for (const Record& record : in.records()) {
        last_ = std::max(last_, record.time);
        make(in, record, out);
    }
}

void IntervalMaking::make(const Batch& in, const Record& record, Batch& out) {
    Origin& origin = origins_[record.track];
    attributes_.clear();
    if (origin.target == none) {
        return count(record.kind == Kind::native     ? Loss::native_dropped
                     : record.kind == Kind::relation ? Loss::relation_dropped
                                                     : Loss::kind_dropped,
                     record);
    }
    switch (record.kind) {
        case Kind::event:
            make_of_event(in, record, origin, out);
            break;
        case Kind::note:
            attributes_.push_back({0, schema_.intern(in.text(record))});
            out.interval(origin.target, record.time, 0, attributes_);
            break;
        case Kind::instruction: {
            if (detail_ == Detail::everything) {
                InstructionValues::put(in, record, attributes_);
                out.interval(origin.target, record.time, 1, attributes_);
                break;
            }
            const Instruction& instruction = in.instruction(record);
            attributes_.push_back({0, record.value});
            attributes_.push_back({1, instruction.encoding});
            out.interval(origin.target, record.time, 1, attributes_);
            if (!in.operands(instruction).empty() || !in.accesses(instruction).empty() || instruction.has_target)
                count(Loss::part_dropped, record);
            break;
        }
        case Kind::set:
        case Kind::add:
        case Kind::clear:
            return operate(record, origin, out);
        case Kind::interval:
            for (const Attribute& attribute : in.attributes(record))
                attributes_.push_back({attribute.field, cell(origin, attribute.field, attribute.value)});
            out.interval(origin.target, record.time, record.value, attributes_);
            return;
        case Kind::relation: {
            const std::span<const std::uint64_t> cells = in.cells(record);
            cells_.clear();
            for (std::size_t field = 0; field < cells.size(); ++field)
                cells_.push_back(cell(origin, field, cells[field]));
            out.relation(origin.target, record.time, cells_);
            return;
        }
        case Kind::change:
        case Kind::native:
            return count(Loss::kind_dropped, record);
    }
    count(Loss::type_changed, record);
}

void IntervalMaking::make_of_event(const Batch& in, const Record& record, const Origin& origin, Batch& out) {
    std::size_t field = 0;
    for (const std::uint64_t value : in.cells(record)) {
        attributes_.push_back({static_cast<std::uint32_t>(field), cell(origin, field, value)});
        if (++field == origin.fields) field = origin.fixed;
    }
    out.interval(origin.target, record.time, 0, attributes_);
}

void IntervalMaking::operate(const Record& record, Origin& origin, Batch& out) {
    const bool property = is_property(record);
    if (property || record.ref >= origin.slot_limit) return count(Loss::kind_dropped, record);
    if (record.ref >= origin.slots.size()) origin.slots.resize(record.ref + std::size_t{1});
    Slot& slot = origin.slots[record.ref];
    if (record.kind == Kind::clear) {
        if (slot.occupied) end_slot(origin, record.ref, record.time, out);
        return;
    }
    if (!slot.occupied) {
        slot.occupied = true;
        slot.begin = record.time;
        slot.values.assign(origin.fields, 0);
        slot.known.assign(origin.fields, false);
        count(Loss::type_changed, record);
    }
    if (record.field >= origin.fields) return count(Loss::kind_dropped, record);
    // Only the last value of a field is kept; earlier values are lost.
    if (slot.known[record.field]) count(Loss::part_dropped, record);
    std::uint64_t& value = slot.values[record.field];
    value = stored(source_.tracks()[record.track].fields[record.field].type,
                   record.kind == Kind::add ? value + record.value : record.value);
    slot.known[record.field] = true;
}

void IntervalMaking::end_slot(Origin& origin, std::uint32_t number, Tick time, Batch& out) {
    Slot& slot = origin.slots[number];
    slot.occupied = false;
    attributes_.clear();
    for (std::size_t field = 0; field < origin.fields; ++field)
        if (slot.known[field])
            attributes_.push_back({static_cast<std::uint32_t>(field), cell(origin, field, slot.values[field])});
    attributes_.push_back({static_cast<std::uint32_t>(origin.fields), number});
    out.interval(origin.target, slot.begin, ticks_between(slot.begin, time), attributes_);
}

/// Counts each track without any interval in the target as a loss, because nothing in the target represents the track.
void IntervalMaking::count_unused() {
    for (TrackId id = 0; id < origins_.size(); ++id) {
        const Track& track = source_.tracks()[id];
        const bool goes_on = origins_[id].target != none &&
                             (track.kind == Track::Kind::stream || track.kind == Track::Kind::relation_type);
        if (origins_[id].is_used || goes_on) continue;
        const Loss loss = origins_[id].target != none                ? Loss::type_changed
                          : track.kind == Track::Kind::native        ? Loss::native_dropped
                          : track.kind == Track::Kind::relation_type ? Loss::relation_dropped
                                                                     : Loss::kind_dropped;
        losses_.count(loss, Subject::unused(track.name), [] { return std::string("the track, which has no records"); });
    }
}

bool IntervalMaking::finish(Batch& out) {
    if (!any_record_) {
        any_record_ = unused_told_ = true;  // counted at most once
        losses_.count(
            Loss::part_dropped, Subject::general(tracks),
            [&] { return std::string("no records in ").append(source_.tracks().front().name); },
            source_.tracks().size());
    }
    if (!std::exchange(unused_told_, true) && counts_unused_) count_unused();
    for (; ending_track_ < origins_.size(); ++ending_track_, ending_slot_ = 0) {
        Origin& origin = origins_[ending_track_];
        for (; ending_slot_ < origin.slots.size(); ++ending_slot_) {
            if (out.full()) return true;
            if (origin.slots[ending_slot_].occupied)
                end_slot(origin, static_cast<std::uint32_t>(ending_slot_), last_, out);
        }
    }
    return false;
}

}  // namespace hwtrace
