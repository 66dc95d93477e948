#include <cstdint>
#include <string>
#include <vector>

#include "domain/value_text.hpp"
#include "io/cursor.hpp"
#include "io/text_output.hpp"
#include "sinks.hpp"
#include "table_files.hpp"
#include "table_layout.hpp"

namespace hwtrace::tables {
namespace {

constexpr std::size_t full_text = 256u << 10;                     ///< bytes of text of a table that are written at once
constexpr std::size_t most_waiting_text = std::size_t{32} << 20;  ///< bytes of text that wait, in all tables
constexpr std::string_view line_end = "\r\n";                     ///< RFC 4180

class CsvSink final : public TableSink {
public:
    explicit CsvSink(const SinkContext& context)
        : source_(context.tables),
          losses_(context.losses),
          layout_(context.tables, grouping_for(context.output)),
          files_(context.output, layout_, ".csv"),
          waiting_texts_(layout_.tables().size()) {
        for (std::size_t i = 0; i < layout_.tables().size(); ++i)
            write_names(i);
        for (const TraceTable& table : source_.all())
            fields_.push_back(fields_of(table));
    }

    void add(std::size_t table, TableChunk& rows) override;
    void finish() override {
        for (std::size_t i = 0; i < waiting_texts_.size(); ++i)
            write_text(i);
        count_left_out_facts(source_.schema().metadata().size(), losses_);
    }

private:
    static std::vector<Field> fields_of(const TraceTable& table);
    void write_names(std::size_t index);
    void write_row(std::size_t table, const TableChunk& rows, std::size_t row);
    void append(const TableColumn& column, const Field& field, std::uint64_t cell);
    void append_list(const TableColumn& column, const Field& field, std::span<const std::uint64_t> cells);
    void keep_text(std::size_t index);
    void write_text(std::size_t index);

    const TraceTables& source_;
    Losses& losses_;
    TableLayout layout_;
    TableFiles files_;
    std::vector<std::vector<Field>> fields_;  ///< by table and column
    TextOutput out_{-1};                      ///< the text of a chunk
    std::vector<std::string> waiting_texts_;  ///< by stored table
    std::size_t waiting_ = 0;
    std::vector<std::size_t> order_;  ///< single: the source column of each stored column
};

std::vector<Field> CsvSink::fields_of(const TraceTable& table) {
    std::vector<Field> fields;
    for (const TableColumn& column : table.columns) {
        Field& field = fields.emplace_back();
        field.name = column.name;
        field.type = stored_type(column);
        field.enumeration = column.enumeration;
    }
    return fields;
}

void CsvSink::write_names(std::size_t index) {
    out_.clear();
    bool is_first = true;
    for (const StoredColumn& column : layout_.tables()[index].columns) {
        if (!is_first) out_.put(',');
        is_first = false;
        append_csv(column.name, out_);
    }
    out_.put(line_end);
    keep_text(index);
}

void CsvSink::add(std::size_t table, TableChunk& rows) {
    const std::size_t index = layout_.table_of(table);
    const std::size_t columns = source_.all()[table].columns.size();
    out_.clear();
    if (layout_.is_single()) {
        order_.assign(layout_.tables()[index].columns.size(), columns);
        for (std::size_t i = 0; i < columns; ++i)
            order_[layout_.column_of(table, i)] = i;
    }
    for (std::size_t row = 0; row < rows.size(); ++row)
        write_row(table, rows, row);
    keep_text(index);
}

void CsvSink::write_row(std::size_t table, const TableChunk& rows, std::size_t row) {
    const TraceTable& from = source_.all()[table];
    const std::size_t own = layout_.is_single() ? TableLayout::own_columns : 0;
    const std::size_t stored = layout_.is_single() ? order_.size() : from.columns.size();
    if (layout_.is_single()) {
        append_csv(from.name, out_);
        out_.put(',');
        out_.put(name_of(from.row));
    }
    for (std::size_t at = own; at < stored; ++at) {
        if (at != 0) out_.put(',');
        const std::size_t i = layout_.is_single() ? order_[at] : at;
        if (i == from.columns.size()) continue;
        const TableColumn& column = from.columns[i];
        const Field& field = fields_[table][i];
        if (column.is_repeated) {
            append_list(column, field, rows.values(i, row));
        } else if (column.has_own_text()) {
            const std::string_view text = rows.own_text(i, row);
            if (column.type == Type::blob && !text.empty())
                append_hex_bytes(as_bytes(text), out_);
            else
                append_csv(text, out_);
        } else if (rows.has(i, row)) {
            append(column, field, rows.cell(i, row));
        }
    }
    out_.put(line_end);
}

void CsvSink::append(const TableColumn& column, const Field& field, std::uint64_t cell) {
    if (field.type == Type::i64) return out_.decimal_signed(static_cast<std::int64_t>(cell));
    if (column.type == Type::enumeration) {
        if (const std::string* const label = source_.label(column, cell)) return append_csv(*label, out_);
        return out_.decimal(cell);
    }
    if (column.type == Type::boolean) return out_.put(cell != 0 ? "true" : "false");
    if (holds_text(column.type) && cell >= source_.schema().string_count()) return;
    if (holds_text(column.type) && column.type != Type::blob)
        return append_csv(source_.schema().text(static_cast<StringId>(cell)), out_);
    append_json_value(source_.schema(), field, cell, JsonIntegers::numbers, out_);
}

void CsvSink::append_list(const TableColumn& column, const Field& field, std::span<const std::uint64_t> cells) {
    TextOutput json(-1, 256);
    json.put('[');
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i != 0) json.put(',');
        const std::string* const label = column.type == Type::enumeration ? source_.label(column, cells[i]) : nullptr;
        if (label != nullptr)
            append_json_string(*label, json);
        else if (column.type == Type::enumeration)
            json.decimal(cells[i]);
        else
            append_json_value(source_.schema(), field, cells[i], JsonIntegers::numbers, json);
    }
    json.put(']');
    append_csv(json.text(), out_);
}

void CsvSink::keep_text(std::size_t index) {
    waiting_texts_[index].append(out_.text());
    waiting_ += out_.text().size();
    if (waiting_texts_[index].size() >= full_text) write_text(index);
    if (waiting_ <= most_waiting_text) return;
    for (std::size_t i = 0; i < waiting_texts_.size(); ++i)
        write_text(i);
}

void CsvSink::write_text(std::size_t index) {
    std::string& text = waiting_texts_[index];
    files_.append(index, as_bytes(text));
    waiting_ -= text.size();
    text = {};
}

}  // namespace

std::unique_ptr<TableSink> make_csv_sink(const SinkContext& context) {
    return std::make_unique<CsvSink>(context);
}

}  // namespace hwtrace::tables
