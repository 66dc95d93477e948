#include "cli/info_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <type_traits>

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
            else
                return cell;
        },
        value);
}

}  // namespace

void InfoTable::print(Volume volume, TextOutput& out, Empty empty) const {
    if (rows_.empty() && empty == Empty::hidden) return;
    constexpr std::size_t most_rows = 16;
    const std::size_t shown = volume == Volume::verbose ? rows_.size() : std::min(rows_.size(), most_rows);
    std::vector<std::string> lines(shown + 1, "  ");
    for (std::size_t column = 0; column < columns_.size(); ++column) {
        if (columns_[column].title.empty()) continue;
        std::vector<std::string> cells{columns_[column].title};
        std::size_t width = cells[0].size();
        for (std::size_t i = 0; i < shown; ++i) {
            cells.push_back(cell_text(rows_[i][column]));
            width = std::max(width, cells.back().size());
        }
        if (columns_[column].width != 0) width = columns_[column].width;
        const bool is_name = lines[0].size() == 2;
        for (std::size_t i = 0; i < cells.size(); ++i)
            lines[i] += is_name ? fmt::format("  {:<{}}", cells[i], width) : fmt::format("  {:>{}}", cells[i], width);
    }
    for (const std::string& line : lines)
        out.put(line + "\n");
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
