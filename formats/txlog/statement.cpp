#include "statement.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace hwtrace::txlog {

namespace {

constexpr std::string_view blanks = " \t";

/// The rest of a line, consumed from its front.
class Scan {
public:
    explicit Scan(std::string_view line) noexcept : rest_(line) {}

    /// Consumes `literal`. A blank in it matches one or more blanks.
    bool take(std::string_view literal) noexcept {
        std::string_view rest = rest_;
        for (const char c : literal) {
            if (c == ' ') {
                const std::size_t count = std::min(rest.find_first_not_of(blanks), rest.size());
                if (count == 0) return false;
                rest.remove_prefix(count);
            } else {
                if (!rest.starts_with(c)) return false;
                rest.remove_prefix(1);
            }
        }
        rest_ = rest;
        return true;
    }
    bool number(std::uint64_t& value) noexcept {
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc()) return false;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return true;
    }
    /// Sets `text` to everything before the last occurrence of `behind`. Consumes both.
    bool up_to_last(std::string_view behind, std::string_view& text) noexcept {
        const std::size_t at = rest_.rfind(behind);
        if (at == std::string_view::npos) return false;
        text = rest_.substr(0, at);
        rest_.remove_prefix(at + behind.size());
        return true;
    }
    std::string_view rest() const noexcept { return rest_; }
    void skip(std::size_t count) noexcept { rest_.remove_prefix(count); }
    bool at_end() const noexcept { return rest_.find_first_not_of(blanks) == std::string_view::npos; }

private:
    std::string_view rest_;
};

bool parse_stream(Scan& scan, Statement& s) noexcept {
    return scan.take(" (ID ") && scan.number(s.id) && scan.take(", name \"") &&
           scan.up_to_last("\", kind \"", s.name) && scan.up_to_last("\")", s.value) && scan.at_end();
}

bool parse_generator(Scan& scan, Statement& s) noexcept {
    return scan.take(" (ID ") && scan.number(s.id) && scan.take(", name \"") &&
           scan.up_to_last("\", scv_tr_stream ", s.name) && scan.number(s.other) && scan.take(",") && scan.at_end();
}

bool parse_declaration(Scan& scan, Statement& s) noexcept {
    return scan.take(" (ID ") && scan.number(s.id) && scan.take(", name \"") &&
           scan.up_to_last("\", type \"", s.name) && scan.up_to_last("\")", s.type) && scan.at_end();
}

bool parse_moment(Scan& scan, Statement& s) noexcept {
    if (!scan.take(" ") || !scan.number(s.id) || !scan.take(" ") || !scan.number(s.other) || !scan.take(" "))
        return false;
    const auto time = parse_time(scan.rest());
    if (time) s.time = *time;
    return time.has_value();
}

/// Parses an attribute. The name ends at the first quote that is followed by a blank, a type and " = ".
bool parse_attribute(Scan& scan, Statement& s) noexcept {
    if (!scan.take(" ") || !scan.number(s.id) || !scan.take(" \"")) return false;
    const std::string_view rest = scan.rest();
    for (std::size_t at = rest.find('"'); at != std::string_view::npos; at = rest.find('"', at + 1)) {
        Scan behind(rest.substr(at + 1));
        if (!behind.take(" ")) continue;
        const std::size_t size = behind.rest().find_first_of(" \t\"");
        if (size == 0 || size == std::string_view::npos) continue;
        s.type = behind.rest().substr(0, size);
        behind.skip(size);
        if (!behind.take(" =")) continue;
        behind.take(" ");
        s.name = rest.substr(0, at);
        s.value = behind.rest();
        return true;
    }
    return false;
}

bool parse_relation(Scan& scan, Statement& s) noexcept {
    return scan.take(" \"") && scan.up_to_last("\"", s.name) && scan.take(" ") && scan.number(s.id) && scan.take(" ") &&
           scan.number(s.other) && scan.at_end();
}

struct Known {
    std::string_view text;
    Word word;
    bool (*parts)(Scan&, Statement&) noexcept;
};

constexpr std::array known{
    Known{"tx_record_attribute", Word::attribute, parse_attribute},
    Known{"tx_begin", Word::begin, parse_moment},
    Known{"tx_end", Word::end, parse_moment},
    Known{"tx_relation", Word::relation, parse_relation},
    Known{magic, Word::stream, parse_stream},
    Known{"scv_tr_generator", Word::generator, parse_generator},
    Known{"begin_attribute", Word::begin_attribute, parse_declaration},
    Known{"end_attribute", Word::end_attribute, parse_declaration},
};

bool has_word(std::string_view line, std::string_view word) noexcept {
    return line.starts_with(word) &&
           (line.size() == word.size() || blanks.find(line[word.size()]) != std::string_view::npos);
}

struct Unit {
    std::string_view name;
    int exponent;
};
constexpr std::array units{Unit{"ns", -9}, Unit{"ps", -12}, Unit{"fs", -15},
                           Unit{"us", -6}, Unit{"ms", -3},  Unit{"s", 0}};

}  // namespace

std::optional<Time> parse_time(std::string_view text) noexcept {
    Time time;
    Scan scan(text);
    if (!scan.number(time.digits)) return std::nullopt;
    if (scan.take(".")) {
        const std::string_view rest = scan.rest();
        const std::size_t count = std::min(rest.find_first_not_of("0123456789"), rest.size());
        if (count == 0) return std::nullopt;
        for (const char digit : rest.substr(0, count)) {
            if (__builtin_mul_overflow(time.digits, 10u, &time.digits) ||
                __builtin_add_overflow(time.digits, static_cast<unsigned>(digit - '0'), &time.digits))
                return std::nullopt;
        }
        time.exponent = -static_cast<int>(count);
        scan.skip(count);
    }
    if (!scan.take(" ")) return std::nullopt;
    const std::string_view rest = scan.rest();
    const std::string_view unit = rest.substr(0, rest.find_last_not_of(blanks) + 1);
    const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == unit; });
    if (found == units.end()) return std::nullopt;
    time.exponent += found->exponent;
    if (time.digits == 0) return Time{};
    for (; time.digits % 10 == 0; time.digits /= 10)
        ++time.exponent;
    if (time.exponent < femtoseconds) return std::nullopt;
    return time;
}

std::optional<std::int64_t> ticks(Time time, int exponent) noexcept {
    if (time.digits == 0) return 0;
    if (time.exponent < exponent) return std::nullopt;
    for (int e = exponent; e < time.exponent; ++e)
        if (__builtin_mul_overflow(time.digits, 10u, &time.digits)) return std::nullopt;
    if (time.digits > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
    return static_cast<std::int64_t>(time.digits);
}

Statement parse(std::string_view line) noexcept {
    Statement statement;
    if (has_word(line, "a")) {
        statement.word = Word::value;
        Scan scan(line.substr(1));
        scan.take(" ");
        statement.value = scan.rest();
        return statement;
    }
    for (const Known& candidate : known) {
        if (!has_word(line, candidate.text)) continue;
        Scan scan(line.substr(candidate.text.size()));
        statement.word = candidate.parts(scan, statement) ? candidate.word : Word::malformed;
        return statement;
    }
    if (line.find_first_not_of(blanks) == std::string_view::npos)
        statement.word = Word::blank;
    else if (line.starts_with(')') && line.find_first_not_of(blanks, 1) == std::string_view::npos)
        statement.word = Word::close;
    else
        statement.word = Word::unknown;
    return statement;
}

bool begins_statement(std::string_view head, bool values) noexcept {
    if (values && has_word(head, "a")) return true;
    return std::any_of(known.begin(), known.end(), [&](const Known& candidate) {
        return head.size() > candidate.text.size() && has_word(head, candidate.text);
    });
}

}  // namespace hwtrace::txlog
