// formats/stf/transaction_writer.hpp - the writer of transaction traces.
#pragma once

#include <memory>
#include <vector>

#include "codec/format.hpp"
#include "container_writer.hpp"

namespace hwtrace::stf {

/// Creates a writer. has_transactions() must be true for the schema. All arguments must outlive the writer.
std::unique_ptr<Writer> create_transaction_writer(Output& output, Wrapping wrapping, const Schema& schema,
                                                  const Limits& limits, Losses& losses);
/// Adds the losses that writing a transaction trace may cause, except losses of metadata.
void foresee_transactions(const Schema& schema, std::vector<ExpectedLoss>& losses);

}  // namespace hwtrace::stf
