// cli/csv_options.hpp - the option --csv-safe.
#pragma once

#include <string>
#include <string_view>

#include "cli/command_line.hpp"
#include "domain/csv_safety.hpp"
#include "io/error.hpp"

namespace hwtrace::cli {

struct CsvOptions {
    bool safe = false;  ///< text that a spreadsheet would execute begins with an apostrophe

    /// Adds --csv-safe to `line`.
    void add_to(CommandLine& line) {
        line.flag("--csv-safe", safe,
                  "For spreadsheets: writes an apostrophe before texts in CSV that would be formulas: = + - @");
    }
    /// Sets the safety of all CSV output. `is_csv`: the command writes CSV. Throws Failure::usage if it does not,
    /// although the option was given.
    void apply(bool is_csv) const {
        if (safe && !is_csv) fail(Failure::usage, "--csv-safe requires CSV output, such as with --format csv");
        set_csv_safety(safe);
    }
};

}  // namespace hwtrace::cli
