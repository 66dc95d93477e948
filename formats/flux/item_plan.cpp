#include "item_plan.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <tuple>
#include <utility>

#include "codec.hpp"
#include "definition_order.hpp"
#include "field_types.hpp"
#include "items.hpp"
#include "member_plan.hpp"
#include "model/hash.hpp"
#include "names.hpp"
#include "position_plan.hpp"

namespace hwtrace::flux {

namespace {

/// A sample stores its item id shifted by three bits, in 64 bits; C emitters use 32 bits.
constexpr std::uint64_t greatest_possible_item = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t greatest_chosen_item = (std::uint64_t{1} << 29) - 1;

/// Assigns item ids. Keeps the ids of the source if possible.
class ItemNumbers {
public:
    /// Reserves the id `wanted`. Returns false if it exceeds `greatest` or belongs to another item.
    bool keep(std::uint64_t wanted, std::uint64_t greatest) {
        return wanted != 0 && wanted <= greatest && used_.insert(wanted).second;
    }
    std::uint64_t take() {
        while (!used_.insert(next_).second)
            ++next_;
        return next_;
    }
    std::uint64_t greatest() const {
        std::uint64_t greatest = 1;
        for (const std::uint64_t id : used_)
            greatest = std::max(greatest, id);
        return greatest;
    }
    void reserve(std::uint64_t id) { used_.insert(id); }

private:
    HashSet<std::uint64_t> used_;
    std::uint64_t next_ = 1;
};

class Planner {
public:
    Planner(const Schema& schema, const WantedLayout& wanted) : schema_(schema), wanted_(wanted) {}

    StreamPlan plan() {
        facts_ = StreamFacts::of(schema_);
        plan_.others = facts_.others;
        if (!facts_.stand_in(schema_)) {
            plan_.stale = facts_.own;
            facts_ = {};
        }
        plan_.tracks.resize(schema_.tracks().size());
        find_roots();
        number_items();
        for (ScopeId id = 0; id < schema_.scopes().size(); ++id)
            plan_scope(id);
        for (TrackId id = 0; id < schema_.tracks().size(); ++id)
            plan_track(id);
        for (std::size_t trace = 0; trace < plan_.traces.size(); ++trace) {
            plan_mentioned(trace);
            plan_positions(schema_, facts_of(trace), plan_, trace);
            plan_marks(trace);
            restyle(plan_.traces[trace]);
            order_definitions(plan_.traces[trace], facts_of(trace));
        }
        plan_closes(facts_, plan_);
        return std::move(plan_);
    }

private:
    struct Place {
        std::size_t trace = 0;
        std::uint64_t item = 0;  ///< 0: the root
    };

    const TraceFacts* facts_of(std::size_t trace) const {
        const auto found = facts_.traces.find(plan_.traces[trace].id);
        return found == facts_.traces.end() ? nullptr : &found->second;
    }
    const ItemFacts* facts_of(std::size_t trace, std::optional<std::uint64_t> item) const {
        const TraceFacts* const facts = item ? facts_of(trace) : nullptr;
        if (facts == nullptr) return nullptr;
        const auto found = facts->items.find(*item);
        return found == facts->items.end() ? nullptr : &found->second;
    }

    /// Finds the scopes that become traces: the traces of a flux source, otherwise the only root scope.
    void find_roots() {
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
    ScopeId root_of(ScopeId scope) const {
        const auto& scopes = schema_.scopes();
        for (std::size_t left = scopes.size(); left != 0 && scopes[scope].parent != none; --left)
            scope = scopes[scope].parent;
        return scope;
    }

    static bool is_opening(const Track& track) {
        return track.kind == Track::Kind::native && track.name == opening_track;
    }

    void add_trace(ScopeId root) {
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

    std::size_t trace_of(const Track& track) const {
        return track.scope == none ? plan_.traces.size() - 1 : places_[track.scope].trace;
    }

    void number_items() {
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

    std::uint64_t greatest_number(std::size_t trace) const {
        return plan_.traces[trace].was_stream ? greatest_possible_item : greatest_chosen_item;
    }

    bool keep_number(ScopeId id) {
        const std::optional<std::uint64_t> wanted = schema_.scopes()[id].native_id;
        const std::size_t trace = places_[id].trace;
        if (!wanted || !numbers_[trace].keep(*wanted, greatest_number(trace))) return false;
        places_[id].item = *wanted;
        return true;
    }

    /// Keeps the item id of a track if possible. A signal may have several tracks, one per domain of its positions.
    bool keep_number_of(TrackId id) {
        const Track& track = schema_.tracks()[id];
        if (!track.native_id) return false;
        const std::size_t trace = trace_of(track);
        track_items_[id] = *track.native_id;
        if (!plan_.traces[trace].was_stream) return numbers_[trace].keep(*track.native_id, greatest_number(trace));
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

    void choose_number_of(TrackId id) {
        const Track& track = schema_.tracks()[id];
        const std::size_t trace = trace_of(track);
        if (!track.native_id || !plan_.traces[trace].was_stream) {
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

    void plan_scope(ScopeId id) {
        if (is_trace_.contains(id)) return;
        const Scope& scope = schema_.scopes()[id];
        const Place place = places_[id];
        ItemPlan& item = plan_.traces[place.trace].items.emplace_back();
        item.id = place.item;
        item.is_scope = true;
        item.name = scope.name;
        item.parent = scope.parent == none ? 0 : places_[scope.parent].item;
        if (const ItemFacts* const facts = facts_of(place.trace, scope.native_id)) {
            item.display = facts->display;
            take_legend(place.trace, *facts, item);
        }
        plan_.traces[place.trace].parents[item.id] = item.parent;
    }

    void plan_track(TrackId id) {
        const Track& track = schema_.tracks()[id];
        TrackPlan& plan = plan_.tracks[id];
        plan.trace = trace_of(track);
        plan.layout = plan_.traces[plan.trace].layout;
        if (track.kind == Track::Kind::native && track.name == control_track) plan.use = TrackPlan::Use::control;
        if (is_opening(track)) {
            if (plan_.traces[plan.trace].reopens)
                plan.use = TrackPlan::Use::opening;
            else
                plan_.foreign_openings.push_back(id);
        }
        if (track.kind == Track::Kind::event_type && track.name == relation_track) plan.use = TrackPlan::Use::relation;
        if (track.kind == Track::Kind::event_type && track.name == label_track) plan.use = TrackPlan::Use::label;
        if (track.kind != Track::Kind::signal) return;
        plan.use = TrackPlan::Use::signal;
        plan.is_foreign = !plan_.traces[plan.trace].was_stream;
        plan.item = track_items_[id];
        const ItemFacts* const facts = facts_of(plan.trace, track.native_id);
        const bool known = facts != nullptr && facts->type;
        plan.type = known ? *facts->type : type_of(track);
        const bool defined = known || !plan_.traces[plan.trace].was_stream;
        if (!defined) plan.type = SignalType::unknown;
        ItemPlan item = make_item(track, plan, facts);
        item.defined = defined;
        plan_fields(track, plan, item, facts);
        if (plan.type == SignalType::logic) {
            plan.states = states_of(track, item);
            if (!known) item.display.descriptor = descriptor_of({}, plan.states);
        }
        if (plan.layout == Layout::emitters_4) flatten(id, plan, item);
        plan_.traces[plan.trace].parents[item.id] = item.parent;
        const bool again = !defined_.insert({plan.trace, item.id}).second;
        std::vector<ItemPlan>& items = plan_.traces[plan.trace].items;
        if (again) return;
        const std::uint64_t first = item.id;
        items.push_back(std::move(item));
        if (facts != nullptr && facts->bits) plan_parts(track, plan, first);
    }

    ItemPlan make_item(const Track& track, const TrackPlan& plan, const ItemFacts* facts) const {
        ItemPlan item;
        item.id = plan.item;
        item.type = plan.type;
        item.name = track.name;
        item.parent = track.scope == none ? 0 : places_[track.scope].item;
        if (facts == nullptr) return item;
        item.display = facts->display;
        take_indexes(*facts, item);
        item.labels = facts->labels;
        item.bits = facts->bits;
        return item;
    }

    static void take_indexes(const ItemFacts& facts, ItemPlan& item) {
        for (const MemberFact& fact : facts.indexes)
            item.indexes.push_back({.number = *fact.number, .label = *fact.label, .display = fact.display});
    }

    /// Plans the labels, array indexes and members of an item that is not a signal.
    void take_legend(std::size_t trace, const ItemFacts& facts, ItemPlan& item) {
        take_indexes(facts, item);
        item.labels = facts.labels;
        Members members;
        take_members({}, trace, facts, item, members);
    }

    void take_members(const std::vector<Field>& fields, std::size_t trace, const ItemFacts& facts, ItemPlan& item,
                      Members& members) {
        plan_known_members(fields, facts, item, members);
        for (const std::string& path : members.renumbered)
            plan_.renumbered.push_back(key_of(plan_.traces[trace].id, item.id, std::string(member_number_key) + path));
    }

    /// Plans the items that have metadata but no definition and no samples.
    void plan_mentioned(std::size_t index) {
        const TraceFacts* const facts = facts_of(index);
        if (facts == nullptr) return;
        TracePlan& trace = plan_.traces[index];
        HashSet<std::uint64_t> planned;
        for (const ItemPlan& item : trace.items)
            planned.insert(item.id);
        for (const auto& [id, fact] : facts->items) {
            if (planned.contains(id)) continue;
            ItemPlan& item = trace.items.emplace_back();
            item.id = id;
            item.defined = false;
            item.type = SignalType::unknown;
            take_legend(index, fact, item);
        }
    }

    std::uint32_t states_of(const Track& track, const ItemPlan& item) const {
        const std::string_view stated = descriptor_value(item.display.descriptor, "bits");
        std::uint32_t states = 0;
        const std::int64_t scale = item.display.scale;
        if (scale > 0) return static_cast<std::uint32_t>(std::min<std::int64_t>(scale, 0x7FFF'FFFF));
        std::from_chars(stated.data(), stated.data() + stated.size(), states);
        if (states != 0) return states;
        for (const Field& field : track.fields)
            states = std::max(states, std::uint32_t{field.width});
        return std::max(states, 1u);
    }

    /// Plans an item for each part of a scattered signal except the first.
    void plan_parts(const Track& track, const TrackPlan& plan, std::uint64_t first) {
        for (const auto& [id, fact] : parts_[{plan.trace, track.native_id.value_or(0)}]) {
            if (!fact->part_of) continue;
            ItemPlan part = make_item(track, plan, fact);
            part.id = id;
            if (!defined_.insert({plan.trace, id}).second || id == first) continue;
            plan_.traces[plan.trace].parents[id] = part.parent;
            plan_.traces[plan.trace].items.push_back(std::move(part));
        }
    }

    // --- fields ---

    void plan_fields(const Track& track, TrackPlan& plan, ItemPlan& item, const ItemFacts* facts) {
        const bool is_struct = plan.type == SignalType::structure;
        Members members;
        if (facts != nullptr && (facts->type || !facts->members.empty()))
            take_members(track.fields, plan.trace, *facts, item, members);
        if (is_struct) plan_members(track, item, members);
        for (const Field& field : track.fields)
            if (field.repeated) members.arrays.emplace(field.name, &field);
        for (const Field& field : track.fields) {
            FieldPlan& use = plan.fields.emplace_back();
            use.as = as_of(field);
            use.width = field.width;
            use.item = plan.item;
            if (plan_.traces[plan.trace].was_stream && is_raw(field)) {
                unsigned nibble = 0;
                std::from_chars(field.name.data() + 4, field.name.data() + field.name.size(), nibble);
                use.as = As::raw;
                use.nibble = static_cast<std::uint8_t>(nibble & nibble_mask);
                continue;
            }
            if (is_struct && members.are_known && !name_of_empty(field).empty()) {
                plan_empty_member(field, item, members, use);
            } else if (is_struct) {
                plan_member_field(field, item, members, use);
                use.enumerated = use.as == As::natural && plan_.traces[plan.trace].was_stream;
            } else {
                plan_value_field(plan, use);
            }
            if (field.type != Type::enumeration) continue;
            use.labels = field.enumeration;
            const bool own = use.type == MemberType::own_enumeration || use.type == MemberType::enumeration_array ||
                             use.type == MemberType::merge_enumeration;
            const bool of_signal = !is_struct || field.enumeration >= schema_.enums().size() ||
                                   schema_.enums()[field.enumeration].name == item.name;
            use.labels_of = own && !of_signal ? of_member + use.member : 0;
        }
        if (facts == nullptr || !facts->bits) return;
        const HashMap<std::string, std::uint64_t> parts = parts_of(plan.trace, track);
        for (std::size_t i = 0; i < track.fields.size(); ++i)
            if (const auto part = parts.find(track.fields[i].name); part != parts.end())
                plan.fields[i].item = part->second;
    }

    /// Returns the items of the parts of a scattered signal by their range of bits: "8..300".
    HashMap<std::string, std::uint64_t> parts_of(std::size_t trace, const Track& track) const {
        HashMap<std::string, std::uint64_t> items;
        const auto parts = parts_.find({trace, track.native_id.value_or(0)});
        if (parts == parts_.end()) return items;
        for (const auto& [id, fact] : parts->second)
            items.emplace(std::to_string(fact->bits->first) + ".." + std::to_string(fact->bits->second), id);
        return items;
    }

    /// Plans a field of a signal that is not a struct.
    static void plan_value_field(const TrackPlan& plan, FieldPlan& use) {
        const bool is_event = plan.type == SignalType::event || plan.type == SignalType::event_array;
        if (use.as == As::natural && is_event) use.as = As::event;
        if (use.as == As::states && plan.type != SignalType::logic) use.as = As::text;
    }

    /// Adapts a struct to version 4, which has no nested structs and no array members. Names members by their paths and
    /// drops arrays. Keeps such members of a version 4 source.
    void flatten(TrackId id, TrackPlan& plan, ItemPlan& item) {
        const bool is_odd = plan_.traces[plan.trace].was_this_version;
        const auto is_new = [&](std::uint8_t type) {
            return !is_odd && static_cast<MemberType>(type & member_type_mask) >= MemberType::structure;
        };
        std::erase_if(item.members, [&](const MemberPlan& member) { return is_new(member.type); });
        for (MemberPlan& member : item.members) {
            if (member.parent != 0) member.label = member.path;
            member.parent = 0;
        }
        for (std::size_t i = 0; i < plan.fields.size(); ++i) {
            FieldPlan& field = plan.fields[i];
            field.in.clear();
            field.dropped = is_new(static_cast<std::uint8_t>(field.type));
            if (!field.dropped) continue;
            plan.drops = true;
            plan_.dropped.emplace_back(id, schema_.tracks()[id].fields[i].name);
        }
    }

    // --- display formats ---

    /// Converts how the definitions of a trace state tags, widths and display formats, if the source has another
    /// layout. Definitions of other formats are planned in the form of the emitters.
    void restyle(TracePlan& trace) {
        const Layout from = trace.was_stream ? trace.source_layout : Layout::emitters_6;
        if (!have_other_styles(from, trace.layout)) return;
        for (ItemPlan& item : trace.items) {
            const bool is_logic = item.type == SignalType::logic && !item.is_scope;
            const auto changed = [&](Loss loss, const std::string& key) {
                if (!trace.was_stream) return;
                plan_.restyled.push_back({loss, key_of(trace.id, item.id, key),
                                          "the layout of " + std::string(name_of(trace.layout)) +
                                              " states it in another way or not at all"});
            };
            for_each_property(item.display, [&](std::string_view key, std::string_view) {
                if (key != description_key) changed(Loss::metadata_dropped, std::string(key));
            });
            flux::restyle(item.display, trace.layout, is_logic);
            const auto restyle_member = [&](MemberPlan& member, std::string_view path) {
                for_each_property(member.display, [&](std::string_view key, std::string_view) {
                    changed(Loss::metadata_dropped, member_key_of(key, path));
                });
                flux::restyle(member.display, trace.layout, false);
            };
            for (MemberPlan& index : item.indexes)
                restyle_member(index, std::to_string(index.number));
            for (MemberPlan& member : item.members) {
                restyle_member(member, member.path);
                const auto base = static_cast<MemberType>(member.type & member_type_mask);
                const bool is_narrowed = base == MemberType::enumeration || base == MemberType::merge_enumeration;
                if (trace.layout == Layout::impulse_3 && is_narrowed)
                    changed(Loss::type_changed, std::string(member_key) + member.path);
            }
        }
    }

    // --- metadata of other formats ---

    /// Plans the items that hold the metadata, if there are any.
    void plan_marks(std::size_t index) {
        TracePlan& trace = plan_.traces[index];
        for (const ItemPlan& item : trace.items)
            numbers_[index].reserve(item.id);
        if (index == 0 && !plan_.others.empty()) {
            trace.mark_scope = numbers_[index].take();
            trace.mark_signal = numbers_[index].take();
            // If the source already has the scope for metadata, its samples stay under the same OPEN.
            const auto opened = [&](std::uint64_t item) {
                return std::ranges::find_if(
                    trace.contexts, [&](const ContextPlan& context) { return context.item == item && context.opens; });
            };
            auto context = opened(trace.mark_signal);
            if (context == trace.contexts.end()) context = opened(0);
            trace.mark_context = static_cast<std::size_t>(context - trace.contexts.begin());
            if (context == trace.contexts.end()) {
                ContextPlan& own = trace.contexts.emplace_back();
                own.item = trace.mark_signal;
                own.open.domain = StreamPlan::domain_of(ordinals).first;
            }
        }
        trace.greatest_item = numbers_[index].greatest();
    }

    const Schema& schema_;
    const WantedLayout wanted_;
    StreamFacts facts_;
    StreamPlan plan_;
    std::vector<Place> places_;  ///< by ScopeId
    HashSet<ScopeId> is_trace_;
    HashMap<ScopeId, std::size_t> trace_by_root_;
    std::vector<ItemNumbers> numbers_;  ///< by trace
    std::vector<std::uint64_t> track_items_;
    struct SameItem {
        bool kept = false;                    ///< the item keeps its id
        std::optional<std::uint64_t> chosen;  ///< its new id, if it cannot keep the old one
        std::vector<TrackId> tracks;
    };
    std::map<std::pair<std::size_t, std::uint64_t>, SameItem> same_item_;
    /// The parts of scattered signals, by trace and first part.
    std::map<std::pair<std::size_t, std::uint64_t>, std::vector<std::pair<std::uint64_t, const ItemFacts*>>> parts_;
    std::set<std::pair<std::size_t, std::uint64_t>> defined_;
};

}  // namespace

Layout WantedLayout::of(Layout source) const noexcept {
    if (version == version_4) return Layout::emitters_4;
    if (is_impulse_3.value_or(source == Layout::impulse_3)) return Layout::impulse_3;
    return version == 0 && source == Layout::emitters_4 ? Layout::emitters_4 : Layout::emitters_6;
}

StreamPlan StreamPlan::of(const Schema& schema, const WantedLayout& wanted) {
    return Planner(schema, wanted).plan();
}

bool is_from_flux(const Schema& schema) {
    const StreamFacts facts = StreamFacts::of(schema);
    return !facts.traces.empty() && facts.stand_in(schema);
}

}  // namespace hwtrace::flux
