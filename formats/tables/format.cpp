// formats/tables/format.cpp - the descriptors of tables: Parquet and CSV. hwtrace does not read them.
#include "codec/format.hpp"

#include <array>
#include <memory>
#include <string_view>

#include "sinks.hpp"
#include "table_sink.hpp"

namespace hwtrace {
namespace {

constexpr std::array<std::string_view, 1> parquet_extensions{".parquet"};
constexpr std::array<std::string_view, 1> csv_extensions{".csv"};

constexpr bool never(Head) {
    return false;
}
constexpr bool always(const Settings&) {
    return true;
}
bool writes_parquet_folder(const Settings& settings) {
    return !settings.chosen("parquet-single");
}
bool writes_csv_folder(const Settings& settings) {
    return !settings.chosen("csv-single");
}

std::unique_ptr<Writer> make_parquet(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return tables::make_tables_writer(output, schema, settings, losses, tables::make_parquet_sink);
}
std::unique_ptr<Writer> make_csv(Output& output, const Schema& schema, const Settings& settings, Losses& losses) {
    return tables::make_tables_writer(output, schema, settings, losses, tables::make_csv_sink);
}

}  // namespace

extern const Format parquet_format;
constinit const Format parquet_format{
    .name = "parquet",
    .title = "tables for databases and data frames",
    .extensions = parquet_extensions,
    .reads = {},
    .writes = {.holds = Holdings::everything(),
               .raises = always,
               .writes_folder = writes_parquet_folder,
               .is_picture = true,
               .foresee = tables::foresee_tables},
    .options = tables::parquet_options,
    .views = {},
    .rules = {},
    .sniff = never,
    .make_reader = nullptr,
    .make_writer = make_parquet,
};

extern const Format csv_format;
constinit const Format csv_format{
    .name = "csv",
    .title = "tables as text",
    .extensions = csv_extensions,
    .reads = {},
    .writes = {.holds = Holdings::everything(),
               .raises = always,
               .writes_text = always,
               .writes_folder = writes_csv_folder,
               .is_picture = true,
               .foresee = tables::foresee_tables},
    .options = tables::csv_options,
    .views = {},
    .rules = {},
    .sniff = never,
    .make_reader = nullptr,
    .make_writer = make_csv,
};

}  // namespace hwtrace
