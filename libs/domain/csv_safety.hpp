// domain/csv_safety.hpp - CSV that a spreadsheet does not take for formulas.
#pragma once

namespace hwtrace {

/// Sets whether append_csv() writes an apostrophe before a text that a spreadsheet would execute as a formula: one that
/// begins with =, +, -, @, a tab or a carriage return and is not a number. The default is off, so that the text is
/// exact. Applies to the whole process: call it before any output.
void set_csv_safety(bool is_safe) noexcept;

}  // namespace hwtrace
