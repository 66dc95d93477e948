// cli/info_lengths.hpp - statistics of lengths such as durations, as columns of a table and as members of JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/info_table.hpp"
#include "cli/quantities.hpp"
#include "domain/length_summary.hpp"

namespace hwtrace::cli {

/// Returns the cells "count", "min", "median", "p90", "p99", "max" and "mean". `~` marks percentiles within 1
/// %. `unit`: see FileInfo.
std::vector<InfoValue> length_cells(const LengthSummary& lengths, std::string_view unit);
/// Returns the columns of these cells, for text.
std::vector<InfoColumn> length_columns();
/// Returns the mean with three decimals, or as a time with a unit; "-" without lengths.
std::string mean_text(const LengthSummary& lengths, std::string_view unit);

/// Prints what `~` and missing percentiles mean, if there are any of them.
void print_precision(bool has_estimates, bool has_unknown, TextOutput& out);

/// Prints a table with one row of lengths in `unit` each, and a note if not all percentiles are exact. `name_of(row)`
/// is the name of a row, `lengths_of(row)` its lengths. Rows without lengths are left out.
template <typename Rows, typename NameOf, typename LengthsOf>
void print_lengths(std::string_view title, std::string_view unit, const Rows& rows, NameOf&& name_of,
                   LengthsOf&& lengths_of, Volume volume, TextOutput& out) {
    std::vector<InfoColumn> columns{{time_heading(title, unit), {}}};
    for (InfoColumn& column : length_columns())
        columns.push_back(std::move(column));
    std::vector<std::vector<InfoValue>> cells;
    bool has_estimates = false, has_unknown = false;
    for (const auto& row : rows) {
        const LengthSummary& lengths = lengths_of(row);
        if (lengths.count == 0) continue;
        has_estimates = has_estimates || lengths.precision == Precision::within_1_percent;
        has_unknown = has_unknown || lengths.precision == Precision::unknown;
        cells.push_back(length_cells(lengths, unit));
        cells.back().insert(cells.back().begin(), name_of(row));
    }
    InfoTable(std::move(columns), cells, [](const std::vector<InfoValue>& row) { return row; }).print(volume, out);
    print_precision(has_estimates, has_unknown, out);
}

/// The names of the extremes in JSON.
struct ExtremeKeys {
    const char* least = "least";
    const char* greatest = "greatest";
};
/// Adds the extremes, "median", "p90", "p99", "mean", "total" and "percentiles" ("exact", "within 1 %" or "unknown").
/// Percentiles that are unknown are null. Adds nothing without lengths.
void append_lengths(const LengthSummary& lengths, ExtremeKeys keys, JsonIntegers integers, Json& json);

}  // namespace hwtrace::cli
