#include "parquet_file.hpp"

#include <algorithm>

namespace hwtrace::tables {
namespace {

constexpr std::string_view list_name = "list", element_name = "element";

void write_logical_type(const ParquetType& type, ThriftWriter& element) {
    if (type.logical == Logical::none) return;
    if (type.logical == Logical::string) {
        element.i32(6, static_cast<std::int32_t>(Converted::utf8));
    } else {
        const Converted first = type.is_signed ? Converted::int8 : Converted::uint8;
        const int step = type.bits == 8 ? 0 : type.bits == 16 ? 1 : type.bits == 32 ? 2 : 3;
        element.i32(6, static_cast<std::int32_t>(first) + step);
    }
    element.begin(10);
    element.begin(static_cast<std::int16_t>(type.logical));
    if (type.logical == Logical::integer) {
        element.i8(1, static_cast<std::int8_t>(type.bits));
        element.boolean(2, type.is_signed);
    }
    element.end();
    element.end();
}

void write_leaf(const ParquetType& type, Repetition repetition, std::string_view name, ThriftWriter& footer) {
    footer.begin_element();
    footer.i32(1, static_cast<std::int32_t>(type.physical));
    footer.i32(3, static_cast<std::int32_t>(repetition));
    footer.text(4, name);
    write_logical_type(type, footer);
    footer.end();
}

/// Writes a list in three levels, as the specification wants it.
void write_list(const ParquetType& type, std::string_view name, ThriftWriter& footer) {
    footer.begin_element();
    footer.i32(3, static_cast<std::int32_t>(Repetition::required));
    footer.text(4, name);
    footer.i32(5, 1);
    footer.i32(6, static_cast<std::int32_t>(Converted::list));
    footer.begin(10);
    footer.begin(static_cast<std::int16_t>(Logical::list));
    footer.end();
    footer.end();
    footer.end();
    footer.begin_element();
    footer.i32(3, static_cast<std::int32_t>(Repetition::repeated));
    footer.text(4, list_name);
    footer.i32(5, 1);
    footer.end();
    write_leaf(type, Repetition::required, element_name, footer);
}

void write_schema(const StoredTable& table, ThriftWriter& footer) {
    std::size_t elements = 1;
    for (const StoredColumn& column : table.columns)
        elements += column.from->is_repeated ? 3 : 1;
    footer.list_of_structures(2, elements);
    footer.begin_element();
    footer.text(4, "schema");
    footer.i32(5, static_cast<std::int32_t>(table.columns.size()));
    footer.end();
    for (const StoredColumn& column : table.columns) {
        const ParquetType type = parquet_type(stored_type(*column.from));
        if (column.from->is_repeated)
            write_list(type, column.name, footer);
        else
            write_leaf(type, column.is_optional ? Repetition::optional : Repetition::required, column.name, footer);
    }
}

void write_statistics(const ChunkFacts& chunk, ThriftWriter& facts) {
    facts.begin(12);
    facts.i64(3, static_cast<std::int64_t>(chunk.nulls));
    if (chunk.least && chunk.greatest) {
        facts.text(5, *chunk.greatest);
        facts.text(6, *chunk.least);
    }
    facts.end();
}

}  // namespace

void ParquetFile::describe(const StoredColumn& column, const ChunkFacts& chunk, std::uint64_t offset,
                           ThriftWriter& group) const {
    const auto place = [offset](std::uint64_t at) { return static_cast<std::int64_t>(offset + at); };
    group.begin_element();
    group.i64(2, place(0));
    group.begin(3);
    group.i32(1, static_cast<std::int32_t>(parquet_type(stored_type(*column.from)).physical));
    group.list_of_i32(2, chunk.encodings.size());
    for (const Encoding encoding : chunk.encodings)
        group.i32_element(static_cast<std::int32_t>(encoding));
    group.list_of_text(3, column.from->is_repeated ? 3 : 1);
    group.text_element(column.name);
    if (column.from->is_repeated) {
        group.text_element(list_name);
        group.text_element(element_name);
    }
    group.i32(4, static_cast<std::int32_t>(codec_));
    group.i64(5, static_cast<std::int64_t>(chunk.values));
    group.i64(6, static_cast<std::int64_t>(chunk.raw_size));
    group.i64(7, static_cast<std::int64_t>(chunk.stored_size));
    group.i64(9, place(chunk.data_at));
    if (chunk.dictionary_at) group.i64(11, place(*chunk.dictionary_at));
    write_statistics(chunk, group);
    group.end();
    group.end();
}

void ParquetFile::add_row_group(const std::vector<ColumnBuffer>& columns, ChunkEncoder& encoder, std::uint64_t offset,
                                Appender& out) {
    const std::size_t start = out.size();
    const std::size_t rows = columns.front().rows();
    std::uint64_t raw_size = 0;
    chunks_.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::uint64_t at = offset + (out.size() - start);
        chunks_.emplace_back(encoder.encode(table_.columns[i], columns[i], out), at);
        raw_size += chunks_.back().first.raw_size;
    }
    ThriftWriter group(row_groups_);
    group.list_of_structures(1, columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i)
        describe(table_.columns[i], chunks_[i].first, chunks_[i].second, group);
    group.i64(2, static_cast<std::int64_t>(raw_size));
    group.i64(3, static_cast<std::int64_t>(rows));
    group.i64(5, static_cast<std::int64_t>(offset));
    group.i64(6, static_cast<std::int64_t>(out.size() - start));
    group.end();
    rows_ += rows;
    ++groups_;
}

void ParquetFile::end(const KeyValues& facts, std::string_view created_by, Appender& out) const {
    const std::size_t start = out.size();
    ThriftWriter footer(out);
    footer.i32(1, 2);
    write_schema(table_, footer);
    footer.i64(3, static_cast<std::int64_t>(rows_));
    footer.list_of_structures(4, groups_);
    out.bytes(row_groups_.span());
    footer.list_of_structures(5, facts.size());
    for (const auto& [key, value] : facts) {
        footer.begin_element();
        footer.text(1, key);
        footer.text(2, value);
        footer.end();
    }
    footer.text(6, created_by);
    // Least and greatest values are in the order of the columns' types: unsigned numbers are compared as unsigned.
    footer.list_of_structures(7, table_.columns.size());
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
        footer.begin_element();
        footer.begin(1);
        footer.end();
        footer.end();
    }
    footer.end();
    out.le(static_cast<std::uint32_t>(out.size() - start));
    out.text(parquet_magic);
}

}  // namespace hwtrace::tables
