// formats/txlog/cut_line.hpp - decides whether the incomplete last line of a log may have been valid before the log was
// cut.
#pragma once

#include <string_view>

#include "model/transaction_types.hpp"

namespace hwtrace::txlog {

/// Returns true if more characters at the end of `line`, which is not a statement, can make it a statement.
bool may_become_statement(std::string_view line);
/// Returns true if more characters at the end of `text`, which is not a value of `type`, can make it a value.
bool may_become_value(const TransactionType& type, std::string_view text);

}  // namespace hwtrace::txlog
