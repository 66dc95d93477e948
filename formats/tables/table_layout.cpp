#include "table_layout.hpp"

#include <map>
#include <tuple>

#include "domain/unique_names.hpp"

namespace hwtrace::tables {
namespace {

/// Columns with equal keys can share one column.
using ColumnKey = std::tuple<std::string, Type, EnumId, TableColumn::Content, bool, bool>;

ColumnKey key_of(const TableColumn& column) {
    using ColumnContent = TableColumn::Content;
    const bool has_own_labels = column.content == ColumnContent::member || column.content == ColumnContent::function ||
                                column.content == ColumnContent::source;
    const ColumnContent labels =
        column.type == Type::enumeration && has_own_labels ? column.content : ColumnContent::field;
    return {UniqueNames::lower(column.name),
            stored_type(column),
            column.enumeration,
            labels,
            column.is_repeated,
            column.has_own_text()};
}

TableColumn own_column(const char* name) {
    TableColumn column;
    column.name = name;
    column.type = Type::enumeration;
    return column;
}

}  // namespace

TableLayout::TableLayout(const TraceTables& tables, Grouping grouping) : grouping_(grouping) {
    if (is_single()) {
        add_single(tables);
        return;
    }
    for (const TraceTable& table : tables.all()) {
        StoredTable& stored = stored_.emplace_back(StoredTable{table.name, &table, {}});
        for (const TableColumn& column : table.columns)
            stored.columns.push_back({column.name, &column, column.is_nullable, {}});
    }
}

void TableLayout::add_single(const TraceTables& tables) {
    StoredTable& stored = stored_.emplace_back(StoredTable{"trace", nullptr, {}});
    for (const TraceTable& table : tables.all()) {
        names_.push_back(table.name);
        kinds_.emplace_back(name_of(table.row));
    }
    if (names_.empty()) names_ = kinds_ = {""};
    stored.columns.push_back({"track", &own_.emplace_back(own_column("track")), false, names_});
    stored.columns.push_back({"kind", &own_.emplace_back(own_column("kind")), false, kinds_});
    std::map<ColumnKey, std::uint32_t> known;
    UniqueNames names;
    for (const StoredColumn& column : stored.columns)
        names.add(column.name);
    for (const TraceTable& table : tables.all()) {
        std::vector<std::uint32_t>& columns = columns_.emplace_back();
        for (const TableColumn& column : table.columns) {
            const auto [entry, is_new] =
                known.emplace(key_of(column), static_cast<std::uint32_t>(stored.columns.size()));
            columns.push_back(entry->second);
            if (!is_new) continue;
            std::string name = column.name;
            if (names.has(name)) name.append("_").append(hwtrace::name_of(stored_type(column)));
            stored.columns.push_back({names.add(name), &column, !column.is_repeated, {}});
        }
    }
}

}  // namespace hwtrace::tables
