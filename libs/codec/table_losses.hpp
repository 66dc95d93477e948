// codec/table_losses.hpp - the losses of a trace that is written as tables (domain/table_rows.hpp).
#pragma once

#include <vector>

#include "codec/losses.hpp"
#include "domain/table_rows.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Counts, by track, the values that an occupied slot had before its last ones, and the intervals whose end no row can
/// have. Call it after TableRows::finish().
void count_row_losses(const TableRows& rows, const Schema& schema, Losses& losses);
/// Foresees the losses that count_row_losses() may count.
void foresee_row_losses(const Schema& schema, std::vector<ExpectedLoss>& losses);

}  // namespace hwtrace
