// formats/txlog/log_view.cpp - the view "log": one line for each statement. Statements of transactions have a time.
#include <optional>
#include <string>
#include <string_view>

#include "codec.hpp"
#include "codec/line_findings.hpp"
#include "domain/value_text.hpp"
#include "shown_statements.hpp"

namespace hwtrace::txlog {
namespace {

constexpr std::size_t time_width = 14;

void append_time_column(std::uint64_t tick, TextOutput& out) {
    const std::string digits = std::to_string(tick);
    for (std::size_t at = digits.size(); at < time_width; ++at)
        out.put(' ');
    out.put(digits);
    out.put(' ');
}

void append_named_number(std::string_view name, std::uint64_t value, TextOutput& out) {
    out.put(name);
    out.decimal(value);
}

bool is_quoted(std::string_view value) noexcept {
    return value.size() >= 2 && value.starts_with('"') && value.ends_with('"');
}

/// Returns a value without its quotes, if it has any.
std::string_view without_quotes(std::string_view value) noexcept {
    return is_quoted(value) ? value.substr(1, value.size() - 2) : value;
}

void append_value(std::string_view value, TextOutput& out) {
    if (is_quoted(value))
        append_quoted(without_quotes(value), out);
    else
        append_name(value, out);
}

void append_statement(const Statement& statement, ShownStatements& shown, TextOutput& out) {
    const auto beside_time = [&](std::string_view word) {
        out.put(std::string(time_width + 1, ' '));
        out.put(word);
    };
    switch (statement.word) {
        case Word::stream:
            append_named_number("stream ", statement.id, out);
            out.put(' ');
            append_quoted(statement.name, out);
            out.put(" kind=");
            append_quoted(statement.value == no_kind ? std::string_view{} : statement.value, out);
            break;
        case Word::generator:
            append_named_number("generator ", statement.id, out);
            out.put(' ');
            append_quoted(statement.name, out);
            append_named_number(" stream=", statement.other, out);
            break;
        case Word::begin_attribute:
        case Word::end_attribute:
            out.put(statement.word == Word::begin_attribute ? "  begin " : "  end ");
            append_quoted(statement.name, out);
            out.put(' ');
            append_name(statement.type, out);
            break;
        case Word::begin:
        case Word::end:
            append_time_column(shown.tick(statement), out);
            append_named_number(statement.word == Word::begin ? "begin " : "end ", statement.id, out);
            append_named_number(" generator=", statement.other, out);
            break;
        case Word::value:
            beside_time("  value ");
            append_value(statement.value, out);
            break;
        case Word::attribute:
            beside_time("record ");
            out.decimal(statement.id);
            out.put(' ');
            append_quoted(statement.name, out);
            out.put(' ');
            append_name(statement.type, out);
            out.put(' ');
            append_value(statement.value, out);
            break;
        case Word::relation:
            beside_time("relation ");
            append_quoted(statement.name, out);
            append_named_number(" from=", statement.other, out);
            append_named_number(" to=", statement.id, out);
            break;
        case Word::close:
        case Word::blank:
        case Word::unknown:
        case Word::malformed:
            return;
    }
    out.put('\n');
}

// --- as data ---

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

/// The parts of a statement, by name.
struct Said {
    std::optional<std::uint64_t> time, id, stream, generator, from, to;
    std::optional<std::string_view> name, kind, type, value;
};

Said parts_of(const Statement& statement, ShownStatements& shown) {
    Said said;
    switch (statement.word) {
        case Word::stream:
            said.id = statement.id;
            said.name = statement.name;
            said.kind = statement.value == no_kind ? std::string_view{} : statement.value;
            break;
        case Word::generator:
            said.id = statement.id;
            said.name = statement.name;
            said.stream = statement.other;
            break;
        case Word::begin_attribute:
        case Word::end_attribute:
            said.name = statement.name;
            said.type = statement.type;
            break;
        case Word::begin:
        case Word::end:
            said.time = shown.tick(statement);
            said.id = statement.id;
            said.generator = statement.other;
            break;
        case Word::value:
            said.value = without_quotes(statement.value);
            break;
        case Word::attribute:
            said.id = statement.id;
            said.name = statement.name;
            said.type = statement.type;
            said.value = without_quotes(statement.value);
            break;
        case Word::relation:
            said.name = statement.name;
            said.from = statement.other;
            said.to = statement.id;
            break;
        case Word::close:
        case Word::blank:
        case Word::unknown:
        case Word::malformed:
            break;
    }
    return said;
}

void append_json_statement(const Statement& statement, ShownStatements& shown, JsonIntegers integers, TextOutput& out) {
    out.put("{\"statement\":");
    append_json_string(name_of(statement.word), out);
    const auto number = [&](std::string_view key, const std::optional<std::uint64_t>& value) {
        if (!value) return;
        out.put(key);
        append_json_integer(*value, integers, out);
    };
    const auto text = [&](std::string_view key, const std::optional<std::string_view>& value) {
        if (!value) return;
        out.put(key);
        append_json_string(*value, out);
    };
    const Said said = parts_of(statement, shown);
    number(",\"time\":", said.time);
    number(",\"id\":", said.id);
    text(",\"name\":", said.name);
    text(",\"kind\":", said.kind);
    number(",\"stream\":", said.stream);
    number(",\"generator\":", said.generator);
    text(",\"type\":", said.type);
    text(",\"value\":", said.value);
    number(",\"from\":", said.from);
    number(",\"to\":", said.to);
    out.put('}');
}

void append_csv_statement(const Statement& statement, ShownStatements& shown, TextOutput& out) {
    const std::string_view word = name_of(statement.word);
    if (word.empty()) return;
    out.put(word);
    const auto number = [&](const std::optional<std::uint64_t>& value) {
        out.put(',');
        if (value) out.decimal(*value);
    };
    const auto text = [&](const std::optional<std::string_view>& value) {
        out.put(',');
        if (value) append_csv(*value, out);
    };
    const Said said = parts_of(statement, shown);
    number(said.time);
    number(said.id);
    text(said.name);
    text(said.kind);
    number(said.stream);
    number(said.generator);
    text(said.type);
    text(said.value);
    number(said.from);
    number(said.to);
    out.put('\n');
}

void show_text(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    ShownStatements shown(input, settings, findings);
    out.put(shown.exponent() == femtoseconds ? "txlog, times in fs\n" : "txlog, times in ps\n");
    for (Statement statement; shown.next(statement);)
        append_statement(statement, shown, out);
}

void show_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    ShownStatements shown(input, settings, findings);
    Statement statement;
    if (form == TextForm::csv) {
        out.put("statement,time,id,name,kind,stream,generator,type,value,from,to\n");
        while (shown.next(statement))
            append_csv_statement(statement, shown, out);
        return;
    }
    const bool lines = form == TextForm::jsonl;
    out.put('{');
    append_json_head("hwtrace-txlog-log/1", settings, out);
    out.put(",\"exponent\":");
    out.decimal_signed(shown.exponent());
    out.put(lines ? "}\n" : ",\"items\":[");
    for (bool first = true; shown.next(statement);) {
        if (name_of(statement.word).empty()) continue;
        if (!lines) out.put(first ? "\n" : ",\n");
        append_json_statement(statement, shown, settings.json_integers, out);
        if (lines) out.put('\n');
        first = false;
    }
    if (!lines) out.put("\n]}\n");
}

}  // namespace

void render_log(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    show_and_check([&](Findings& unsaid) { show_text(input, out, settings, unsaid); },
                   [&] { return open_reader(input, settings, findings); });
}

void render_log_data(Input& input, TextForm form, TextOutput& out, const Settings& settings, Findings& findings) {
    show_and_check([&](Findings& unsaid) { show_data(input, form, out, settings, unsaid); },
                   [&] { return open_reader(input, settings, findings); });
}

}  // namespace hwtrace::txlog
