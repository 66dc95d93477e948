#include "database_writer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/table_losses.hpp"
#include "connection.hpp"
#include "domain/conventions.hpp"
#include "domain/real_values.hpp"
#include "domain/sql_tables.hpp"
#include "domain/sql_values.hpp"
#include "domain/table_rows.hpp"
#include "domain/trace_tables.hpp"
#include "domain/unique_names.hpp"
#include "views.hpp"

namespace hwtrace::sqlite {
namespace {

constexpr std::size_t most_prepared = 256;    // statements; each takes some kilobytes
constexpr std::uint64_t least_indexed = 100;  // rows: SQLite reads fewer as fast without an index
constexpr std::size_t tracks_count = 8, facts_count = 2;

class Database final : public Writer {
public:
    Database(Output& output, const Schema& schema, const Settings& settings, Losses& losses)
        : output_(output),
          schema_(schema),
          losses_(losses),
          tables_(schema, settings.symbols),
          names_(tables_),
          values_(tables_, schema),
          rows_(tables_, [this](std::size_t table, TableChunk& chunk) { add(table, chunk); }),
          row_counts_(tables_.all().size()),
          connection_(settings.temporary_folder) {
        for (std::size_t table = 0; table < tables_.all().size(); ++table)
            connection_.run("CREATE TABLE " + sql_quoted(names_.tables[table].name) + "(" +
                            sql_columns(names_.tables[table], tables_.all()[table]) + ")");
        describe();
    }

    void write(const Batch& batch) override { rows_.add(batch); }
    void finish() override;

private:
    void describe();
    void add(std::size_t table, const TableChunk& chunk);
    void count_not_a_number(const TraceTable& table, std::size_t column, std::size_t row);
    void count_left_out_columns(const TraceTable& table, std::size_t written, const TableChunk& chunk);
    void make_indexes();

    Output& output_;
    const Schema& schema_;
    Losses& losses_;
    TraceTables tables_;
    SqlTables names_;
    SqlValues values_;
    TableRows rows_;
    std::vector<std::uint64_t> row_counts_;  // by table
    Connection connection_;
    std::map<std::size_t, Connection::Insertion> insertions_;  // by table
};

void Database::describe() {
    connection_.run("CREATE TABLE " + sql_quoted(names_.tracks) + "(" + std::string(tracks_columns) + ")");
    connection_.run("CREATE TABLE " + sql_quoted(names_.metadata) + "(" + std::string(metadata_columns) + ")");
    const auto number = [](std::uint64_t value) {
        SqlValue made;
        made.kind = SqlValue::Kind::integer;
        made.integer = static_cast<std::int64_t>(value);
        return made;
    };
    Connection::Insertion tracks(connection_, sql_quoted(names_.tracks), tracks_count);
    for (std::size_t i = 0; i < tables_.all().size(); ++i) {
        const TraceTable& table = tables_.all()[i];
        const SqlTrackRow row(tables_, table);
        std::size_t column = 0;
        for (const std::string_view text :
             {std::string_view(names_.tables[i].name), std::string_view(table.path), row.row,
              std::string_view(row.scope), std::string_view(row.clock), row.time_unit})
            tracks.bind(column++, text);
        tracks.bind(column++, number(row.num));
        tracks.bind(column, number(row.den));
        tracks.insert();
    }
    Connection::Insertion facts(connection_, sql_quoted(names_.metadata), facts_count);
    for (const Metadata& fact : schema_.metadata()) {
        facts.bind(0, std::string_view(fact.key));
        facts.bind(1, std::string_view(fact.value));
        facts.insert();
    }
}

void Database::add(std::size_t index, const TableChunk& chunk) {
    const TraceTable& table = tables_.all()[index];
    const std::size_t columns = names_.tables[index].columns.size();
    auto found = insertions_.find(index);
    if (found == insertions_.end()) {
        if (insertions_.size() == most_prepared) insertions_.clear();
        found = insertions_
                    .emplace(index, Connection::Insertion(connection_, sql_quoted(names_.tables[index].name), columns))
                    .first;
    }
    row_counts_[index] += chunk.size();
    Connection::Insertion& insertion = found->second;
    for (std::size_t row = 0; row < chunk.size(); ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            const TableColumn& described = table.columns[column];
            const SqlValue value = values_.at(chunk, described, column, row);
            insertion.bind(column, value);
            if (value.kind == SqlValue::Kind::null && is_real(described.type) && chunk.has(column, row))
                count_not_a_number(table, column, row);
        }
        insertion.insert();
    }
    if (columns < table.columns.size()) count_left_out_columns(table, columns, chunk);
}

void Database::count_not_a_number(const TraceTable& table, std::size_t column, std::size_t row) {
    losses_.count(Loss::value_narrowed, table.columns[column].name,
                  [&] { return "row " + std::to_string(row) + " of " + table.name + ": NaN becomes NULL"; });
}

void Database::count_left_out_columns(const TraceTable& table, std::size_t written, const TableChunk& chunk) {
    for (std::size_t column = written; column < table.columns.size(); ++column)
        losses_.count(
            Loss::field_dropped, table.columns[column].name,
            [&] {
                return table.name + ": tables of SQLite have at most " + std::to_string(most_sql_columns) + " columns";
            },
            chunk.size());
}

void Database::make_indexes() {
    UniqueNames used;
    for (const SqlTable& table : names_.tables)
        used.add(table.name);
    used.add(names_.tracks);
    used.add(names_.metadata);
    for (std::size_t i = 0; i < tables_.all().size(); ++i) {
        const TraceTable& table = tables_.all()[i];
        if (row_counts_[i] < least_indexed) continue;
        for (std::size_t column = 0; column < names_.tables[i].columns.size(); ++column) {
            const TableColumn& described = table.columns[column];
            const bool is_time =
                described.content == TableColumn::Content::time || described.content == TableColumn::Content::begin;
            const std::string& name = names_.tables[i].columns[column];
            if (!is_time && !is_reference(table, described)) continue;
            connection_.run("CREATE INDEX " + sql_quoted(used.add(names_.tables[i].name + "." + name)) + " ON " +
                            sql_quoted(names_.tables[i].name) + "(" + sql_quoted(name) + ")");
        }
    }
    for (const std::string& view : join_views(tables_, names_, used))
        connection_.run(view);
}

void Database::finish() {
    rows_.finish();
    insertions_.clear();
    count_row_losses(rows_, schema_, losses_);
    if (rows_.left_out() != 0)
        losses_.count(
            Loss::part_dropped, Subject::general("values without a column"),
            [] { return std::string("a value that its track does not describe, or the second value of a field"); },
            rows_.left_out());
    make_indexes();
    connection_.finish(output_);
}

}  // namespace

std::unique_ptr<Writer> make_database(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return std::make_unique<Database>(output, schema, settings, losses);
}

}  // namespace hwtrace::sqlite
