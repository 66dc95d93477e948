#include "items.hpp"

#include <algorithm>
#include <array>

namespace hwtrace::flux {

namespace {

/// Maximum number of parent scopes that are followed. A longer chain is a cycle.
constexpr unsigned most_parents = 4096;

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 7> parts_of_a_second{{
    {"s", 1},
    {"ms", 1'000},
    {"us", 1'000'000},
    {"\xC2\xB5s", 1'000'000},
    {"ns", 1'000'000'000},
    {"ps", picoseconds_per_second},
    {"fs", 1'000 * picoseconds_per_second},
}};
/// The domains whose positions are counts, not times.
constexpr std::array<std::string_view, 7> other_domains{"", "Hz", "kHz", "MHz", "GHz", "idx", "index"};

}  // namespace

const std::string* Labels::find(std::uint64_t value) const {
    const std::uint32_t place = by_value_.find(value);
    return place == none ? nullptr : &values_[place].name;
}

const std::string* Labels::use(std::uint64_t value) {
    const std::uint32_t place = by_value_.find(value);
    if (place == none) return nullptr;
    used_[place] = true;
    return &values_[place].name;
}

Labels::Set Labels::set(std::uint64_t value, std::string_view label) {
    const std::uint32_t place = by_value_.find(value);
    if (place == none) {
        by_value_.set(value, static_cast<std::uint32_t>(values_.size()));
        values_.push_back({value, std::string(label)});
        used_.push_back(false);
        text_size_ += label.size();
        return Set::added;
    }
    if (values_[place].name == label) return Set::known;
    text_size_ += label.size() - values_[place].name.size();
    values_[place].name = label;
    used_[place] = false;
    declared = none;
    return Set::changed;
}

std::uint32_t Uses::find_far(std::uint64_t key) {
    const auto found = places_.find(key);
    if (found == places_.end()) return none;
    next_ = found->second;
    return uses_[next_].field;
}

std::uint32_t Uses::field(std::uint64_t key) const {
    const auto found = places_.find(key);
    return found == places_.end() ? none : uses_[found->second].field;
}

void Uses::set(std::uint64_t key, std::uint32_t field) {
    next_ = uses_.size();
    places_[key] = static_cast<std::uint32_t>(next_);
    uses_.push_back({key, field});
}

void Uses::clear() noexcept {
    uses_.clear();
    places_.clear();
    next_ = 0;
}

const MemberDefinition* Item::member(std::uint64_t number) const {
    const std::uint32_t index = member_by_number.find(number);
    return index == none ? nullptr : &members[index];
}

bool Item::has_labels(std::uint64_t owner) const {
    if (labels.empty()) return false;
    if (labels.contains(static_cast<std::uint64_t>(EnumDomain::signal))) return true;
    return owner != 0 && labels.contains(of_member + owner - 1);
}

Item& Trace::add(std::uint64_t item) {
    by_id_.set(item, static_cast<std::uint32_t>(items_.size()));
    items_.emplace_back().id = item;
    return items_.back();
}

Context& Trace::context(std::uint64_t opened_item) {
    const std::uint32_t known = context_by_item_.find(opened_item);
    if (known != none) return contexts_[known];
    context_by_item_.set(opened_item, static_cast<std::uint32_t>(contexts_.size()));
    Context& made = contexts_.emplace_back();
    made.item = opened_item;
    made.gaps = gaps_;
    renew();
    return made;
}

void Trace::begin(std::uint64_t gaps) {
    closed.clear();
    contexts_.clear();
    context_by_item_ = {};
    gaps_ = gaps;
    renew();
}

void Trace::count_sampled(Item& item) {
    Item* at = &item;
    for (unsigned i = 0; i < most_parents && at != nullptr && !at->sampled_below; ++i) {
        at->sampled_below = true;
        const std::uint64_t above = scope_above(at->id);
        at = above == 0 ? nullptr : find(above);
    }
}

std::uint64_t Trace::scope_above(std::uint64_t id) {
    const Item* const item = find(id);
    const Item* const parent = item == nullptr ? nullptr : find(item->definition.parent);
    return parent != nullptr && parent->definition.form == Definition::Form::scope ? parent->id : 0;
}

void Trace::find_context(Item& item) {
    std::uint64_t at = item.id;
    std::uint32_t found = none;
    for (unsigned i = 0; i < most_parents && at != 0; ++i) {
        found = context_by_item_.find(at);
        if (found != none && contexts_[found].opened) break;
        found = none;
        at = scope_above(at);
    }
    if (found == none) {
        context(0);
        found = context_by_item_.find(0);
    }
    item.context = found;
    item.epoch = epoch_;
}

std::string_view descriptor_value(std::string_view descriptor, std::string_view key) noexcept {
    const std::size_t open = descriptor.find('<');
    if (open == std::string_view::npos) return {};
    std::string_view list = descriptor.substr(open + 1);
    list = list.substr(0, list.find('>'));
    while (!list.empty()) {
        const std::string_view entry = list.substr(0, list.find(','));
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos && entry.substr(0, equals) == key) return entry.substr(equals + 1);
        list.remove_prefix(std::min(entry.size() + 1, list.size()));
    }
    return {};
}

std::optional<TimeBase> base_of(std::string_view domain) noexcept {
    for (const auto& [name, parts] : parts_of_a_second)
        if (domain == name) return TimeBase{TimeBase::Kind::seconds, 1, parts};
    if (std::ranges::find(other_domains, domain) != other_domains.end()) return ordinals;
    return std::nullopt;
}

std::string_view name_of(SignalType type) noexcept {
    constexpr std::array<std::string_view, signal_types> names{
        "unknown", "event",  "integer",     "logic",         "float",       "text",
        "binary",  "struct", "event array", "integer array", "float array", "text array"};
    const auto number = static_cast<std::size_t>(type);
    return number < names.size() ? names[number] : names.front();
}

std::string type_text(SignalType type, std::uint8_t unknown_type) {
    std::string text(name_of(type));
    if (type == SignalType::unknown && unknown_type != 0) text += ' ' + std::to_string(unknown_type);
    return text;
}

std::string_view name_of(MemberType type) noexcept {
    constexpr std::array<std::string_view, member_types> names{
        "unknown",      "text",      "enum",       "integer",
        "float",        "logic",     "binary",     "enum of the member",
        "enum of both", "struct",    "enum array", "integer array",
        "float array",  "text array"};
    const auto number = static_cast<std::size_t>(type);
    return number < names.size() ? names[number] : names.front();
}

}  // namespace hwtrace::flux
