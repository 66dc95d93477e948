#include "table_drawer.hpp"

#include <string>

namespace hwtrace::perfetto {

TableDrawer::Table& TableDrawer::table_of(TrackId id) {
    std::optional<Table>& table = tables_[id];
    if (table) return *table;
    const Track& track = to_.schema.tracks()[id];
    table.emplace();
    table->row = is_counter(track) ? to_.scope(track.scope) : to_.add_row(Row::Kind::group, track);
    if (track.sparse) table->occupied_row = to_.drawing.add({Row::Kind::integers, table->row, "occupied"});
    return *table;
}

TableDrawer::Value& TableDrawer::value_at(Table& table, const Track& track, const Record& operation) {
    const std::pair place{operation.ref, std::uint32_t{operation.field}};
    if (const auto found = table.values.find(place); found != table.values.end()) return found->second;
    const Field& field = track.fields[operation.field];
    std::string name = is_counter(track) ? track.name : field.name;
    if (track.slots > 1) name.insert(0, std::string("[").append(std::to_string(operation.ref)).append("] "));
    return table.values.emplace(place, Value{ValueRow(to_, table.row, name, field)}).first->second;
}

void TableDrawer::draw(const Record& operation) {
    const Track& track = to_.schema.tracks()[operation.track];
    const Tick time = to_.reach(to_.times.at(operation.track, operation.time));
    Table& table = table_of(operation.track);
    if (is_property(operation)) {
        const Field& property = track.properties[operation.field];
        auto found = table.properties.find(operation.field);
        if (found == table.properties.end())
            found = table.properties.emplace(operation.field, Value{ValueRow(to_, table.row, property.name, property)})
                        .first;
        found->second.row.set(to_, time, property, operation.value);
    } else if (operation.kind == Kind::clear) {
        if (track.sparse) free(table, operation, time);
    } else if (track.sparse) {
        fill(table, track, operation, time);
    } else {
        const Field& field = track.fields[operation.field];
        Value& value = value_at(table, track, operation);
        value.cell = operation.kind == Kind::add ? (value.cell + operation.value) & bits_kept(field) : operation.value;
        value.row.set(to_, time, field, value.cell);
    }
}

void TableDrawer::fill(Table& table, const Track& track, const Record& operation, Tick time) {
    Slot& slot = table.slots[operation.ref];
    if (slot.row == root_row)
        slot.row = to_.drawing.add({Row::Kind::slices, table.row, "slot " + std::to_string(operation.ref)});
    if (!slot.since) {
        slot.since = time;
        slot.cells.assign(track.fields.size(), 0);
        slot.is_known.assign(track.fields.size(), false);
        ++table.occupied;
        count_occupied(table, time);
    }
    std::uint64_t& cell = slot.cells[operation.field];
    const std::uint64_t before = operation.kind == Kind::add ? cell : 0;
    cell = (before + operation.value) & bits_kept(track.fields[operation.field]);
    slot.is_known[operation.field] = true;
}

void TableDrawer::free(Table& table, const Record& operation, Tick time) {
    const auto found = table.slots.find(operation.ref);
    if (found == table.slots.end() || !found->second.since) return;
    end(found->second, operation.track, time);
    --table.occupied;
    count_occupied(table, time);
}

void TableDrawer::count_occupied(Table& table, Tick time) {
    to_.drawing.count(table.occupied_row, time, table.occupied);
}

void TableDrawer::end(Slot& slot, TrackId id, Tick time) {
    to_.arguments.clear();
    for (std::uint32_t field = 0; field < slot.cells.size(); ++field)
        if (slot.is_known[field]) to_.arguments.add(id, field, slot.cells[field]);
    Slice slice;
    slice.row = slot.row;
    slice.begin = *slot.since;
    slice.end = std::max(slice.begin, time);
    slice.label.name = to_.name(id);
    slice.arguments = to_.arguments.list();
    to_.drawing.slice(slice);
    slot.since.reset();
}

void TableDrawer::finish() {
    for (TrackId id = 0; id < tables_.size(); ++id) {
        if (!tables_[id]) continue;
        for (auto& [place, value] : tables_[id]->values)
            value.row.end(to_, to_.last);
        for (auto& [number, property] : tables_[id]->properties)
            property.row.end(to_, to_.last);
        for (auto& [number, slot] : tables_[id]->slots)
            if (slot.since) end(slot, id, to_.last);
    }
}

}  // namespace hwtrace::perfetto
