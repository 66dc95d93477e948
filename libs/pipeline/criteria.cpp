#include "pipeline/criteria.hpp"

#include <algorithm>
#include <array>

#include "io/error.hpp"
#include "io/number_text.hpp"
#include "model/conventions.hpp"

namespace hwtrace {

namespace {

constexpr std::string_view keys = "kind, scope, track, mode, from-opcode, to-opcode, from-pc, to-pc";

[[noreturn]] void reject(std::string_view item, std::string_view why) {
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
    reject(item, "there is no such kind of records; there are " + known);
}

std::uint64_t mode_of(std::string_view item, std::string_view name) {
    const auto& modes = conventions::modes;
    const auto found = std::find(modes.begin(), modes.end(), name);
    if (found == modes.end()) reject(item, "a mode is user, supervisor, hypervisor or machine");
    return static_cast<std::uint64_t>(found - modes.begin());
}

/// In decimal, or with 0x in hexadecimal.
std::uint64_t number_of(std::string_view item, std::string_view text) {
    if (const auto value = parse_number(text)) return *value;
    reject(item, "takes a number, such as 0x00004033");
}

}  // namespace

Criteria parse_criteria(std::string_view text) {
    Criteria criteria;
    InstructionCriteria& instructions = criteria.instructions;
    const auto once = [](std::string_view item, std::optional<std::uint64_t>& place, std::uint64_t value) {
        if (place) reject(item, "stands twice");
        place = value;
    };
    for (bool more = true; more;) {
        const std::size_t comma = text.find(',');
        const std::string_view item = text.substr(0, comma);
        more = comma != std::string_view::npos;
        if (more) text.remove_prefix(comma + 1);
        const std::size_t equals = item.find('=');
        const std::string_view key = item.substr(0, equals);
        const std::string_view value = equals == std::string_view::npos ? std::string_view() : item.substr(equals + 1);
        if (value.empty()) reject(item, std::string("takes KEY=VALUE[,...] with the keys ").append(keys));
        if (key == "kind")
            criteria.records.kinds.push_back(kind_of(item, value));
        else if (key == "scope")
            criteria.records.scopes.emplace_back(value);
        else if (key == "track")
            criteria.records.tracks.emplace_back(value);
        else if (key == "mode")
            once(item, instructions.mode, mode_of(item, value));
        else if (key == "from-opcode")
            once(item, instructions.from_opcode, number_of(item, value));
        else if (key == "to-opcode")
            once(item, instructions.to_opcode, number_of(item, value));
        else if (key == "from-pc")
            once(item, instructions.from_pc, number_of(item, value));
        else if (key == "to-pc")
            once(item, instructions.to_pc, number_of(item, value));
        else
            reject(item, std::string("there is no such key; there are ").append(keys));
    }
    return criteria;
}

bool fits_pattern(std::string_view text, std::string_view pattern) noexcept {
    // Where the last * stands, and the text behind what it stands for: it takes one more where the rest does not fit.
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
