#include "views/drawn_records.hpp"

#include <algorithm>

#include "domain/conventions.hpp"
#include "domain/protocols.hpp"
#include "domain/real_values.hpp"

namespace hwtrace {

bool is_numeric(const Field& field) noexcept {
    switch (field.type) {
        case Type::u8:
        case Type::u16:
        case Type::u32:
        case Type::u64:
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
        case Type::f32:
        case Type::f64:
        case Type::boolean:
        case Type::fixed:
        case Type::ufixed:
        case Type::time:
            return !field.repeated;
        default:
            return false;
    }
}

long double number_of(const Field& field, std::uint64_t cell) noexcept {
    if (is_real(field.type)) return static_cast<long double>(real_of(field.type, cell));
    switch (field.type) {
        case Type::i8:
        case Type::i16:
        case Type::i32:
        case Type::i64:
        case Type::time:
            return static_cast<long double>(static_cast<std::int64_t>(cell));
        default:
            return static_cast<long double>(cell);
    }
}

DrawnRecords::DrawnRecords(const Schema& schema, const DrawnRecordChoice& choice)
    : schema_(schema), choice_(choice), timeline_(schema, Timeline::Detail::counts) {}

std::uint32_t DrawnRecords::add_row(RowSort sort, std::string name, const TimeBase& base, std::string_view part) {
    const bool is_value = sort == RowSort::value;
    if ((is_value ? value_rows_ : rows_.size() - value_rows_) == most_rows) {
        ++not_collected_;
        return none;
    }
    if (is_value) ++value_rows_;
    DrawnRow& row = rows_.emplace_back();
    row.sort = sort;
    row.name = std::move(name);
    row.part = part;
    row.base = base;
    return static_cast<std::uint32_t>(rows_.size() - 1);
}

void DrawnRecords::meet_tracks() {
    for (std::size_t id = tracks_.size(); id < schema_.tracks().size(); ++id) {
        tracks_.emplace_back();
        meet_track(static_cast<TrackId>(id), schema_.tracks()[id]);
    }
    if (choice_.lifetimes) meet_catalogues();
}

void DrawnRecords::meet_track(TrackId id, const Track& track) {
    OfTrack& met = tracks_[id];
    const auto path = [&] { return name_in(path_of(schema_, track.scope), track.name); };
    const auto density = [&] {
        if (!choice_.densities) return;
        met.role = Role::density;
        met.row = add_row(RowSort::density, path(), track.time);
    };
    switch (track.kind) {
        case Track::Kind::hart:
            if (!choice_.instructions) return;
            met.role = Role::hart;
            met.row = add_row(RowSort::density, path(), track.time, "instructions");
            met.loads = add_row(RowSort::density, path(), track.time, "loads");
            met.stores = add_row(RowSort::density, path(), track.time, "stores");
            met.taken = add_row(RowSort::density, path(), track.time, "taken branches");
            return;
        case Track::Kind::storage:
            if (is_counter(track) || is_buffer(schema_, id) || is_catalogue(schema_, id)) {
                if (!choice_.values) return;
                met.role = is_counter(track) ? Role::counter : Role::buffer;
                met.occupancy = Occupancy(track.slots);
                met.row = add_row(RowSort::value, path(), track.time);
                return;
            }
            return density();
        case Track::Kind::event_type:
        case Track::Kind::notes:
            return density();
        case Track::Kind::signal:
            if (choice_.values) met.role = Role::signal;
            return;
        case Track::Kind::stream:
        case Track::Kind::relation_type:
        case Track::Kind::native:
            return;
    }
}

void DrawnRecords::meet_members(OfTrack& of_track, const Track& track) {
    for (std::size_t i = of_track.field.size(); i < track.fields.size(); ++i) {
        const Field& field = track.fields[i];
        of_track.field.push_back(none);
        const auto first = std::ranges::find_if(
            track.fields, [&](const Field& other) { return other.name == field.name && is_numeric(other); });
        const auto place = static_cast<std::size_t>(first - track.fields.begin());
        if (!is_numeric(field)) {
            if (place < i) of_track.field.back() = of_track.field[place];
            continue;
        }
        const bool is_only = track.fields.size() == 1 || field.name.empty();
        std::string name = name_in(path_of(schema_, track.scope), track.name);
        if (!is_only) name.append(".").append(field.name);
        of_track.field.back() =
            place < i ? of_track.field[place] : add_row(RowSort::value, std::move(name), track.time);
        for (std::size_t before = 0; before < i; ++before)
            if (track.fields[before].name == field.name) of_track.field[before] = of_track.field.back();
    }
}

void DrawnRecords::meet_catalogues() {
    for (std::size_t i = catalogue_rows_.size(); i < timeline_.catalogues().size(); ++i) {
        const Catalogue& catalogue = timeline_.catalogues()[i];
        catalogue_rows_.push_back(add_row(RowSort::load, catalogue.path, schema_.tracks()[catalogue.storage].time));
    }
}

void DrawnRecords::count(std::uint32_t row, Tick time, std::uint64_t records) {
    if (row == none || records == 0) return;
    rows_[row].bins.add_points(time, records);
    rows_[row].count += records;
}

void DrawnRecords::take(std::uint32_t row, Tick time, long double value) {
    if (row != none) rows_[row].take(time, value);
}

void DrawnRecords::end(std::uint32_t row, Tick time) {
    if (row != none) rows_[row].end(time);
}

void DrawnRecords::add_counter(OfTrack& track, const Record& record) {
    if (record.ref != 0 || record.field != 0 || is_property(record)) return;
    if (record.kind == Kind::clear)
        track.value = 0;
    else
        track.value = record.kind == Kind::add ? track.value + record.value : record.value;
    take(track.row, record.time, static_cast<long double>(track.value));
}

void DrawnRecords::add_buffer(OfTrack& track, const Record& record) {
    if (is_property(record) || !track.occupancy.has(record.ref)) return;
    if (record.kind == Kind::clear ? track.occupancy.free(record.ref) : track.occupancy.fill(record.ref))
        take(track.row, record.time, static_cast<long double>(track.occupancy.occupied()));
}

void DrawnRecords::add_change(OfTrack& track, const Batch& batch, const Record& record) {
    const Track& declared = schema_.tracks()[record.track];
    if (track.field.size() < declared.fields.size()) meet_members(track, declared);
    if ((record.flags & record_no_value) != 0) {
        for (const std::uint32_t row : track.field)
            end(row, record.time);
        return;
    }
    for (const Attribute& value : batch.attributes(record)) {
        if (value.field >= track.field.size()) continue;
        const Field& field = declared.fields[value.field];
        if (is_numeric(field))
            take(track.field[value.field], record.time, number_of(field, value.value));
        else
            end(track.field[value.field], record.time);  // "1x0z" is no number
    }
}

void DrawnRecords::add_instruction(OfTrack& track, const Batch& batch, const Record& record) {
    const Instruction& instruction = batch.instruction(record);
    std::uint64_t loads = 0, stores = 0;
    for (const Access& access : batch.accesses(instruction)) {
        loads += access.type == AccessType::read ? 1 : 0;
        stores += access.type == AccessType::write ? 1 : 0;
    }
    count(track.row, record.time);
    count(track.loads, record.time, loads);
    count(track.stores, record.time, stores);
    count(track.taken, record.time, instruction.has_target ? 1 : 0);
}

void DrawnRecords::add_life(const Lifetime& life) {
    if (catalogue_rows_.size() <= life.catalogue) meet_catalogues();
    const std::uint32_t row = catalogue_rows_[life.catalogue];
    if (row == none) return;
    rows_[row].bins.add(life.first, ticks_between(life.first, life.last));
    ++rows_[row].count;
}

void DrawnRecords::add(const Batch& batch) {
    if (tracks_.size() < schema_.tracks().size()) meet_tracks();
    if (choice_.lifetimes) timeline_.add(batch, [this](const Lifetime& life) { add_life(life); });
    for (const Record& record : batch.records()) {
        OfTrack& track = tracks_[record.track];
        switch (track.role) {
            case Role::nothing:
                break;
            case Role::density:
                if ((record.flags & record_restated) == 0) count(track.row, record.time);
                break;
            case Role::counter:
                add_counter(track, record);
                break;
            case Role::buffer:
                add_buffer(track, record);
                break;
            case Role::signal:
                add_change(track, batch, record);
                break;
            case Role::hart:
                if (record.kind == Kind::instruction) add_instruction(track, batch, record);
                break;
        }
    }
}

void DrawnRecords::finish() {
    if (choice_.lifetimes) timeline_.finish([this](const Lifetime& life) { add_life(life); });
}

}  // namespace hwtrace
