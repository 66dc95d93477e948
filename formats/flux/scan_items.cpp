// The scan of definitions: scopes, signals, references, members and labels.
#include "scan.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "domain/value_text.hpp"
#include "names.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::int64_t most_states = std::numeric_limits<std::int64_t>::max() >> 32;

/// Returns the number of states that the definition of a logic signal states; default 1.
std::uint32_t states_of(const Definition& definition, Layout layout) noexcept {
    if (layout == Layout::impulse_3)
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(definition.display.scale, 1, most_states));
    const std::string_view text = descriptor_value(definition.display.descriptor, "bits");
    std::uint32_t states = 1;
    std::from_chars(text.data(), text.data() + text.size(), states);
    return std::max(states, 1u);
}

}  // namespace

Scope Scan::scope_named(std::string_view name, ScopeId parent, std::uint64_t id) {
    Scope scope;
    scope.name = name;
    scope.parent = parent;
    scope.native_id = id;
    return scope;
}

/// Takes over the layout of the current trace, which a definition has shown. Metadata state it, unless records have the
/// layout before.
void Scan::settle_layout() {
    Trace& of = trace();
    of.layout = entries_.layout();
    if (of.keeps_layout || of.layout != Layout::impulse_3 || of.stated_layout != Layout::emitters_6) return;
    of.stated_layout = of.layout;
    describe(layout_key, std::string(name_of(of.layout)));
}

void Scan::define(const Entry& entry, Batch& batch) {
    settle_layout();
    Definition definition;
    definition.parent = entry.parent;
    definition.name = entry.name;
    definition.display = display_of(entry);
    definition.form = Definition::Form::scope;
    if (entry.tag != Tag::scope) {
        definition.form = entry.tag == Tag::scattered ? Definition::Form::part : Definition::Form::signal;
        const std::uint8_t type = entry.type & signal_type_mask;
        definition.type = type < signal_types ? static_cast<SignalType>(type) : SignalType::unknown;
        if (definition.type == SignalType::unknown) {
            definition.unknown_type = type;
            entries_.report(Check::type_unknown, "a type from 1 to 11", std::to_string(type));
        }
    }
    if (entry.tag == Tag::scattered) {
        definition.from = std::min(entry.from, entry.to);
        definition.to = std::max(entry.from, entry.to);
    }
    if (entry.tag != Tag::signals) {
        if (define_item(entry.item, std::move(definition))) keep_definition(entry, batch);
        return;
    }
    if (entry.last < entry.item) return;
    if (entry.last - entry.item >= settings_.limits.schema_objects)
        refuse(entry.last - entry.item, settings_.limits.schema_objects, "the number of items", "--max-schema");
    bool known = true;
    for (std::uint64_t id = entry.item; id <= entry.last; ++id)
        known = define_item(id, definition) && known;
    if (known) keep_definition(entry, batch);
}

/// Defines an item. Returns true if it already has this definition.
bool Scan::define_item(std::uint64_t id, Definition definition) {
    Trace& of = trace();
    if (id == 0) {
        entries_.report(Check::item_beyond, "an item id of at least 1", "0");
        return false;
    }
    if (of.has_head && of.greatest_item != 0 && id > of.greatest_item)
        entries_.report(Check::item_beyond, "at most " + std::to_string(of.greatest_item), std::to_string(id));
    Item* known = of.find(id);
    if (known != nullptr && known->definition == definition) return !known->is_mark;
    if (known != nullptr && known->definition.form != Definition::Form::undefined) {
        values_.report(*known, Check::item_redefined, std::string(name_of(known->definition.type)),
                       name_text(definition.name) + " of type " + std::string(name_of(definition.type)));
        *known = Item{};
        known->id = id;
    }
    const Display& display = definition.display;
    values_.count_object(
        1, definition.name.size() + display.description.size() + display.descriptor.size() + display.tags.size());
    Item& item = known != nullptr ? *known : of.add(id);
    item.track = none;
    item.tracks.clear();
    item.forget_fields();
    item.definition = std::move(definition);
    const Definition& now = item.definition;
    const Item* const parent = now.parent == 0 ? nullptr : of.find(now.parent);
    if (now.parent != 0 && (parent == nullptr || parent->definition.form != Definition::Form::scope))
        values_.report(item, Check::parent_undefined, "a scope", "item " + std::to_string(now.parent));
    of.renew();
    item.is_mark = now.form == Definition::Form::scope
                       ? now.parent == 0 && now.name == mark_scope && now.display.description == mark_scope
                       : parent != nullptr && parent->is_mark;
    if (item.is_mark) return false;
    if (now.form == Definition::Form::scope)
        item.scope = schema_.declare(scope_named(now.name, scope_of(now.parent), id));
    if (now.type == SignalType::logic) item.width = states_of(now, of.layout);
    if (now.form == Definition::Form::part) {
        describe(id, bits_key, std::to_string(now.from) + ".." + std::to_string(now.to));
        item.width = static_cast<std::uint32_t>(std::min<std::uint64_t>(now.to - now.from, most_states) + 1);
    }
    check_limit(item.width, settings_.limits.string, "a vector's states", "--max-string");
    if (now.form != Definition::Form::scope) describe(id, type_key, type_text(now.type, now.unknown_type));
    for_each_property(now.display, [&](std::string_view key, const std::string& value) { describe(id, key, value); });
    return false;
}

void Scan::refer(const Entry& entry, Batch& batch) {
    settle_layout();
    const Item* const item = trace().find(entry.item);
    if (!trace_->references.emplace(as_text(entry.whole)).second && trace_->anew) return keep_repeated(entry, batch);
    if (item == nullptr || item->definition.form == Definition::Form::undefined)
        entries_.report(Check::reference_undefined, "a defined signal", "item " + std::to_string(entry.item));
    const std::string path = std::string(reference_key) + std::to_string(references_++) + '.';
    describe(path + std::string(item_key), std::to_string(entry.item));
    describe(path + std::string(parent_key), std::to_string(entry.parent));
    describe(path + std::string(name_key), std::string(entry.name));
    if (!entry.description.empty()) describe(path + std::string(description_key), std::string(entry.description));
    if (!entry.tags.empty()) describe(path + std::string(tags_key), std::string(entry.tags));
    if (entry.tag == Tag::scattered_reference)
        describe(path + std::string(bits_key), std::to_string(entry.from) + ".." + std::to_string(entry.to));
}

ScopeId Scan::scope_of(std::uint64_t item) {
    const Item* const scope = item == 0 ? nullptr : trace_->find(item);
    return scope == nullptr || scope->scope == none ? trace_->scope : scope->scope;
}

/// Declares the tracks of all traces for the items defined so far.
void Scan::declare_all() {
    Trace* const current = trace_;
    for (Trace* const of : in_order_) {
        if (of->scope == none) continue;  // a switch selected it, but nothing followed
        trace_ = of;
        declare_items();
    }
    trace_ = current;
}

/// Declares the tracks of all defined items of the trace that have none.
void Scan::declare_items() {
    Trace& of = trace();
    for (; of.undeclared < of.items().size(); ++of.undeclared) {
        Item& item = of.items()[of.undeclared];
        const Definition::Form form = item.definition.form;
        const bool has_values = form == Definition::Form::signal || form == Definition::Form::part;
        if (has_values && item.track == none && !item.is_mark) declare(item);
    }
}

void Scan::declare(Item& item) {
    const Definition& definition = item.definition;
    const TimeBase base = trace_->context_of(item).base;
    item.forget_fields();
    if (definition.form == Definition::Form::part) {
        const auto key = std::tuple(trace_->id(), definition.parent, definition.name);
        const auto found = scattered_.find(key);
        if (found != scattered_.end() && schema_.tracks()[found->second].time == base) {
            item.track = found->second;
            describe(item.id, part_key, std::to_string(*schema_.tracks()[item.track].native_id));
            values_.foretell(item);
            return;
        }
    }
    item.track = track_of(item.tracks, base);
    if (item.track != none) return;
    values_.count_object(1, definition.name.size());
    Track track = make_track(Track::Kind::signal, scope_of(definition.parent), definition.name, base);
    track.native_id = item.id;
    item.track = schema_.declare(std::move(track));
    item.tracks.push_back(item.track);
    values_.foretell(item);
    if (definition.form == Definition::Form::part)
        scattered_[std::tuple(trace_->id(), definition.parent, definition.name)] = item.track;
}

void Scan::member(const Entry& entry, Batch& batch) {
    settle_layout();
    Item& item = item_of(entry);
    MemberDefinition definition;
    definition.number = entry.number;
    definition.parent = entry.parent;
    definition.type = entry.type;
    definition.label = entry.name;
    definition.display = display_of(entry);
    const MemberDefinition* const known = item.member(entry.number);
    if (known != nullptr && known->is_same_statement(definition)) {
        if (!item.is_mark) keep_repeated(entry, batch);
        return;
    }
    values_.count_object(1, entry.name.size());
    item.forget_fields();
    const bool is_again = known != nullptr;
    const auto type = static_cast<MemberType>(entry.type & member_type_mask);
    const std::uint8_t modifiers = entry.type & static_cast<std::uint8_t>(~member_type_mask);
    const bool is_index =
        type == MemberType::unknown && modifiers == 0 && item.definition.type != SignalType::structure;
    // Metadata and fields keep this path even if an enclosing member is redefined.
    std::string path = values_.path_of(item, definition);
    definition.name = definition.label;
    values_.count_object(0, path.size());  // a short entry may have a long path
    while (!is_index && item.paths.emplace(path, entry.number).first->second != entry.number) {
        const std::string number = '#' + std::to_string(entry.number);
        definition.name += number;
        path += number;
        values_.count_object(1, path.size());
    }
    const bool is_split = definition.label.find('.') != std::string::npos;
    const bool states_label = is_split || definition.name != definition.label;
    definition.path = path;
    if (is_again) {
        item.members[item.member_by_number.find(entry.number)] = std::move(definition);
    } else {
        item.member_by_number.set(entry.number, static_cast<std::uint32_t>(item.members.size()));
        item.members.push_back(std::move(definition));
    }
    if (item.is_mark) return;
    const std::string name = is_index ? std::to_string(entry.number) : path;
    std::string text(is_index ? entry.name : name_of(type));
    text += member_widths[(entry.type >> member_array_shift) & member_array_mask];
    if ((entry.type & member_hidden) != 0) text += hidden_member;
    if ((entry.type & member_valid_until_change) != 0) text += lasting_member;
    describe(item.id, std::string(is_index ? index_key : member_key) + name, std::move(text));
    if (!is_index) {
        if (is_again || entry.number != item.next_member)
            describe(item.id, std::string(member_number_key) + name, std::to_string(entry.number));
        item.next_member = entry.number + 1;
        if (states_label) describe(item.id, std::string(member_label_key) + name, std::string(entry.name));
    }
    for_each_property(display_of(entry), [&](std::string_view key, const std::string& value) {
        describe(item.id, member_key_of(key, name), value);
    });
}

void Scan::label(const Entry& entry, Batch& batch) {
    Item& item = item_of(entry);
    Labels& labels = item.labels[entry.domain];
    const Labels::Set set = labels.set(entry.number, entry.name);
    const bool of_values = entry.domain == static_cast<std::uint64_t>(EnumDomain::signal) || entry.domain >= of_member;
    if (set == Labels::Set::known) {  // the writer assigns new ids to strings of relations and labels
        if (of_values) keep_repeated(entry, batch);
        return;
    }
    values_.count_object(1, entry.name.size());
    if (!of_values) return;
    if (set == Labels::Set::added && labels.declared != none)  // the label applies to earlier values too
        schema_.add_label(labels.declared, {entry.number, std::string(entry.name)});
    else
        item.forget_fields();
}

/// Returns the item of an entry. Creates it if it is not defined.
Item& Scan::item_of(const Entry& entry) {
    Trace& of = trace();
    if (Item* const item = of.find(entry.item)) [[likely]]
        return *item;
    values_.count_object();
    Item& item = of.add(entry.item);
    item.width = 1;
    return item;
}

}  // namespace hwtrace::flux
