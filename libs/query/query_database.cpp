#include "query/query_database.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <climits>
#include <filesystem>
#include <utility>

#include "domain/unique_names.hpp"
#include "io/error.hpp"
#include "io/similar_text.hpp"
#include "query/trace_module.hpp"

namespace hwtrace {

namespace {

constexpr sqlite3_int64 most_memory = sqlite3_int64{256} << 20;  // bytes of SQLite itself; it sorts in files
constexpr std::size_t most_created = 1000;                       // tables that exist before a statement names them

/// The statements that may be run: those that read, and those about temporary tables and views.
int authorize(void*, int action, const char* first, const char*, const char* database, const char*) {
    constexpr std::array allowed{SQLITE_SELECT,
                                 SQLITE_READ,
                                 SQLITE_FUNCTION,
                                 SQLITE_RECURSIVE,
                                 SQLITE_TRANSACTION,
                                 SQLITE_SAVEPOINT,
                                 SQLITE_CREATE_TEMP_TABLE,
                                 SQLITE_CREATE_TEMP_VIEW,
                                 SQLITE_CREATE_TEMP_INDEX,
                                 SQLITE_DROP_TEMP_TABLE,
                                 SQLITE_DROP_TEMP_VIEW,
                                 SQLITE_DROP_TEMP_INDEX};
    constexpr std::array changes{SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE, SQLITE_REINDEX, SQLITE_ANALYZE};
    constexpr std::array<std::string_view, 4> pragmas{"table_info", "table_xinfo", "table_list", "database_list"};
    const auto is_in = [](const auto& list, const auto& value) {
        return std::find(list.begin(), list.end(), value) != list.end();
    };
    if (is_in(allowed, action)) return SQLITE_OK;
    const std::string_view schema(database == nullptr ? "" : database);
    // SQLite itself updates its schema when it connects a virtual table. It lets no statement do so.
    if (action == SQLITE_UPDATE && first != nullptr && std::string_view(first) == "sqlite_master") return SQLITE_OK;
    if (is_in(changes, action)) return schema == "temp" ? SQLITE_OK : SQLITE_DENY;
    if (action == SQLITE_PRAGMA)
        return first != nullptr && is_in(pragmas, std::string_view(first)) ? SQLITE_OK : SQLITE_DENY;
    return SQLITE_DENY;
}

std::size_t number_in(const char* text) {
    std::size_t number = 0;
    const std::string_view digits(text);
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

std::string schema_name(const std::string& file) {
    std::string name = std::filesystem::path(file).filename().string();
    const std::size_t dot = name.find('.', 1);
    if (dot != std::string::npos) name.resize(dot);
    return name == "<stdin>" || name.empty() ? "stdin" : name;
}

Failure failure_of(int code) noexcept {
    constexpr int primary = 0xff;
    switch (code & primary) {
        case SQLITE_IOERR:
        case SQLITE_FULL:
        case SQLITE_CANTOPEN:
        case SQLITE_READONLY:
            return Failure::io;
        case SQLITE_NOMEM:
        case SQLITE_TOOBIG:
            return Failure::limit;
        case SQLITE_CORRUPT:
        case SQLITE_INTERNAL:
            return Failure::internal;
        default:
            return Failure::usage;
    }
}

SqlValue value_of(sqlite3_stmt* statement, int column) {
    SqlValue value;
    switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER:
            value.kind = SqlValue::Kind::integer;
            value.integer = sqlite3_column_int64(statement, column);
            break;
        case SQLITE_FLOAT:
            value.kind = SqlValue::Kind::real;
            value.real = sqlite3_column_double(statement, column);
            break;
        case SQLITE_TEXT:
        case SQLITE_BLOB: {
            const bool is_text = sqlite3_column_type(statement, column) == SQLITE_TEXT;
            value.kind = is_text ? SqlValue::Kind::text : SqlValue::Kind::blob;
            const void* const data =
                is_text ? sqlite3_column_text(statement, column) : sqlite3_column_blob(statement, column);
            const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
            value.text = {static_cast<const char*>(data), size};
            break;
        }
        default:
            break;
    }
    return value;
}

/// Returns true if a name of a table is `name` behind a scope, as "npu/core0/DMA_READ" is for "dma_read".
bool is_behind_scope(std::string_view table, std::string_view name) {
    if (name.empty() || table.size() <= name.size()) return false;
    const char before = table[table.size() - name.size() - 1];
    return (before == '/' || before == '.') && UniqueNames::lower(table).ends_with(UniqueNames::lower(name));
}

/// Returns ` (did you mean "a", "b" or "c"?)`.
std::string question(const std::vector<std::string>& names) {
    constexpr std::size_t most_shown = 3;
    const std::size_t shown = std::min(names.size(), most_shown);
    std::string text = " (did you mean ";
    for (std::size_t i = 0; i < shown; ++i) {
        if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
        text += sql_quoted(names[i]);
    }
    if (names.size() > shown) text += " or " + std::to_string(names.size() - shown) + " more";
    return text + "?)";
}

}  // namespace

void QueryDatabase::Close::operator()(sqlite3* connection) const noexcept {
    sqlite3_close(connection);
}

void QueryDatabase::Finalize::operator()(sqlite3_stmt* statement) const noexcept {
    sqlite3_finalize(statement);
}

QueryDatabase::QueryDatabase() {
    sqlite3* connection = nullptr;
    sqlite3_hard_heap_limit64(most_memory);  // values that a statement makes have up to 1 GB each
    const int result = sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    connection_.reset(connection);
    if (result != SQLITE_OK) fail(Failure::internal, "SQLite cannot open a database in memory");
    auto module = std::make_unique<TraceModule>();
    module->find = [this](std::span<const char* const> arguments) {
        if (arguments.size() != 2) fail(Failure::usage, "hwtrace: takes the numbers of a trace and of a table");
        return TraceModule::Place{traces_[number_in(arguments[0])], number_in(arguments[1])};
    };
    module_ = module.get();
    register_trace_module(connection, std::move(module));
}

QueryDatabase::~QueryDatabase() = default;

void QueryDatabase::set_temporary_folder(const std::string& folder) {
    sqlite3_free(std::exchange(sqlite3_temp_directory, sqlite3_mprintf("%s", folder.c_str())));
}

void QueryDatabase::execute(const std::string& sql) {
    if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail_sql(sql);
}

void QueryDatabase::fail_sql(std::string_view sql) {
    if (module_->error) std::rethrow_exception(std::exchange(module_->error, nullptr));
    std::string message = sqlite3_errmsg(connection_.get());
    if (sqlite3_errcode(connection_.get()) == SQLITE_AUTH)
        message = "only statements that read are allowed, and CREATE TEMP TABLE or VIEW (" + message + ")";
    if (sqlite3_errcode(connection_.get()) == SQLITE_NOMEM)
        message += " (the values of a statement take up to " + std::to_string(most_memory >> 20) + " MiB)";
    const std::string next = hint(message);
    if (const int at = sqlite3_error_offset(connection_.get()); at >= 0 && static_cast<std::size_t>(at) < sql.size()) {
        constexpr std::size_t most_shown = 40;
        message.append(", at: ").append(sql.substr(static_cast<std::size_t>(at), most_shown));
    }
    fail(failure_of(sqlite3_errcode(connection_.get())), "SQL: " + message + next);
}

std::string QueryDatabase::hint(std::string_view complaint) const {
    constexpr std::string_view of_table = "no such table: ", of_column = "no such column: ";
    if (complaint.starts_with(of_column)) return "; --list lists the columns of each table";
    if (!complaint.starts_with(of_table)) return {};
    std::string_view name = complaint.substr(of_table.size());
    for (const std::string& schema : schemas_)
        if (name.starts_with(schema + '.')) name.remove_prefix(schema.size() + 1);
    SimilarText similar(name);
    std::vector<std::string> behind_scopes;
    UniqueNames met;  // several traces may have the same tables
    for (const std::shared_ptr<QueryTrace>& trace : traces_) {
        for (const SqlTable& table : trace->names().tables) {
            similar.consider(table.name);
            if (is_behind_scope(table.name, name) && !met.has(table.name)) behind_scopes.push_back(met.add(table.name));
        }
        similar.consider(trace->names().tracks);
        similar.consider(trace->names().metadata);
    }
    return (behind_scopes.empty() ? similar.question() : question(behind_scopes)) + "; --list lists the tables";
}

std::vector<std::string> QueryDatabase::add(const std::vector<std::shared_ptr<QueryTrace>>& traces) {
    traces_ = traces;
    std::vector<std::string> schemas;
    if (traces.size() == 1) {
        schemas.emplace_back("main");
    } else {
        const int most = sqlite3_limit(connection_.get(), SQLITE_LIMIT_ATTACHED, -1);
        if (traces.size() > static_cast<std::size_t>(most))
            fail(Failure::usage, "at most " + std::to_string(most) + " traces can be queried together");
        UniqueNames names;
        names.add("main");
        names.add("temp");
        for (const std::shared_ptr<QueryTrace>& trace : traces) {
            schemas.push_back(names.add(schema_name(trace->name())));
            execute("ATTACH ':memory:' AS " + sql_quoted(schemas.back()));
        }
    }
    schemas_ = schemas;
    std::size_t count = 0;
    for (const std::shared_ptr<QueryTrace>& trace : traces)
        count += trace->tables().all().size();
    for (std::size_t i = 0; i < traces.size(); ++i) {
        execute("BEGIN");
        for (std::size_t table = 0; table < traces[i]->tables().all().size(); ++table) {
            if (count <= most_created)
                create_table(i, table);
            else
                missing_.emplace(UniqueNames::lower(traces[i]->names().tables[table].name), std::pair(i, table));
        }
        describe(*traces[i], sql_quoted(schemas[i]) + ".");
        execute("COMMIT");
    }
    sqlite3_set_authorizer(connection_.get(), authorize, nullptr);
    return schemas;
}

void QueryDatabase::create_table(std::size_t trace, std::size_t table) {
    execute("CREATE VIRTUAL TABLE IF NOT EXISTS " + sql_quoted(schemas_[trace]) + "." +
            sql_quoted(traces_[trace]->names().tables[table].name) + " USING " + trace_module_name + "(" +
            std::to_string(trace) + "," + std::to_string(table) + ")");
}

/// If the last error of SQLite is about a table that is not created yet, creates it and returns true.
bool QueryDatabase::create_missing() {
    constexpr std::string_view complaint = "no such table: ";
    std::string name = UniqueNames::lower(sqlite3_errmsg(connection_.get()));
    if (missing_.empty() || !name.starts_with(complaint)) return false;
    name.erase(0, complaint.size());
    // The message has the schema if the statement has it.
    auto found = missing_.equal_range(name);
    for (const std::string& schema : schemas_)
        if (found.first == found.second && name.starts_with(UniqueNames::lower(schema) + "."))
            found = missing_.equal_range(name.substr(schema.size() + 1));
    if (found.first == found.second) return false;
    sqlite3_set_authorizer(connection_.get(), nullptr, nullptr);
    for (auto at = found.first; at != found.second; ++at)
        create_table(at->second.first, at->second.second);
    sqlite3_set_authorizer(connection_.get(), authorize, nullptr);
    return true;
}

void QueryDatabase::describe(const QueryTrace& trace, const std::string& schema) {
    const auto bind_text = [](sqlite3_stmt* statement, int at, std::string_view text) {
        sqlite3_bind_text64(statement, at, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    };
    const auto prepare = [&](const std::string& sql) {
        sqlite3_stmt* made = nullptr;
        if (sqlite3_prepare_v2(connection_.get(), sql.c_str(), -1, &made, nullptr) != SQLITE_OK) fail_sql(sql);
        return Statement(made);
    };
    const auto insert = [](sqlite3_stmt* statement) {
        sqlite3_step(statement);
        sqlite3_reset(statement);
    };
    const std::string tracks = schema + sql_quoted(trace.names().tracks);
    execute("CREATE TABLE " + tracks + "(" + std::string(tracks_columns) + ")");
    const Statement add_track = prepare("INSERT INTO " + tracks + " VALUES(?,?,?,?,?,?,?,?)");
    for (std::size_t i = 0; i < trace.tables().all().size(); ++i) {
        const TraceTable& table = trace.tables().all()[i];
        const SqlTrackRow row(trace.tables(), table);
        int at = 0;
        for (const std::string_view text :
             {std::string_view(trace.names().tables[i].name), std::string_view(table.path), row.row,
              std::string_view(row.scope), std::string_view(row.clock), row.time_unit})
            bind_text(add_track.get(), ++at, text);
        sqlite3_bind_int64(add_track.get(), ++at, static_cast<sqlite3_int64>(row.num));
        sqlite3_bind_int64(add_track.get(), ++at, static_cast<sqlite3_int64>(row.den));
        insert(add_track.get());
    }
    const std::string metadata = schema + sql_quoted(trace.names().metadata);
    execute("CREATE TABLE " + metadata + "(" + std::string(metadata_columns) + ")");
    const Statement add_fact = prepare("INSERT INTO " + metadata + " VALUES(?,?)");
    for (const Metadata& fact : trace.tables().schema().metadata()) {
        bind_text(add_fact.get(), 1, fact.key);
        bind_text(add_fact.get(), 2, fact.value);
        insert(add_fact.get());
    }
}

void QueryDatabase::run(std::string_view sql, QueryResult& result) {
    if (sql.find('\0') != std::string_view::npos) fail(Failure::usage, "SQL: the text has a byte of value 0");
    if (sql.size() > INT_MAX) fail(Failure::usage, "SQL: the text is longer than 2 GiB");
    const std::string text(sql);
    const char* rest = text.c_str();
    bool is_empty = true;
    while (*rest != '\0') {
        sqlite3_stmt* made = nullptr;
        const char* const begin = rest;
        std::string complaint;
        while (sqlite3_prepare_v2(connection_.get(), begin, -1, &made, &rest) != SQLITE_OK) {
            std::string last = std::exchange(complaint, sqlite3_errmsg(connection_.get()));
            if (last == complaint || !create_missing()) fail_sql(begin);
        }
        const Statement statement(made);
        if (made == nullptr) continue;  // blanks or a comment
        is_empty = false;
        step_all(made, result);
    }
    if (is_empty) fail(Failure::usage, "SQL: the text has no statement");
}

void QueryDatabase::step_all(sqlite3_stmt* statement, QueryResult& result) {
    for (const std::shared_ptr<QueryTrace>& trace : traces_)
        trace->begin_statement();
    const int columns = sqlite3_column_count(statement);
    if (columns != 0) {
        std::vector<std::string> names;
        UniqueNames unique;
        for (int column = 0; column < columns; ++column)
            names.push_back(unique.add(sqlite3_column_name(statement, column)));
        result.begin(names);
    }
    std::vector<SqlValue> values(static_cast<std::size_t>(columns));
    int state = SQLITE_ROW;
    while ((state = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int column = 0; column < columns; ++column)
            values[static_cast<std::size_t>(column)] = value_of(statement, column);
        result.row(values);
    }
    if (state != SQLITE_DONE) fail_sql({});
    if (columns != 0) result.end();
}

}  // namespace hwtrace
