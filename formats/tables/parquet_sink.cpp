#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "column_buffer.hpp"
#include "io/appender.hpp"
#include "io/error.hpp"
#include "parquet_chunk.hpp"
#include "parquet_file.hpp"
#include "sinks.hpp"
#include "table_facts.hpp"
#include "table_files.hpp"
#include "table_layout.hpp"

namespace hwtrace::tables {
namespace {

constexpr std::size_t rows_a_group = 122'880;  ///< a multiple of the vectors that DuckDB works on
constexpr std::size_t few_tables = 4;          ///< so few keep the memory of their rows

class ParquetSink final : public TableSink {
public:
    explicit ParquetSink(const SinkContext& context)
        : source_(context.tables),
          losses_(context.losses),
          layout_(context.tables, grouping_for(context.output)),
          files_(context.output, layout_, ".parquet"),
          codec_(context.settings.text(parquet_options, "parquet-compression") == "none" ? Codec::none : Codec::zstd),
          most_waiting_(context.settings.number(parquet_options, "parquet-memory")),
          encoder_(context.tables, codec_, level_of(context.settings)),
          created_by_("hwtrace") {
        if (!context.settings.version.empty()) created_by_.append(" ").append(context.settings.version);
        for (const StoredTable& table : layout_.tables())
            tables_.emplace_back(table, codec_);
    }

    void add(std::size_t table, TableChunk& rows) override;
    void finish() override;

private:
    struct Table {
        Table(const StoredTable& stored, Codec codec) : file(stored, codec), columns(stored.columns.size()) {}

        ParquetFile file;
        std::vector<ColumnBuffer> columns;
        std::size_t rows = 0;
        std::size_t bytes = 0;  ///< of the rows that wait
    };

    static int level_of(const Settings& settings) {
        const std::uint64_t level = settings.number(parquet_options, "parquet-level");
        if (level < 1 || level > 19) fail(Failure::usage, "--parquet-level: takes a number from 1 to 19");
        return static_cast<int>(level);
    }
    void add_own_columns(Table& into, std::size_t table, std::size_t rows);
    void measure(Table& table);
    void write_row_group(std::size_t index);
    /// Appends the first bytes of a file, unless the file has some.
    void begin(std::size_t index);

    const TraceTables& source_;
    Losses& losses_;
    TableLayout layout_;
    TableFiles files_;
    Codec codec_;
    std::uint64_t most_waiting_;  ///< bytes of rows that wait, in all tables
    ChunkEncoder encoder_;
    std::string created_by_;
    std::vector<Table> tables_;
    std::size_t waiting_ = 0;
    Appender out_;
};

void ParquetSink::add(std::size_t table, TableChunk& rows) {
    const std::size_t index = layout_.table_of(table);
    Table& into = tables_[index];
    const std::vector<TableColumn>& columns = source_.all()[table].columns;
    if (layout_.is_single()) add_own_columns(into, table, rows.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        ColumnBuffer& buffer = into.columns[layout_.column_of(table, i)];
        buffer.skip(into.rows - buffer.rows());  // rows of other tables
        buffer.add(columns[i], rows.column(i), rows.size());
    }
    into.rows += rows.size();
    measure(into);
    if (into.rows >= rows_a_group) write_row_group(index);
    // A table without rows takes no memory, so that the loop ends.
    while (waiting_ > most_waiting_) {
        const auto largest = std::ranges::max_element(tables_, {}, &Table::bytes);
        write_row_group(static_cast<std::size_t>(largest - tables_.begin()));
    }
}

void ParquetSink::add_own_columns(Table& into, std::size_t table, std::size_t rows) {
    for (std::size_t i = 0; i < TableLayout::own_columns; ++i)
        into.columns[i].add_copies(table, rows);
}

void ParquetSink::measure(Table& table) {
    std::size_t bytes = 0;
    for (const ColumnBuffer& column : table.columns)
        bytes += column.bytes();
    waiting_ += bytes - table.bytes;
    table.bytes = bytes;
}

void ParquetSink::begin(std::size_t index) {
    out_.clear();
    if (files_.size(index) == 0) ParquetFile::begin(out_);
}

void ParquetSink::write_row_group(std::size_t index) {
    Table& table = tables_[index];
    for (ColumnBuffer& column : table.columns)
        column.skip(table.rows - column.rows());
    begin(index);
    table.file.add_row_group(table.columns, encoder_, files_.size(index) + out_.size(), out_);
    files_.append(index, out_.span());
    for (ColumnBuffer& column : table.columns)
        column.clear(tables_.size() <= few_tables);
    table.rows = 0;
    measure(table);
}

void ParquetSink::finish() {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        if (tables_[i].rows != 0) write_row_group(i);
        begin(i);
        tables_[i].file.end(facts_of(source_, layout_.tables()[i]), created_by_, out_);
        files_.append(i, out_.span());
    }
    count_left_out_facts(facts_left_out(source_.schema()), losses_);
}

}  // namespace

std::unique_ptr<TableSink> make_parquet_sink(const SinkContext& context) {
    return std::make_unique<ParquetSink>(context);
}

}  // namespace hwtrace::tables
