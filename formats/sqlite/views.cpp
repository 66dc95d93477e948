#include "views.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "domain/conventions.hpp"

namespace hwtrace::sqlite {
namespace {

using Row = TraceTable::Row;

constexpr std::size_t most_selects = 500;  // SQLITE_MAX_COMPOUND_SELECT

/// Returns the index of the first column with this name in the trace, or the number of columns.
std::size_t place_of(const TraceTable& table, std::string_view name) {
    const auto found = std::ranges::find(table.columns, name, &TableColumn::name);
    return static_cast<std::size_t>(found - table.columns.begin());
}

std::string literal(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text)
        quoted.append(c == '\'' ? 2 : 1, c);
    return quoted + "'";
}

std::string ends_view(const TraceTable& relation, const SqlTable& names, const std::string& view,
                      const std::string& intervals) {
    std::string sql = "CREATE VIEW " + view + " AS SELECT r.*";
    for (const std::string_view end : {"from", "to"}) {
        const std::string alias = std::string(end) + "_interval";
        for (const std::string_view column : {"table", "begin", "end", "duration"})
            sql += ", " + alias + ".\"" + std::string(column) + "\" AS \"" + std::string(end) + "_" +
                   std::string(column) + "\"";
    }
    sql += " FROM " + sql_quoted(names.name) + " r";
    for (const std::string_view end : {conventions::relation_from, conventions::relation_to}) {
        const bool is_from = end == conventions::relation_from;
        const std::string alias = is_from ? "from_interval" : "to_interval";
        sql += " LEFT JOIN " + intervals + " " + alias + " ON " + alias + ".id = r." +
               sql_quoted(names.columns[place_of(relation, end)]);
    }
    return sql;
}

/// Returns true if the table in SQL has both ends of a relation. SQLite does not take all columns of a wide table.
bool relates(const TraceTable& table, const SqlTable& names) {
    return table.row == Row::relation && place_of(table, conventions::relation_from) < names.columns.size() &&
           place_of(table, conventions::relation_to) < names.columns.size();
}

}  // namespace

bool is_reference(const TraceTable& table, const TableColumn& column) noexcept {
    if (column.content != TableColumn::Content::field || column.is_repeated) return false;
    if (table.row == Row::interval) return column.name == conventions::interval_id;
    return table.row == Row::relation &&
           (column.name == conventions::relation_from || column.name == conventions::relation_to);
}

std::vector<std::string> join_views(const TraceTables& tables, const SqlTables& names, UniqueNames& used) {
    std::string selects;
    std::size_t count = 0;
    for (std::size_t i = 0; i < tables.all().size(); ++i) {
        const TraceTable& table = tables.all()[i];
        const std::size_t id = place_of(table, conventions::interval_id);
        if (table.row != Row::interval || id >= names.tables[i].columns.size()) continue;
        selects += (count++ == 0 ? "" : " UNION ALL ") + std::string("SELECT ") +
                   sql_quoted(names.tables[i].columns[id]) + " AS id, " + literal(names.tables[i].name) +
                   " AS \"table\", \"begin\", \"end\", duration FROM " + sql_quoted(names.tables[i].name);
    }
    bool has_relation = false;
    for (std::size_t i = 0; i < tables.all().size(); ++i)
        has_relation = has_relation || relates(tables.all()[i], names.tables[i]);
    if (count == 0 || count > most_selects || !has_relation) return {};
    const std::string intervals = sql_quoted(used.add("intervals"));
    std::vector<std::string> views{"CREATE VIEW " + intervals + " AS " + selects};
    for (std::size_t i = 0; i < tables.all().size(); ++i)
        if (relates(tables.all()[i], names.tables[i]))
            views.push_back(ends_view(tables.all()[i], names.tables[i],
                                      sql_quoted(used.add(names.tables[i].name + "_ends")), intervals));
    return views;
}

}  // namespace hwtrace::sqlite
