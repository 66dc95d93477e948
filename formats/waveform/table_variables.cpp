#include "table_variables.hpp"

#include <string>

#include "domain/protocols.hpp"

namespace hwtrace::waveform {

ScopeNo TableVariables::scope_of(Table& table, const Track& track) {
    if (table.scope == no_number) table.scope = is_counter(track) ? to_.scope(track.scope) : to_.add_scope(track);
    return table.scope;
}

TableVariables::Slot& TableVariables::slot_of(Table& table, const Track& track, std::uint32_t number) {
    const auto [at, is_new] = table.slots.try_emplace(number);
    Slot& slot = at->second;
    if (!is_new) return slot;
    const ScopeNo scope = scope_of(table, track);
    slot.scope = track.slots > 1 ? to_.log.add_scope(scope, "slot" + std::to_string(number)) : scope;
    slot.cells.resize(track.fields.size());
    if (track.sparse) slot.valid = to_.log.add(slot.scope, {Variable::Kind::bits, 1, "valid"});
    return slot;
}

void TableVariables::store(Cell& cell, ScopeNo scope, const Field& field, std::string_view name,
                           const Record& operation) {
    if (cell.variable == no_number) cell.variable = to_.log.add(scope, variable_for(field, name));
    cell.value = operation.kind == Kind::add ? (cell.value + operation.value) & bits_kept(field) : operation.value;
    cell.has_value = true;
    writer_.set(cell.variable, field, cell.value);
}

void TableVariables::clear(Slot& slot) {
    if (slot.valid == no_number || !slot.is_valid) return;
    slot.is_valid = false;
    to_.log.number(slot.valid, 0);
    for (Cell& cell : slot.cells) {
        if (cell.has_value) writer_.end(cell.variable);
        cell.has_value = false;
        cell.value = 0;
    }
}

void TableVariables::show(const Record& operation) {
    const Track& track = to_.schema.tracks()[operation.track];
    Table& table = tables_[operation.track];
    if (is_property(operation)) {
        table.properties.resize(track.properties.size());
        const Field& property = track.properties[operation.field];
        return store(table.properties[operation.field], scope_of(table, track), property, property.name, operation);
    }
    Slot& slot = slot_of(table, track, operation.ref);
    if (operation.kind == Kind::clear) return clear(slot);
    if (track.sparse && !slot.is_valid) {
        slot.is_valid = true;
        to_.log.number(slot.valid, 1);
    }
    const Field& field = track.fields[operation.field];
    store(slot.cells[operation.field], slot.scope, field, is_counter(track) ? track.name : field.name, operation);
}

}  // namespace hwtrace::waveform
