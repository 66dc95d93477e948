// formats/tables/parquet_chunk.hpp - encodes the values of a column in a row group: a column chunk of Parquet.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cell_dictionary.hpp"
#include "column_buffer.hpp"
#include "domain/trace_tables.hpp"
#include "io/appender.hpp"
#include "io/compression.hpp"
#include "parquet_type.hpp"
#include "table_layout.hpp"

namespace hwtrace::tables {

/// A column chunk, as the footer describes it. Offsets count from the start of the chunk.
struct ChunkFacts {
    std::vector<Encoding> encodings;
    std::uint64_t values = 0;  ///< including missing values, and rows without elements
    std::uint64_t nulls = 0;
    std::uint64_t raw_size = 0, stored_size = 0;  ///< of all pages with their headers
    std::optional<std::uint64_t> dictionary_at;
    std::uint64_t data_at = 0;
    /// The least and the greatest value, as stored. Missing if there are no values, a NaN, or a long text.
    std::optional<std::string> least, greatest;
};

/// Encodes column chunks. Keeps its buffers between calls.
class ChunkEncoder {
public:
    static constexpr std::size_t most_page_values = std::size_t{1} << 17;
    static constexpr std::size_t most_page_text = std::size_t{1} << 20;
    static constexpr std::size_t longest_bound = 64;  ///< bytes of a text among least and greatest

    ChunkEncoder(const TraceTables& tables, Codec codec, int level);

    /// Appends the pages of a chunk to `out`.
    ChunkFacts encode(const StoredColumn& column, const ColumnBuffer& values, Appender& out);

private:
    /// Rows that share a page.
    struct Page {
        std::size_t run = 0;            ///< the run with the first row
        std::uint32_t rows_before = 0;  ///< rows of that run in earlier pages
        std::size_t length = 0;         ///< index into lengths()
        std::size_t value = 0;          ///< index into cells()
        std::size_t rows = 0, values = 0, nulls = 0;
    };

    void choose();
    bool choose_dictionary();
    void write_dictionary(Appender& out);
    /// Determines the rows of the page after `page`. Returns false at the end.
    bool next(Page& page);
    void write_page(const Page& page, Appender& out);
    void append_levels();
    void append_list_levels(const Page& page);
    void append_values(const Page& page);
    void append_texts(std::size_t first, std::size_t count);
    void store(PageType type, std::size_t values, Encoding encoding, Appender& out);
    void find_bounds();
    void find_text_bounds();
    void find_number_bounds(std::span<const std::uint64_t> cells);
    /// Returns the text of a cell or of value `index`, valid until the next call. Texts are UTF-8.
    std::string_view text_of(std::uint64_t cell);
    std::string_view text_at(std::size_t index);

    const TraceTables& tables_;
    Codec codec_;
    ZstdBlock zstd_;

    // The chunk that is being encoded
    const TableColumn* column_ = nullptr;
    std::span<const std::string> labels_;
    const ColumnBuffer* from_ = nullptr;
    bool is_optional_ = false;
    ParquetType type_;
    Encoding encoding_ = Encoding::plain;
    ChunkFacts facts_;
    std::uint64_t start_ = 0;

    CellDictionary dictionary_;
    Appender raw_, packed_;
    std::vector<ColumnBuffer::Run> page_runs_;
    std::vector<std::uint32_t> levels_;
    std::string text_;
};

}  // namespace hwtrace::tables
