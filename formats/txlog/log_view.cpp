// formats/txlog/log_view.cpp - the view "log": one line for each statement. Statements of transactions have a time.
#include <string>
#include <string_view>

#include "codec.hpp"
#include "codec/line_findings.hpp"
#include "codec/rows.hpp"
#include "domain/value_text.hpp"
#include "shown_statements.hpp"

namespace hwtrace::txlog {
namespace {

constexpr std::size_t time_width = 14;
constexpr std::string_view beside_time = "               ";  ///< as wide as the time column

void append_time_column(std::uint64_t tick, TextOutput& out) {
    const std::string digits = std::to_string(tick);
    for (std::size_t at = digits.size(); at < time_width; ++at)
        out.put(' ');
    out.put(digits);
    out.put(' ');
}

/// Returns the statement's name in data output. Returns an empty string if the statement has no row.
std::string_view name_of(Word word) noexcept {
    switch (word) {
        case Word::stream:
            return "stream";
        case Word::generator:
            return "generator";
        case Word::begin_attribute:
            return "begin_attribute";
        case Word::end_attribute:
            return "end_attribute";
        case Word::begin:
            return "begin";
        case Word::end:
            return "end";
        case Word::value:
            return "value";
        case Word::attribute:
            return "attribute";
        case Word::relation:
            return "relation";
        case Word::close:
        case Word::blank:
        case Word::unknown:
        case Word::malformed:
            break;
    }
    return {};
}

using enum RowColumn::Text;
constexpr auto log_columns = columns_of(RowColumn{"statement", bare}, RowColumn{"time", bare}, RowColumn{"id", bare},
                                        RowColumn{"name", bare_quoted}, RowColumn{"kind", named_quoted}, "stream",
                                        "generator", RowColumn{"type", bare}, RowColumn{"value", bare}, "from", "to");

/// Writes each statement as a row.
class LogRows {
public:
    LogRows(ShownStatements& shown, TextForm form, const Settings& settings, TextOutput& out)
        : shown_(shown), rows_(form, settings, out) {
        rows_.begin("hwtrace-txlog-log/1", settings);
        if (form == TextForm::text)
            out.put(shown.exponent() == femtoseconds ? "txlog, times in fs\n" : "txlog, times in ps\n");
        if (rows_.is_json()) {
            out.put(",\"exponent\":");
            out.decimal_signed(shown.exponent());
        }
        rows_.begin_rows(",\"items\":[");
    }

    void put(const Statement& statement) {
        const std::string_view name = name_of(statement.word);
        if (name.empty()) return;
        rows_.begin_row();
        if (is_text())
            append_head(statement, name, rows_.cell("statement"));
        else
            rows_.text("statement", name);
        append_cells(statement);
        rows_.end_row();
    }
    void end() { rows_.end(); }

private:
    bool is_text() const noexcept { return rows_.form() == TextForm::text; }

    /// Writes the time column and the word of a line of text.
    void append_head(const Statement& statement, std::string_view name, TextOutput& out) {
        switch (statement.word) {
            case Word::begin:
            case Word::end:
                append_time_column(shown_.tick(statement), out);
                break;
            case Word::begin_attribute:
                return out.put("  begin");
            case Word::end_attribute:
                return out.put("  end");
            case Word::value:
                out.put(beside_time);
                return out.put("  value");
            case Word::attribute:
                out.put(beside_time);
                return out.put("record");
            case Word::relation:
                out.put(beside_time);
                break;
            default:
                break;
        }
        out.put(name);
    }

    void append_cells(const Statement& statement) {
        switch (statement.word) {
            case Word::stream:
                rows_.number("id", statement.id);
                rows_.text("name", statement.name);
                rows_.text("kind", statement.value == no_kind ? std::string_view{} : statement.value);
                break;
            case Word::generator:
                rows_.number("id", statement.id);
                rows_.text("name", statement.name);
                rows_.number("stream", statement.other);
                break;
            case Word::begin_attribute:
            case Word::end_attribute:
                rows_.text("name", statement.name);
                rows_.text("type", statement.type);
                break;
            case Word::begin:
            case Word::end:
                if (!is_text()) rows_.number("time", shown_.tick(statement));
                rows_.number("id", statement.id);
                rows_.number("generator", statement.other);
                break;
            case Word::value:
                append_value(statement.value);
                break;
            case Word::attribute:
                rows_.number("id", statement.id);
                rows_.text("name", statement.name);
                rows_.text("type", statement.type);
                append_value(statement.value);
                break;
            case Word::relation:
                rows_.text("name", statement.name);
                rows_.number("from", statement.other);
                rows_.number("to", statement.id);
                break;
            case Word::close:
            case Word::blank:
            case Word::unknown:
            case Word::malformed:
                break;
        }
    }

    /// Writes a value without its quotes. Text quotes it again.
    void append_value(std::string_view value) {
        const bool is_quoted = value.size() >= 2 && value.starts_with('"') && value.ends_with('"');
        if (is_quoted) value = value.substr(1, value.size() - 2);
        if (is_quoted && is_text())
            append_quoted(value, rows_.cell("value"));
        else
            rows_.text("value", value);
    }

    ShownStatements& shown_;
    Rows<log_columns> rows_;
};

void show(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    ShownStatements shown(input, settings, findings);
    LogRows rows(shown, form, settings, out);
    for (Statement statement; shown.next(statement);)
        rows.put(statement);
    rows.end();
}

}  // namespace

void render_log_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    show_and_check([&](Findings& unsaid) { show(input, form, out, settings, unsaid); },
                   [&] { return open_reader(input, settings, findings); });
}

void render_log(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    render_log_data(input, TextForm::text, out, settings, findings);
}

}  // namespace hwtrace::txlog
