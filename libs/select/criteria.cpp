#include "select/criteria.hpp"

#include <algorithm>
#include <array>

#include "domain/conventions.hpp"
#include "io/error.hpp"
#include "io/number_text.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view keys = "kind, scope, track, mode, from-opcode, to-opcode, from-pc, to-pc";

[[noreturn]] void reject_criterion(std::string_view item, std::string_view why) {
    std::string message = "--select ";
    message.append(item).append(": ").append(why);
    fail(Failure::usage, message);
}

Kind kind_of(std::string_view item, std::string_view name) {
    constexpr std::array kinds{Kind::event,    Kind::set,      Kind::clear,       Kind::add,  Kind::change,
                               Kind::interval, Kind::relation, Kind::instruction, Kind::note, Kind::native};
    std::string known;
    for (const Kind kind : kinds) {
        if (name_of(kind) == name) return kind;
        known.append(known.empty() ? "" : ", ").append(name_of(kind));
    }
    reject_criterion(item, "unknown record kind; the kinds are " + known);
}

std::uint64_t mode_of(std::string_view item, std::string_view name) {
    const auto& modes = conventions::modes;
    const auto found = std::find(modes.begin(), modes.end(), name);
    if (found == modes.end()) reject_criterion(item, "a mode is user, supervisor, hypervisor or machine");
    return static_cast<std::uint64_t>(found - modes.begin());
}

/// Parses a decimal number, or a hexadecimal number with prefix 0x.
std::uint64_t number_of(std::string_view item, std::string_view text) {
    if (const auto value = parse_number(text)) return *value;
    reject_criterion(item, "expected a number, such as 0x00004033");
}

/// One item of a comma-separated list.
struct Item {
    std::string_view text;
    std::string name, value;
    Operator comparison = Operator::equal;
    bool is_field = false;  ///< marked by a leading dot
};

bool is_a_key(const Item& item) noexcept {
    constexpr std::array names{"kind", "scope", "track", "mode", "from-opcode", "to-opcode", "from-pc", "to-pc"};
    return !item.is_field && std::find(names.begin(), names.end(), item.name) != names.end();
}

/// Returns the string at `at`: a quoted string, or all characters up to the first one in `ends`. Advances `at` past
/// this string.
std::string taken(std::string_view text, std::size_t& at, std::string_view ends) {
    std::string value;
    if (at == text.size() || text[at] != '"') {
        const std::size_t end = std::min(text.find_first_of(ends, at), text.size());
        value = text.substr(at, end - at);
        at = end;
        return value;
    }
    for (++at; at < text.size() && text[at] != '"'; ++at) {
        const bool escapes = text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == '"' || text[at + 1] == '\\');
        if (escapes) ++at;
        value.push_back(text[at]);
    }
    if (at == text.size()) reject_criterion(text, "the closing quote is missing");
    ++at;
    return value;
}

/// Returns the operator at `at` and advances `at` past the operator. Returns nullopt if there is none.
std::optional<Operator> comparison_at(std::string_view text, std::size_t& at) noexcept {
    constexpr std::array all{Operator::unequal, Operator::at_most, Operator::at_least,
                             Operator::equal,   Operator::less,    Operator::greater};
    for (const Operator comparison : all) {
        if (!text.substr(at).starts_with(name_of(comparison))) continue;
        at += name_of(comparison).size();
        return comparison;
    }
    return std::nullopt;
}

/// Removes the first item from `text` and returns it. Sets `more` to true if another item follows.
Item next_item(std::string_view& text, bool& more) {
    Item item;
    std::size_t at = 0;
    item.is_field = text.starts_with('.');
    if (item.is_field) ++at;
    item.name = taken(text, at, "=<>!,");
    const std::optional<Operator> comparison = comparison_at(text, at);
    item.comparison = comparison.value_or(Operator::equal);
    const std::size_t value_at = at;
    if (comparison) item.value = taken(text, at, ",");
    item.text = text.substr(0, std::min(text.find(',', at), text.size()));
    const bool is_whole = at == item.text.size();
    const bool is_doubled = comparison == Operator::equal && item.value.starts_with('=') && text[value_at] == '=';
    if (!comparison || item.name.empty() || at == value_at || !is_whole || is_doubled) {
        std::string why("expected KEY=VALUE[,...] with the keys ");
        reject_criterion(item.text, why.append(keys).append(", or fields such as size>=4 and name=dma*"));
    }
    more = at < text.size();
    text.remove_prefix(more ? at + 1 : at);
    return item;
}

}  // namespace

std::string_view name_of(Operator comparison) noexcept {
    switch (comparison) {
        case Operator::equal:
            return "=";
        case Operator::unequal:
            return "!=";
        case Operator::less:
            return "<";
        case Operator::at_most:
            return "<=";
        case Operator::greater:
            return ">";
        case Operator::at_least:
            return ">=";
    }
    return "?";
}

std::string_view criteria_keys() noexcept {
    return keys;
}

Criteria parse_criteria(std::string_view text) {
    Criteria criteria;
    InstructionCriteria& instructions = criteria.instructions;
    const auto once = [](std::string_view item, std::optional<std::uint64_t>& place, std::uint64_t value) {
        if (place) reject_criterion(item, "occurs twice");
        place = value;
    };
    for (bool more = true; more;) {
        const Item item = next_item(text, more);
        const std::string& key = item.name;
        const std::string& value = item.value;
        const auto is_key = [&](std::string_view name) { return !item.is_field && key == name; };
        if (is_key("kind"))
            criteria.records.kinds.push_back(kind_of(item.text, value));
        else if (is_key("scope"))
            criteria.records.scopes.push_back(value);
        else if (is_key("track"))
            criteria.records.tracks.push_back(value);
        else if (is_key("mode"))
            once(item.text, instructions.mode, mode_of(item.text, value));
        else if (is_key("from-opcode"))
            once(item.text, instructions.from_opcode, number_of(item.text, value));
        else if (is_key("to-opcode"))
            once(item.text, instructions.to_opcode, number_of(item.text, value));
        else if (is_key("from-pc"))
            once(item.text, instructions.from_pc, number_of(item.text, value));
        else if (is_key("to-pc"))
            once(item.text, instructions.to_pc, number_of(item.text, value));
        else
            criteria.records.fields.push_back({key, item.comparison, value});
        if (!is_a_key(item) || item.comparison == Operator::equal) continue;
        std::string why("keys accept only =; to compare the field of that name, write ");
        why.append(".").append(key).append(name_of(item.comparison)).append(value);
        reject_criterion(item.text, why);
    }
    return criteria;
}

bool fits_pattern(std::string_view text, std::string_view pattern) noexcept {
    // Backtracks to the last * in the pattern: after a mismatch, this * matches one more character. `taken` is the end
    // of its match in `text`.
    std::size_t star = std::string_view::npos, taken = 0;
    std::size_t at = 0, in_pattern = 0;
    while (at < text.size()) {
        if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
            star = in_pattern++;
            taken = at;
        } else if (in_pattern < pattern.size() && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[at])) {
            ++in_pattern;
            ++at;
        } else if (star != std::string_view::npos) {
            in_pattern = star + 1;
            at = ++taken;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

}  // namespace hwtrace
