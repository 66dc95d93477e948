#include "stream_facts.hpp"

#include <algorithm>
#include <utility>

#include "io/number_text.hpp"
#include "items.hpp"
#include "model/hash.hpp"
#include "names.hpp"

namespace hwtrace::flux {

namespace {

template <typename Number>
bool parse(std::string_view text, Number& number) noexcept {
    const auto value = parse_decimal<Number>(text);
    if (value) number = *value;
    return value.has_value();
}

/// Removes a number and the dot after it from the front of `key`. Returns false if `key` does not begin with them.
bool take_number(std::string_view& key, std::uint64_t& number) noexcept {
    const std::size_t dot = key.find('.');
    if (dot == std::string_view::npos || !parse(key.substr(0, dot), number)) return false;
    key.remove_prefix(dot + 1);
    return true;
}

bool take(std::string_view& key, std::string_view front) noexcept {
    if (!key.starts_with(front)) return false;
    key.remove_prefix(front.size());
    return true;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> bits_of(std::string_view text) noexcept {
    constexpr std::string_view between = "..";
    const std::size_t at = text.find(between);
    std::pair<std::uint64_t, std::uint64_t> range;
    if (at == std::string_view::npos || !parse(text.substr(0, at), range.first) ||
        !parse(text.substr(at + between.size()), range.second))
        return std::nullopt;
    return range;
}

std::optional<std::uint8_t> member_type_of(std::string_view text) noexcept {
    std::uint8_t modifiers = 0;
    if (text.ends_with(lasting_member)) {
        modifiers |= member_valid_until_change;
        text.remove_suffix(lasting_member.size());
    }
    if (text.ends_with(hidden_member)) {
        modifiers |= member_hidden;
        text.remove_suffix(hidden_member.size());
    }
    for (std::size_t width = 1; width < member_widths.size(); ++width) {
        if (!text.ends_with(member_widths[width])) continue;
        modifiers |= static_cast<std::uint8_t>(width << member_array_shift);
        text.remove_suffix(member_widths[width].size());
        break;
    }
    for (std::uint8_t type = 0; type < member_types; ++type)
        if (name_of(static_cast<MemberType>(type)) == text) return static_cast<std::uint8_t>(type | modifiers);
    return std::nullopt;
}

/// Returns the member or index that more metadata describe. These metadata follow its definition, so an index with this
/// number is meant only if it is the latest definition; a member may have a number as its path.
MemberFact& member_of(ItemFacts& item, std::string_view path) {
    if (item.ends_with_index && std::to_string(item.indexes.back().number.value_or(0)) == path)
        return item.indexes.back();
    for (auto member = item.members.rbegin(); member != item.members.rend(); ++member)
        if (member->path == path) return *member;
    return item.members.emplace_back(MemberFact{std::string(path), 0});
}

/// Parses the text that type_text() made.
bool parse_type(std::string_view text, ItemFacts& item) {
    for (std::uint8_t type = 0; type < signal_types; ++type)
        if (name_of(static_cast<SignalType>(type)) == text) item.type = static_cast<SignalType>(type);
    if (!take(text, name_of(SignalType::unknown)) || !take(text, " ")) return item.type.has_value();
    item.type = SignalType::unknown;
    return parse(text, item.unknown_type) && item.unknown_type <= signal_type_mask;
}

bool take_item_fact(TraceFacts& trace, std::uint64_t number, std::string_view key, const std::string& value) {
    ItemFacts& item = trace.items[number];
    const bool is_definition = key == type_key || key == bits_key || (is_property(key) && key != unknown_key);
    if (is_definition && !std::exchange(item.is_defined, true))
        trace.steps.push_back({FactStep::Kind::item, number, 0});
    if (key == type_key) {
        item.redefined = item.type.has_value();
        return parse_type(value, item);
    }
    if (is_property(key) && key != unknown_key) return parse_property(key, value, item.display);
    if (key == bits_key) {
        item.bits = bits_of(value);
        if (item.bits && item.bits->first > item.bits->second) item.bits.reset();
        return item.bits.has_value();
    }
    if (key == part_key) {
        std::uint64_t first = 0;
        if (!parse(value, first)) return false;
        item.part_of = first;
        return true;
    }
    if (take(key, member_key)) {
        const auto type = member_type_of(value);
        if (!type) return false;
        trace.steps.push_back({FactStep::Kind::member, number, item.members.size()});
        item.members.push_back({std::string(key), *type});
        item.ends_with_index = false;
        return true;
    }
    if (take(key, member_label_key)) {
        member_of(item, key).label = value;
        return true;
    }
    if (take(key, member_number_key)) return parse(value, member_of(item, key).number.emplace());
    if (take(key, member_prefix)) {
        const std::size_t dot = key.find('.');
        if (dot == std::string_view::npos || !is_property(key.substr(0, dot))) return false;
        return parse_property(key.substr(0, dot), value, member_of(item, key.substr(dot + 1)).display);
    }
    std::uint64_t index = 0;
    if (take(key, label_key)) {
        std::uint64_t use = 0;
        if (!take_number(key, use) || !parse(key, index)) return false;
        trace.steps.push_back({FactStep::Kind::label, number, item.labels.size()});
        item.labels.push_back({use, index, value});
        return true;
    }
    if (!take(key, index_key) || !parse(key, index)) return false;
    trace.steps.push_back({FactStep::Kind::index, number, item.indexes.size()});
    item.indexes.push_back({.path = {}, .number = index, .label = value});
    item.ends_with_index = true;
    return true;
}

bool take_open_fact(OpenFacts& open, std::string_view key, const std::string& value) {
    if (key == domain_key) {
        open.domain = value;
        return true;
    }
    return key == start_key ? parse(value, open.start) : key == rate_key && parse(value, open.rate);
}

bool take_reference_fact(ReferenceFacts& reference, std::string_view key, const std::string& value) {
    if (key == item_key) return parse(value, reference.item);
    if (key == parent_key) return parse(value, reference.parent);
    if (key == name_key) {
        reference.name = value;
        return true;
    }
    if (key == description_key) {
        reference.description = value;
        return true;
    }
    if (key == tags_key) {
        reference.tags = value;
        return true;
    }
    if (key != bits_key) return false;
    reference.bits = bits_of(value);
    return reference.bits.has_value();
}

bool take_fact(StreamFacts& facts, const Metadata& entry) {
    std::string_view key = entry.key;
    std::uint64_t number = 0;
    if (!take(key, key_prefix) || !take_number(key, number)) return false;
    const std::uint64_t trace_number = number;
    TraceFacts& trace = facts.traces[number];
    if (key == version_key) return parse(entry.value, trace.version.emplace());
    if (key == layout_key) return trace.is_impulse_3 = entry.value == name_of(Layout::impulse_3);
    if (key == head_key) return entry.value == no_head;
    if (key == magic_key) {
        if (entry.value.size() != magic.size()) return false;
        trace.magic = entry.value;
        return true;
    }
    if (key == description_key) {
        trace.description = entry.value;
        return true;
    }
    if (key == sync_key) return trace.sync = entry.value == "true";
    if (take(key, open_key)) {
        if (!take_number(key, number)) return false;
        const auto [open, is_new] = trace.opens.try_emplace(number);
        if (is_new) trace.steps.push_back({FactStep::Kind::open, number, 0});
        return take_open_fact(open->second, key, entry.value);
    }
    if (take(key, close_key)) {
        if (!parse(key, number) || !parse(entry.value, trace.closes[number])) return false;
        facts.closes.emplace_back(trace_number, number);
        return true;
    }
    if (take(key, reference_key)) {
        if (!take_number(key, number)) return false;
        const auto [reference, is_new] = trace.references.try_emplace(number);
        if (is_new) trace.steps.push_back({FactStep::Kind::reference, number, 0});
        return take_reference_fact(reference->second, key, entry.value);
    }
    return take_number(key, number) && take_item_fact(trace, number, key, entry.value);
}

}  // namespace

StreamFacts StreamFacts::of(const Schema& schema) {
    StreamFacts facts;
    for (const Metadata& entry : schema.metadata())
        (take_fact(facts, entry) ? facts.own : facts.others).push_back(&entry);
    return facts;
}

bool StreamFacts::stand_in(const Schema& schema) const {
    HashSet<std::uint64_t> roots;
    for (const Scope& scope : schema.scopes())
        if (scope.parent == none && scope.native_id) roots.insert(*scope.native_id);
    return std::ranges::all_of(traces, [&](const auto& trace) { return roots.contains(trace.first); });
}

}  // namespace hwtrace::flux
