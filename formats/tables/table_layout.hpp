// formats/tables/table_layout.hpp - the tables that are written: one for each table of the trace, or a single one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "domain/trace_tables.hpp"

namespace hwtrace::tables {

/// Returns the type of the cells of a column. Durations are unsigned: they can be longer than the greatest time.
inline Type stored_type(const TableColumn& column) noexcept {
    return column.content == TableColumn::Content::duration ? Type::u64 : column.type;
}

/// A column of a table that is written.
struct StoredColumn {
    std::string name;
    const TableColumn* from = nullptr;         ///< its type, and where its values come from
    bool is_optional = false;                  ///< rows may lack a value; false for repeated columns
    std::span<const std::string> labels = {};  ///< if not empty, cells are indexes into it
};

/// A table that is written.
struct StoredTable {
    std::string name;
    const TraceTable* from = nullptr;  ///< nullptr: rows of all tables
    std::vector<StoredColumn> columns;
};

/// Selects whether each table is stored on its own.
enum class Grouping : std::uint8_t { separate, single };

/// Maps the tables of a trace to stored tables. A single table has the columns `track` (the name of a row's table) and
/// `kind` (what the row stands for), and then the columns of all tables. Columns with the same name share one column if
/// their types are equal; otherwise the later one gets its type as a suffix. Rows lack the values of other tables'
/// columns.
class TableLayout {
public:
    static constexpr std::size_t own_columns = 2;  ///< of a single table

    /// `tables` must outlive this object.
    TableLayout(const TraceTables& tables, Grouping grouping);
    TableLayout(const TableLayout&) = delete;
    TableLayout& operator=(const TableLayout&) = delete;

    bool is_single() const noexcept { return grouping_ == Grouping::single; }
    const std::vector<StoredTable>& tables() const noexcept { return stored_; }
    /// Returns the stored table that gets the rows of a table of the trace.
    std::size_t table_of(std::size_t table) const noexcept { return is_single() ? 0 : table; }
    /// Returns the stored column that gets the values of a column.
    std::size_t column_of(std::size_t table, std::size_t column) const noexcept {
        return is_single() ? columns_[table][column] : column;
    }

private:
    void add_single(const TraceTables& tables);

    Grouping grouping_;
    std::vector<StoredTable> stored_;
    std::vector<std::vector<std::uint32_t>> columns_;  ///< single: by table and column
    std::deque<TableColumn> own_;
    std::vector<std::string> names_, kinds_;
};

}  // namespace hwtrace::tables
