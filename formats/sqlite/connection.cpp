#include "connection.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "domain/utf8.hpp"
#include "io/error.hpp"

namespace hwtrace::sqlite {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 20;

// The file is copied only when it is complete, so that it needs no journal. `user_version` is the version of the layout
// in README.md.
constexpr const char* preparation =
    "PRAGMA page_size=4096; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
    "PRAGMA cache_size=-65536; PRAGMA temp_store=FILE; PRAGMA user_version=1; BEGIN";

}  // namespace

Connection::Connection(const std::string& folder) : files_(folder) {
    sqlite3* made = nullptr;
    const int result = sqlite3_open_v2("database", &made,
                                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, files_.name());
    connection_.reset(made);
    check(result);
    run(preparation);
}

void Connection::check(int result) {
    if (result == SQLITE_OK || result == SQLITE_DONE || result == SQLITE_ROW) return;
    files_.throw_error();
    const std::string message = std::string("SQLite: ") + sqlite3_errmsg(connection_.get());
    fail(
        result == SQLITE_TOOBIG || result == SQLITE_NOMEM || result == SQLITE_FULL ? Failure::limit : Failure::internal,
        message);
}

void Connection::run(const std::string& sql) {
    check(sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr));
}

void Connection::finish(Output& output) {
    run("COMMIT");
    sqlite3_file* file = nullptr;
    check(sqlite3_file_control(connection_.get(), "main", SQLITE_FCNTL_FILE_POINTER, &file));
    sqlite3_int64 size = 0;
    check(file->pMethods->xFileSize(file, &size));
    std::vector<std::byte> block(block_size);
    for (sqlite3_int64 at = 0; at < size;) {
        const auto count = static_cast<std::size_t>(std::min<sqlite3_int64>(size - at, block_size));
        check(file->pMethods->xRead(file, block.data(), static_cast<int>(count), at));
        output.append(std::span(block).first(count));
        at += static_cast<sqlite3_int64>(count);
    }
}

Connection::Insertion::Insertion(Connection& connection, const std::string& table, std::size_t columns)
    : connection_(connection) {
    std::string sql = "INSERT INTO " + table + " VALUES(?";
    for (std::size_t column = 1; column < columns; ++column)
        sql += ",?";
    sqlite3_stmt* made = nullptr;
    connection.check(sqlite3_prepare_v3(connection.connection_.get(), (sql + ")").c_str(), -1,
                                        SQLITE_PREPARE_PERSISTENT, &made, nullptr));
    statement_.reset(made);
}

void Connection::Insertion::bind(std::size_t column, const SqlValue& value) {
    const int at = static_cast<int>(column) + 1;
    const char* const text = value.text.empty() ? "" : value.text.data();
    sqlite3_destructor_type lifetime = SQLITE_STATIC;
    if (value.is_temporary) lifetime = SQLITE_TRANSIENT;
    switch (value.kind) {
        case SqlValue::Kind::null:
            return connection_.check(sqlite3_bind_null(statement_.get(), at));
        case SqlValue::Kind::integer:
            return connection_.check(sqlite3_bind_int64(statement_.get(), at, value.integer));
        case SqlValue::Kind::real:
            return connection_.check(sqlite3_bind_double(statement_.get(), at, value.real));
        case SqlValue::Kind::text:
            return connection_.check(
                sqlite3_bind_text64(statement_.get(), at, text, value.text.size(), lifetime, SQLITE_UTF8));
        case SqlValue::Kind::blob:
            return connection_.check(sqlite3_bind_blob64(statement_.get(), at, text, value.text.size(), lifetime));
    }
}

void Connection::Insertion::bind(std::size_t column, std::string_view text) {
    SqlValue value;
    value.kind = is_utf8(text) ? SqlValue::Kind::text : SqlValue::Kind::blob;
    value.text = text;
    bind(column, value);
}

void Connection::Insertion::insert() {
    connection_.check(sqlite3_step(statement_.get()));
    connection_.check(sqlite3_reset(statement_.get()));
}

}  // namespace hwtrace::sqlite
