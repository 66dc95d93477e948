// domain/sql_values.hpp - the cells of tables as values of SQL.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "domain/table_chunk.hpp"
#include "domain/trace_tables.hpp"
#include "io/text_output.hpp"
#include "model/schema.hpp"

namespace hwtrace {

/// A value of SQL.
struct SqlValue {
    enum class Kind : std::uint8_t { null, integer, real, text, blob };

    Kind kind = Kind::null;
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text{};    ///< of a text or a blob
    bool is_temporary = false;  ///< the text lives only until the next value; else as long as the schema and the chunk
};

/// Turns cells into values of SQL:
/// - Integers are INTEGER. SQLite has no unsigned numbers of 64 bits: those from 2^63 on are TEXT with decimal digits.
/// - Floats are REAL, NaN is NULL.
/// - Text is TEXT, or a BLOB if it is not UTF-8. Bytes are a BLOB.
/// - A number of an enumeration is its label, or an INTEGER if it has none.
/// - A repeated column is TEXT: a JSON array of such values, with hexadecimal digits for bytes.
/// - Absent values are NULL.
class SqlValues {
public:
    /// `texts` is the schema of the reader that has delivered the rows. Both must outlive this object.
    SqlValues(const TraceTables& tables, const Schema& texts) : tables_(tables), texts_(texts), list_(-1, 256) {}

    /// Returns the value of a cell. `described` is the column with the index `column`.
    SqlValue at(const TableChunk& rows, const TableColumn& described, std::size_t column, std::size_t row) {
        if (described.is_repeated) return list(described, rows.values(column, row));
        if (!rows.has(column, row)) return {};
        if (described.has_own_text()) return text(described, rows.own_text(column, row));
        return one(described, rows.cell(column, row));
    }
    /// Returns the value of a single cell.
    SqlValue one(const TableColumn& column, std::uint64_t cell);

private:
    SqlValue text(const TableColumn& column, std::string_view text) const;
    SqlValue number(std::uint64_t cell);
    SqlValue list(const TableColumn& column, std::span<const std::uint64_t> cells);
    bool is_text(StringId id);

    const TraceTables& tables_;
    const Schema& texts_;
    std::vector<std::uint8_t> checked_;  // by StringId: 0 unknown, 1 UTF-8, 2 anything else
    std::array<char, 24> digits_{};
    TextOutput list_;
};

}  // namespace hwtrace
