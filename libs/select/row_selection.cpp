#include "select/row_selection.hpp"

#include <utility>

#include "domain/protocols.hpp"

namespace hwtrace {

RowSelection::Rows& RowSelection::rows_of(TrackId storage, FieldMatch& match) {
    if (rows_.empty()) {
        std::uint64_t slots = 0;
        for (const Track& track : schema_.tracks())
            if (track.kind == Track::Kind::storage) slots += track.slots;
        const std::uint64_t state = StateTable::bytes_needed(schema_);
        const std::uint64_t places = slots * (sizeof(std::uint32_t) + 1);
        check_limit(state, limits_.block, "the state of all storages", "--max-block");
        check_limit(state + places, limits_.block, "the state of all storages", "--max-block");
        state_ = StateTable(schema_);
        rows_.resize(schema_.tracks().size());
    }
    Rows& rows = rows_[storage];
    if (std::exchange(rows.met, true)) return rows;
    const Track& track = schema_.tracks()[storage];
    if (!match.can_fit_rows(schema_, track)) return rows;
    rows.life_id = life_id_field(schema_, storage);
    rows.group.resize(track.slots);
    rows.inside.resize(track.slots);
    for (std::uint32_t slot = 0; !track.sparse && slot < track.slots; ++slot)  // a slot of zeros may match
        rows.inside[slot] = match.fits_row(state_, storage, slot);
    return rows;
}

void RowSelection::follow(const Batch& frame, const std::function<bool(TrackId)>& is_wanted, FieldMatch& match) {
    const auto records = frame.records();
    steps_.assign(records.size(), {});
    groups_.clear();
    earlier_.clear();
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Record& record = records[i];
        const bool is_of_slot = record.kind == Kind::set || record.kind == Kind::add || record.kind == Kind::clear;
        if (is_of_slot && !is_property(record) && is_wanted(record.track)) follow(record, i, match);
    }
    for (std::size_t number = 0; number < groups_.size(); ++number)
        if (rows_[groups_[number].track].group[groups_[number].slot] == number + 1) close_group(number, match);
}

void RowSelection::follow(const Record& record, std::size_t index, FieldMatch& match) {
    Rows& rows = rows_of(record.track, match);
    if (record.ref >= rows.inside.size()) return;
    std::uint32_t& open = rows.group[record.ref];
    const bool begins_life = record.kind == Kind::set && record.field == rows.life_id;
    if (open != 0 && (begins_life || record.kind == Kind::clear)) close_group(open - 1, match);
    if (record.kind == Kind::clear) {
        steps_[index].is_kept = rows.inside[record.ref];
        state_.apply(record);
        rows.inside[record.ref] =
            state_.valid(record.track, record.ref) && match.fits_row(state_, record.track, record.ref);
        return;
    }
    if (open == 0) open_group(record, index, rows);
    Group& group = groups_[open - 1];
    group.begins_life = group.begins_life || begins_life;
    steps_[index].group = open - 1;
    for (std::size_t i = group.earlier; i < group.earlier_end; ++i)
        if (record.kind == Kind::set && earlier_[i].field == record.field) earlier_[i].is_replaced = true;
    state_.apply(record);
}

void RowSelection::open_group(const Record& record, std::size_t index, Rows& rows) {
    Group& group = groups_.emplace_back();
    rows.group[record.ref] = static_cast<std::uint32_t>(groups_.size());
    group.track = record.track;
    group.slot = record.ref;
    group.first = index;
    group.was_inside = rows.inside[record.ref];
    group.earlier = group.earlier_end = earlier_.size();
    if (group.was_inside) return;
    const auto append = [&](std::uint16_t field) {
        const std::uint64_t value = state_.value(record.track, record.ref, field);
        if (value != 0) earlier_.push_back({field, false, value});  // zeros are implied
    };
    if (rows.life_id != no_field) append(rows.life_id);  // first, because later values belong to this entity
    const std::size_t fields = schema_.tracks()[record.track].fields.size();
    for (std::uint16_t field = 0; field < fields; ++field)
        if (field != rows.life_id) append(field);
    group.earlier_end = earlier_.size();
}

void RowSelection::close_group(std::size_t number, FieldMatch& match) {
    Group& group = groups_[number];
    Rows& rows = rows_[group.track];
    rows.group[group.slot] = 0;
    group.is_inside = state_.valid(group.track, group.slot) && match.fits_row(state_, group.track, group.slot);
    rows.inside[group.slot] = group.is_inside;
}

}  // namespace hwtrace
