// formats/tables/column_buffer.hpp - the values of a column in rows that wait to be written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/table_chunk.hpp"

namespace hwtrace::tables {

/// Values of consecutive rows of a column. Missing values take no memory, and rows without values are counted in runs.
class ColumnBuffer {
public:
    /// Consecutive rows that all have a value, or all lack one.
    struct Run {
        std::uint32_t rows;
        bool is_present;
    };

    /// Appends the rows of a chunk.
    void add(const TableColumn& column, const TableChunk::Column& chunk, std::size_t rows);
    /// Appends rows without values.
    void skip(std::size_t rows) { add_run(rows, false); }
    /// Appends `rows` equal values of a column that is not repeated.
    void add_copies(std::uint64_t cell, std::size_t rows) {
        cells_.insert(cells_.end(), rows, cell);
        add_run(rows, true);
    }

    std::size_t rows() const noexcept { return rows_; }
    /// Returns the values that exist. Cells of columns with own text are the ends of their texts.
    const std::vector<std::uint64_t>& cells() const noexcept { return cells_; }
    const std::vector<Run>& runs() const noexcept { return runs_; }
    /// Returns the number of values of each row that has any: of a repeated column.
    const std::vector<std::uint32_t>& lengths() const noexcept { return lengths_; }
    std::string_view own_text(std::size_t cell) const noexcept {
        const std::uint64_t begin = cell == 0 ? 0 : cells_[cell - 1];
        return std::string_view(own_texts_).substr(begin, cells_[cell] - begin);
    }
    std::size_t bytes() const noexcept {
        return cells_.size() * sizeof(cells_[0]) + runs_.size() * sizeof(runs_[0]) +
               lengths_.size() * sizeof(lengths_[0]) + own_texts_.size();
    }
    /// Removes all rows. Keeps the memory only if `keeps_memory`.
    void clear(bool keeps_memory) {
        if (!keeps_memory) {
            *this = {};
            return;
        }
        rows_ = 0;
        cells_.clear();
        runs_.clear();
        lengths_.clear();
        own_texts_.clear();
    }

private:
    void add_run(std::size_t rows, bool is_present) {
        rows_ += rows;
        if (rows == 0) return;
        if (!runs_.empty() && runs_.back().is_present == is_present)
            runs_.back().rows += static_cast<std::uint32_t>(rows);
        else
            runs_.push_back({static_cast<std::uint32_t>(rows), is_present});
    }

    std::size_t rows_ = 0;
    std::vector<std::uint64_t> cells_;
    std::vector<Run> runs_;
    std::vector<std::uint32_t> lengths_;
    std::string own_texts_;
};

}  // namespace hwtrace::tables
