#include "query/result_output.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "domain/utf8.hpp"
#include "domain/value_text.hpp"

namespace hwtrace {

namespace {

using Kind = SqlValue::Kind;

void append_real(double value, TextOutput& out) {
    if (std::isinf(value)) return out.put(value < 0 ? "-Infinity" : "Infinity");
    constexpr std::size_t longest = 32;
    char* const place = out.reserve(longest);
    out.advance(static_cast<std::size_t>(std::to_chars(place, place + longest, value).ptr - place));
}

void append_blob(const SqlValue& value, TextOutput& out) {
    append_hex_bytes(std::as_bytes(std::span(value.text)), out);
}

void append_json_value(const SqlValue& value, JsonIntegers integers, TextOutput& out) {
    switch (value.kind) {
        case Kind::null:
            return out.put("null");
        case Kind::integer:
            return append_json_integer(value.integer, integers, out);
        case Kind::real:
            if (std::isfinite(value.real)) return append_real(value.real, out);
            out.put('"');
            append_real(value.real, out);
            return out.put('"');
        case Kind::text:
            return append_json_string(value.text, out);
        case Kind::blob:
            break;
    }
    out.put('"');
    append_blob(value, out);
    out.put('"');
}

/// Columns side by side, with widths from the first rows. Those that do not fit into the room follow in another line.
class AlignedText final : public ResultOutput {
public:
    AlignedText(TextOutput& out, std::size_t room) : out_(out), room_(room) {}

    void begin(std::span<const std::string> columns) override {
        if (is_later_) out_.put('\n');
        is_later_ = true;
        widths_.assign(columns.size(), 0);
        is_number_.assign(columns.size(), 0);
        has_widths_ = false;
        for (const std::string& name : columns) {
            append_name(name, cell_);
            add_cell(waiting_);
        }
    }
    void row(std::span<const SqlValue> values) override {
        for (std::size_t column = 0; column < values.size(); ++column) {
            append(values[column]);
            if (!has_widths_ && values[column].kind != Kind::null) {
                const bool is_number = values[column].kind == Kind::integer || values[column].kind == Kind::real;
                is_number_[column] |= is_number ? 1 : 2;
            }
            add_cell(waiting_);
        }
        if (has_widths_ || waiting_.size() >= most_waiting * values.size()) write_waiting();
    }
    void end() override { write_waiting(); }
    void finish() override {}

private:
    static constexpr std::size_t most_waiting = 1000;  // rows whose widths are measured

    void append(const SqlValue& value) {
        switch (value.kind) {
            case Kind::null:
                return cell_.put('-');
            case Kind::integer:
                return cell_.decimal_signed(value.integer);
            case Kind::real:
                return append_real(value.real, cell_);
            case Kind::text:
                break;
            case Kind::blob:
                cell_.put("bytes:");
                return append_blob(value, cell_);
        }
        if (is_plain(value.text))
            cell_.put(value.text);
        else
            append_quoted(value.text, cell_);
    }
    /// Returns false for text that could be mistaken for something else, that spans lines, or that a terminal
    /// interprets.
    static bool is_plain(std::string_view text) noexcept {
        if (text.empty() || text == "-" || !is_utf8(text)) return false;
        for (std::size_t at = 0; at < text.size(); ++at) {
            const auto byte = static_cast<unsigned char>(text[at]);
            if (byte < ' ' || byte == 0x7F) return false;
            if (byte == 0xC2 && static_cast<unsigned char>(text[at + 1]) < 0xA0) return false;
        }
        return true;
    }
    void add_cell(std::vector<std::string>& to) {
        to.emplace_back(cell_.text());
        cell_.clear();
    }
    static std::size_t width_of(std::string_view text) noexcept {
        return static_cast<std::size_t>(
            std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    }
    void write_waiting() {
        const std::size_t columns = widths_.size();
        if (columns == 0) return;
        if (!has_widths_)
            for (std::size_t i = 0; i < waiting_.size(); ++i)
                widths_[i % columns] = std::max(widths_[i % columns], width_of(waiting_[i]));
        has_widths_ = true;
        std::size_t used = 0, gap = 0;
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            const std::size_t column = i % columns;
            const std::size_t blanks = widths_[column] - std::min(widths_[column], width_of(waiting_[i]));
            if (column == 0) {
                used = gap = 0;
            } else if (used + 2 + widths_[column] > room_) {  // of all rows, so that columns stay below each other
                out_.put('\n');
                used = gap = 4;
            } else {
                used += 2;
                gap += 2;
            }
            put_blanks(gap);
            used += widths_[column];
            const bool is_right = is_number_[column] == 1;
            if (is_right) put_blanks(blanks);
            out_.put(waiting_[i]);
            gap = is_right ? 0 : blanks;
            if (column + 1 == columns) out_.put('\n');
        }
        waiting_.clear();
    }
    void put_blanks(std::size_t count) {
        while (count-- > 0)
            out_.put(' ');
    }

    TextOutput& out_;
    std::size_t room_;
    TextOutput cell_{-1, 256};
    std::vector<std::string> waiting_;     // cells, row by row; the first row are names
    std::vector<std::size_t> widths_;      // by column
    std::vector<std::uint8_t> is_number_;  // by column: 1 only numbers, 2 only others
    bool has_widths_ = false, is_later_ = false;
};

class Csv final : public ResultOutput {
public:
    explicit Csv(TextOutput& out) : out_(out) {}

    void begin(std::span<const std::string> columns) override {
        if (is_later_) out_.put('\n');
        is_later_ = true;
        for (std::size_t column = 0; column < columns.size(); ++column) {
            if (column != 0) out_.put(',');
            append_csv(columns[column], out_);
        }
        out_.put('\n');
    }
    void row(std::span<const SqlValue> values) override {
        for (std::size_t column = 0; column < values.size(); ++column) {
            if (column != 0) out_.put(',');
            const SqlValue& value = values[column];
            if (value.kind == Kind::integer) out_.decimal_signed(value.integer);
            if (value.kind == Kind::real) append_real(value.real, out_);
            if (value.kind == Kind::text) append_csv(value.text, out_);
            if (value.kind == Kind::blob) append_blob(value, out_);
        }
        out_.put('\n');
    }
    void end() override {}
    void finish() override {}

private:
    TextOutput& out_;
    bool is_later_ = false;
};

class Json final : public ResultOutput {
public:
    Json(const Settings& settings, TextOutput& out) : integers_(settings.json_integers), out_(out) {
        out_.put('{');
        append_json_head("hwtrace-query/1", settings, out_);
        out_.put(",\"results\":[");
    }

    void begin(std::span<const std::string> columns) override {
        out_.put(is_later_ ? ",\n{\"columns\":[" : "\n{\"columns\":[");
        is_later_ = true;
        for (std::size_t column = 0; column < columns.size(); ++column) {
            if (column != 0) out_.put(',');
            append_json_string(columns[column], out_);
        }
        out_.put("],\"rows\":[");
        rows_ = 0;
    }
    void row(std::span<const SqlValue> values) override {
        out_.put(rows_++ == 0 ? "\n[" : ",\n[");
        for (std::size_t column = 0; column < values.size(); ++column) {
            if (column != 0) out_.put(',');
            append_json_value(values[column], integers_, out_);
        }
        out_.put(']');
    }
    void end() override { out_.put("]}"); }
    void finish() override { out_.put("]}\n"); }

private:
    JsonIntegers integers_;
    TextOutput& out_;
    std::uint64_t rows_ = 0;
    bool is_later_ = false;
};

class JsonLines final : public ResultOutput {
public:
    JsonLines(const Settings& settings, TextOutput& out) : integers_(settings.json_integers), out_(out) {}

    void begin(std::span<const std::string> columns) override {
        keys_.clear();
        for (const std::string& name : columns) {
            TextOutput key(-1, 64);
            key.put(keys_.empty() ? '{' : ',');
            append_json_string(name, key);
            key.put(':');
            keys_.emplace_back(key.text());
        }
    }
    void row(std::span<const SqlValue> values) override {
        for (std::size_t column = 0; column < values.size(); ++column) {
            out_.put(keys_[column]);
            append_json_value(values[column], integers_, out_);
        }
        out_.put("}\n");
    }
    void end() override {}
    void finish() override {}

private:
    JsonIntegers integers_;
    TextOutput& out_;
    std::vector<std::string> keys_;  // with what comes before the value
};

}  // namespace

std::unique_ptr<ResultOutput> make_result_output(TextForm form, const Settings& settings, TextOutput& out,
                                                 std::size_t columns) {
    switch (form) {
        case TextForm::csv:
            return std::make_unique<Csv>(out);
        case TextForm::json:
            return std::make_unique<Json>(settings, out);
        case TextForm::jsonl:
            return std::make_unique<JsonLines>(settings, out);
        case TextForm::text:
            break;
    }
    return std::make_unique<AlignedText>(out, columns);
}

}  // namespace hwtrace
