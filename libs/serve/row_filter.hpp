// serve/row_filter.hpp - cuts a page of rows out of the output of a command.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hwtrace {

/// How output is divided into rows.
enum class PageForm : std::uint8_t {
    none,   ///< one document, such as JSON; it is not divided
    lines,  ///< each line is a row
    csv,    ///< the first line has the names; a cell may have line breaks
    jsonl,  ///< the first line is about the document if it has "schema", as in dumps
};

/// Keeps the head, and rows [since, since + limit) as long as they fit into `most_bytes`.
class RowFilter {
public:
    struct Page {
        std::uint64_t since = 0, limit = 0;
        std::size_t most_bytes = 0;
    };

    RowFilter(PageForm form, const Page& page) : form_(form), page_(page) {}

    /// Takes the next output of the command. Returns false when no more is needed.
    bool take(std::string_view output);
    /// Ends the output: a last line without a line feed counts as a row.
    void end();

    const std::string& text() const noexcept { return text_; }
    /// Returns text() and leaves it empty.
    std::string take_text() noexcept { return std::move(text_); }
    /// Returns the number of rows in text().
    std::uint64_t rows() const noexcept { return kept_; }
    /// Returns the row after the last one in text().
    std::uint64_t next() const noexcept { return page_.since + kept_; }
    /// Returns true if there are more rows, or if a document is too long to be delivered.
    bool is_cut() const noexcept { return is_cut_; }
    /// Returns the length of the head in text(), with its line feed.
    std::size_t head_size() const noexcept { return head_size_; }

private:
    bool take_row(std::string_view row);

    PageForm form_;
    Page page_;
    std::string text_, row_;  // the pages's text; the row that is not complete yet
    std::uint64_t seen_ = 0, kept_ = 0;
    std::size_t head_size_ = 0;
    bool is_first_ = true, is_quoted_ = false, is_cut_ = false;
};

/// Turns lines of JSON objects into columns: {"time":[1,2],"kind":["event","set"]}. The columns are in order of
/// appearance; null stands for a key that a row lacks. Values are copied as they are, so that integers stay exact.
/// Returns nullopt if the text would be longer than `most_bytes`.
std::optional<std::string> columns_of(std::string_view lines, std::size_t most_bytes);

}  // namespace hwtrace
