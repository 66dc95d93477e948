// formats/sqlite/connection.hpp - a new database of SQLite: statements, and the finished bytes.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <string>
#include <string_view>

#include "domain/sql_values.hpp"
#include "io/output.hpp"
#include "unlinked_files.hpp"

namespace hwtrace::sqlite {

/// A new database in unlinked files. All functions throw Failure::io if a file cannot be written.
class Connection {
public:
    /// Creates an empty database and begins its only transaction.
    explicit Connection(const std::string& folder);

    /// Runs statements without results.
    void run(const std::string& sql);
    /// Ends the transaction and copies the database to `output`. No other call may follow.
    void finish(Output& output);

    /// An INSERT statement that is run many times.
    class Insertion {
    public:
        Insertion(Connection& connection, const std::string& table, std::size_t columns);
        /// Sets the value of a column, from 0.
        void bind(std::size_t column, const SqlValue& value);
        void bind(std::size_t column, std::string_view text);
        /// Adds the row, and forgets its values.
        void insert();

    private:
        struct Finalize {
            void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
        };
        Connection& connection_;
        std::unique_ptr<sqlite3_stmt, Finalize> statement_;
    };

private:
    struct Close {
        void operator()(sqlite3* connection) const noexcept { sqlite3_close(connection); }
    };

    void check(int result);

    UnlinkedFiles files_;
    std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace hwtrace::sqlite
