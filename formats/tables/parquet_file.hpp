// formats/tables/parquet_file.hpp - the parts of a Parquet file around its column chunks: row groups and the footer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "column_buffer.hpp"
#include "io/appender.hpp"
#include "parquet_chunk.hpp"
#include "parquet_wire.hpp"
#include "table_layout.hpp"

namespace hwtrace::tables {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

/// The contents of a Parquet file, apart from its bytes so far.
class ParquetFile {
public:
    /// `table` must outlive this object.
    explicit ParquetFile(const StoredTable& table, Codec codec) : table_(table), codec_(codec) {}

    /// Appends the magic number.
    static void begin(Appender& out) { out.text(parquet_magic); }
    /// Appends a row group. All columns must have the same number of rows. `offset` is the place of the next byte of
    /// `out` in the file.
    void add_row_group(const std::vector<ColumnBuffer>& columns, ChunkEncoder& encoder, std::uint64_t offset,
                       Appender& out);
    /// Appends the footer. `facts` are UTF-8.
    void end(const KeyValues& facts, std::string_view created_by, Appender& out) const;

    std::uint64_t rows() const noexcept { return rows_; }
    /// Returns the memory that descriptions of row groups take.
    std::size_t bytes() const noexcept { return row_groups_.size(); }

private:
    void describe(const StoredColumn& column, const ChunkFacts& chunk, std::uint64_t offset, ThriftWriter& group) const;

    const StoredTable& table_;
    Codec codec_;
    std::uint64_t rows_ = 0;
    std::size_t groups_ = 0;
    Appender row_groups_;  ///< structures RowGroup
    std::vector<std::pair<ChunkFacts, std::uint64_t>> chunks_;
};

}  // namespace hwtrace::tables
