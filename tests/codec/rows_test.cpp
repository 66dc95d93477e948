#include "codec/rows.hpp"

#include <doctest/doctest.h>

#include <string>

namespace rows_test {

using namespace hwtrace;

constexpr auto columns =
    columns_of(RowColumn{"id", RowColumn::Text::bare}, RowColumn{.key = "name", .heading = "label"}, "value",
               RowColumn{"note", RowColumn::Text::bare_quoted});

/// Writes a full row, a row without cells but the last, and an empty row.
std::string table(TextForm form, CellOrder order = CellOrder::as_columns) {
    TextOutput out(-1);
    Rows<columns> rows(form, {}, out, order);
    rows.begin("hwtrace-test/1", {});
    out.clear();  // the head of a document states the version of the program
    rows.begin_rows(",\"rows\":[");
    rows.begin_row();
    if (order == CellOrder::any) rows.number("value", std::int64_t{-5});
    rows.number("id", std::uint64_t{7});
    rows.text("name", "a, b");
    if (order == CellOrder::as_columns) rows.number("value", std::int64_t{-5});
    rows.text("note", "");
    rows.end_row();
    rows.begin_row();
    rows.hex("value", 255);
    rows.end_row();
    rows.begin_row();
    rows.end_row();
    rows.end();
    return std::string(out.text());
}

TEST_CASE("a table has the same rows in each form") {
    CHECK(table(TextForm::text) == "7 name=\"a, b\" value=-5 \"\"\nvalue=0xff\n\n");
    CHECK(table(TextForm::json) ==
          ",\"rows\":[\n{\"id\":7,\"name\":\"a, b\",\"value\":-5,\"note\":\"\"},\n{\"value\":255},\n{}\n]}\n");
    CHECK(table(TextForm::jsonl) ==
          "}\n{\"id\":7,\"name\":\"a, b\",\"value\":-5,\"note\":\"\"}\n{\"value\":255}\n{}\n");
    CHECK(table(TextForm::csv) == "7,\"a, b\",-5,\"\"\n,,0xff,\n,,,\n");
}

TEST_CASE("CSV puts cells in the order of the columns") {
    CHECK(table(TextForm::csv, CellOrder::any) == table(TextForm::csv));
    CHECK(table(TextForm::json, CellOrder::any).starts_with(",\"rows\":[\n{\"value\":-5,\"id\":7,"));
}

TEST_CASE("CSV states the headings, without those that are left out") {
    TextOutput out(-1);
    Rows<columns> rows(TextForm::csv, {}, out);
    rows.end_columns("note");
    rows.begin("hwtrace-test/1", {});
    rows.begin_row();
    rows.text("name", "x");
    rows.end_row();
    CHECK(out.text() == "id,label,value\n,x,\n");
}

}  // namespace rows_test
