// codec/table_losses.hpp - the losses of a trace that is written as tables (domain/table_rows.hpp).
#pragma once

#include <vector>

#include "codec/losses.hpp"
#include "domain/table_rows.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// Counts the values that an occupied slot had before its last ones, by track. Call it after TableRows::finish().
void count_earlier_values(const TableRows& rows, const Schema& schema, Losses& losses);
/// Foresees the losses that count_earlier_values() may count.
void foresee_earlier_values(const Schema& schema, std::vector<ExpectedLoss>& losses);

}  // namespace hwtrace
