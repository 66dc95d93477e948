// cli/info_table.hpp - a table of hwtrace-info, printed as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/json.hpp"
#include "cli/messages.hpp"
#include "cli/quantities.hpp"
#include "io/text_output.hpp"

namespace hwtrace::cli {

/// A time in ticks: such as "56.7 µs" in text, exact in JSON.
struct RealTime {
    std::variant<std::uint64_t, std::int64_t> ticks;
    double picoseconds_each = 1;
};

/// A cell. An absent value is "-" in text and no member in JSON.
using InfoValue =
    std::variant<std::monostate, std::nullptr_t, std::string, std::uint64_t, std::int64_t, double, bool, RealTime>;

struct InfoColumn {
    std::string title;      ///< heading in text; empty: not in text
    std::string_view key;   ///< member in JSON; empty: not in JSON
    std::size_t width = 0;  ///< width in text; 0: that of the widest cell
    bool is_list = false;   ///< the last column, with lists that begin at the left and are wrapped
};

class InfoTable {
public:
    /// Calls `cells_of(row)` for each row. It returns one value for each column. The first column of text is the name.
    template <typename Rows, typename CellsOf>
    InfoTable(std::vector<InfoColumn> columns, const Rows& rows, CellsOf&& cells_of) : columns_(std::move(columns)) {
        for (const auto& row : rows)
            rows_.push_back(cells_of(row));
    }

    enum class Empty : std::uint8_t { hidden, headings };

    /// Prints at most 16 rows unless verbose. `empty` states what is printed without rows.
    void print(Volume volume, TextOutput& out, Empty empty = Empty::hidden) const;
    /// Returns an array with one object for each row.
    Json json(JsonIntegers integers) const;

private:
    std::vector<InfoColumn> columns_;
    std::vector<std::vector<InfoValue>> rows_;
};

/// Returns the cell of a number of ticks. `unit`: see FileInfo.
template <typename Ticks>
InfoValue time_cell(Ticks ticks, std::string_view unit) {
    const std::optional<double> each = picoseconds_per(unit);
    return each ? InfoValue(RealTime{ticks, *each}) : InfoValue(ticks);
}

/// Returns the name of a row, printable on one line, or "-" if the name is empty.
std::string shown_name(const std::string& name);
/// Returns a path such as "root/core0/rob", printable on one line.
std::string full_name(const std::string& scope, const std::string& name);

}  // namespace hwtrace::cli
