// formats/perfetto/table_drawer.hpp - draws tables: a slice while a slot is occupied, or a row for each value.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/record.hpp"
#include "value_row.hpp"

namespace hwtrace::perfetto {

class TableDrawer {
public:
    explicit TableDrawer(Timelines& to) : to_(to), tables_(to.schema.tracks().size()) {}

    /// Draws a set, add or clear record.
    void draw(const Record& operation);
    /// Ends all values and occupied slots at the end of the trace.
    void finish();

private:
    /// A cell of a dense table, or a property.
    struct Value {
        ValueRow row;
        std::uint64_t cell = 0;
    };
    /// A slot of a sparse table.
    struct Slot {
        RowId row = root_row;
        std::optional<Tick> since = {};  ///< none: the slot is free
        std::vector<std::uint64_t> cells = {};
        std::vector<bool> is_known = {};
    };
    /// The rows of a table are added when their values appear.
    struct Table {
        RowId row = root_row;
        RowId occupied_row = root_row;
        std::int64_t occupied = 0;
        std::map<std::pair<std::uint32_t, std::uint32_t>, Value> values = {};  ///< by slot and field
        std::map<std::uint32_t, Value> properties = {};
        std::map<std::uint32_t, Slot> slots = {};
    };

    Table& table_of(TrackId id);
    Value& value_at(Table& table, const Track& track, const Record& operation);
    void fill(Table& table, const Track& track, const Record& operation, Tick time);
    void free(Table& table, const Record& operation, Tick time);
    void end(Slot& slot, TrackId id, Tick time);
    void count_occupied(Table& table, Tick time);

    Timelines& to_;
    std::vector<std::optional<Table>> tables_;  ///< by track
};

}  // namespace hwtrace::perfetto
