// codec/rows.hpp - writes the rows of a table as text, JSON, JSON Lines or CSV.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/format.hpp"
#include "codec/settings.hpp"
#include "domain/value_text.hpp"
#include "io/text_output.hpp"

namespace hwtrace {

/// A column of a table.
struct RowColumn {
    /// How the column looks in text: key=value, or the value alone. Text is quoted if append_name() requires it, or
    /// always.
    enum class Text : std::uint8_t { named, bare, named_quoted, bare_quoted };

    std::string_view key;  ///< member of the row's JSON object
    Text text = Text::named;
    std::string_view heading = key;  ///< heading in CSV

    constexpr bool is_named() const noexcept { return text == Text::named || text == Text::named_quoted; }
    constexpr bool is_quoted() const noexcept { return text == Text::named_quoted || text == Text::bare_quoted; }
};

/// Returns an array of columns. A column that is given by its key alone has the defaults.
template <typename... Columns>
constexpr std::array<RowColumn, sizeof...(Columns)> columns_of(const Columns&... columns) {
    return {RowColumn{columns}...};
}

/// A column of `columns`, given by its key. An unknown key does not compile.
template <const auto& columns>
struct ColumnOf {
    std::size_t index = 0;

    consteval ColumnOf(const char* key) {
        while (columns[index].key != std::string_view(key))
            ++index;
    }
    constexpr explicit ColumnOf(std::size_t number) noexcept : index(number) {}
};

/// The order in which a view writes the cells of a row: that of the columns, or any. CSV collects cells in any order
/// before it writes them.
enum class CellOrder : std::uint8_t { as_columns, any };

/// The parts of Rows that do not depend on the columns.
class RowsBase {
public:
    TextForm form() const noexcept { return form_; }
    bool is_csv() const noexcept { return form_ == TextForm::csv; }
    bool is_json() const noexcept { return form_ == TextForm::json || form_ == TextForm::jsonl; }
    TextOutput& out() noexcept { return out_; }

    /// Begins the document: CSV writes the headings, JSON opens an object with the schema name. JSON may then get
    /// further members from out().
    void begin(std::string_view schema, const Settings& settings);
    /// Begins the list of rows. `list` is its text in a JSON document, such as `,"items":[`. JSON Lines ends the first
    /// line instead.
    void begin_rows(std::string_view list) {
        first_row_ = true;
        if (is_json()) out_.put(form_ == TextForm::json ? list : "}\n");
    }
    void begin_row() {
        if (form_ == TextForm::json) out_.put(first_row_ ? "\n{" : ",\n{");
        if (form_ == TextForm::jsonl) out_.put('{');
        first_row_ = false;
        next_ = 0;
    }
    /// Begins a member that only JSON has. The caller writes the value to the returned output.
    [[gnu::always_inline]] TextOutput& member(std::string_view key) {
        char* place = out_.reserve(key.size() + 4);
        char* const begin = place;
        *place = ',';
        place += next_ == 0 ? 0 : 1;
        *place++ = '"';
        std::memcpy(place, key.data(), key.size());
        place += key.size();
        *place++ = '"';
        *place++ = ':';
        out_.advance(static_cast<std::size_t>(place - begin));
        next_ = 1;
        return out_;
    }
    void end_row() {
        if (form_ == TextForm::json) return out_.put('}');
        if (form_ == TextForm::jsonl) return out_.put("}\n");
        if (is_csv()) end_csv_row();
        out_.put('\n');
    }
    /// Ends a JSON document. `end` closes the list and the document.
    void end(std::string_view end = "\n]}\n") {
        if (form_ == TextForm::json) out_.put(end);
    }

protected:
    RowsBase(std::span<const RowColumn> columns, CellOrder order, TextForm form, JsonIntegers integers,
             TextOutput& out);

    void shorten(std::size_t size) {
        columns_ = columns_.first(size);
        if (!cells_.empty()) cells_.resize(size);
    }
    /// Begins a CSV cell.
    TextOutput& csv_cell(std::size_t column) {
        if (!cells_.empty()) return any_csv_cell(column);
        for (std::size_t at = next_ == 0 ? 1 : next_; at <= column; ++at)
            out_.put(',');
        next_ = column + 1;
        return out_;
    }
    /// Begins a cell of text.
    TextOutput& text_cell(const RowColumn& column) {
        if (next_ != 0) out_.put(' ');
        next_ = 1;
        if (column.is_named()) {
            out_.put(column.key);
            out_.put('=');
        }
        return out_;
    }
    void append_text(const RowColumn& column, std::string_view value) {
        if (column.is_quoted())
            append_quoted(value, out_);
        else
            append_name(value, out_);
    }

    JsonIntegers integers_;

private:
    /// The text of a CSV cell, as a part of kept_. It is empty if the row lacks the cell.
    struct Cell {
        std::size_t begin = 0, end = 0;
    };

    TextOutput& any_csv_cell(std::size_t column);
    void end_csv_row();

    std::span<const RowColumn> columns_;
    TextForm form_;
    TextOutput& out_;
    bool first_row_ = true;
    std::size_t next_ = 0;      ///< CSV: the column after the last cell; JSON and text: 0 in front of the first cell
    std::size_t open_ = 0;      ///< the column of the last cell in kept_
    std::vector<Cell> cells_;   ///< indexed by column; empty unless CSV gets cells in any order
    TextOutput kept_{-1, 256};  ///< the cells of a CSV row
};

/// Writes a table. For each row call begin_row(), one function for each cell that the row has, and end_row().
/// `columns` is an array of all columns, in the order of CSV.
template <const auto& columns>
class Rows : public RowsBase {
public:
    using At = ColumnOf<columns>;

    /// `out` must outlive this object.
    Rows(TextForm form, const Settings& settings, TextOutput& out, CellOrder order = CellOrder::as_columns)
        : RowsBase(columns, order, form, settings.json_integers, out) {}
    /// Leaves out `at` and all columns after it. Call before begin().
    void end_columns(At at) { shorten(at.index); }

    /// Begins a cell. The caller writes the value in the syntax of the form to the returned output.
    [[gnu::always_inline]] TextOutput& cell(At at) {
        if (is_json()) return member(columns[at.index].key);
        return is_csv() ? csv_cell(at.index) : text_cell(columns[at.index]);
    }
    [[gnu::always_inline]] void text(At at, std::string_view value) {
        TextOutput& to = cell(at);
        if (is_json()) return append_json_string(value, to);
        if (is_csv()) return append_csv(value, to);
        append_text(columns[at.index], value);
    }
    [[gnu::always_inline]] void number(At at, std::uint64_t value) {
        TextOutput& to = cell(at);
        if (is_json()) return append_json_integer(value, integers_, to);
        to.decimal(value);
    }
    [[gnu::always_inline]] void number(At at, std::int64_t value) {
        TextOutput& to = cell(at);
        if (is_json()) return append_json_integer(value, integers_, to);
        to.decimal_signed(value);
    }
    /// Writes a JSON number, or hexadecimal digits in the other forms.
    [[gnu::always_inline]] void hex(At at, std::uint64_t value) {
        TextOutput& to = cell(at);
        if (is_json()) return append_json_integer(value, integers_, to);
        append_hex(value, to);
    }
    void flag(At at) { cell(at).put("true"); }
};

}  // namespace hwtrace
