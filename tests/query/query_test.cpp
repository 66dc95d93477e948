#include "query_support.hpp"

#include "io/error.hpp"
#include "query/kept_rows.hpp"

namespace query_test {

using namespace hwtrace;
using hwtrace::test::Queried;

const std::string head = "{\"schema\": \"hwtrace-jsonl/1\"}\n";

/// Returns a trace of `count` reads of 10 ns each, and of writes, whose ids continue those of the reads. Each write
/// comes after the read with the same number.
std::string traffic(int count) {
    std::string text = head;
    text +=
        "{\"type\": \"track\", \"name\": \"read\", \"kind\": \"interval\", \"time\": \"ns\", \"fields\": {\"id\": "
        "\"u64\", \"addr\": \"u64\", \"state\": [\"ok\", \"late\"], \"who\": \"text\"}}\n"
        "{\"type\": \"track\", \"name\": \"write\", \"kind\": \"interval\", \"time\": \"ns\", \"fields\": {\"id\": "
        "\"u64\"}}\n"
        "{\"type\": \"track\", \"name\": \"after\", \"kind\": \"relation\", \"time\": \"ns\", \"fields\": {\"from\": "
        "\"u64\", \"to\": \"u64\"}}\n";
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        text += "{\"time\": " + n + ", \"duration\": 10, \"track\": \"read\", \"id\": " + n +
                ", \"addr\": " + std::to_string(i % 7) + ", \"state\": \"" + (i % 3 == 0 ? "late" : "ok") +
                "\", \"who\": \"core" + std::to_string(i % 2) + "\"}\n";
        text +=
            "{\"time\": " + n + ", \"duration\": 2, \"track\": \"write\", \"id\": " + std::to_string(count + i) + "}\n";
        text += "{\"type\": \"relation\", \"time\": " + n + ", \"track\": \"after\", \"from\": " + n +
                ", \"to\": " + std::to_string(count + i) + "}\n";
    }
    return text;
}

TEST_CASE("query: rows of a track have its times, fields and labels") {
    Queried query(traffic(4));
    CHECK(query("SELECT * FROM read WHERE id = 3") == "3,3,13,13,10,10,3,3,late,core1\n");
    CHECK(query("SELECT count(*), sum(addr) FROM read WHERE state = 'late'") == "2,3\n");
    CHECK(query("SELECT name, row, time_unit, tick_num, tick_den FROM tracks") ==
          "read,interval,seconds,1,1000000000\nwrite,interval,seconds,1,1000000000\n"
          "after,relation,seconds,1,1000000000\n");
    CHECK(query("SELECT 1; SELECT 2") == "1\n\n2\n2\n");
}

TEST_CASE("query: a statement that is no SQL, or changes something, is a usage error") {
    Queried query(traffic(1));
    const auto refused = [&](const std::string& sql, std::string_view message) {
        CAPTURE(sql);
        try {
            query(sql);
            FAIL("it is accepted");
        } catch (const Error& error) {
            CHECK(error.failure() == Failure::usage);
            CHECK(std::string_view(error.what()).find(message) != std::string_view::npos);
        }
    };
    refused("SELECT nope FROM read", "no such column: nope, at: nope FROM read");
    refused("SELECT * FROM missing", "no such table: missing");
    refused("INSERT INTO read VALUES (1)", "read");
    refused(std::string("SELECT 1;\0SELECT 2", 18), "a byte of value 0");
    refused("SELECT * FROM hwtrace", "no such table: hwtrace");
    refused("DROP TABLE read", "only statements that read");
    refused("ATTACH '/tmp/hwtrace_query_test.db' AS x", "only statements that read");
    refused("VACUUM INTO '/tmp/hwtrace_query_test.db'", "only statements that read");
    refused("CREATE TABLE x(y)", "only statements that read");
    refused("PRAGMA temp_store_directory = '/'", "only statements that read");
    refused("UPDATE sqlite_master SET sql = ''", "may not be modified");
    CHECK(query("CREATE TEMP TABLE t(x); INSERT INTO t SELECT id FROM read; SELECT * FROM t") == "0\n");
}

TEST_CASE("query: unsigned numbers from 2^63 on are text, never negative") {
    Queried query(head +
                  "{\"type\": \"track\", \"name\": \"e\", \"kind\": \"event\", \"fields\": {\"x\": \"u64\"}}\n"
                  "{\"time\": 1, \"track\": \"e\", \"x\": 18446744071562067968}\n"
                  "{\"time\": 2, \"track\": \"e\", \"x\": 9223372036854775807}\n"
                  "{\"time\": 3, \"track\": \"e\", \"x\": 5}\n");
    CHECK(query("SELECT x, typeof(x) FROM e") == "18446744071562067968,text\n9223372036854775807,integer\n5,integer\n");
    CHECK(query("SELECT time FROM e WHERE x > 5") == "1\n2\n");
    CHECK(query("SELECT time FROM e WHERE x < 6") == "3\n");
    CHECK(query("SELECT time FROM e WHERE x = '18446744071562067968'") == "1\n");
    CHECK(query("SELECT time FROM e WHERE x < -1") == "");
    CHECK(query("SELECT a.time FROM e a JOIN e b ON a.x = b.x ORDER BY 1") == "1\n2\n3\n");
}

TEST_CASE("query: repeated columns are JSON arrays, and absent values are NULL") {
    Queried query(head +
                  "{\"type\": \"track\", \"name\": \"f\", \"kind\": \"interval\", \"time\": \"ns\", \"fields\": "
                  "{\"by\": \"text\", \"n\": \"f64\", \"words\": \"u64[]\"}}\n"
                  "{\"time\": 1, \"duration\": 1, \"track\": \"f\", \"words\": [1, 18446744073709551615, 3]}\n"
                  "{\"time\": 2, \"duration\": 1, \"track\": \"f\", \"by\": \"a\\\"b\", \"n\": 0.5}\n");
    CHECK(query("SELECT words, by IS NULL, n FROM f") == "\"[1,\"\"18446744073709551615\"\",3]\",1,\n[],0,0.5\n");
    CHECK(query("SELECT e.value FROM f, json_each(f.words) e") == "1\n18446744073709551615\n3\n");
    CHECK(query("SELECT count(*) FROM f WHERE by = 'a\"b' AND n > 0.25") == "1\n");
}

TEST_CASE("query: names with quotes, reserved names and names of helper tables work") {
    Queried query(
        head +
        "{\"type\": \"track\", \"name\": \"a\\\"b'c\", \"kind\": \"event\", \"fields\": {\"x\\\"\": \"u8\"}}\n"
        "{\"type\": \"track\", \"name\": \"sqlite_x\", \"kind\": \"event\", \"fields\": {}}\n"
        "{\"type\": \"track\", \"name\": \"tracks\", \"kind\": \"event\", \"fields\": {}}\n"
        "{\"type\": \"event\", \"time\": 1, \"track_id\": 0, \"track\": \"a\\\"b'c\", \"fields\": {\"x\\\"\": 7}}\n");
    CHECK(query("SELECT \"x\"\"\" FROM \"a\"\"b'c\"") == "7\n");
    CHECK(query("SELECT name FROM tracks_2") == "\"a\"\"b'c\"\n_sqlite_x\ntracks\n");
    CHECK(query("SELECT count(*) FROM tracks") == "0\n");
}

TEST_CASE("query: a table has at most as many columns as SQLite allows") {
    std::string fields;
    for (int i = 0; i < 2100; ++i)
        fields += (i == 0 ? "" : ", ") + std::string("\"f") + std::to_string(i) + "\": \"u8\"";
    Queried query(head + "{\"type\": \"track\", \"name\": \"wide\", \"kind\": \"interval\", \"fields\": {" + fields +
                  "}}\n{\"time\": 1, \"duration\": 2, \"track\": \"wide\", \"f100\": 5, \"f1990\": 6, \"f2099\": 7}\n");
    CHECK(query.trace().names().tables[0].columns.size() == most_sql_columns);
    CHECK(query("SELECT begin, f100, f1990, f1991 FROM wide") == "1,5,6,\n");
    CHECK_THROWS_AS(query("SELECT f2099 FROM wide"), Error);
}

TEST_CASE("query: thousands of tables are created when statements name them") {
    std::string text = head;
    for (int i = 0; i < 3000; ++i) {
        const std::string n = std::to_string(i);
        text += "{\"type\": \"track\", \"name\": \"t" + n +
                "\", \"kind\": \"event\", \"fields\": {}}\n{\"time\": " + n + ", \"track\": \"t" + n + "\"}\n";
    }
    Queried query(text);
    CHECK(query("SELECT a.time, b.time FROM t7 a, main.T2999 b") == "7,2999\n");
    CHECK(query("SELECT count(*) FROM t2999, t7, t8, tracks") == "3000\n");
    CHECK_THROWS_AS(query("SELECT * FROM t3000"), Error);
    CHECK_THROWS_AS(query("DROP TABLE t9"), Error);
    query("BEGIN; SELECT * FROM t11; ROLLBACK");
    CHECK(query("SELECT time FROM t11") == "11\n");
}

TEST_CASE("query: a join looks its rows up in memory, and is refused if they do not fit") {
    constexpr int count = 3000;
    const std::string sql =
        "SELECT count(*), sum(w.begin - r.begin), max(r.addr) FROM after a JOIN read r ON r.id = a.\"from\" JOIN "
        "write w ON w.id = a.\"to\"";
    Queried query(traffic(count));
    CHECK(query(sql) == "3000,0,6\n");
    CHECK(query.trace().known(0).rows != nullptr);
    CHECK(query("SELECT count(*) FROM read a, read b WHERE a.id + 1 = b.id AND a.who <> b.who") == "2999\n");
    QueryOptions small;
    small.memory = 1000;
    Queried refused(traffic(count), small);
    try {
        refused(sql);
        FAIL("it fits");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::limit);
        CHECK(std::string_view(error.what()).find("--memory") != std::string_view::npos);
    }
    CHECK(refused("SELECT count(*) FROM read WHERE id IN (SELECT 5)") == "1\n");
    CHECK(refused("SELECT count(*) FROM read WHERE id IN (5, 7)") == "2\n");
    // Each statement may look up one row, but none may read the file once per row.
    for (int i = 0; i < 2; ++i)
        CHECK(refused("SELECT count(*) FROM read WHERE id = (SELECT 5)") == "1\n");
    CHECK_THROWS_WITH_AS(refused("SELECT (SELECT begin FROM write WHERE write.id = read.id + 3000) FROM read"),
                         doctest::Contains("--memory"), Error);
}

TEST_CASE("query: an error of SQLite has the exit code of its cause") {
    Queried query(traffic(1));
    try {
        query("SELECT length(zeroblob(2000000000))");
        FAIL("it is not too long");
    } catch (const Error& error) {
        CHECK(error.failure() == Failure::limit);
    }
}

TEST_CASE("query: findings at the same place with different texts are all reported") {
    constexpr Rule rule{"TST001", Severity::error, Effect::damaged, "a test", "", ""};
    Findings all;
    TraceFindings once(all);
    for (int i = 0; i < 2; ++i) {
        Findings reading = once.for_reading();
        reading.report({.rule = &rule, .offset = 8, .got = "a"});
        reading.report({.rule = &rule, .offset = 8, .got = "b"});
        once.add_counts(reading);
    }
    CHECK(all.total("TST001") == 2);
}

TEST_CASE("query: the index of rows in memory counts as memory") {
    const std::string sql = "SELECT count(*) FROM read a, read b WHERE b.id = a.id + 1";
    Queried query(traffic(3000));
    CHECK(query(sql) == "2999\n");
    QueryOptions exact;
    exact.memory = query.trace().known(0).rows->bytes();
    Queried fits(traffic(3000), exact);
    CHECK(fits(sql) == "2999\n");
    --exact.memory;
    Queried refused(traffic(3000), exact);
    CHECK_THROWS_WITH_AS(refused(sql), doctest::Contains("--memory"), Error);
}

TEST_CASE("query: a loop over a table that does not fit in memory reads it again") {
    QueryOptions small;
    small.memory = 100;
    Queried query(traffic(20), small);
    CHECK(query("SELECT count(*) FROM read a JOIN write b ON a.begin < b.begin") == "190\n");
    Queried kept(traffic(20));
    CHECK(kept("SELECT count(*) FROM read a JOIN write b ON a.begin < b.begin") == "190\n");
}

TEST_CASE("query: rows before damage are delivered, and each fault is reported once") {
    std::string cut = traffic(50);
    cut.resize(cut.size() - 20);
    Queried query(cut);
    CHECK(query("SELECT count(*) FROM read; ") == "50\n");
    const std::uint64_t faults = query.findings().total_at_least(Severity::note);
    CHECK(faults != 0);
    CHECK(query.findings().verdict() != Verdict::valid);
    query("SELECT count(*) FROM read; SELECT count(*) FROM write; SELECT * FROM after, read");
    CHECK(query.findings().total_at_least(Severity::note) == faults);
}

}  // namespace query_test
