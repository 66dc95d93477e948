// formats/sqlite/format.cpp - the descriptor of databases of SQLite. hwtrace does not read them.
#include "codec/format.hpp"

#include <array>
#include <string_view>
#include <vector>

#include "codec/table_losses.hpp"
#include "database_writer.hpp"
#include "domain/real_values.hpp"
#include "domain/sql_tables.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 3> database_extensions{".sqlite3", ".sqlite", ".db"};

constexpr bool claims_nothing(Head) {
    return false;
}
/// The tables are those of the file itself, as hwtrace-query shows them.
constexpr bool raises_never(const Settings&) {
    return false;
}

void foresee_tables(const Schema& schema, const Settings&, std::vector<ExpectedLoss>& losses) {
    losses.push_back({Loss::part_dropped, "values without a column",
                      "a value that its track does not describe, or the second value of a field", true});
    foresee_row_losses(schema, losses);
    const TraceTables tables(schema);
    for (const TraceTable& table : tables.all()) {
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const TableColumn& described = table.columns[column];
            if (column >= most_sql_columns)
                losses.push_back({Loss::field_dropped, described.name, "tables of SQLite have at most 2000 columns"});
            else if (is_real(described.type) && described.content == TableColumn::Content::field)
                losses.push_back({Loss::value_narrowed, described.name, "NaN becomes NULL"});
        }
    }
}

}  // namespace

extern const Format sqlite_format;
constinit const Format sqlite_format{
    .name = "sqlite",
    .title = "database of SQLite, a table per track",
    .extensions = database_extensions,
    .reads = {},
    .writes = {.holds = Holdings::everything(), .raises = raises_never, .is_picture = true, .foresee = foresee_tables},
    .options = {},
    .views = {},
    .rules = {},
    .sniff = claims_nothing,
    .make_reader = nullptr,
    .make_writer = sqlite::make_database,
};

}  // namespace hwtrace
