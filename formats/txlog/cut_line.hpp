// formats/txlog/cut_line.hpp - whether a log that ends inside a line may have been right, before it was cut.
#pragma once

#include <string_view>

#include "model/transaction_types.hpp"

namespace hwtrace::txlog {

/// Whether some end would make a statement of `line`, which is none yet.
bool may_become_statement(std::string_view line);
/// Whether some end would make a value of `type` of `text`, which is none yet.
bool may_become_value(const TransactionType& type, std::string_view text);

}  // namespace hwtrace::txlog
