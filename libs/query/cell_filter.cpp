#include "query/cell_filter.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "domain/real_values.hpp"
#include "domain/sql_tables.hpp"

namespace hwtrace {

namespace {

using Test = CellFilter::Test;

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t greatest_unsigned = std::numeric_limits<std::uint64_t>::max();
constexpr double two_to_63 = 9223372036854775808.0;

bool is_simple(const TableColumn& column) noexcept {
    return !column.is_repeated && !column.has_own_text() && !column.has_growing_labels() && column.type != Type::blob;
}

/// Returns true if SQLite may take the text for a number.
bool is_like_number(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(" \t\n\v\f\r");
    return first != std::string_view::npos &&
           std::string_view("+-.0123456789").find(text[first]) != std::string_view::npos;
}

bool bounds_below(CellComparison comparison) noexcept {
    return comparison != CellComparison::less && comparison != CellComparison::at_most;
}

bool bounds_above(CellComparison comparison) noexcept {
    return comparison != CellComparison::greater && comparison != CellComparison::at_least;
}

/// Returns the condition that an integer is in [low, high]. Numbers from 2^63 on are text in SQL, and text is greater
/// than any number. SQLite takes it for a number if the right side is a column of numbers or a CAST: both ways it is
/// greater than a `high` below 2^63.
CellFilter integer_filter(const TableColumn& column, std::uint32_t at, CellComparison comparison, std::int64_t low,
                          std::int64_t high) {
    CellFilter filter;
    filter.column = at;
    if (is_sql_unsigned(column)) {
        if (bounds_above(comparison) && high < 0) return filter;  // Test::never
        filter.test = Test::unsigned_range;
        filter.low = bounds_below(comparison) && low > 0 ? static_cast<std::uint64_t>(low) : 0;
        filter.high = bounds_above(comparison) ? static_cast<std::uint64_t>(high) : greatest_unsigned;
        return filter;
    }
    filter.test = Test::signed_range;
    filter.low = static_cast<std::uint64_t>(bounds_below(comparison) ? low : least);
    filter.high = static_cast<std::uint64_t>(bounds_above(comparison) ? high : greatest);
    return filter;
}

CellFilter real_filter(std::uint32_t at, CellComparison comparison, double number) {
    CellFilter filter;
    filter.column = at;
    filter.test = Test::real_range;
    if (bounds_below(comparison)) filter.real_low = number;
    if (bounds_above(comparison)) filter.real_high = number;
    return filter;
}

std::int64_t clamped(double number) noexcept {
    if (number >= two_to_63) return greatest;
    return number <= -two_to_63 ? least : static_cast<std::int64_t>(number);
}

}  // namespace

bool is_filtered(const TraceTables& tables, const TableColumn& column, CellComparison comparison) noexcept {
    if (!is_simple(column)) return false;
    if (const Enum* const labels = column.type == Type::enumeration ? tables.labels(column) : nullptr)
        for (const EnumValue& value : labels->values)
            if (is_like_number(value.name)) return false;
    return comparison == CellComparison::equal || (!holds_text(column.type) && column.type != Type::enumeration);
}

bool is_key(const TableColumn& column) noexcept {
    return is_simple(column) && !is_real(column.type) && column.type != Type::enumeration;
}

CellFilter number_filter(const TableColumn& column, std::uint32_t at, CellComparison comparison, std::int64_t number) {
    if (is_real(column.type)) {
        // The nearest double may be on the wrong side of the number.
        const auto nearest = static_cast<double>(number);
        CellFilter filter = real_filter(at, comparison, nearest);
        filter.real_low = std::nextafter(filter.real_low, -std::numeric_limits<double>::infinity());
        filter.real_high = std::nextafter(filter.real_high, std::numeric_limits<double>::infinity());
        return filter;
    }
    if (column.type != Type::enumeration) return integer_filter(column, at, comparison, number, number);
    CellFilter filter;
    filter.column = at;
    filter.test = Test::one_of;
    filter.numbers = {static_cast<std::uint64_t>(number)};
    return filter;
}

CellFilter number_filter(const TableColumn& column, std::uint32_t at, CellComparison comparison, double number) {
    if (is_real(column.type)) return real_filter(at, comparison, number);
    CellFilter filter = integer_filter(column, at, comparison, clamped(std::floor(number)), clamped(std::ceil(number)));
    // The cell itself may be compared, not only its text.
    if (is_sql_unsigned(column) && number >= two_to_63) filter.high = greatest_unsigned;
    return filter;
}

CellFilter text_filter(const TraceTables& tables, const TableColumn& column, std::uint32_t at, std::string_view text) {
    CellFilter filter;
    filter.column = at;
    filter.test = Test::text;
    filter.equal_text = text;
    if (column.type != Type::enumeration) return filter;
    filter.test = Test::one_of;
    if (const Enum* const labels = tables.labels(column))
        for (const EnumValue& value : labels->values)
            if (value.name == text) filter.numbers.push_back(value.value);
    // A number from 2^63 on that has no label is text.
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    if (number > static_cast<std::uint64_t>(greatest)) filter.numbers.push_back(number);
    return filter;
}

// --- rows ------------------------------------------------------------------------------------------------------------

CellFilters::CellFilters(const TraceTable& table, std::vector<CellFilter> filters, const Schema& texts)
    : table_(table), filters_(std::move(filters)), texts_(texts), known_(filters_.size()) {}

template <typename Meets>
void CellFilters::keep(const TableChunk& rows, std::size_t column, const Meets& meets) {
    std::size_t kept = 0;
    for (const std::uint32_t row : selected_)
        if (rows.has(column, row) && meets(rows.cell(column, row))) selected_[kept++] = row;
    selected_.resize(kept);
}

bool CellFilters::is_equal(std::size_t filter, StringId id) {
    std::vector<std::uint8_t>& known = known_[filter];
    if (id >= texts_.string_count()) return false;
    if (id >= known.size()) known.resize(texts_.string_count());
    if (known[id] == 0) known[id] = texts_.text(id) == filters_[filter].equal_text ? 1 : 2;
    return known[id] == 1;
}

const std::vector<std::uint32_t>& CellFilters::select(const TableChunk& rows) {
    selected_.resize(rows.size());
    std::iota(selected_.begin(), selected_.end(), std::uint32_t{0});
    for (std::size_t at = 0; at < filters_.size(); ++at) {
        const CellFilter& filter = filters_[at];
        switch (filter.test) {
            case Test::signed_range:
                keep(rows, filter.column, [low = filter.signed_low(), high = filter.signed_high()](std::uint64_t cell) {
                    const auto number = static_cast<std::int64_t>(cell);
                    return number >= low && number <= high;
                });
                break;
            case Test::unsigned_range:
                keep(rows, filter.column, [low = filter.low, high = filter.high](std::uint64_t cell) {
                    return cell >= low && cell <= high;
                });
                break;
            case Test::real_range:
                keep(rows, filter.column, [&filter, type = table_.columns[filter.column].type](std::uint64_t cell) {
                    const double number = real_of(type, cell);
                    return number >= filter.real_low && number <= filter.real_high;
                });
                break;
            case Test::one_of:
                keep(rows, filter.column, [&filter](std::uint64_t cell) {
                    return std::ranges::find(filter.numbers, cell) != filter.numbers.end();
                });
                break;
            case Test::text:
                keep(rows, filter.column,
                     [this, at](std::uint64_t cell) { return is_equal(at, static_cast<StringId>(cell)); });
                break;
            case Test::never:
                selected_.clear();
        }
    }
    return selected_;
}

}  // namespace hwtrace
