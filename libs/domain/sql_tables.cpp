#include "domain/sql_tables.hpp"

#include <algorithm>

#include "domain/durations.hpp"
#include "domain/protocols.hpp"
#include "domain/unique_names.hpp"
#include "domain/utf8.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view reserved = "sqlite_";
constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD

std::string sql_name(std::string_view name) {
    std::string text = as_utf8(name);
    for (std::size_t at = 0; (at = text.find('\0', at)) != std::string::npos; at += replacement_character.size())
        text.replace(at, 1, replacement_character);
    return UniqueNames::lower(text).starts_with(reserved) ? "_" + text : text;
}

}  // namespace

SqlTables::SqlTables(const TraceTables& described) {
    UniqueNames names;
    for (const TraceTable& table : described.all()) {
        SqlTable& made = tables.emplace_back();
        made.name = names.add(sql_name(table.name));
        UniqueNames columns;
        for (const TableColumn& column : table.columns) {
            if (made.columns.size() == most_sql_columns) break;
            made.columns.push_back(columns.add(sql_name(column.name)));
        }
    }
    tracks = names.add("tracks");
    metadata = names.add("metadata");
}

SqlTrackRow::SqlTrackRow(const TraceTables& tables, const TraceTable& table) : row(name_of(table.row)) {
    const Schema& schema = tables.schema();
    const Track& track = tables.track(table);
    scope = path_of(schema, track.scope);
    for (ScopeId at = track.scope; at != none && clock.empty(); at = schema.scopes()[at].parent)
        if (schema.scopes()[at].clock < schema.clocks().size()) clock = schema.clocks()[schema.scopes()[at].clock].name;
    const TimeBase& base = track.time;
    time_unit = base.kind == TimeBase::Kind::seconds  ? "seconds"
                : base.kind == TimeBase::Kind::cycles ? "cycles"
                                                      : "position";
    if (!has_duration(base)) return;
    num = base.num;
    den = base.den;
}

std::string sql_quoted(std::string_view name) {
    std::string quoted = "\"";
    for (const char c : name)
        quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

bool is_sql_unsigned(const TableColumn& column) noexcept {
    return column.type == Type::u64 || column.type == Type::pointer || column.type == Type::time ||
           column.content == TableColumn::Content::duration;
}

std::string_view sql_type(const TableColumn& column) noexcept {
    using ColumnContent = TableColumn::Content;
    if (column.content == ColumnContent::text || column.is_repeated) return "TEXT";
    if (column.content == ColumnContent::bytes) return "BLOB";
    if (is_sql_unsigned(column)) return "";
    switch (column.type) {
        case Type::enumeration:
            return "";
        case Type::f32:
        case Type::f64:
        case Type::fixed:
        case Type::ufixed:
            return "REAL";
        case Type::text:
        case Type::label:
        case Type::bits:
        case Type::logic:
            return "TEXT";
        case Type::blob:
            return "BLOB";
        default:
            return "INTEGER";
    }
}

std::string sql_columns(const SqlTable& names, const TraceTable& table) {
    std::string list;
    for (std::size_t at = 0; at < names.columns.size(); ++at) {
        if (at != 0) list += ", ";
        list += sql_quoted(names.columns[at]);
        const std::string_view type = sql_type(table.columns[at]);
        if (!type.empty()) list.append(" ").append(type);
    }
    return list;
}

}  // namespace hwtrace
