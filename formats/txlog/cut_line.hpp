// formats/txlog/cut_line.hpp - decides whether the incomplete last line of a log may have been valid before the log was
// cut.
#pragma once

#include <string_view>

#include "model/transaction_types.hpp"

namespace hwtrace::txlog {

/// Returns true if `line`, which is not yet a statement, becomes one when certain characters are appended.
bool may_become_statement(std::string_view line);
/// Returns true if `text`, which is not yet a value of `type`, becomes one when certain characters are appended.
bool may_become_value(const TransactionType& type, std::string_view text);

}  // namespace hwtrace::txlog
