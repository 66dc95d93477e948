// query/tick_bounds.hpp - the times of the records that rows with certain values come from.
#pragma once

#include <span>

#include "query/cell_filter.hpp"
#include "query/query_trace.hpp"

namespace hwtrace {

/// Returns bounds of the times of all records whose rows meet the conditions. Rows of storages depend on earlier
/// records, so that only the last time of some is bounded.
TickBounds tick_bounds(const TraceTables& tables, const TraceTable& table, std::span<const CellFilter> filters);

}  // namespace hwtrace
