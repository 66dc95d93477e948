#include "item_plan.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "codec.hpp"
#include "definition_order.hpp"
#include "field_types.hpp"
#include "item_numbers.hpp"
#include "items.hpp"
#include "member_plan.hpp"
#include "model/hash.hpp"
#include "names.hpp"
#include "position_plan.hpp"

namespace hwtrace::flux {

namespace {

class Planner {
public:
    Planner(const Schema& schema, const WantedLayout& wanted)
        : schema_(schema), facts_(usable_facts()), numbers_(schema, facts_, wanted, plan_) {}

    StreamPlan plan() {
        plan_.tracks.resize(schema_.tracks().size());
        for (ScopeId id = 0; id < schema_.scopes().size(); ++id)
            plan_scope(id);
        for (TrackId id = 0; id < schema_.tracks().size(); ++id)
            plan_track(id);
        for (std::size_t trace = 0; trace < plan_.traces.size(); ++trace) {
            plan_mentioned(trace);
            plan_positions(schema_, numbers_.facts_of(trace), plan_, trace);
            plan_marks(trace);
            restyle(plan_.traces[trace]);
            order_definitions(plan_.traces[trace], numbers_.facts_of(trace));
        }
        plan_closes(facts_, plan_);
        return std::move(plan_);
    }

private:
    /// Returns the facts about the source, unless the schema lost the traces that they describe.
    StreamFacts usable_facts() {
        StreamFacts facts = StreamFacts::of(schema_);
        plan_.others = facts.others;
        if (facts.stand_in(schema_)) return facts;
        plan_.stale = facts.own;
        return {};
    }

    void plan_scope(ScopeId id) {
        if (numbers_.is_trace(id)) return;
        const Scope& scope = schema_.scopes()[id];
        const ItemNumbers::Place place = numbers_.place_of(id);
        ItemPlan& item = plan_.traces[place.trace].items.emplace_back();
        item.id = place.item;
        item.is_scope = true;
        item.name = scope.name;
        item.parent = scope.parent == none ? 0 : numbers_.place_of(scope.parent).item;
        if (const ItemFacts* const facts = numbers_.facts_of(place.trace, scope.native_id)) {
            item.display = facts->display;
            take_legend(place.trace, *facts, item);
        }
        plan_.traces[place.trace].parents[item.id] = item.parent;
    }

    void plan_track(TrackId id) {
        const Track& track = schema_.tracks()[id];
        TrackPlan& plan = plan_.tracks[id];
        plan.trace = numbers_.trace_of(track);
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
        plan.item = numbers_.item_of(id);
        const ItemFacts* const facts =
            numbers_.has_earlier_type(id) ? nullptr : numbers_.facts_of(plan.trace, track.native_id);
        const bool known = facts != nullptr && facts->type;
        plan.type = known ? *facts->type : type_of(track);
        const bool defined = known || !plan_.traces[plan.trace].was_stream || numbers_.has_earlier_type(id);
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
        item.parent = track.scope == none ? 0 : numbers_.place_of(track.scope).item;
        if (facts == nullptr) return item;
        if (item.type == SignalType::unknown) item.unknown_type = facts->unknown_type;
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
        const TraceFacts* const facts = numbers_.facts_of(index);
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
        for (const auto& [id, fact] : numbers_.parts_of(plan.trace, track)) {
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
        const HashMap<std::string, std::uint64_t> parts = items_of_parts(plan.trace, track);
        for (std::size_t i = 0; i < track.fields.size(); ++i)
            if (const auto part = parts.find(track.fields[i].name); part != parts.end())
                plan.fields[i].item = part->second;
    }

    /// Returns the items of the parts of a scattered signal by their range of bits: "8..300".
    HashMap<std::string, std::uint64_t> items_of_parts(std::size_t trace, const Track& track) const {
        HashMap<std::string, std::uint64_t> items;
        for (const auto& [id, fact] : numbers_.parts_of(trace, track))
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
            numbers_.free_numbers(index).reserve(item.id);
        if (index == 0 && !plan_.others.empty()) {
            trace.mark_scope = numbers_.free_numbers(index).take();
            trace.mark_signal = numbers_.free_numbers(index).take();
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
        trace.greatest_item = numbers_.free_numbers(index).greatest();
    }

    const Schema& schema_;
    StreamPlan plan_;
    const StreamFacts facts_;
    ItemNumbers numbers_;
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
