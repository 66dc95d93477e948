#include "query/table_list.hpp"

#include <algorithm>
#include <string_view>

#include "domain/table_rows.hpp"

namespace hwtrace {

namespace {

constexpr std::size_t most_example = 60;  // bytes of a text

SqlValue text_cell(std::string_view text) {
    SqlValue value;
    value.kind = SqlValue::Kind::text;
    value.text = text;
    return value;
}

/// Shortens long texts, so that lists stay readable.
SqlValue shortened(SqlValue value) {
    if (value.text.size() <= most_example) return value;
    std::size_t end = most_example;
    while (end > 0 && (static_cast<unsigned char>(value.text[end]) & 0xC0) == 0x80)
        --end;  // inside a character
    value.text = value.text.substr(0, end);
    return value;
}

class TableList {
public:
    TableList(QueryTrace& trace, const std::string& schema, QueryResult& result)
        : trace_(trace), schema_(schema), result_(result), examples_(trace.tables().all().size()) {}

    void write() {
        const std::unique_ptr<QueryTrace::Reading> reading = trace_.read();
        std::size_t missing = examples_.size();
        TableRows rows(
            trace_.tables(),
            [&](std::size_t table, TableChunk& chunk) {
                if (examples_[table]) return;
                examples_[table].emplace(std::exchange(chunk, TableChunk(trace_.tables().all()[table])));
                --missing;
            },
            1);
        while (missing != 0 && reading->next())
            rows.add(reading->batch());
        if (missing != 0) rows.finish();
        SqlValues values(trace_.tables(), reading->schema());
        for (std::size_t table = 0; table < examples_.size(); ++table)
            write_table(table, values);
        write_helpers();
    }

private:
    void write_table(std::size_t table, SqlValues& values) {
        const TraceTable& described = trace_.tables().all()[table];
        const SqlTable& names = trace_.names().tables[table];
        for (std::size_t column = 0; column < names.columns.size(); ++column) {
            const TableColumn& of = described.columns[column];
            const std::string type = std::string(name_of(of.type)) + (of.is_repeated ? "[]" : "");
            std::vector<SqlValue> row;
            if (!schema_.empty()) row.push_back(text_cell(schema_));
            row.push_back(text_cell(names.name));
            row.push_back(text_cell(name_of(described.row)));
            row.push_back(text_cell(names.columns[column]));
            row.push_back(text_cell(type));
            row.push_back(examples_[table] ? shortened(values.at(*examples_[table], of, column, 0)) : SqlValue());
            result_.row(row);
        }
    }

    /// Lists the tables that describe the trace, whose names depend on those of its tracks.
    void write_helpers() {
        const TraceTables& tables = trace_.tables();
        std::vector<std::string> track, fact;
        if (!tables.all().empty()) {
            const TraceTable& first = tables.all().front();
            const SqlTrackRow row(tables, first);
            track = {trace_.names().tables.front().name,
                     first.path,
                     std::string(row.row),
                     row.scope,
                     row.clock,
                     std::string(row.time_unit),
                     std::to_string(row.num),
                     std::to_string(row.den)};
        }
        if (const auto& facts = tables.schema().metadata(); !facts.empty())
            fact = {facts.front().key, facts.front().value};
        write_helper(trace_.names().tracks, "table", tracks_columns, track);
        write_helper(trace_.names().metadata, "fact", metadata_columns, fact);
    }
    /// `columns`: as in CREATE TABLE. `example`: the cells of the first row; empty if there is none.
    void write_helper(std::string_view name, std::string_view row_is, std::string_view columns,
                      const std::vector<std::string>& example) {
        constexpr std::string_view separator = ", ";
        for (std::size_t i = 0; !columns.empty(); ++i) {
            const std::string_view column = columns.substr(0, columns.find(separator));
            columns.remove_prefix(std::min(columns.size(), column.size() + separator.size()));
            const std::string_view type = column.ends_with(" INTEGER") ? "i64" : "text";
            std::vector<SqlValue> row;
            if (!schema_.empty()) row.push_back(text_cell(schema_));
            for (const std::string_view text : {name, row_is, column.substr(0, column.find(' ')), type})
                row.push_back(text_cell(text));
            row.push_back(i < example.size() ? shortened(text_cell(example[i])) : SqlValue());
            result_.row(row);
        }
    }

    QueryTrace& trace_;
    const std::string& schema_;
    QueryResult& result_;
    std::vector<std::optional<TableChunk>> examples_;  // by table
};

}  // namespace

std::vector<std::string> list_columns(bool has_schema) {
    std::vector<std::string> columns{"table", "row", "column", "type", "example"};
    if (has_schema) columns.insert(columns.begin(), "schema");
    return columns;
}

void list_tables(QueryTrace& trace, const std::string& schema, QueryResult& result) {
    TableList(trace, schema, result).write();
}

}  // namespace hwtrace
