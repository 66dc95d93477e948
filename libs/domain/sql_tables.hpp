// domain/sql_tables.hpp - the tables of a trace in SQL: names, columns and their types, for SQLite.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "domain/trace_tables.hpp"

namespace hwtrace {

/// The most columns that a table of SQLite has (SQLITE_MAX_COLUMN).
inline constexpr std::size_t most_sql_columns = 2000;

/// The name and the columns of a table in SQL.
struct SqlTable {
    std::string name;
    std::vector<std::string> columns;  ///< the first columns of the table, at most most_sql_columns
};

/// The tables of a trace in SQL, and two more that describe it. Names are those of TraceTables, except that SQL
/// reserves "sqlite_…", and that names are UTF-8 without NUL.
struct SqlTables {
    /// Describes all tables that `tables` has.
    explicit SqlTables(const TraceTables& tables);

    std::vector<SqlTable> tables;  ///< in the order of TraceTables::all()
    /// The table of the tables (tracks_columns), and that of Schema::metadata (metadata_columns). They are called
    /// "tracks" and "metadata", unless the trace has tables of these names.
    std::string tracks, metadata;
};

/// The columns of the table SqlTables::tracks, with a row for each table of the trace.
inline constexpr std::string_view tracks_columns =
    "name TEXT, path TEXT, row TEXT, scope TEXT, clock TEXT, time_unit TEXT, tick_num INTEGER, tick_den INTEGER";
/// The columns of the table SqlTables::metadata.
inline constexpr std::string_view metadata_columns = "key TEXT, value";

/// A row of the table SqlTables::tracks, apart from name and path. A tick lasts num/den seconds; both are 0 if the
/// length of a tick is unknown.
struct SqlTrackRow {
    SqlTrackRow(const TraceTables& tables, const TraceTable& table);

    std::string_view row;        ///< what a row stands for
    std::string scope, clock;    ///< empty: none
    std::string_view time_unit;  ///< "seconds", "cycles", "position"
    std::uint64_t num = 0, den = 0;
};

/// Returns the name in double quotes, for SQL.
std::string sql_quoted(std::string_view name);
/// Returns true if the cells of the column are unsigned numbers of 64 bits.
bool is_sql_unsigned(const TableColumn& column) noexcept;
/// Returns the type with which a column is declared: INTEGER, REAL, TEXT or BLOB. Returns an empty text for columns
/// whose values have several types: unsigned numbers of 64 bits (those from 2^63 on are TEXT) and enumerations.
std::string_view sql_type(const TableColumn& column) noexcept;
/// Returns `"begin" INTEGER, "end" INTEGER, …`, as in CREATE TABLE.
std::string sql_columns(const SqlTable& names, const TraceTable& table);

}  // namespace hwtrace
