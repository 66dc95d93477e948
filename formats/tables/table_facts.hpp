// formats/tables/table_facts.hpp - what a table cannot say in its columns, as keys and values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "domain/trace_tables.hpp"
#include "table_layout.hpp"

namespace hwtrace::tables {

/// The keys and values beside a table, in UTF-8: the track, its scope, kind and time base, the enumerations of its
/// columns, and metadata of the trace.
std::vector<std::pair<std::string, std::string>> facts_of(const TraceTables& tables, const StoredTable& table);

}  // namespace hwtrace::tables
