// formats/sqlite/views.hpp - views that join relations with the intervals that they relate.
#pragma once

#include <string>
#include <vector>

#include "domain/sql_tables.hpp"
#include "domain/trace_tables.hpp"
#include "domain/unique_names.hpp"

namespace hwtrace::sqlite {

/// Returns true if the column identifies intervals: `id` of an interval, or the ends of a relation.
bool is_reference(const TraceTable& table, const TableColumn& column) noexcept;

/// Returns CREATE VIEW statements: `intervals`, with the id and the span of all intervals, and for each relation
/// `<relation>_ends`, with the spans at both ends. Returns none if no interval has an id, no track holds relations, or
/// there are more tables of intervals than SQLite joins. `used` are the names of all tables.
std::vector<std::string> join_views(const TraceTables& tables, const SqlTables& names, UniqueNames& used);

}  // namespace hwtrace::sqlite
