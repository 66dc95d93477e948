// formats/report/tables.hpp - the tables of a report: occupied slots as slices, values of cells as curves and rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chart.hpp"
#include "model/hash.hpp"
#include "model/record.hpp"
#include "signals.hpp"
#include "time_scale.hpp"

namespace hwtrace::report {

class Tables {
public:
    static constexpr std::size_t most_cells = 64;  ///< cells of a table that are drawn

    Tables(const Schema& schema, TimeScale& times, Chart& chart)
        : schema_(schema), times_(times), chart_(chart), tables_(schema.tracks().size()) {}

    void add(const Record& operation);
    /// Ends everything at the end of the trace.
    void finish();

private:
    struct Cell {
        HeldValue value;
        std::uint64_t bits = 0;
    };
    struct Slot {
        bool is_occupied = false;
        Tick since = 0;
        std::vector<std::uint64_t> cells;
        std::vector<bool> is_known;
    };
    struct Table {
        RowId row = none;      ///< sparse: the occupied slots
        CurveId curve = none;  ///< sparse: their number
        std::uint64_t occupied = 0;
        HashMap<std::uint64_t, Cell> cells;  ///< by slot and field; properties have the slot 2^32
        HashMap<std::uint64_t, Slot> slots;
    };

    Table& table_of(TrackId track);
    /// Returns nullptr if the table has too many cells to draw this one.
    Cell* cell_at(Table& table, const Track& track, const Record& operation);
    void fill(Table& table, const Track& track, const Record& operation, Tick time);
    void end(Table& table, const Track& track, std::uint64_t number, Slot& slot, Tick time);

    const Schema& schema_;
    TimeScale& times_;
    Chart& chart_;
    std::vector<std::unique_ptr<Table>> tables_;  ///< by track
};

}  // namespace hwtrace::report
