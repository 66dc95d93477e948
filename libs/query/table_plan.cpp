#include "query/table_plan.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace hwtrace {

namespace {

// A plan as text: the columns that are used (a mask in hexadecimal, as SQLite states it), then each condition as its
// column and a letter: "1f 0=k 3>".
constexpr char key_mark = 'k';
constexpr std::string_view operators = "=<l>g";  // by CellComparison

std::optional<CellComparison> comparison_of(unsigned char op) noexcept {
    switch (op) {
        case SQLITE_INDEX_CONSTRAINT_EQ:
            return CellComparison::equal;
        case SQLITE_INDEX_CONSTRAINT_LT:
            return CellComparison::less;
        case SQLITE_INDEX_CONSTRAINT_LE:
            return CellComparison::at_most;
        case SQLITE_INDEX_CONSTRAINT_GT:
            return CellComparison::greater;
        case SQLITE_INDEX_CONSTRAINT_GE:
            return CellComparison::at_least;
        default:
            return std::nullopt;
    }
}

/// Returns true if the right side is known while the statement is prepared, so that the scan happens once.
bool is_constant(sqlite3_index_info& info, int constraint) noexcept {
    sqlite3_value* value = nullptr;
    return sqlite3_vtab_rhs_value(&info, constraint, &value) == SQLITE_OK;
}

/// Returns a number that text denotes exactly, such as those from 2^63 on.
std::optional<std::uint64_t> exact_number(std::string_view text) noexcept {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::string_view text_of(sqlite3_value* value) noexcept {
    const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    return text == nullptr ? std::string_view()
                           : std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

/// Returns the cell that a column has if it equals the value. Returns nullopt if this is not known.
std::optional<TablePlan::Key> key_of(const TableColumn& column, std::uint32_t at, sqlite3_value* value) {
    const int type = sqlite3_value_type(value);
    if (holds_text(column.type)) {
        if (type != SQLITE_TEXT) return std::nullopt;
        return TablePlan::Key{at, std::string(text_of(value))};
    }
    if (type == SQLITE_INTEGER) return TablePlan::Key{at, static_cast<std::uint64_t>(sqlite3_value_int64(value))};
    if (type != SQLITE_TEXT || sql_type(column) == "INTEGER") return std::nullopt;
    const std::optional<std::uint64_t> number = exact_number(text_of(value));
    return number ? std::optional(TablePlan::Key{at, *number}) : std::nullopt;
}

/// Returns the condition, or nullopt if SQLite has to test it alone.
std::optional<CellFilter> filter_of(const TraceTables& tables, const TableColumn& column, std::uint32_t at,
                                    CellComparison comparison, sqlite3_value* value) {
    switch (sqlite3_value_type(value)) {
        case SQLITE_NULL:
            return CellFilter{.column = at};  // nothing compares with NULL
        case SQLITE_INTEGER:
            if (holds_text(column.type)) return std::nullopt;
            return number_filter(column, at, comparison, std::int64_t{sqlite3_value_int64(value)});
        case SQLITE_FLOAT:
            if (holds_text(column.type) || column.type == Type::enumeration) return std::nullopt;
            return number_filter(column, at, comparison, sqlite3_value_double(value));
        case SQLITE_TEXT:
            if (comparison != CellComparison::equal) return std::nullopt;
            if (holds_text(column.type) || column.type == Type::enumeration)
                return text_filter(tables, column, at, text_of(value));
            return std::nullopt;
        default:
            return std::nullopt;
    }
}

}  // namespace

int choose_plan(const QueryTrace& trace, std::size_t table, sqlite3_index_info& info) {
    const TraceTable& described = trace.tables().all()[table];
    const std::size_t columns = trace.names().tables[table].columns.size();
    const auto all_rows = static_cast<double>(trace.rows(table));
    double rows = all_rows;
    int arguments = 0;
    bool has_key = false;
    std::string keyed, filtered;
    for (int i = 0; i < info.nConstraint; ++i) {
        const auto& constraint = info.aConstraint[i];
        const std::optional<CellComparison> comparison = comparison_of(constraint.op);
        if (!constraint.usable || !comparison || constraint.iColumn < 0) continue;
        const auto at = static_cast<std::size_t>(constraint.iColumn);
        if (at >= columns || !is_filtered(trace.tables(), described.columns[at], *comparison)) continue;
        const TableColumn& column = described.columns[at];
        // A scan that SQLite tests with the whole list is better than one that begins anew for each value.
        if (sqlite3_vtab_in(&info, i, -1) != 0) continue;
        const bool is_text = holds_text(column.type) || column.type == Type::enumeration;
        if (is_text && std::string_view(sqlite3_vtab_collation(&info, i)) != "BINARY") continue;
        const bool is_keyed =
            !has_key && *comparison == CellComparison::equal && is_key(column) && !is_constant(info, i);
        std::string& list = is_keyed ? keyed : filtered;
        // The key is the first argument.
        if (is_keyed)
            for (int other = 0; other < i; ++other)
                if (info.aConstraintUsage[other].argvIndex != 0) ++info.aConstraintUsage[other].argvIndex;
        ++arguments;
        info.aConstraintUsage[i].argvIndex = is_keyed ? 1 : arguments;
        list += " " + std::to_string(at) + operators[static_cast<std::size_t>(*comparison)];
        if (is_keyed) list += key_mark;
        has_key = has_key || is_keyed;
        rows /= is_keyed ? std::max(1.0, all_rows / 2) : *comparison == CellComparison::equal ? 20 : 3;
    }
    std::string text(16, '0');
    text.resize(static_cast<std::size_t>(
        std::to_chars(text.data(), text.data() + text.size(), std::uint64_t{info.colUsed}, 16).ptr - text.data()));
    text += keyed + filtered;
    info.idxStr = sqlite3_mprintf("%s", text.c_str());
    if (info.idxStr == nullptr) return SQLITE_NOMEM;
    info.needToFreeIdxStr = 1;
    info.estimatedRows = static_cast<sqlite3_int64>(std::max(1.0, rows));
    // A scan reads the whole trace, however few rows are left.
    info.estimatedCost = has_key ? 10 + rows : all_rows * 2 + rows;
    return SQLITE_OK;
}

TablePlan plan_of(const QueryTrace& trace, std::size_t table, const char* text,
                  std::span<sqlite3_value* const> values) {
    const TraceTables& tables = trace.tables();
    const TraceTable& described = tables.all()[table];
    constexpr std::size_t mask_bits = 64;  // the last bit stands for all columns behind
    TablePlan plan;
    std::string_view rest(text);
    std::uint64_t mask = 0;
    rest.remove_prefix(
        static_cast<std::size_t>(std::from_chars(rest.data(), rest.data() + rest.size(), mask, 16).ptr - rest.data()));
    for (std::size_t at = 0; at < described.columns.size(); ++at)
        plan.columns.push_back((mask >> std::min(at, mask_bits - 1) & 1) != 0 ? 1 : 0);
    for (sqlite3_value* const value : values) {
        std::uint32_t at = 0;
        rest.remove_prefix(1);
        rest.remove_prefix(
            static_cast<std::size_t>(std::from_chars(rest.data(), rest.data() + rest.size(), at).ptr - rest.data()));
        const auto comparison = static_cast<CellComparison>(operators.find(rest.front()));
        rest.remove_prefix(1);
        const TableColumn& column = described.columns[at];
        const bool is_keyed = rest.starts_with(key_mark);
        if (is_keyed) {
            rest.remove_prefix(1);
            if (sqlite3_value_type(value) != SQLITE_NULL) plan.key = key_of(column, at, value);
            if (plan.key) continue;
        }
        if (std::optional<CellFilter> filter = filter_of(tables, column, at, comparison, value))
            plan.filters.push_back(std::move(*filter));
    }
    return plan;
}

}  // namespace hwtrace
