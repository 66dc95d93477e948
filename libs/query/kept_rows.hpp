// query/kept_rows.hpp - the rows of a table in memory, and indexes of them.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/table_chunk.hpp"
#include "query/query_trace.hpp"

namespace hwtrace {

/// The place of a row that is kept.
struct RowPlace {
    std::uint32_t chunk = 0, row = 0;
};

/// The rows of a table in memory, for queries that read them repeatedly.
class KeptRows {
public:
    /// Reads the rows of a table with these columns (TableRows::choose_columns). Returns null if they need more than
    /// `memory` bytes.
    static std::shared_ptr<KeptRows> read(QueryTrace& trace, std::size_t table,
                                          const std::vector<std::uint8_t>& columns, std::uint64_t memory);

    const std::vector<std::uint8_t>& columns() const noexcept { return columns_; }
    const std::deque<TableChunk>& chunks() const noexcept { return chunks_; }
    /// Returns the number of the first row of a chunk.
    std::uint64_t first_row(std::size_t chunk) const noexcept { return first_rows_[chunk]; }
    /// Returns the schema with the texts of the rows.
    const Schema& schema() const noexcept { return reading_->schema(); }
    /// Returns the memory of rows and indexes, in bytes.
    std::uint64_t bytes() const noexcept { return bytes_; }

    /// Returns true if there is an index of a column, or it fits in `memory` more bytes.
    bool has_room_for_index(std::size_t column, std::uint64_t memory) const {
        return indexes_.contains(column) || rows_ * sizeof(Entry) <= memory;
    }

    /// Returns the rows whose cell in a column is_key() has this value, in order. The first call for a column makes an
    /// index of it.
    std::vector<RowPlace> find(std::size_t column, std::uint64_t cell);
    /// Does the same for a column of texts.
    std::vector<RowPlace> find_text(std::size_t column, std::string_view text);

private:
    struct Entry {
        std::uint64_t cell;
        RowPlace place;
    };

    explicit KeptRows(std::unique_ptr<QueryTrace::Reading> reading) : reading_(std::move(reading)) {}
    const std::vector<Entry>& index_of(std::size_t column);

    std::unique_ptr<QueryTrace::Reading> reading_;
    std::vector<std::uint8_t> columns_, is_text_;
    std::deque<TableChunk> chunks_;
    std::vector<std::uint64_t> first_rows_;
    std::uint64_t rows_ = 0, bytes_ = 0;
    std::map<std::size_t, std::vector<Entry>> indexes_;  // by column; sorted by cell and place
};

}  // namespace hwtrace
