#include "cli/info_table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>
#include <type_traits>

#include "cli/quantities.hpp"
#include "cli/terminal.hpp"
#include "domain/protocols.hpp"
#include "domain/value_text.hpp"

namespace hwtrace::cli {

namespace {

std::string cell_text(const InfoValue& value) {
    return std::visit(
        [](const auto& cell) -> std::string {
            using Cell = std::decay_t<decltype(cell)>;
            if constexpr (std::is_same_v<Cell, std::monostate> || std::is_same_v<Cell, std::nullptr_t>)
                return "-";
            else if constexpr (std::is_same_v<Cell, RealTime>)
                return std::visit(
                    [&](auto ticks) { return picoseconds_cell(static_cast<double>(ticks) * cell.picoseconds_each); },
                    cell.ticks);
            else
                return fmt::format("{}", cell);
        },
        value);
}

Json cell_json(const InfoValue& value, JsonIntegers integers) {
    return std::visit(
        [&](const auto& cell) -> Json {
            using Cell = std::decay_t<decltype(cell)>;
            if constexpr (std::is_same_v<Cell, std::uint64_t> || std::is_same_v<Cell, std::int64_t>)
                return json_integer(cell, integers);
            else if constexpr (std::is_same_v<Cell, std::monostate>)
                return nullptr;
            else if constexpr (std::is_same_v<Cell, RealTime>)
                return std::visit([&](auto ticks) { return json_integer(ticks, integers); }, cell.ticks);
            else
                return cell;
        },
        value);
}

/// A column of text: the lines of its heading, then the cells.
struct TextColumn {
    std::string title;
    bool is_name = false;  ///< the first column, which is aligned to the left
    std::vector<std::string> heading, cells;
    std::size_t width = 0;

    /// Returns the least width at which no number and no word is cut.
    std::size_t least_width() const {
        std::size_t least = 0;
        for (const std::string& cell : cells)
            least = std::max(least, columns_of(cell));
        for (std::size_t at = 0; at <= title.size();) {
            const std::size_t end = std::min(title.find(' ', at), title.size());
            least = std::max(least, end - at);
            at = end + 1;
        }
        return least;
    }
    /// Wraps the heading between words.
    void wrap() {
        heading.clear();
        for (std::size_t at = 0; at <= title.size();) {
            const std::size_t end = std::min(title.find(' ', at), title.size());
            const std::string word = title.substr(at, end - at);
            if (heading.empty() || heading.back().size() + 1 + word.size() > width)
                heading.push_back(word);
            else
                heading.back() += ' ' + word;
            at = end + 1;
        }
    }
    std::string padded(const std::string& text) const {
        const std::string blanks(width - std::min(width, columns_of(text)), ' ');
        return "  " + (is_name ? text + blanks : blanks + text);
    }
};

/// Makes the columns narrower until the table fits, the one with most room to spare first. No word and no number is
/// cut. Returns the number of columns that are still too many.
std::size_t fit(std::vector<TextColumn>& columns, std::size_t room) {
    std::size_t total = 2;
    for (const TextColumn& column : columns)
        total += 2 + column.width;
    const auto spare = [](const TextColumn& column) {
        return column.width - std::min(column.width, column.least_width());
    };
    for (; total > room; --total) {
        const auto widest = std::ranges::max_element(columns, {}, spare);
        if (widest == columns.end() || spare(*widest) == 0) return total - room;
        --widest->width;
    }
    return 0;
}

/// Makes the names at most `excess` columns shorter, by their beginnings, and leaves at least 16 columns.
void shorten(TextColumn& names, std::size_t excess) {
    constexpr std::size_t least = 16;
    const std::size_t width = std::max(std::min(least, names.width), names.width - std::min(excess, names.width));
    for (std::string& name : names.cells) {
        if (columns_of(name) > width) name = fmt::format("…{}", last_columns(name, width - 1));
    }
    names.width = width;
}

}  // namespace

void InfoTable::print(Volume volume, TextOutput& out, Empty empty) const {
    if (rows_.empty() && empty == Empty::hidden) return;
    constexpr std::size_t most_rows = 16;
    const std::size_t shown = volume == Volume::verbose ? rows_.size() : std::min(rows_.size(), most_rows);
    std::vector<TextColumn> columns;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        if (columns_[column].title.empty()) continue;
        TextColumn& text = columns.emplace_back();
        text.title = columns_[column].title;
        text.is_name = columns.size() == 1;
        for (std::size_t i = 0; i < shown; ++i)
            text.cells.push_back(cell_text(rows_[i][column]));
        text.width = std::max({columns_[column].width, text.title.size(), text.least_width()});
    }
    if (columns.empty()) return;
    const bool has_list = columns_.back().is_list;
    if (has_list) columns.back().width = columns.back().title.size();
    const std::size_t excess = fit(columns, output_columns());
    if (excess != 0 && ::isatty(STDOUT_FILENO) != 0) shorten(columns.front(), excess);  // a file has room for names
    std::size_t heading = 0;
    for (TextColumn& column : columns) {
        column.wrap();
        heading = std::max(heading, column.heading.size());
    }
    const auto cell = [heading](const TextColumn& column, std::size_t line) -> std::string {
        const std::size_t above = heading - column.heading.size();
        return line < above ? "" : line < heading ? column.heading[line - above] : column.cells[line - heading];
    };
    for (std::size_t i = 0; i < heading + shown; ++i) {
        std::string line = "  ";
        for (std::size_t at = 0; at + (has_list ? 1 : 0) < columns.size(); ++at)
            line += columns[at].padded(cell(columns[at], i));
        if (const std::string list = has_list ? cell(columns.back(), i) : ""; !list.empty()) {
            line += "  ";
            const std::size_t indent = columns_of(line);
            append_wrapped(list, indent, indent, list_columns(), line);
        } else {
            line.resize(line.find_last_not_of(' ') + 1);
            line += '\n';
        }
        out.put(line);
    }
    if (shown < rows_.size()) out.put(fmt::format("    and {} more (-v shows all)\n", rows_.size() - shown));
}

Json InfoTable::json(JsonIntegers integers) const {
    Json json = Json::array();
    for (const std::vector<InfoValue>& row : rows_) {
        Json entry;
        for (std::size_t column = 0; column < columns_.size(); ++column)
            if (!columns_[column].key.empty() && !std::holds_alternative<std::monostate>(row[column]))
                entry[std::string(columns_[column].key)] = cell_json(row[column], integers);
        json.push_back(std::move(entry));
    }
    return json;
}

std::string shown_name(const std::string& name) {
    return name.empty() ? "-" : name_text(name);
}

std::string full_name(const std::string& scope, const std::string& name) {
    return name_text(name_in(scope, name));
}

}  // namespace hwtrace::cli
