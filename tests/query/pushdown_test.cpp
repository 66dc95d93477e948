#include <array>
#include <random>

#include "io/error.hpp"
#include "query_support.hpp"
#include "support/corpus.hpp"

namespace pushdown_test {

using namespace hwtrace;
using hwtrace::test::Queried;

std::string field_of(std::string line, std::size_t index) {
    for (; index > 0; --index)
        line.erase(0, line.find(',') + 1);
    return line.substr(0, line.find(','));
}

/// Returns a value from the table as a literal, so that conditions on it are neither always nor never met.
std::string some_literal(Queried& query, const std::string& table, const std::string& column, std::mt19937& random) {
    const std::string offset = std::to_string(random() % 40);
    std::string literal = query("SELECT quote(" + column + ") FROM " + table + " LIMIT 1 OFFSET " + offset);
    if (!literal.empty()) literal.pop_back();
    if (literal.starts_with('"')) {  // CSV
        literal = literal.substr(1, literal.size() - 2);
        for (std::size_t at = 0; (at = literal.find("\"\"", at)) != std::string::npos; ++at)
            literal.erase(at, 1);
    }
    return literal;
}

/// Tests random conditions on a table. A subquery with LIMIT gets no conditions from outside, so that SQLite tests them
/// alone.
void check_table(Queried& query, std::size_t table, std::mt19937& random) {
    const SqlTable& names = query.trace().names().tables[table];
    const std::string name = sql_quoted(names.name);
    const auto pick = [&] { return sql_quoted(names.columns[random() % names.columns.size()]); };
    for (int round = 0; round < 12; ++round) {
        std::string seen;
        for (int terms = 1 + static_cast<int>(random() % 2); terms > 0; --terms) {
            // The first columns are times.
            const std::string column = random() % 2 == 0 ? sql_quoted(names.columns[0]) : pick();
            constexpr std::array operators{" = ", " < ", " <= ", " > ", " >= "};
            const std::string literal = some_literal(query, name, column, random);
            if (literal.empty()) return;  // an empty table
            constexpr std::array types{"", "", "REAL", "INTEGER", "TEXT", "NUMERIC"};
            const std::string type = types[random() % types.size()];
            seen += (seen.empty() ? "" : " AND ") + column + operators[random() % operators.size()];
            seen += type.empty() ? literal : "CAST(" + literal + " AS " + type + ")";
        }
        const std::string select = "SELECT count(*), count(" + pick() + ") FROM ";
        const std::string hidden = "(SELECT * FROM " + name + " LIMIT -1) WHERE " + seen;
        seen.insert(0, name + " WHERE ");
        CAPTURE(select);
        CAPTURE(seen);
        CHECK(query(select + seen) == query(select + hidden));
        CHECK(query("SELECT * FROM " + seen) == query("SELECT * FROM " + hidden));
    }
}

TEST_CASE("query: conditions that the scan tests select the same rows as those that SQLite tests") {
    const std::uint32_t seed = std::random_device{}();
    std::mt19937 random(seed);
    CAPTURE(seed);
    for (const char* const file : {"ftr/valid/soc.ftr", "uscope/valid/pipeline.uscope", "uscope/valid/npu.uscope",
                                   "stf/valid/sum_small.stf", "pccx/valid/npu.pccx", "jsonl/valid/everything.jsonl",
                                   "txlog/valid/bus.txlog", "jsonl/valid/bus.jsonl", "jsonl/valid/script.jsonl"}) {
        CAPTURE(file);
        Queried query(test::read_text(test::testdata(file)));
        for (std::size_t table = 0; table < query.trace().tables().all().size(); ++table)
            check_table(query, table, random);
    }
}

TEST_CASE("query: conditions select the same rows if the right side is a CAST or a column of another type") {
    Queried query(
        "{\"schema\": \"hwtrace-jsonl/1\"}\n"
        "{\"type\": \"enum\", \"id\": 0, \"name\": \"e\", \"values\": [{\"value\": 7, \"name\": \"5\"}, {\"value\": 5, "
        "\"name\": \"x\"}]}\n"
        "{\"type\": \"enum\", \"id\": 1, \"name\": \"w\", \"values\": [{\"value\": 7, \"name\": \"busy\"}]}\n"
        "{\"type\": \"track\", \"id\": 0, \"name\": \"ev\", \"kind\": \"event\", \"time\": \"ns\", \"fields\": "
        "[{\"name\": "
        "\"u\", \"type\": \"u64\"}, {\"name\": \"r\", \"type\": \"f64\"}, {\"name\": \"e\", \"type\": \"enum\", "
        "\"enum\": 0}, "
        "{\"name\": \"w\", \"type\": \"enum\", \"enum\": 1}]}\n"
        "{\"time\": 0, \"track\": \"ev\", \"u\": 18446744073709551615, \"r\": 5, \"e\": 7, \"w\": 7}\n"
        "{\"time\": 1, \"track\": \"ev\", \"u\": 9223372036854775808, \"r\": 1e20, \"e\": 5, \"w\": 5}\n"
        "{\"time\": 2, \"track\": \"ev\", \"u\": 5, \"r\": -0.5, \"e\": 9, \"w\": 18446744073709551615}\n");
    REQUIRE(query("SELECT count(*) FROM ev") == "3\n");
    CHECK(query("SELECT count(*) FROM ev WHERE u <= CAST(2e19 AS REAL)") == "3\n");
    CHECK(query("SELECT count(*) FROM ev WHERE e = CAST(5 AS INTEGER)") == "1\n");
    query("CREATE TEMP TABLE sides(i INTEGER, r REAL, t TEXT, n)");
    for (const char* const value : {"5", "7", "'5'", "'busy'", "2e19", "'18446744073709551615'", "1e20", "-1"})
        query(std::string("INSERT INTO sides VALUES(") + value + "," + value + "," + value + "," + value + ")");
    // A table with LIMIT gets no conditions from outside, and its columns keep their types.
    const std::string hidden = "(SELECT * FROM ev LIMIT -1) AS ev";
    for (const std::string left : {"u", "r", "e", "w", "time", "time_ns"})
        for (const std::string right : {"sides.i", "sides.r", "sides.t", "sides.n", "CAST(sides.n AS REAL)",
                                        "CAST(sides.n AS INTEGER)", "CAST(sides.n AS TEXT)", "CAST(sides.n AS BLOB)"})
            for (const std::string op : {" = ", " < ", " <= ", " > ", " >= "}) {
                const std::string columns = "SELECT sides.rowid, time FROM sides CROSS JOIN ";
                const std::string condition = " WHERE ev." + left + op + right + " ORDER BY 1, 2";
                CAPTURE(condition);
                CHECK(query(columns + "ev" + condition) == query(columns + hidden + condition));
            }
}

TEST_CASE("query: a row has the same rowid in each query, or none") {
    Queried query(test::read_text(test::testdata("uscope/valid/pipeline.uscope")));
    const std::string last = field_of(query("SELECT max(time), 0 FROM stage_transition"), 0);
    const std::string select = "SELECT rowid FROM stage_transition WHERE ";
    const std::string rows = query(select + "+time >= " + last);
    CHECK(rows != "");
    CHECK_THROWS_WITH_AS(query(select + "time >= " + last), doctest::Contains("write +begin or +time"), Error);
    CHECK(query("SELECT count(*) > 0 FROM stage_transition WHERE time >= " + last) == "1\n");
}

TEST_CASE("query: a window of time skips the part of the file before it") {
    Queried query(test::read_text(test::testdata("uscope/valid/pipeline.uscope")));
    const std::string all = query("SELECT count(*), min(time), max(time) FROM stage_transition");
    const std::string last = field_of(all, 2);
    CHECK(query("SELECT count(*) > 0 FROM stage_transition WHERE time >= " + last) == "1\n");
    CHECK(query("SELECT count(*) FROM stage_transition WHERE time BETWEEN " + field_of(all, 1) + " AND " + last) ==
          field_of(all, 0) + "\n");
}

}  // namespace pushdown_test
