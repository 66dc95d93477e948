#include "serve/row_filter.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace hwtrace {

bool RowFilter::take(std::string_view output) {
    if (form_ == PageForm::none) {
        is_cut_ = is_cut_ || text_.size() + output.size() > page_.most_bytes;
        if (!is_cut_) text_ += output;
        return !is_cut_;
    }
    while (!output.empty()) {
        std::size_t end = 0;
        for (; end < output.size(); ++end) {
            if (output[end] == '"' && form_ == PageForm::csv) is_quoted_ = !is_quoted_;
            if (output[end] == '\n' && !is_quoted_) break;
        }
        const bool is_whole = end < output.size();
        const std::size_t count = is_whole ? end + 1 : end;
        if (row_.size() + count > page_.most_bytes) {  // a row that fits into no page
            is_cut_ = true;
            return false;
        }
        if (row_.empty() && is_whole) {
            if (!take_row(output.substr(0, count))) return false;
        } else {
            row_.append(output.substr(0, count));
            if (is_whole) {
                const bool goes_on = take_row(row_);
                row_.clear();
                if (!goes_on) return false;
            }
        }
        output.remove_prefix(count);
    }
    return true;
}

bool RowFilter::take_row(std::string_view row) {
    if (is_first_) {
        is_first_ = false;
        if (form_ == PageForm::csv || (form_ == PageForm::jsonl && row.starts_with("{\"schema\":\""))) {
            text_ = row;
            head_size_ = row.size();
            return true;
        }
    }
    if (seen_++ < page_.since) return true;
    if (kept_ == page_.limit || text_.size() + row.size() > page_.most_bytes) {
        is_cut_ = true;
        return false;
    }
    text_ += row;
    ++kept_;
    return true;
}

void RowFilter::end() {
    if (!row_.empty() && !is_cut_) take_row(row_);
    row_.clear();
}

namespace {

/// Returns the length of the JSON value at the beginning of `text`.
std::size_t value_size(std::string_view text) {
    std::size_t depth = 0;
    bool is_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_string) {
            if (c == '\\') ++i;
            if (c == '"') is_string = false;
            if (!is_string && c == '"' && depth == 0) return i + 1;
        } else if (c == '"') {
            is_string = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            if (depth == 0) return i;
            if (--depth == 0) return i + 1;
        } else if (depth == 0 && (c == ',' || c == ':')) {
            return i;
        }
    }
    return text.size();
}

/// A column: its name and values as JSON, separated by commas, and the number of values.
struct Column {
    std::string_view name;
    std::string values;
    std::uint64_t count = 0;

    void add(std::string_view value) {
        if (count++ != 0) values += ',';
        values += value;
    }
    /// Adds a null for each row before `rows` that has no value. Returns the number of bytes.
    std::size_t fill(std::uint64_t rows) {
        const std::size_t before = values.size();
        while (count < rows)
            add("null");
        return values.size() - before;
    }
};

}  // namespace

std::optional<std::string> columns_of(std::string_view lines, std::size_t most_bytes) {
    std::vector<Column> columns;
    std::unordered_map<std::string_view, std::size_t> by_name;
    std::uint64_t rows = 0;
    std::size_t size = 0;
    constexpr std::size_t null_size = 5;
    for (; !lines.empty(); ++rows) {
        std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        if (!line.starts_with('{')) continue;
        line.remove_prefix(1);
        while (!line.empty() && line.front() != '}') {
            const std::string_view name = line.substr(0, value_size(line));
            line.remove_prefix(std::min(line.size(), name.size() + 1));  // with the colon
            const std::string_view value = line.substr(0, value_size(line));
            line.remove_prefix(value.size());
            if (line.starts_with(',')) line.remove_prefix(1);
            const auto [found, is_new] = by_name.emplace(name, columns.size());
            if (is_new) columns.push_back({name, {}, 0});
            Column& column = columns[found->second];
            size += value.size() + 1 + (is_new ? name.size() + 4 : 0);
            // Before they are added: rows with ever new keys would take the square of their size.
            if (size + (rows - std::min(rows, column.count)) * null_size > most_bytes) return std::nullopt;
            size += column.fill(rows);
            if (column.count == rows) column.add(value);
        }
    }
    for (const Column& column : columns)
        size += (rows - column.count) * null_size;
    if (size > most_bytes) return std::nullopt;
    std::string text = "{";
    for (Column& column : columns) {
        column.fill(rows);
        if (text.size() > 1) text += ',';
        text.append(column.name).append(":[").append(column.values).append("]");
    }
    return text + "}";
}

}  // namespace hwtrace
