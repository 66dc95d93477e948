// query/table_cursor.hpp - walks over the rows of a table, from the file or from memory.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "domain/sql_values.hpp"
#include "domain/table_chunk.hpp"
#include "domain/table_rows.hpp"
#include "query/cell_filter.hpp"
#include "query/kept_rows.hpp"
#include "query/query_trace.hpp"

namespace hwtrace {

/// The rows and columns of a table that a query needs.
struct TablePlan {
    std::vector<std::uint8_t> columns;  ///< by column: 1 if the query uses it
    std::vector<CellFilter> filters;
    /// The column by whose value rows are looked up, the number of this value, or its text. None: rows are scanned.
    struct Key {
        std::uint32_t column = 0;
        std::variant<std::uint64_t, std::string> value;
    };
    std::optional<Key> key{};
};

/// Walks over the rows that a plan selects, in the order of the table.
class TableCursor {
public:
    TableCursor(QueryTrace& trace, std::size_t table);

    /// Goes to the first row. A table that is read repeatedly is kept in memory. Throws Failure::limit if rows have to
    /// be looked up repeatedly, but do not fit in memory.
    void start(TablePlan plan);
    bool at_end() const noexcept { return chunk_ == nullptr; }
    /// Goes to the next row.
    void next() {
        if (++at_ < limit_) [[likely]]
            row_ = selected_ != nullptr ? (*selected_)[at_] : static_cast<std::uint32_t>(at_);
        else
            next_chunk();
    }
    /// Returns a value of the row. See SqlValue::is_temporary.
    SqlValue value(std::size_t column) { return values_->at(*chunk_, columns_[column], column, row_); }
    /// Returns the number of the row in its table, from 0. Throws Failure::usage if it is not known, because the table
    /// is not read from its beginning.
    std::uint64_t row_number() const {
        if (has_skipped_) fail_row_number();
        return first_row_ + row_;
    }

private:
    [[noreturn]] void fail_row_number() const;
    void stream(TablePlan& plan);
    void use_kept(TablePlan& plan);
    void look_up(const TablePlan& plan);
    bool keep(const TablePlan& plan);
    void next_chunk();
    bool read_chunk();
    void show(const TableChunk* chunk, std::uint64_t first_row);
    void show_place(const RowPlace& place);

    QueryTrace& trace_;
    std::size_t table_;
    const TraceTable& described_;
    const TableColumn* columns_;
    std::uint64_t starts_ = 0;

    // The rows that are shown
    const TableChunk* chunk_ = nullptr;                     // null: the end
    const std::vector<std::uint32_t>* selected_ = nullptr;  // rows of the chunk; null: all
    std::size_t at_ = 0, limit_ = 0;
    std::uint32_t row_ = 0;
    std::uint64_t first_row_ = 0;
    std::optional<SqlValues> values_;
    std::optional<CellFilters> filters_;

    // Rows from the file
    std::unique_ptr<QueryTrace::Reading> reading_;
    std::optional<TableRows> rows_;
    std::deque<TableChunk> ready_;
    TableChunk current_, spare_;
    std::uint64_t read_rows_ = 0;
    bool is_whole_ = false, has_finished_ = false, has_skipped_ = false;

    // Rows from memory
    std::shared_ptr<KeptRows> kept_;
    std::size_t next_kept_ = 0;
    std::vector<RowPlace> places_;  // that were looked up
    bool looks_up_ = false;
};

}  // namespace hwtrace
