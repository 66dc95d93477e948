// formats/tables/sinks.hpp - the formats of tables, and their options.
#pragma once

#include <array>
#include <memory>

#include "codec/settings.hpp"
#include "table_sink.hpp"

namespace hwtrace::tables {

inline constexpr std::array<Option, 4> parquet_options{{
    {"parquet-single", "flag", "", "write one file with the rows of all tables instead of a folder"},
    {"parquet-compression", "zstd|none", "zstd", "compression of pages"},
    {"parquet-level", "count", "1", "level of zstd, 1 to 19"},
    {"parquet-memory", "bytes", "80M", "memory of the rows of all tables that wait until a row group is complete"},
}};
inline constexpr std::array<Option, 1> csv_options{{
    {"csv-single", "flag", "", "write one file with the rows of all tables instead of a folder"},
}};

std::unique_ptr<TableSink> make_parquet_sink(const SinkContext& context);
std::unique_ptr<TableSink> make_csv_sink(const SinkContext& context);

}  // namespace hwtrace::tables
