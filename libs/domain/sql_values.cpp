#include "domain/sql_values.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "domain/real_values.hpp"
#include "domain/sql_tables.hpp"
#include "domain/utf8.hpp"
#include "domain/value_text.hpp"

namespace hwtrace {

namespace {

constexpr std::uint64_t largest_integer = std::numeric_limits<std::int64_t>::max();

SqlValue integer_value(std::uint64_t cell) {
    SqlValue value;
    value.kind = SqlValue::Kind::integer;
    value.integer = static_cast<std::int64_t>(cell);
    return value;
}

SqlValue text_value(SqlValue::Kind kind, std::string_view text, bool is_temporary = false) {
    SqlValue value;
    value.kind = kind;
    value.text = text;
    value.is_temporary = is_temporary;
    return value;
}

void append_real(double value, TextOutput& out) {
    if (std::isnan(value)) return out.put("null");
    if (std::isinf(value)) return out.put(value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
    constexpr std::size_t longest = 32;
    char* const place = out.reserve(longest);
    out.advance(static_cast<std::size_t>(std::to_chars(place, place + longest, value).ptr - place));
}

}  // namespace

SqlValue SqlValues::one(const TableColumn& column, std::uint64_t cell) {
    if (holds_text(column.type)) {
        const auto id = static_cast<StringId>(cell);
        if (id >= texts_.string_count()) return {};  // a field that was never set
        const bool is_readable = column.type != Type::blob && is_text(id);
        return text_value(is_readable ? SqlValue::Kind::text : SqlValue::Kind::blob, texts_.text(id));
    }
    if (is_real(column.type)) {
        SqlValue value;
        value.real = real_of(column.type, cell);
        if (!std::isnan(value.real)) value.kind = SqlValue::Kind::real;
        return value;
    }
    if (column.type != Type::enumeration) return is_sql_unsigned(column) ? number(cell) : integer_value(cell);
    const std::string* const label = tables_.label(column, cell);
    if (label == nullptr) return number(cell);
    return text_value(is_utf8(*label) ? SqlValue::Kind::text : SqlValue::Kind::blob, *label);
}

SqlValue SqlValues::number(std::uint64_t cell) {
    if (cell <= largest_integer) return integer_value(cell);
    const char* const end = std::to_chars(digits_.data(), digits_.data() + digits_.size(), cell).ptr;
    return text_value(SqlValue::Kind::text, {digits_.data(), static_cast<std::size_t>(end - digits_.data())}, true);
}

SqlValue SqlValues::text(const TableColumn& column, std::string_view text) const {
    const bool is_readable = column.content == TableColumn::Content::text && is_utf8(text);
    return text_value(is_readable ? SqlValue::Kind::text : SqlValue::Kind::blob, text);
}

bool SqlValues::is_text(StringId id) {
    if (id >= checked_.size()) checked_.resize(texts_.string_count());
    std::uint8_t& known = checked_[id];
    if (known == 0) known = is_utf8(texts_.text(id)) ? 1 : 2;
    return known == 1;
}

SqlValue SqlValues::list(const TableColumn& column, std::span<const std::uint64_t> cells) {
    list_.clear();
    list_.put('[');
    for (std::size_t at = 0; at < cells.size(); ++at) {
        if (at != 0) list_.put(',');
        const SqlValue value = one(column, cells[at]);
        switch (value.kind) {
            case SqlValue::Kind::null:
                list_.put("null");
                break;
            case SqlValue::Kind::integer:
                list_.decimal_signed(value.integer);
                break;
            case SqlValue::Kind::real:
                append_real(value.real, list_);
                break;
            case SqlValue::Kind::text:
                append_json_string(value.text, list_);
                break;
            case SqlValue::Kind::blob:
                list_.put('"');
                append_hex_bytes(std::as_bytes(std::span(value.text)), list_);
                list_.put('"');
        }
    }
    list_.put(']');
    return text_value(SqlValue::Kind::text, list_.text(), true);
}

}  // namespace hwtrace
