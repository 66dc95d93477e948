#include "cli/guide.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hwtrace::cli {

namespace {

/// Converts one Markdown page.
class Guide {
public:
    std::string convert(std::string_view markdown) {
        while (!markdown.empty()) {
            const std::size_t end = std::min(markdown.find('\n'), markdown.size());
            take(markdown.substr(0, end));
            markdown.remove_prefix(std::min(end + 1, markdown.size()));
        }
        end_block();
        return std::move(page_);
    }

private:
    enum class Block : std::uint8_t { none, paragraph, item, code };

    void take(std::string_view line) {
        if (line.starts_with("```")) return fence();
        if (block_ == Block::code) return code(line);
        if (line.starts_with("#")) return heading(line);
        if (!begun_) return;
        if (line.empty()) return end_block();
        if (line.starts_with("|")) return row(line);
        if (line.starts_with("- ")) {
            end_block();
            block_ = Block::item;
            line.remove_prefix(2);
        }
        if (block_ == Block::none) block_ = Block::paragraph;
        while (line.starts_with(' '))
            line.remove_prefix(1);
        if (!text_.empty()) text_ += ' ';
        text_ += line;
    }

    void heading(std::string_view line) {
        end_block();
        const std::size_t level = line.find_first_not_of('#');
        if (level == std::string_view::npos || level < 2) return;
        begun_ = true;
        page_ += ".SS " + man_escaped(line.substr(level + 1)) + "\n";
        is_below_heading_ = true;
    }

    void fence() {
        if (!begun_) return;
        if (block_ == Block::code) {
            page_ += ".EE\n.RE\n";
            block_ = Block::none;
        } else {
            end_block();
            page_ += paragraph() + ".RS 4\n.EX\n";
            block_ = Block::code;
        }
    }
    void code(std::string_view line) { page_ += man_escaped(line) + "\n"; }

    /// Writes a row of a table as a tagged paragraph: the first cell is the tag. Leaves out the head and the rule.
    void row(std::string_view line) {
        end_block();
        was_row_ = true;
        const std::vector<std::string> cells = cells_of(line);
        if (cells.empty()) return;
        const bool is_rule = cells.front().find_first_not_of("-: ") == std::string::npos && !cells.front().empty();
        if (is_rule || !is_in_table_) {
            is_in_table_ = true;
            return;
        }
        is_below_heading_ = false;
        page_ += ".TP\n" + (cells.front().empty() ? "\\&" : inlined(cells.front())) + "\n";
        std::string rest;
        for (std::size_t at = 1; at < cells.size(); ++at)
            if (!cells[at].empty()) rest += (rest.empty() ? "" : "; ") + cells[at];
        page_ += (rest.empty() ? "\\&" : inlined(rest)) + "\n";
    }
    static std::vector<std::string> cells_of(std::string_view line) {
        std::vector<std::string> cells;
        std::string cell;
        for (std::size_t at = 1; at < line.size(); ++at) {
            if (line[at] == '\\' && at + 1 < line.size() && line[at + 1] == '|') {
                cell += '|';
                ++at;
            } else if (line[at] == '|') {
                const std::size_t begin = cell.find_first_not_of(' ');
                const std::size_t end = cell.find_last_not_of(' ');
                cells.push_back(begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1));
                cell.clear();
            } else {
                cell += line[at];
            }
        }
        return cells;
    }

    /// Returns the request that begins a paragraph: none below a heading, which begins one.
    std::string paragraph() { return std::exchange(is_below_heading_, false) ? "" : ".PP\n"; }

    void end_block() {
        if (!was_row_) is_in_table_ = false;
        was_row_ = false;
        if (!text_.empty()) {
            const std::string begin = paragraph();
            page_ += (block_ == Block::item ? ".IP \\(bu 2\n" : begin) + inlined(text_) + "\n";
        }
        text_.clear();
        if (block_ != Block::code) block_ = Block::none;
    }

    /// Returns text with code and bold text in bold, and links without their targets.
    static std::string inlined(std::string_view text) {
        std::string out, plain;
        const auto put = [&] {
            // A full stop or an apostrophe at the beginning of a line would be a request.
            out += out.empty() || plain.empty() || plain.front() != '.' ? man_escaped(plain)
                                                                        : man_escaped(plain).substr(2);
            plain.clear();
        };
        for (std::size_t at = 0; at < text.size(); ++at) {
            const std::string_view rest = text.substr(at);
            const std::string_view mark = rest.starts_with("**") ? "**" : rest.starts_with("`") ? "`" : "";
            if (!mark.empty()) {
                const std::size_t end = rest.find(mark, mark.size());
                if (end != std::string_view::npos) {
                    put();
                    out += "\\fB" + man_escaped(rest.substr(mark.size(), end - mark.size())) + "\\fR";
                    at += end + mark.size() - 1;
                    continue;
                }
            }
            if (rest.front() == '[') {
                const std::size_t middle = rest.find("](");
                const std::size_t end = middle == std::string_view::npos ? middle : rest.find(')', middle);
                if (end != std::string_view::npos) {
                    put();
                    out += inlined(rest.substr(1, middle - 1));
                    at += end;
                    continue;
                }
            }
            plain += rest.front();
        }
        put();
        return out;
    }

    std::string page_, text_;
    Block block_ = Block::none;
    bool begun_ = false;  ///< a section has begun
    bool is_in_table_ = false, was_row_ = false;
    bool is_below_heading_ = false;  ///< nothing was written since the heading
};

}  // namespace

std::string guide_as_man(std::string_view markdown) {
    return Guide().convert(markdown);
}

}  // namespace hwtrace::cli
