// formats/stf/transaction_writer.hpp - the writer of transaction traces, for the one that chooses it.
#pragma once

#include <memory>
#include <vector>

#include "codec/format.hpp"
#include "container_writer.hpp"

namespace hwtrace::stf {

/// For a schema that has_transactions(). All arguments outlive the writer.
std::unique_ptr<Writer> create_transaction_writer(Output& output, Wrapping wrapping, const Schema& schema,
                                                  const Limits& limits, Losses& losses);
/// What it may lose of such a trace, beside metadata.
void foresee_transactions(const Schema& schema, std::vector<ExpectedLoss>& losses);

}  // namespace hwtrace::stf
