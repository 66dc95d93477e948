// query/table_plan.hpp - the plan of a scan: made from the conditions that SQLite offers, and read back by the scan.
#pragma once

#include <cstddef>
#include <span>

#include "query/query_trace.hpp"
#include "query/sqlite_api.hpp"
#include "query/table_cursor.hpp"

namespace hwtrace {

/// Chooses conditions that the scan tests itself, and fills in the plan as idxStr (sqlite3_vtab xBestIndex). Returns a
/// result code of SQLite.
int choose_plan(const QueryTrace& trace, std::size_t table, sqlite3_index_info& info);
/// Returns the plan that idxStr describes, with the right sides of its conditions.
TablePlan plan_of(const QueryTrace& trace, std::size_t table, const char* text, std::span<sqlite3_value* const> values);

}  // namespace hwtrace
