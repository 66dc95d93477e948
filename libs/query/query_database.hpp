// query/query_database.hpp - a database in memory whose tables are those of traces; runs SQL.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "domain/sql_values.hpp"
#include "query/query_trace.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace hwtrace {

struct TraceModule;

/// Receives the rows of SELECT statements.
class QueryResult {
public:
    virtual ~QueryResult() = default;
    /// A statement with these columns begins. Names differ from each other.
    virtual void begin(std::span<const std::string> columns) = 0;
    virtual void row(std::span<const SqlValue> values) = 0;
    virtual void end() = 0;
};

/// A database in memory. Statements may read the tables of traces, and make and change temporary tables and views. They
/// open no other files.
class QueryDatabase {
public:
    QueryDatabase();
    ~QueryDatabase();
    QueryDatabase(const QueryDatabase&) = delete;
    QueryDatabase& operator=(const QueryDatabase&) = delete;

    /// Sets the folder of the files in which SQLite sorts and keeps what does not fit in memory, for all databases of
    /// this process. Call it before the first one is made.
    static void set_temporary_folder(const std::string& folder);
    /// Adds the tables of traces. The tables of a single trace are in the schema `main`; those of several are in
    /// schemas that are named after the files, without folder and extension. Returns the names of the schemas. Throws
    /// Failure::usage if there are more traces than SQLite has schemas. Call it once.
    std::vector<std::string> add(const std::vector<std::shared_ptr<QueryTrace>>& traces);
    /// Runs all statements of `sql`. Throws Failure::usage for an error in SQL, with SQLite's message.
    void run(std::string_view sql, QueryResult& result);

private:
    struct Close {
        void operator()(sqlite3* connection) const noexcept;
    };
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const noexcept;
    };
    using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

    void execute(const std::string& sql);
    void create_table(std::size_t trace, std::size_t table);
    bool create_missing();
    void describe(const QueryTrace& trace, const std::string& schema);
    void step_all(sqlite3_stmt* statement, QueryResult& result);
    std::string hint(std::string_view complaint) const;
    [[noreturn]] void fail_sql(std::string_view sql);

    std::vector<std::shared_ptr<QueryTrace>> traces_;
    std::vector<std::string> schemas_;  // by trace
    /// Tables that are created when a statement names them (again after a ROLLBACK), by name in lower case: SQLite
    /// takes long to create thousands of tables. Each is a trace and a table of it.
    std::multimap<std::string, std::pair<std::size_t, std::size_t>> missing_;
    std::unique_ptr<sqlite3, Close> connection_;
    TraceModule* module_ = nullptr;  // owned by the connection
};

}  // namespace hwtrace
