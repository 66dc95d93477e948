#include "tables.hpp"

#include <algorithm>

#include "details.hpp"
#include "domain/protocols.hpp"

namespace hwtrace::report {
namespace {

constexpr std::uint64_t property_slot = std::uint64_t{1} << 32;

/// Returns the key of a cell. Fields have 16 bits.
std::uint64_t key_of(const Record& operation) noexcept {
    const std::uint64_t slot = is_property(operation) ? property_slot : operation.ref;
    return slot << 16 | operation.field;
}

const Field& field_of(const Track& track, std::uint64_t key) {
    const auto index = static_cast<std::size_t>(key & 0xFFFF);
    return key >> 16 == property_slot ? track.properties[index] : track.fields[index];
}

/// Returns the keys of a map in ascending order, so that the output does not depend on hashes.
template <typename Map>
std::vector<std::uint64_t> sorted_keys(const Map& map) {
    std::vector<std::uint64_t> keys;
    for (const auto& [key, value] : map)
        keys.push_back(key);
    std::ranges::sort(keys);
    return keys;
}

}  // namespace

Tables::Table& Tables::table_of(TrackId id) {
    std::unique_ptr<Table>& table = tables_[id];
    if (table != nullptr) [[likely]]
        return *table;
    table = std::make_unique<Table>();
    const Track& track = schema_.tracks()[id];
    if (!track.sparse) return *table;
    table->row = chart_.add_row(id, track.name, Row::Counting::each, std::max(track.slots, 1u));
    table->curve = chart_.add_curve(id, track.name + ": occupied slots", NumberKind::natural);
    return *table;
}

Tables::Cell* Tables::cell_at(Table& table, const Track& track, const Record& operation) {
    const std::uint64_t key = key_of(operation);
    const auto found = table.cells.find(key);
    if (found != table.cells.end()) return &found->second;
    if (table.cells.size() == most_cells) return nullptr;
    const Field& field = field_of(track, key);
    std::string name = track.name;
    if (!is_counter(track)) {
        if (!is_property(operation) && track.slots > 1)
            name.append("[").append(std::to_string(operation.ref)).append("]");
        if (track.fields.size() > 1 || is_property(operation)) name.append(".").append(field.name);
    }
    return &table.cells.emplace(key, Cell{HeldValue(chart_, operation.track, name, field, field.name)}).first->second;
}

void Tables::add(const Record& operation) {
    const Track& track = schema_.tracks()[operation.track];
    const Tick time = times_.at(operation.track, operation.time);
    chart_.reach(time, time);
    Table& table = table_of(operation.track);
    if (track.sparse && !is_property(operation)) {
        if (operation.kind != Kind::clear) return fill(table, track, operation, time);
        const auto found = table.slots.find(std::uint64_t{operation.ref});
        if (found == table.slots.end() || !found->second.is_occupied) return;
        end(table, track, operation.ref, found->second, time);
        chart_.add_value(table.curve, time, --table.occupied);
        return;
    }
    if (operation.kind == Kind::clear) return;
    Cell* const cell = cell_at(table, track, operation);
    if (cell == nullptr) return chart_.add_value(none, time, 0);
    const Field& field = field_of(track, key_of(operation));
    cell->bits = operation.kind == Kind::add ? (cell->bits + operation.value) & bits_kept(field) : operation.value;
    cell->value.set(chart_, schema_, time, field, cell->bits);
}

void Tables::fill(Table& table, const Track& track, const Record& operation, Tick time) {
    Slot& slot = table.slots[operation.ref];
    if (!slot.is_occupied) {
        slot.is_occupied = true;
        slot.since = time;
        slot.cells.assign(track.fields.size(), 0);
        slot.is_known.assign(track.fields.size(), false);
        chart_.add_value(table.curve, time, ++table.occupied);
    }
    std::uint64_t& cell = slot.cells[operation.field];
    const std::uint64_t before = operation.kind == Kind::add ? cell : 0;
    cell = (before + operation.value) & bits_kept(track.fields[operation.field]);
    slot.is_known[operation.field] = true;
}

void Tables::end(Table& table, const Track& track, std::uint64_t number, Slot& slot, Tick time) {
    slot.is_occupied = false;
    chart_.add(table.row, slot.since, std::max(slot.since, time), [&](Slice& slice) {
        slice.name = chart_.text("slot " + std::to_string(number));
        for (std::size_t field = 0; field < slot.cells.size(); ++field) {
            if (!slot.is_known[field]) continue;
            std::string value;
            append_cell(schema_, track.fields[field], slot.cells[field], value);
            append_line(track.fields[field].name, value, slice.detail);
        }
    });
}

void Tables::finish() {
    for (TrackId id = 0; id < tables_.size(); ++id) {
        if (tables_[id] == nullptr) continue;
        Table& table = *tables_[id];
        const Track& track = schema_.tracks()[id];
        for (const std::uint64_t key : sorted_keys(table.cells))
            table.cells.at(key).value.end(chart_, schema_, chart_.last(), field_of(track, key));
        for (const std::uint64_t number : sorted_keys(table.slots))
            if (Slot& slot = table.slots.at(number); slot.is_occupied) end(table, track, number, slot, chart_.last());
    }
}

}  // namespace hwtrace::report
