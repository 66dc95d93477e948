#include "query/trace_module.hpp"

#include <new>
#include <string_view>
#include <utility>

#include "io/error.hpp"
#include "query/sqlite_api.hpp"
#include "query/table_cursor.hpp"
#include "query/table_plan.hpp"

namespace hwtrace {

namespace {

constexpr int own_arguments = 3;  // module, database and table come before the arguments in parentheses

/// A virtual table. The base class comes first, as SQLite demands.
struct TraceTableHandle : sqlite3_vtab {
    TraceModule* module = nullptr;
    TraceModule::Place place;
};

struct TraceCursorHandle : sqlite3_vtab_cursor {
    TraceCursorHandle(QueryTrace& trace, std::size_t table) : sqlite3_vtab_cursor(), rows(trace, table) {}

    TableCursor rows;
};

TraceTableHandle& table_of(sqlite3_vtab* table) noexcept {
    return *static_cast<TraceTableHandle*>(table);
}

TableCursor& rows_of(sqlite3_vtab_cursor* cursor) noexcept {
    return static_cast<TraceCursorHandle*>(cursor)->rows;
}

/// Runs a call of SQLite. An exception becomes a result code with the message `text`, and is kept for the caller of
/// SQLite.
template <typename Work>
int guarded(TraceModule& module, char*& text, Work&& work) noexcept {
    try {
        work();
        return SQLITE_OK;
    } catch (const std::bad_alloc&) {
        return SQLITE_NOMEM;
    } catch (const std::exception& error) {
        module.error = std::current_exception();
        sqlite3_free(text);
        text = sqlite3_mprintf("%s", error.what());
        return SQLITE_ERROR;
    }
}

template <typename Work>
int guarded(sqlite3_vtab_cursor* cursor, Work&& work) noexcept {
    TraceTableHandle& table = table_of(cursor->pVtab);
    return guarded(*table.module, table.zErrMsg, std::forward<Work>(work));
}

int connect_table(sqlite3* connection, void* shared, int argc, const char* const* argv, sqlite3_vtab** made,
                  char** message) {
    auto& module = *static_cast<TraceModule*>(shared);
    return guarded(module, *message, [&] {
        const std::span<const char* const> all(argv, static_cast<std::size_t>(argc));
        TraceModule::Place place = module.find(all.subspan(own_arguments));
        const SqlTable& names = place.trace->names().tables[place.table];
        const std::string columns = sql_columns(names, place.trace->tables().all()[place.table]);
        if (sqlite3_declare_vtab(connection, ("CREATE TABLE x(" + columns + ")").c_str()) != SQLITE_OK)
            fail(Failure::internal, sqlite3_errmsg(connection));
        auto table = std::make_unique<TraceTableHandle>();
        table->module = &module;
        table->place = std::move(place);
        *made = table.release();
    });
}

/// CREATE VIRTUAL TABLE. If this were the same function as xConnect, the module itself would be a table without
/// arguments.
int create_table(sqlite3* connection, void* shared, int argc, const char* const* argv, sqlite3_vtab** made,
                 char** message) {
    return connect_table(connection, shared, argc, argv, made, message);
}

int disconnect_table(sqlite3_vtab* table) {
    delete &table_of(table);
    return SQLITE_OK;
}

int best_index(sqlite3_vtab* table, sqlite3_index_info* info) {
    const TraceTableHandle& handle = table_of(table);
    int result = SQLITE_OK;
    const int failed = guarded(*handle.module, table->zErrMsg,
                               [&] { result = choose_plan(*handle.place.trace, handle.place.table, *info); });
    return failed != SQLITE_OK ? failed : result;
}

int open_cursor(sqlite3_vtab* table, sqlite3_vtab_cursor** made) {
    TraceTableHandle& handle = table_of(table);
    return guarded(*handle.module, table->zErrMsg,
                   [&] { *made = new TraceCursorHandle(*handle.place.trace, handle.place.table); });
}

int close_cursor(sqlite3_vtab_cursor* cursor) {
    delete static_cast<TraceCursorHandle*>(cursor);
    return SQLITE_OK;
}

int filter_rows(sqlite3_vtab_cursor* cursor, int, const char* plan, int argc, sqlite3_value** argv) {
    return guarded(cursor, [&] {
        const TraceModule::Place& place = table_of(cursor->pVtab).place;
        rows_of(cursor).start(plan_of(*place.trace, place.table, plan,
                                      std::span<sqlite3_value* const>(argv, static_cast<std::size_t>(argc))));
    });
}

int next_row(sqlite3_vtab_cursor* cursor) {
    return guarded(cursor, [&] { rows_of(cursor).next(); });
}

int at_end(sqlite3_vtab_cursor* cursor) {
    return rows_of(cursor).at_end() ? 1 : 0;
}

int column_value(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int column) {
    return guarded(cursor, [&] {
        const SqlValue value = rows_of(cursor).value(static_cast<std::size_t>(column));
        // Texts outlive the row only if SQLite copies them: it may keep them while the cursor goes on.
        switch (value.kind) {
            case SqlValue::Kind::null:
                sqlite3_result_null(context);
                break;
            case SqlValue::Kind::integer:
                sqlite3_result_int64(context, value.integer);
                break;
            case SqlValue::Kind::real:
                sqlite3_result_double(context, value.real);
                break;
            case SqlValue::Kind::text:
                sqlite3_result_text64(context, value.text.empty() ? "" : value.text.data(), value.text.size(),
                                      SQLITE_TRANSIENT, SQLITE_UTF8);
                break;
            case SqlValue::Kind::blob:
                sqlite3_result_blob64(context, value.text.empty() ? "" : value.text.data(), value.text.size(),
                                      SQLITE_TRANSIENT);
        }
    });
}

int row_id(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
    return guarded(cursor, [&] { *id = static_cast<sqlite3_int64>(rows_of(cursor).row_number()); });
}

constexpr sqlite3_module methods_of_traces() {
    sqlite3_module methods{};
    methods.xCreate = create_table;
    methods.xConnect = connect_table;
    methods.xBestIndex = best_index;
    methods.xDisconnect = disconnect_table;
    methods.xDestroy = disconnect_table;
    methods.xOpen = open_cursor;
    methods.xClose = close_cursor;
    methods.xFilter = filter_rows;
    methods.xNext = next_row;
    methods.xEof = at_end;
    methods.xColumn = column_value;
    methods.xRowid = row_id;
    return methods;
}

constexpr sqlite3_module trace_methods = methods_of_traces();

}  // namespace

void register_trace_module(sqlite3* connection, std::unique_ptr<TraceModule> module) {
    const int result = sqlite3_create_module_v2(connection, trace_module_name, &trace_methods, module.release(),
                                                [](void* shared) { delete static_cast<TraceModule*>(shared); });
    if (result != SQLITE_OK) fail(Failure::internal, std::string("SQLite: ") + sqlite3_errmsg(connection));
}

}  // namespace hwtrace
