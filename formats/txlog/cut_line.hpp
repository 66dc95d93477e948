// formats/txlog/cut_line.hpp - decides whether the incomplete last line of a log was valid before the log was cut.
#pragma once

#include <string_view>

#include "model/transaction_types.hpp"

namespace hwtrace::txlog {

/// Returns true if `line`, which is not a statement, can become one with more characters at its end.
bool may_become_statement(std::string_view line);
/// Returns true if `text`, which is not a value of `type`, can become one with more characters at its end.
bool may_become_value(const TransactionType& type, std::string_view text);

}  // namespace hwtrace::txlog
