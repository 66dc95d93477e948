// formats/txlog/cut_line.hpp - decides whether the incomplete last line of a log may have been valid before the log was
// cut.
#pragma once

#include <string_view>

#include "domain/transaction_types.hpp"

namespace hwtrace::txlog {

/// Returns true if `line` becomes a statement when certain characters are appended. Call only if `line` is not a
/// statement.
bool may_become_statement(std::string_view line);
/// Returns true if `text` becomes a value of `type` when certain characters are appended. Call only if `text` is not
/// such a value.
bool may_become_value(const TransactionType& type, std::string_view text);

}  // namespace hwtrace::txlog
