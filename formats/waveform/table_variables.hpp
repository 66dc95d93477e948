// formats/waveform/table_variables.hpp - shows tables: a variable for each cell that is ever set.
#pragma once

#include <cstdint>
#include <vector>

#include "field_variables.hpp"
#include "model/hash.hpp"

namespace hwtrace::waveform {

/// A counter is one variable. Slots of other tables are scopes. A slot of a sparse table has a bit `valid`; when the
/// slot is cleared, its cells have no value.
class TableVariables {
public:
    explicit TableVariables(Canvas& to) : to_(to), writer_(to), tables_(to.schema.tracks().size()) {}

    /// Shows a set, add or clear record at the time of the log.
    void show(const Record& operation);

private:
    struct Cell {
        VariableNo variable = no_number;
        std::uint64_t value = 0;
        bool has_value = false;
    };
    struct Slot {
        ScopeNo scope = root_scope;
        VariableNo valid = no_number;
        bool is_valid = false;
        std::vector<Cell> cells = {};  ///< by field
    };
    struct Table {
        ScopeNo scope = no_number;
        std::vector<Cell> properties = {};
        HashMap<std::uint32_t, Slot> slots = {};
    };

    ScopeNo scope_of(Table& table, const Track& track);
    Slot& slot_of(Table& table, const Track& track, std::uint32_t number);
    void store(Cell& cell, ScopeNo scope, const Field& field, std::string_view name, const Record& operation);
    void clear(Slot& slot);

    Canvas& to_;
    ValueWriter writer_;
    std::vector<Table> tables_;  ///< by track
};

}  // namespace hwtrace::waveform
