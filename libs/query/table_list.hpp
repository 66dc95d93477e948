// query/table_list.hpp - lists the tables of traces, with an example of each column.
#pragma once

#include <string>

#include "query/query_database.hpp"

namespace hwtrace {

/// Lists the tables of a trace: a row per column, with its type and its value in the first row of the table. Reads the
/// trace until each table has a row. `schema` is the first value of each row, unless it is empty.
void list_tables(QueryTrace& trace, const std::string& schema, QueryResult& result);
/// Returns the columns of list_tables().
std::vector<std::string> list_columns(bool has_schema);

}  // namespace hwtrace
