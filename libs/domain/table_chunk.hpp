// domain/table_chunk.hpp - rows of a table, column by column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "domain/trace_tables.hpp"
#include "model/pool.hpp"

namespace hwtrace {

/// Some consecutive rows of a table. Cells are those of the model (model/schema.hpp): numbers zero- or sign-extended,
/// floats as bits, texts as StringIds. The cells of has_own_text() columns are the ends of their texts in own_texts.
class TableChunk {
public:
    struct Column {
        Pool<std::uint64_t> cells;   ///< one a row; repeated: all values of all rows
        Pool<std::uint8_t> present;  ///< nullable: one a row, 1 if it has a value; the cell is 0 if not
        Pool<std::uint32_t> ends;    ///< repeated: one a row, the end of its values in `cells`
        Pool<char> own_texts;        ///< has_own_text(): the texts of all rows, one after another
    };

    /// An empty chunk for rows of this table.
    explicit TableChunk(const TraceTable& table) : columns_(table.columns.size()) {}

    std::size_t size() const noexcept { return rows_; }
    const Column& column(std::size_t index) const noexcept { return columns_[index]; }

    /// Returns the cells of a column; one a row, unless the column is repeated.
    std::span<const std::uint64_t> cells(std::size_t column) const noexcept {
        return {columns_[column].cells.data(), columns_[column].cells.size()};
    }
    /// Returns true if the row has a value. Always true for columns that are not nullable.
    bool has(std::size_t column, std::size_t row) const noexcept {
        return columns_[column].present.empty() || columns_[column].present[row] != 0;
    }
    /// Returns the value of a column that is neither repeated nor has_own_text().
    std::uint64_t cell(std::size_t column, std::size_t row) const noexcept { return columns_[column].cells[row]; }
    /// Returns the values of a repeated column.
    std::span<const std::uint64_t> values(std::size_t column, std::size_t row) const noexcept {
        const Column& from = columns_[column];
        const std::uint32_t begin = row == 0 ? 0 : from.ends[row - 1];
        return {from.cells.data() + begin, from.ends[row] - begin};
    }
    /// Returns the text of a column that has_own_text(). It lives as long as the chunk is not changed.
    std::string_view own_text(std::size_t column, std::size_t row) const noexcept {
        const Column& from = columns_[column];
        const std::uint64_t begin = row == 0 ? 0 : from.cells[row - 1];
        return {from.own_texts.data() + begin, static_cast<std::size_t>(from.cells[row] - begin)};
    }
    /// Returns the number of bytes that the rows take.
    std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (const Column& column : columns_)
            sum += column.cells.size() * sizeof(std::uint64_t) + column.present.size() +
                   column.ends.size() * sizeof(std::uint32_t) + column.own_texts.size();
        return sum;
    }

    // --- building (domain/table_rows.hpp) ---
    Column& mutable_column(std::size_t index) noexcept { return columns_[index]; }
    void add_row() noexcept { ++rows_; }
    /// Removes all rows; keeps the memory.
    void clear() noexcept {
        rows_ = 0;
        for (Column& column : columns_) {
            column.cells.clear();
            column.present.clear();
            column.ends.clear();
            column.own_texts.clear();
        }
    }

private:
    std::vector<Column> columns_;
    std::size_t rows_ = 0;
};

}  // namespace hwtrace
