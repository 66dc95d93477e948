// formats/tables/table_facts.hpp - what a table cannot say in its columns, as keys and values.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "domain/trace_tables.hpp"
#include "table_layout.hpp"

namespace hwtrace::tables {

/// The keys and values beside a table, in UTF-8: the track, its scope, kind and time base, the enumerations of its
/// columns, and metadata of the trace.
std::vector<std::pair<std::string, std::string>> facts_of(const TraceTables& tables, const StoredTable& table);

/// Returns the number of facts in the metadata of the trace that facts_of() leaves out, because they are too many or
/// too long.
std::size_t facts_left_out(const Schema& schema);

}  // namespace hwtrace::tables
