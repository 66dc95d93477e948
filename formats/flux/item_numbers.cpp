#include "item_numbers.hpp"

#include <algorithm>

#include "field_types.hpp"
#include "names.hpp"

namespace hwtrace::flux {

namespace {

/// A sample stores its item id shifted by three bits, in 64 bits; C emitters use 32 bits.
constexpr std::uint64_t greatest_possible_item = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t greatest_chosen_item = (std::uint64_t{1} << 29) - 1;

/// Returns false if values of the track certainly do not fit a signal of this type.
bool may_hold(SignalType type, const Track& track) {
    if (track.fields.empty() || std::ranges::any_of(track.fields, is_raw)) return true;
    const SignalType own = type_of(track);
    switch (own) {
        case SignalType::integer:
            return type == own || (type == SignalType::event && track.fields.front().type == Type::u64);
        case SignalType::text:
            return type == own || track.fields.front().type == Type::logic;
        case SignalType::floating:
        case SignalType::structure:
            return type == own;
        default:
            return true;
    }
}

}  // namespace

bool is_opening(const Track& track) {
    return track.kind == Track::Kind::native && track.name == opening_track;
}

ItemNumbers::ItemNumbers(const Schema& schema, const StreamFacts& facts, const WantedLayout& wanted, StreamPlan& plan)
    : schema_(schema), facts_(facts), wanted_(wanted), plan_(plan) {
    find_roots();
    number_items();
}

const TraceFacts* ItemNumbers::facts_of(std::size_t trace) const {
    const auto found = facts_.traces.find(plan_.traces[trace].id);
    return found == facts_.traces.end() ? nullptr : &found->second;
}
const ItemFacts* ItemNumbers::facts_of(std::size_t trace, std::optional<std::uint64_t> item) const {
    const TraceFacts* const facts = item ? facts_of(trace) : nullptr;
    if (facts == nullptr) return nullptr;
    const auto found = facts->items.find(*item);
    return found == facts->items.end() ? nullptr : &found->second;
}

std::span<const ItemNumbers::Part> ItemNumbers::parts_of(std::size_t trace, const Track& track) const {
    const auto parts = parts_.find({trace, track.native_id.value_or(0)});
    if (parts == parts_.end()) return {};
    return parts->second;
}

/// Finds the scopes that become traces: the traces of a flux source, otherwise the only root scope.
void ItemNumbers::find_roots() {
    places_.resize(schema_.scopes().size());
    std::vector<ScopeId> roots;
    for (ScopeId id = 0; id < schema_.scopes().size(); ++id) {
        const Scope& scope = schema_.scopes()[id];
        if (scope.parent != none) continue;
        roots.push_back(id);
        if (scope.native_id && !facts_.traces.empty()) is_trace_.insert(id);
    }
    const auto loose = [&](const Track& track) { return track.scope == none && track.kind == Track::Kind::signal; };
    const bool any_loose = std::ranges::any_of(schema_.tracks(), loose);
    if (is_trace_.empty() && roots.size() == 1 && !any_loose) is_trace_.insert(roots.front());
    for (const ScopeId id : roots)
        if (is_trace_.contains(id)) add_trace(id);
    const bool needs_other = any_loose || roots.size() != is_trace_.size() || plan_.traces.empty();
    if (needs_other) add_trace(none);
    for (ScopeId id = 0; id < schema_.scopes().size(); ++id) {
        const ScopeId root = root_of(id);
        places_[id].trace = is_trace_.contains(root) ? trace_by_root_[root] : plan_.traces.size() - 1;
    }
    for (const Track& track : schema_.tracks())
        if (is_opening(track)) plan_.traces[trace_of(track)].reopens = plan_.traces[trace_of(track)].was_stream;
}

/// Returns the root of a scope. Parents may follow their children, and damaged traces contain cycles.
ScopeId ItemNumbers::root_of(ScopeId scope) const {
    const auto& scopes = schema_.scopes();
    for (std::size_t left = scopes.size(); left != 0 && scopes[scope].parent != none; --left)
        scope = scopes[scope].parent;
    return scope;
}

void ItemNumbers::add_trace(ScopeId root) {
    TracePlan& trace = plan_.traces.emplace_back();
    trace.was_stream = root != none && !facts_.traces.empty();
    const auto taken = [&](std::uint64_t id) {
        return std::any_of(plan_.traces.begin(), std::prev(plan_.traces.end()),
                           [&](const TracePlan& other) { return other.id == id; });
    };
    if (root != none) {
        trace_by_root_[root] = plan_.traces.size() - 1;
        trace.name = schema_.scopes()[root].name;
        trace.id = schema_.scopes()[root].native_id.value_or(0);
    }
    while (taken(trace.id))
        ++trace.id;
    if (const TraceFacts* const facts = facts_of(plan_.traces.size() - 1)) {
        trace.has_head = facts->version.has_value();
        const std::uint8_t version = facts->version.value_or(version_6);
        trace.version = version == version_4 ? version_4 : version_6;
        if (version != trace.version) trace.was_version = version;
        trace.source_version = trace.version;
        trace.source_layout = version == version_4  ? Layout::emitters_4
                              : facts->is_impulse_3 ? Layout::impulse_3
                                                    : Layout::emitters_6;
        trace.magic = facts->magic;
        trace.description = facts->description;
        trace.sync = facts->sync;
    } else if (root != none && !facts_.traces.empty())
        trace.has_head = false;
    trace.layout = wanted_.of(trace.source_layout);
    trace.version = trace.layout == Layout::emitters_4 ? version_4 : version_6;
    const TraceFacts* const stated = facts_of(plan_.traces.size() - 1);
    trace.was_this_version = stated != nullptr && stated->version == trace.version;
}

void ItemNumbers::number_items() {
    numbers_.resize(plan_.traces.size());
    track_items_.resize(schema_.tracks().size());
    // Undefined items with metadata keep their ids too.
    for (std::size_t trace = 0; trace < plan_.traces.size(); ++trace) {
        const TraceFacts* const facts = facts_of(trace);
        if (facts == nullptr) continue;
        for (const auto& [id, item] : facts->items) {
            if (item.redefined) plan_.redefined.emplace_back(plan_.traces[trace].id, id);
            if (item.part_of) numbers_[trace].reserve(id);
            if (item.bits) parts_[{trace, item.part_of.value_or(id)}].emplace_back(id, &item);
        }
    }
    // First keep all ids that can be kept, then choose the others.
    std::vector<bool> scope_done(schema_.scopes().size()), track_done(schema_.tracks().size());
    for (ScopeId id = 0; id < schema_.scopes().size(); ++id)
        scope_done[id] = is_trace_.contains(id) || keep_number(id);
    for (TrackId id = 0; id < schema_.tracks().size(); ++id)
        track_done[id] = schema_.tracks()[id].kind != Track::Kind::signal || keep_number_of(id);
    for (std::size_t trace = 0; trace < plan_.traces.size(); ++trace)
        if (const TraceFacts* const facts = facts_of(trace))
            for (const auto& [id, item] : facts->items)
                numbers_[trace].reserve(id);
    for (ScopeId id = 0; id < schema_.scopes().size(); ++id) {
        if (scope_done[id]) continue;
        const Scope& scope = schema_.scopes()[id];
        const std::size_t trace = places_[id].trace;
        places_[id].item = numbers_[trace].take();
        if (scope.native_id && plan_.traces[trace].was_stream) plan_.renamed_scopes.push_back(id);
    }
    for (TrackId id = 0; id < schema_.tracks().size(); ++id)
        if (!track_done[id]) choose_number_of(id);
}

std::uint64_t ItemNumbers::greatest_number(std::size_t trace) const {
    return plan_.traces[trace].was_stream ? greatest_possible_item : greatest_chosen_item;
}

bool ItemNumbers::keep_number(ScopeId id) {
    const std::optional<std::uint64_t> wanted = schema_.scopes()[id].native_id;
    const std::size_t trace = places_[id].trace;
    if (!wanted || !numbers_[trace].keep(*wanted, greatest_number(trace))) return false;
    places_[id].item = *wanted;
    return true;
}

bool ItemNumbers::has_earlier_type(TrackId id) const {
    const Track& track = schema_.tracks()[id];
    const std::size_t trace = trace_of(track);
    if (!plan_.traces[trace].was_stream) return false;
    const ItemFacts* const facts = facts_of(trace, track.native_id);
    return facts != nullptr && facts->redefined && facts->type && !facts->bits && !may_hold(*facts->type, track);
}

/// Keeps the item id of a track if possible. A signal may have several tracks, one per domain of its positions.
bool ItemNumbers::keep_number_of(TrackId id) {
    const Track& track = schema_.tracks()[id];
    if (!track.native_id) return false;
    const std::size_t trace = trace_of(track);
    track_items_[id] = *track.native_id;
    if (!plan_.traces[trace].was_stream) return numbers_[trace].keep(*track.native_id, greatest_number(trace));
    if (has_earlier_type(id)) return false;
    SameItem& same = same_item_[{trace, *track.native_id}];
    const auto comes_back_as = [&](TrackId other) {  // both are read back: the item is opened once per domain
        const Track& before = schema_.tracks()[other];
        return before.name == track.name && before.scope == track.scope && before.time != track.time;
    };
    if (!std::ranges::all_of(same.tracks, comes_back_as)) plan_.merged.push_back(id);
    same.tracks.push_back(id);
    const ItemFacts* const facts = facts_of(trace, track.native_id);
    if (facts == nullptr || !facts->type) return true;  // the item is undefined or a scope
    if (same.tracks.size() == 1) same.kept = numbers_[trace].keep(*track.native_id, greatest_number(trace));
    return same.kept;
}

void ItemNumbers::choose_number_of(TrackId id) {
    const Track& track = schema_.tracks()[id];
    const std::size_t trace = trace_of(track);
    if (!track.native_id || !plan_.traces[trace].was_stream) {
        track_items_[id] = numbers_[trace].take();
        return;
    }
    if (has_earlier_type(id)) {
        plan_.retyped.push_back(id);
        track_items_[id] = numbers_[trace].take();
        return;
    }
    SameItem& same = same_item_[{trace, *track.native_id}];
    if (!same.chosen) {
        same.chosen = numbers_[trace].take();
        plan_.merged.push_back(id);
    }
    track_items_[id] = *same.chosen;
}

}  // namespace hwtrace::flux
