#include "log.hpp"

#include <algorithm>
#include <array>

#include "codec/line_findings.hpp"
#include "cut_line.hpp"
#include "io/appender.hpp"
#include "io/counted.hpp"
#include "io/cursor.hpp"
#include "io/error.hpp"

namespace hwtrace::txlog {

namespace {

/// The maximum number of bytes that are searched for the end of an unfinished string.
constexpr std::size_t most_text_behind = 64u << 10;
constexpr std::size_t shown_bytes = 80;  ///< bytes of a line that a finding shows

bool is_text(const Statement& statement) noexcept {
    return (statement.word == Word::attribute || statement.word == Word::value) && statement.value.starts_with('"');
}

bool ends_in_quote(std::string_view value) noexcept {
    return value.size() >= 2 && value.ends_with('"');
}

/// Returns how many lines at the start of `behind` continue the string before them. The last of these lines ends in a
/// quote and precedes a statement or the end of the log. Returns 0 if no lines continue the string.
std::size_t lines_of_text(std::string_view behind, bool is_all, bool values) noexcept {
    std::size_t count = 0;
    while (!behind.empty()) {
        const std::size_t end = behind.find('\n');
        if (begins_statement(behind.substr(0, std::min(end, behind.size())), values)) return 0;
        if (end == std::string_view::npos && !is_all) return 0;
        ++count;
        std::string_view line = behind.substr(0, end);
        while (line.ends_with('\r'))
            line.remove_suffix(1);
        behind.remove_prefix(std::min(end == std::string_view::npos ? end : end + 1, behind.size()));
        if (line.ends_with('"') && (behind.empty() ? is_all : begins_statement(behind.substr(0, longest_word), values)))
            return count;
    }
    return 0;
}

/// Returns true if the log was cut inside an unfinished string: the rest of the log, `behind`, contains no statement.
bool goes_on_to_the_end(std::string_view behind, bool values) noexcept {
    while (!behind.empty()) {
        const std::size_t end = std::min(behind.find('\n'), behind.size() - 1) + 1;
        if (begins_statement(behind.substr(0, end), values)) return false;
        behind.remove_prefix(end);
    }
    return true;
}

std::size_t lines_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + (text.ends_with('\n') ? 0 : 1);
}

}  // namespace

bool recognise(std::span<const std::byte> head) {
    std::array<std::byte, magic.size()> first{};
    const std::size_t have = unpack_head(head, first);
    return std::string_view(reinterpret_cast<const char*>(first.data()), have) == magic;
}

Log::Log(Input& input, const Limits& limits, Findings& findings)
    : findings_(findings), bytes_((input.seek(0), input), limits), lines_(bytes_, limits.string) {
    if (lines_.behind(magic.size()) == magic) return;
    if (report_cut_beginning(magic, lines_, bytes_, rule(Check::line_cut), rule(Check::packing_cut),
                             rule(Check::packing_damaged), findings_))
        fail(Failure::input, input.name() + ": the log ends before its format is clear");
    findings_.report({.rule = &rule(Check::no_magic), .expected = std::string(magic).append(", perhaps compressed")});
    fail(Failure::input, input.name() + ": not a transaction log");
}

void Log::report(Check check, std::string expected, std::string got) {
    Finding finding = line_finding(rule(check), lines_, bytes_);
    finding.expected = std::move(expected);
    finding.got = std::move(got);
    findings_.report(std::move(finding));
}

/// Appends the lines that continue a string with line breaks. Reports a finding and returns false if the log ends
/// inside the string.
bool Log::join_text(Statement& statement) {
    const bool is_open = !ends_in_quote(statement.value);
    const char* const place = lines_.text().data();
    const std::string_view head = lines_.behind(longest_word);
    if (head.empty() || begins_statement(head, values_)) {
        if (lines_.text().data() != place) statement = parse(lines_.text());  // lookahead moved the line
        return true;
    }
    const std::string_view behind = lines_.behind(most_text_behind);
    const bool is_all = behind.size() < most_text_behind;
    std::size_t count = lines_of_text(behind, is_all, values_);
    const bool is_cut = count == 0 && is_open && is_all && goes_on_to_the_end(behind, values_);
    if (is_cut) count = lines_of(behind);
    for (std::size_t line = 0; line < count; ++line)
        lines_.join();
    statement = parse(lines_.text());
    if (is_cut)
        report(Check::line_cut, {}, std::string(lines_.text().substr(0, shown_bytes)));
    else if (count != 0)
        report(Check::text_goes_on, {}, counted(count, "more line"));
    return !is_cut;
}

bool Log::next(Statement& statement) {
    while (lines_.next()) {
        statement = parse(lines_.text());
        values_ =
            statement.word == Word::begin || statement.word == Word::end || (values_ && statement.word == Word::value);
        const bool is_open = is_text(statement) && !ends_in_quote(statement.value);
        if (is_text(statement) && !join_text(statement)) continue;
        const bool is_wrong = statement.word == Word::unknown || statement.word == Word::malformed;
        if (!lines_.ended() && statement.word != Word::blank) [[unlikely]] {
            const bool is_cut =
                is_wrong ? may_become_statement(lines_.text()) : is_open && !ends_in_quote(statement.value);
            report(is_cut ? Check::line_cut : Check::line_not_ended, {},
                   is_cut ? std::string(lines_.text().substr(0, shown_bytes)) : std::string{});
            if (is_cut) continue;
        }
        switch (statement.word) {
            case Word::blank:
                report(Check::line_blank);
                continue;
            case Word::unknown:
                report(Check::line_unknown, {}, std::string(lines_.text().substr(0, shown_bytes)));
                continue;
            case Word::malformed:
                report(Check::parts_wrong, {}, std::string(lines_.text().substr(0, shown_bytes)));
                continue;
            case Word::stream:
            case Word::generator:
            case Word::begin_attribute:
            case Word::end_attribute:
            case Word::close:
            case Word::begin:
            case Word::end:
            case Word::value:
            case Word::attribute:
            case Word::relation:
                return true;
        }
    }
    check_end();
    return false;
}

void Log::save_place(Appender& out) const {
    lines_.save_place(bytes_, out);
    out.le(static_cast<std::uint8_t>(values_ ? 1 : 0));
}

bool Log::restore_place(Cursor& in) {
    if (!lines_.restore_place(bytes_, in)) return false;
    values_ = in.le<std::uint8_t>() != 0;
    return true;
}

void Log::check_end() {
    report_packing(bytes_, rule(Check::packing_cut), rule(Check::packing_damaged), findings_);
}

int tick_exponent(Input& input, const Limits& limits) {
    input.seek(0);
    Unpacked bytes(input, limits);
    TextLines lines(bytes, limits.string);
    try {
        if (lines.behind(magic.size()) != magic) return picosecond_exponent;
        while (lines.next()) {
            const std::string_view line = lines.text();
            if (!line.starts_with("tx_") && !line.starts_with("a ")) continue;
            const Statement statement = parse(line);
            // The type of the value is not known here, so every value that looks like a time is treated as a time.
            const bool may_be_time =
                statement.word == Word::value || (statement.word == Word::attribute && statement.type == "TIME");
            Time time = statement.time;
            if (may_be_time) {
                std::string_view text = statement.value;
                if (text.starts_with('"') && ends_in_quote(text)) text = text.substr(1, text.size() - 2);
                time = parse_time(text).value_or(Time{});
            }
            if (time.digits != 0 && time.exponent < picosecond_exponent) return femtoseconds;
        }
    } catch (const Error& error) {
        if (error.failure() != Failure::limit) throw;  // the reader reports the limit at the same place
    }
    return picosecond_exponent;
}

}  // namespace hwtrace::txlog
