// query/cell_filter.hpp - conditions of WHERE that are tested on cells, before they become values of SQL.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "domain/table_chunk.hpp"
#include "domain/trace_tables.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// The operators of conditions that are tested on cells.
enum class CellComparison : std::uint8_t { equal, less, at_most, greater, at_least };

/// A condition on a column. Rows that do not meet it are left out. It may accept more rows than the condition in SQL,
/// never fewer: SQLite tests again the rows that are left.
struct CellFilter {
    enum class Test : std::uint8_t {
        signed_range,    ///< the cell is in [low, high]
        unsigned_range,  ///< the cell, without sign, is in [low, high]
        real_range,      ///< the number is in [real_low, real_high]
        one_of,          ///< the cell is one of `numbers`
        text,            ///< the text is `equal_text`
        never,           ///< no row meets the condition
    };

    std::uint32_t column = 0;
    Test test = Test::never;
    std::uint64_t low = 0, high = 0;
    double real_low = -std::numeric_limits<double>::infinity(), real_high = std::numeric_limits<double>::infinity();
    std::vector<std::uint64_t> numbers{};
    std::string equal_text{};

    /// Returns the least and the greatest cell of a signed_range.
    std::int64_t signed_low() const noexcept { return static_cast<std::int64_t>(low); }
    std::int64_t signed_high() const noexcept { return static_cast<std::int64_t>(high); }
};

/// Returns true if conditions on this column are tested on cells. Those on labels that look like numbers are not:
/// whether SQLite compares them as numbers depends on the right side.
bool is_filtered(const TraceTables& tables, const TableColumn& column, CellComparison comparison) noexcept;
/// Returns true if rows can be found by the value of this column: a number or a text.
bool is_key(const TableColumn& column) noexcept;
/// Returns the condition `column comparison number`. `at` is the index of the column.
CellFilter number_filter(const TableColumn& column, std::uint32_t at, CellComparison comparison, std::int64_t number);
/// Does the same for a column that is no enumeration.
CellFilter number_filter(const TableColumn& column, std::uint32_t at, CellComparison comparison, double number);
/// Returns the condition `column = text`.
CellFilter text_filter(const TraceTables& tables, const TableColumn& column, std::uint32_t at, std::string_view text);

/// Tests the rows of chunks that one reader has delivered.
class CellFilters {
public:
    /// `texts` is the schema of the reader. `table` and `texts` must outlive this object.
    CellFilters(const TraceTable& table, std::vector<CellFilter> filters, const Schema& texts);

    bool empty() const noexcept { return filters_.empty(); }
    /// Returns the rows that meet all conditions, in order. Valid until the next call.
    const std::vector<std::uint32_t>& select(const TableChunk& rows);

private:
    template <typename Meets>
    void keep(const TableChunk& rows, std::size_t column, const Meets& meets);
    bool is_equal(std::size_t filter, StringId id);

    const TraceTable& table_;
    std::vector<CellFilter> filters_;
    const Schema& texts_;
    std::vector<std::vector<std::uint8_t>> known_;  // by filter and StringId: 0 unknown, 1 equal, 2 different
    std::vector<std::uint32_t> selected_;
};

}  // namespace hwtrace
