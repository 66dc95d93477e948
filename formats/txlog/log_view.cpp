// formats/txlog/log_view.cpp - the view "log": what each statement says, one a line, what belongs to a transaction with
// its time.
#include <algorithm>
#include <string>

#include "codec.hpp"
#include "codec/value_text.hpp"
#include "log.hpp"

namespace hwtrace::txlog {
namespace {

constexpr std::size_t time_width = 14;

void put_time_column(Time time, int exponent, TextOutput& out) {
    const auto count = ticks(time, exponent);
    const std::string digits = count ? std::to_string(*count) : "?";
    for (std::size_t at = digits.size(); at < time_width; ++at)
        out.put(' ');
    out.put(digits);
    out.put(' ');
}

void put_number(std::string_view name, std::uint64_t value, TextOutput& out) {
    out.put(name);
    out.decimal(value);
}

/// A text in quotes, anything else as it stands.
void put_value(std::string_view value, TextOutput& out) {
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
        put_quoted(value.substr(1, value.size() - 2), out);
    else
        put_name(value, out);
}

void put_statement(const Statement& statement, int exponent, TextOutput& out) {
    const auto beside_time = [&](std::string_view word) {
        out.put(std::string(time_width + 1, ' '));
        out.put(word);
    };
    switch (statement.word) {
        case Word::stream:
            put_number("stream ", statement.id, out);
            out.put(' ');
            put_quoted(statement.name, out);
            out.put(" kind=");
            put_quoted(statement.value == no_kind ? std::string_view{} : statement.value, out);
            break;
        case Word::generator:
            put_number("generator ", statement.id, out);
            out.put(' ');
            put_quoted(statement.name, out);
            put_number(" stream=", statement.other, out);
            break;
        case Word::begin_attribute:
        case Word::end_attribute:
            out.put(statement.word == Word::begin_attribute ? "  begin " : "  end ");
            put_quoted(statement.name, out);
            out.put(' ');
            put_name(statement.type, out);
            break;
        case Word::begin:
        case Word::end:
            put_time_column(statement.time, exponent, out);
            put_number(statement.word == Word::begin ? "begin " : "end ", statement.id, out);
            put_number(" generator=", statement.other, out);
            break;
        case Word::value:
            beside_time("  value ");
            put_value(statement.value, out);
            break;
        case Word::attribute:
            beside_time("record ");
            out.decimal(statement.id);
            out.put(' ');
            put_quoted(statement.name, out);
            out.put(' ');
            put_name(statement.type, out);
            out.put(' ');
            put_value(statement.value, out);
            break;
        case Word::relation:
            beside_time("relation ");
            put_quoted(statement.name, out);
            put_number(" from=", statement.other, out);
            put_number(" to=", statement.id, out);
            break;
        case Word::close:
        case Word::blank:
        case Word::unknown:
        case Word::malformed:
            return;
    }
    out.put('\n');
}

}  // namespace

void render_log(Input& input, TextOutput& out, const Settings& settings, Findings& findings) {
    input.spool(settings.temporary_folder);
    const int exponent = tick_exponent(input, settings.limits);
    Log log(input, settings.limits, findings);
    out.put(exponent == femtoseconds ? "txlog, times in fs\n" : "txlog, times in ps\n");
    for (Statement statement; log.next(statement);)
        put_statement(statement, exponent, out);
}

}  // namespace hwtrace::txlog
