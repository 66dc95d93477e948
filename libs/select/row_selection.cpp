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
        const std::uint64_t places = slots * (sizeof(std::uint64_t) + 1);
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
    rows.born.resize(track.slots);
    rows.inside.resize(track.slots);
    for (std::uint32_t slot = 0; !track.sparse && slot < track.slots; ++slot)  // a slot of zeros may match
        rows.inside[slot] = match.fits_row(state_, storage, slot);
    return rows;
}

RowSelection::Fate RowSelection::follow(const Record& record, FieldMatch& match) {
    Rows& rows = rows_of(record.track, match);
    if (record.ref >= rows.inside.size()) return Fate::left_out;
    const bool was_valid = state_.valid(record.track, record.ref);
    state_.apply(record);
    const bool is_valid = state_.valid(record.track, record.ref);
    const bool begins_life = record.kind == Kind::set && record.field == rows.life_id;
    if ((is_valid && !was_valid) || begins_life) rows.born[record.ref] = frame_;
    const bool was_inside = rows.inside[record.ref];
    const bool is_inside = is_valid && match.fits_row(state_, record.track, record.ref);
    rows.inside[record.ref] = is_inside;
    if (was_inside) return is_inside || record.kind == Kind::clear ? Fate::stays : Fate::ends;
    return is_inside ? Fate::begins : Fate::left_out;
}

/// Writes all values that the slot has after the record, except zeros, which are implied.
void RowSelection::state_row(const Record& record) {
    const Track& track = schema_.tracks()[record.track];
    const Rows& rows = rows_[record.track];
    const bool is_new = rows.born[record.ref] == frame_;
    const auto put = [&](std::size_t field) {
        const bool is_own = record.kind != Kind::clear && field == record.field;
        const std::uint64_t value = state_.value(record.track, record.ref, static_cast<std::uint32_t>(field));
        if (value == 0 && !is_own) return;
        Record& made = made_.set(record.track, record.time, record.ref, static_cast<std::uint16_t>(field), value);
        const std::uint8_t since_before = is_own || is_new ? 0 : record_restated;
        made.flags = static_cast<std::uint8_t>((record.flags & record_restated) | since_before);
        if (is_own) made.count = record.count;  // so that a reader recognises its record
    };
    if (rows.life_id != no_field) put(rows.life_id);  // first, because later values belong to this entity
    for (std::size_t field = 0; field < track.fields.size(); ++field)
        if (field != rows.life_id) put(field);
}

}  // namespace hwtrace
