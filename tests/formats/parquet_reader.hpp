// tests/formats/parquet_reader.hpp - a small reader of Parquet files, independent of the writer. It trusts its input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hwtrace::tables_test {

using Bytes = std::vector<std::byte>;

/// A column of a Parquet file. Numbers are the stored ones, sign-extended; floats are their bits.
struct ParquetColumn {
    /// A value: a number, or bytes.
    struct Value {
        std::int64_t number = 0;
        std::string bytes;
        friend bool operator==(const Value&, const Value&) = default;
    };
    struct Chunk {
        std::vector<int> encodings;  ///< of data pages
        std::size_t values = 0;
        std::int64_t nulls = 0;
        std::optional<std::string> least, greatest;
        std::size_t begin = 0, end = 0;  ///< offsets in the file
    };
    std::string name;
    int physical = 0, repetition = 0;
    int logical = 0, bits = 0;
    bool is_signed = false, is_list = false;
    std::vector<std::vector<Value>> rows;  ///< no value: null or an empty list
    std::vector<Chunk> chunks;             ///< by row group
};

struct ParquetTable {
    std::vector<ParquetColumn> columns;
    std::vector<std::int64_t> group_rows;
    std::map<std::string, std::string> facts;
    std::string created_by;
    std::size_t ordered_columns = 0;

    const ParquetColumn& operator[](const std::string& name) const;
};

/// Reads a file. Throws std::runtime_error for everything that it does not understand.
ParquetTable read_parquet(const Bytes& file);

}  // namespace hwtrace::tables_test
