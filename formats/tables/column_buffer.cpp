#include "column_buffer.hpp"

namespace hwtrace::tables {

void ColumnBuffer::add(const TableColumn& column, const TableChunk::Column& chunk, std::size_t rows) {
    const std::uint64_t* const cells = chunk.cells.data();
    if (column.has_own_text()) {
        const std::size_t before = own_texts_.size();
        own_texts_.append(chunk.own_texts.data(), chunk.own_texts.size());
        for (std::size_t row = 0; row < rows; ++row)
            cells_.push_back(before + cells[row]);
        return add_run(rows, true);
    }
    if (column.is_repeated) {
        cells_.insert(cells_.end(), cells, cells + chunk.cells.size());
        std::uint32_t begin = 0;
        for (std::size_t row = 0; row < rows; ++row) {
            const std::uint32_t count = chunk.ends[row] - begin;
            if (count != 0) lengths_.push_back(count);
            add_run(1, count != 0);
            begin = chunk.ends[row];
        }
        return;
    }
    if (!column.is_nullable) {
        cells_.insert(cells_.end(), cells, cells + rows);
        return add_run(rows, true);
    }
    // Copy runs of values at once: most columns have nearly all values or nearly none.
    const std::uint8_t* const present = chunk.present.data();
    for (std::size_t row = 0; row < rows;) {
        std::size_t end = row + 1;
        while (end < rows && present[end] == present[row])
            ++end;
        if (present[row] != 0) cells_.insert(cells_.end(), cells + row, cells + end);
        add_run(end - row, present[row] != 0);
        row = end;
    }
}

}  // namespace hwtrace::tables
