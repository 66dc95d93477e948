// apps/query/extension.cpp - hwtrace.so, which makes traces tables in every program that uses SQLite.
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "domain/value_text.hpp"
#include "formats.hpp"
#include "hwtrace/identify.hpp"
#include "io/error.hpp"
#include "io/text_output.hpp"
#include "query/reopened_file.hpp"
#include "query/sqlite_api.hpp"
#include "query/table_cursor.hpp"
#include "query/trace_module.hpp"

extern "C" {
const sqlite3_api_routines* sqlite3_api = nullptr;
}

namespace hwtrace {

namespace {

constexpr int oldest_sqlite = 3038000;

/// A trace and its findings. SQLite's log gets each finding.
struct LoadedTrace {
    Findings findings;
    std::shared_ptr<QueryTrace> trace;
};

std::shared_ptr<QueryTrace> open_trace_file(const std::string& path) {
    const auto loaded = std::make_shared<LoadedTrace>();
    loaded->findings.listen([path](const Finding& finding) {
        sqlite3_log(SQLITE_WARNING, "%s: %s %s", path.c_str(), finding.rule->id.data(), describe(finding).c_str());
    });
    const QueryTrace::Reopen reopen = reopened_file(path, Settings().temporary_folder);
    Input input = reopen();
    const Format& format = known_format(input, targets(), {});
    loaded->trace = std::make_shared<QueryTrace>(path, reopen, format, QueryOptions(), loaded->findings);
    return {loaded, loaded->trace.get()};
}

TraceModule::Place find_table(const std::string& path, std::string_view name) {
    TraceModule::Place place{open_trace_file(path), 0};
    place.table = place.trace->tables().find(name);
    const std::size_t count = place.trace->tables().all().size();
    for (std::size_t i = 0; place.table == count && i < count; ++i)
        if (place.trace->names().tables[i].name == name) place.table = i;
    if (place.table < count) return place;
    std::string tables;
    for (const SqlTable& table : place.trace->names().tables)
        tables += (tables.empty() ? "" : ", ") + table.name;
    fail(Failure::usage, path + ": no table " + std::string(name) + "; it has " + tables);
}

/// Returns an argument of CREATE VIRTUAL TABLE without its quotes.
std::string unquoted(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    const bool is_quoted = text.size() >= 2 && text.front() == text.back() && (text[0] == '\'' || text[0] == '"');
    if (!is_quoted) return std::string(text);
    std::string plain;
    for (std::size_t at = 1; at + 1 < text.size(); ++at) {
        plain += text[at];
        if (text[at] == text[0] && text[at + 1] == text[0]) ++at;
    }
    return plain;
}

TraceModule::Place find_arguments(std::span<const char* const> arguments) {
    if (arguments.size() != 2) fail(Failure::usage, "hwtrace takes a file and a track: USING hwtrace('x.ftr', 'read')");
    return find_table(unquoted(arguments[0]), unquoted(arguments[1]));
}

// --- hwtrace_rows(FILE, TRACK) ---------------------------------------------------------------------------------------

enum RowsColumn : int { begin_column, end_column, row_column, file_column, track_column };
constexpr const char* rows_declaration =
    "CREATE TABLE x(\"begin\" INTEGER, \"end\" INTEGER, row TEXT, file HIDDEN, track HIDDEN)";

struct RowsCursor : sqlite3_vtab_cursor {
    std::shared_ptr<QueryTrace> trace;
    std::size_t table = 0;
    std::string file, track;
    std::unique_ptr<TableCursor> rows;
};

RowsCursor& cursor_of(sqlite3_vtab_cursor* cursor) noexcept {
    return *static_cast<RowsCursor*>(cursor);
}

template <typename Work>
int guarded_rows(sqlite3_vtab* table, Work&& work) noexcept {
    try {
        work();
        return SQLITE_OK;
    } catch (const std::exception& error) {
        sqlite3_free(table->zErrMsg);
        table->zErrMsg = sqlite3_mprintf("%s", error.what());
        return SQLITE_ERROR;
    }
}

int connect_rows(sqlite3* connection, void*, int, const char* const*, sqlite3_vtab** made, char**) {
    const int result = sqlite3_declare_vtab(connection, rows_declaration);
    if (result == SQLITE_OK) *made = new sqlite3_vtab();
    return result;
}

int disconnect_rows(sqlite3_vtab* table) {
    delete table;
    return SQLITE_OK;
}

/// Takes both arguments from equalities, which is how SQLite passes the arguments of a function.
int best_rows(sqlite3_vtab*, sqlite3_index_info* info) {
    int found = 0;
    for (int i = 0; i < info->nConstraint; ++i) {
        const auto& constraint = info->aConstraint[i];
        if (constraint.op != SQLITE_INDEX_CONSTRAINT_EQ || constraint.iColumn < file_column || !constraint.usable)
            continue;
        info->aConstraintUsage[i].argvIndex = constraint.iColumn - file_column + 1;
        info->aConstraintUsage[i].omit = 1;
        found |= 1 << (constraint.iColumn - file_column);
    }
    constexpr double many = 1e6;
    info->estimatedCost = many;
    return found == 3 ? SQLITE_OK : SQLITE_CONSTRAINT;
}

int open_rows(sqlite3_vtab*, sqlite3_vtab_cursor** made) {
    *made = new RowsCursor();
    return SQLITE_OK;
}

int close_rows(sqlite3_vtab_cursor* cursor) {
    delete &cursor_of(cursor);
    return SQLITE_OK;
}

int filter_rows_of(sqlite3_vtab_cursor* cursor, int, const char*, int argc, sqlite3_value** argv) {
    return guarded_rows(cursor->pVtab, [&] {
        RowsCursor& rows = cursor_of(cursor);
        const auto text = [&](int at) {
            const auto* const value = at < argc ? reinterpret_cast<const char*>(sqlite3_value_text(argv[at])) : nullptr;
            return std::string(value == nullptr ? "" : value);
        };
        if (!rows.rows || rows.file != text(0) || rows.track != text(1)) {
            rows.rows.reset();
            rows.file = text(0);
            rows.track = text(1);
            TraceModule::Place place = find_table(rows.file, rows.track);
            rows.trace = std::move(place.trace);
            rows.table = place.table;
            rows.rows = std::make_unique<TableCursor>(*rows.trace, rows.table);
        }
        TablePlan plan;
        plan.columns.assign(rows.trace->tables().all()[rows.table].columns.size(), 1);
        rows.rows->start(std::move(plan));
    });
}

int next_rows(sqlite3_vtab_cursor* cursor) {
    return guarded_rows(cursor->pVtab, [&] { cursor_of(cursor).rows->next(); });
}

int rows_at_end(sqlite3_vtab_cursor* cursor) {
    return cursor_of(cursor).rows->at_end() ? 1 : 0;
}

/// Writes a value as JSON. Blobs are hexadecimal digits; JSON has no infinite numbers, so that they are strings.
void append_member(const SqlValue& value, TextOutput& out) {
    switch (value.kind) {
        case SqlValue::Kind::null:
            return out.put("null");
        case SqlValue::Kind::integer:
            return out.decimal_signed(value.integer);
        case SqlValue::Kind::real: {
            if (std::isinf(value.real)) return out.put(value.real > 0 ? "\"Infinity\"" : "\"-Infinity\"");
            char* const text = sqlite3_mprintf("%!.17g", value.real);
            out.put(text == nullptr ? "null" : text);
            return sqlite3_free(text);
        }
        case SqlValue::Kind::text:
            return append_json_string(value.text, out);
        case SqlValue::Kind::blob:
            out.put('"');
            append_hex_bytes(std::as_bytes(std::span(value.text)), out);
            out.put('"');
    }
}

std::string row_text(RowsCursor& cursor) {
    const TraceTable& table = cursor.trace->tables().all()[cursor.table];
    const SqlTable& names = cursor.trace->names().tables[cursor.table];
    TextOutput out(-1);
    for (std::size_t column = 0; column < names.columns.size(); ++column) {
        out.put(column == 0 ? '{' : ',');
        append_json_string(names.columns[column], out);
        out.put(':');
        const SqlValue value = cursor.rows->value(column);
        if (table.columns[column].is_repeated)
            out.put(value.text);  // is JSON already
        else
            append_member(value, out);
    }
    out.put('}');
    return std::string(out.text());
}

int rows_value(sqlite3_vtab_cursor* handle, sqlite3_context* context, int column) {
    return guarded_rows(handle->pVtab, [&] {
        RowsCursor& cursor = cursor_of(handle);
        if (column == row_column) {
            const std::string text = row_text(cursor);
            sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
        } else if (column == file_column || column == track_column) {
            const std::string& text = column == file_column ? cursor.file : cursor.track;
            sqlite3_result_text64(context, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
        } else {
            using Content = TableColumn::Content;
            const TraceTable& table = cursor.trace->tables().all()[cursor.table];
            std::size_t place = table.find(column == end_column ? Content::end : Content::begin);
            if (column == begin_column && place == table.columns.size()) place = table.find(Content::time);
            const SqlValue value = place < table.columns.size() ? cursor.rows->value(place) : SqlValue();
            if (value.kind == SqlValue::Kind::integer) sqlite3_result_int64(context, value.integer);
        }
    });
}

int rows_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
    return guarded_rows(cursor->pVtab, [&] { *id = static_cast<sqlite3_int64>(cursor_of(cursor).rows->row_number()); });
}

constexpr sqlite3_module methods_of_rows() {
    sqlite3_module methods{};  // without xCreate: a function, never a table in a database
    methods.xConnect = connect_rows;
    methods.xBestIndex = best_rows;
    methods.xDisconnect = disconnect_rows;
    methods.xOpen = open_rows;
    methods.xClose = close_rows;
    methods.xFilter = filter_rows_of;
    methods.xNext = next_rows;
    methods.xEof = rows_at_end;
    methods.xColumn = rows_value;
    methods.xRowid = rows_id;
    return methods;
}

constexpr sqlite3_module rows_methods = methods_of_rows();

}  // namespace

}  // namespace hwtrace

/// SQLite calls this function when it loads hwtrace.so.
extern "C" [[gnu::visibility("default")]] int sqlite3_hwtrace_init(sqlite3* connection, char** message,
                                                                   const sqlite3_api_routines* api) {
    sqlite3_api = api;
    if (sqlite3_libversion_number() < hwtrace::oldest_sqlite) {
        *message = sqlite3_mprintf("hwtrace needs SQLite 3.38; this is %s", sqlite3_libversion());
        return SQLITE_ERROR;
    }
    try {
        auto module = std::make_unique<hwtrace::TraceModule>();
        module->find = hwtrace::find_arguments;
        hwtrace::register_trace_module(connection, std::move(module));
    } catch (const std::exception& error) {
        *message = sqlite3_mprintf("%s", error.what());
        return SQLITE_ERROR;
    }
    return sqlite3_create_module_v2(connection, "hwtrace_rows", &hwtrace::rows_methods, nullptr, nullptr);
}
