#include "scan.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "codec/utf8.hpp"
#include "codec/value_text.hpp"
#include "encode.hpp"
#include "io/error.hpp"
#include "names.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::uint64_t latest = std::numeric_limits<Tick>::max();
constexpr std::uint8_t sync_head = 1;

constexpr bool is_known(std::uint8_t version) noexcept {
    return version == version_4 || version == version_6;
}

/// Returns the number of states that the definition of a logic signal states; default 1.
std::uint32_t states_of(const Definition& definition, Layout layout) noexcept {
    if (layout == Layout::impulse_3)
        return static_cast<std::uint32_t>(std::clamp<std::int64_t>(definition.display.scale, 1, latest >> 32));
    const std::string_view text = descriptor_value(definition.display.descriptor, "bits");
    std::uint32_t states = 1;
    std::from_chars(text.data(), text.data() + text.size(), states);
    return std::max(states, 1u);
}

Scope scope_named(std::string_view name, ScopeId parent, std::uint64_t id) {
    Scope scope;
    scope.name = name;
    scope.parent = parent;
    scope.native_id = id;
    return scope;
}

}  // namespace

Scan::Scan(Input& input, const Settings& settings, Findings& findings, Schema& schema, EntryListener* listener)
    : settings_(settings),
      findings_(findings),
      schema_(schema),
      listener_(listener),
      check_(settings.check >= CheckLevel::full),
      entries_((input.seekable() ? input.seek(0) : void(), input), settings, findings),
      values_(schema, entries_, settings),
      lanes_(schema, entries_, values_, settings) {
    Batch nothing;
    while (entries_.next(pending_)) {
        if (entries_.has_gap()) count_gap(entries_.take_gap());
        if (pending_.tag == Tag::sample && is_mark(pending_)) {
            take(pending_, nothing);
            continue;
        }
        if (pending_.tag == Tag::sample || pending_.tag == Tag::relation || pending_.tag == Tag::label) {
            has_pending_ = true;
            end_early();
            return;
        }
        take_heard(pending_, nothing);
        if (early_.size() >= Batch::target_records || early_bytes_ >= Batch::target_elements) {
            end_early();
            return;
        }
    }
    if (traces_.empty()) fail_without_trace(input.name());
    finish();
}

/// Throws a failure that explains why the file has no trace.
void Scan::fail_without_trace(const std::string& file) {
    using enum Entries::Ending;
    const Entries::Ending ending = entries_.ending();
    if ((ending == cut || ending == damaged) && entries_.begins_well())
        fail(Failure::input, file + (ending == cut ? ": the stream ends inside its first entry"
                                                   : ": the stream is damaged before its first entry ends"));
    if (ending != not_flux) entries_.report(Check::not_flux, "a HEAD", "none");
    fail(Failure::input, file + ": not a flux stream");
}

void Scan::end_early() {
    is_early_ = false;
    declare_all();
}

bool Scan::read(Batch& batch) {
    for (const Early& record : early_)
        append_native(record.of, record.base, record.time, record.bytes, batch);
    early_.clear();
    if (has_pending_) {
        has_pending_ = false;
        take_heard(pending_, batch);
    }
    while (!ended_ && !batch.full()) {
        if (listener_ != nullptr) {
            if (next()) take_heard(pending_, batch);
            continue;
        }
        const bool prepares = trace_ != nullptr && lanes_.run(*trace_, gaps_, batch, samples_);
        if (batch.full() || !next()) continue;
        if (pending_.tag != Tag::sample) {
            take(pending_, batch);
            continue;
        }
        sample(pending_, batch);
        if (prepares) lanes_.prepare(*trace_, gaps_, pending_);
    }
    return !batch.empty();
}

/// Reads the next entry. Returns false at the end of the stream, after finish().
bool Scan::next() {
    if (!entries_.next(pending_)) {
        finish();
        return false;
    }
    if (entries_.has_gap()) [[unlikely]]
        count_gap(entries_.take_gap());
    return true;
}

void Scan::take_heard(const Entry& entry, Batch& batch) {
    const std::size_t before = early_.size() + batch.records().size();
    take(entry, batch);
    const std::size_t made = early_.size() + batch.records().size() - before;
    if (listener_ != nullptr && made != 0) listener_->made(entries_, entry, made);
}

void Scan::take(const Entry& entry, Batch& batch) {
    if (check_ && trace_ != nullptr && trace_->longest_entry != 0 && entries_.size() > trace_->longest_entry)
        entries_.report(Check::entry_long, "at most " + counted(trace_->longest_entry, "byte"),
                        std::to_string(entries_.size()));
    switch (entry.tag) {
        case Tag::sample:
            return sample(entry, batch);
        case Tag::head:
            return head(entry, batch);
        case Tag::switch_trace:
            return switch_trace(entry.item);
        case Tag::scope:
        case Tag::signal:
        case Tag::signals:
        case Tag::scattered:
            return define(entry, batch);
        case Tag::reference:
        case Tag::scattered_reference:
            return refer(entry, batch);
        case Tag::open:
            return open(entry, batch);
        case Tag::close:
            return close(entry, batch);
        case Tag::domain:
            trace().default_domain = entry.name;
            return;
        case Tag::current:
            return current(entry);
        case Tag::enumeration:
            return label(entry, batch);
        case Tag::member:
            return member(entry, batch);
        case Tag::relation:
        case Tag::label:
            return attached(entry, batch);
        case Tag::request:
        case Tag::result:
            return control(entry, batch);
        case Tag::packed:
        case Tag::section:
            return;
    }
}

// --- traces ---

Trace& Scan::add_trace(std::uint64_t id) {
    values_.count_object();
    std::unique_ptr<Trace>& place = traces_[id];
    place = std::make_unique<Trace>(id);
    in_order_.push_back(place.get());
    return *place;
}

/// Returns the current trace. If none has begun, creates a trace without a HEAD.
Trace& Scan::trace() {
    if (trace_ != nullptr && trace_->scope != none) [[likely]]
        return *trace_;
    if (trace_ == nullptr) {
        entries_.report(Check::no_head, "a HEAD", "another entry");
        trace_ = &add_trace(0);
    } else {
        entries_.report(Check::trace_undefined, "a HEAD of trace " + std::to_string(trace_->id()), "another entry");
    }
    trace_->scope = schema_.declare(scope_named({}, none, trace_->id()));
    describe(head_key, std::string(no_head));
    return *trace_;
}

void Scan::head(const Entry& entry, Batch& batch) {
    const auto found = traces_.find(entry.item);
    const bool known = found != traces_.end() && found->second->has_head;
    if (known && entry.type == sync_head) {
        trace_ = found->second.get();
        trace_->restated = true;
        return switch_trace(entry.item);
    }
    if (found == traces_.end())
        trace_ = &add_trace(entry.item);
    else
        trace_ = found->second.get();
    if (known || trace_->any_sample) begin_anew(entry, batch);
    trace_->begin(gaps_.count);
    if (trace_->scope == none) trace_->scope = schema_.declare(scope_named(entry.name, none, entry.item));
    trace_->has_head = true;
    trace_->restated = false;
    trace_->late = entry.type == sync_head;
    trace_->version = entry.version;
    trace_->greatest_item = entry.last;
    trace_->longest_entry = entry.number;
    trace_->layout = entries_.layout();
    if (!is_known(entry.version)) entries_.report(Check::version_unknown, "4 or 6", std::to_string(entry.version));
    switch_trace(entry.item);
    if (known) return;
    if (entry.version == version_4) trace_->stated_layout = Layout::emitters_4;
    describe(version_key, std::to_string(entry.version));
    if (entry.magic != magic) describe(magic_key, std::string(entry.magic));
    if (!entry.description.empty()) describe(description_key, std::string(entry.description));
    if (trace_->late) describe(sync_key, "true");
}

/// Restarts a trace at a HEAD between the samples. The HEAD, and the CLOS entries before it, become records.
void Scan::begin_anew(const Entry& entry, Batch& batch) {
    Trace& of = *trace_;
    const auto open = std::ranges::find(of.contexts(), true, &Context::opened);
    of.head_base = open == of.contexts().end() ? ordinals : open->base;
    of.head_time = open == of.contexts().end() ? 0 : open->position;
    keep_closes(batch);
    of.anew = true;
    append_native(&of, of.head_base, of.head_time, entry.whole, batch);
}

/// Appends a record for a repeated definition if it follows a HEAD that restarted the trace. The record has the layout
/// that the metadata state.
void Scan::keep_repeated(const Entry& entry, Batch& batch) {
    if (!trace_->anew || trace_->restated) return;
    std::span<const std::byte> bytes = entry.whole;
    const bool has_layout = entry.tag != Tag::enumeration;
    trace_->keeps_layout = trace_->keeps_layout || has_layout;
    if (has_layout && (bytes.empty() || trace_->layout != trace_->stated_layout)) {
        entry_.clear();
        if (entry.tag == Tag::member)
            append_member_definition(entry_, trace_->stated_layout, entry);
        else
            append_definition(entry_, trace_->stated_layout, entry);
        bytes = entry_.span();
    }
    append_native(trace_, trace_->head_base, trace_->head_time, bytes, batch);
}

/// Like keep_repeated(), for the definition of an item. Replaces a parent that is not a scope with the root.
void Scan::keep_definition(const Entry& entry, Batch& batch) {
    if (entry.parent == 0 || trace_->scope_above(entry.item) != 0) return keep_repeated(entry, batch);
    Entry of_root = entry;
    of_root.parent = 0;
    of_root.whole = {};
    keep_repeated(of_root, batch);
}

/// Appends records for the CLOS entries before a HEAD or OPEN. The last CLOS entries of a stream become metadata.
void Scan::keep_closes(Batch& batch) {
    for (Context* const context : trace_->closed)
        keep_close(*context, batch);
    trace_->closed.clear();
}

void Scan::keep_close(Context& context, Batch& batch) {
    if (!context.end) return;
    entry_.clear();
    append_tag(entry_, Tag::close);
    entry_.leb128(context.item);
    append_signed(entry_, *context.end);
    append_native(trace_, context.base, *context.end, entry_.span(), batch);
    context.end.reset();
}

void Scan::switch_trace(std::uint64_t id) {
    const auto found = traces_.find(id);
    trace_ = found != traces_.end() ? found->second.get() : &add_trace(id);
    values_.set_signed_integers(trace_->version != version_4);
}

void Scan::describe(std::string_view path, std::string value) {
    values_.count_object(1, path.size() + value.size());
    schema_.describe(key_of(trace_->id(), path), std::move(value));
}

void Scan::describe(std::uint64_t item, std::string_view path, std::string value) {
    describe(std::to_string(item) + '.' + std::string(path), std::move(value));
}

// --- items ---

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
        if (definition.type == SignalType::unknown)
            entries_.report(Check::type_unknown, "a type from 1 to 11", std::to_string(type));
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
        item.width = static_cast<std::uint32_t>(std::min<std::uint64_t>(now.to - now.from, latest >> 32) + 1);
    }
    check_limit(item.width, settings_.limits.string, "a vector's states", "--max-string");
    if (now.form != Definition::Form::scope) describe(id, type_key, std::string(name_of(now.type)));
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

// --- positions ---

void Scan::open(const Entry& entry, Batch& batch) {
    Trace& of = trace();
    if (of.restated) return;
    of.late = false;
    const std::string_view domain = entry.name.empty() ? of.default_domain : entry.name;
    const auto base = base_of(domain);
    if (!base) entries_.report(Check::domain_unknown, "a known unit", name_text(domain));
    Context& context = of.context(entry.item);
    const Item* const item = entry.item == 0 ? nullptr : of.find(entry.item);
    const bool any_below = entry.item == 0 ? of.any_sample : item != nullptr && item->sampled_below;
    const bool again = of.anew || context.opened || any_below;
    if (again) keep_closes(batch);
    context.opened = true;
    context.closed = context.reported_behind_close = false;
    context.place(entry.position, gaps_);
    context.last = entry.position;
    context.base = base.value_or(ordinals);
    of.renew();
    if (again) {
        entry_.clear();
        append_tag(entry_, Tag::open);
        entry_.leb128(entry.item);
        append_text(entry_, domain);
        append_signed(entry_, entry.position);
        append_unsigned(entry_, entry.rate);
        append_native(&of, context.base, entry.position, entry_.span(), batch);
        return;
    }
    const std::string path = std::string(open_key) + std::to_string(entry.item) + '.';
    describe(path + std::string(domain_key), std::string(domain));
    if (entry.position != 0) describe(path + std::string(start_key), std::to_string(entry.position));
    if (entry.rate != 0) describe(path + std::string(rate_key), std::to_string(entry.rate));
}

void Scan::close(const Entry& entry, Batch& batch) {
    Trace& of = trace();
    Context& context = of.context(entry.item);
    if (context.settle(gaps_) == Context::Known::yes && entry.position < context.last)
        entries_.report(Check::close_early, "at least " + std::to_string(context.last), std::to_string(entry.position));
    if (context.closed) {  // metadata hold only one CLOS per item
        keep_close(context, batch);
        std::erase(of.closed, &context);
    }
    context.closed = true;
    if (!context.end) of.closed.push_back(&context);
    context.end = entry.position;
}

void Scan::current(const Entry& entry) {
    Trace& of = trace();
    Item* const item = entry.item == 0 ? nullptr : of.find(entry.item);
    Context& context = item == nullptr ? of.context(entry.item) : of.context_of(*item);
    if (context.settle(gaps_) == Context::Known::yes && entry.position < context.position)
        entries_.report(Check::position_back, "at least " + std::to_string(context.position),
                        std::to_string(entry.position));
    context.place(entry.position, gaps_);
    of.late = false;
}

/// Counts a gap. Positions are unknown after it.
void Scan::count_gap(Gap gap) {
    ++gaps_.count;
    if (gap == Gap::damage) gaps_.damaged = gaps_.count;
}

/// Advances the position by the sample's distance. Returns false if the position of the sample is unknown.
bool Scan::move_on(Item& item, Context& context, const Entry& entry) {
    if (context.settle(gaps_) == Context::Known::no) [[unlikely]] {
        ++lost_samples_;
        values_.report(item, Check::position_lost, "CURR or OPEN after the damage", "a sample");
        return false;
    }
    if (context.known == Context::Known::distances) [[unlikely]] {
        entries_.report(Check::ring_position, "CURR in the oldest section", "a sample");
        context.known = Context::Known::yes;
    }
    std::uint64_t moved = 0;
    if (__builtin_add_overflow(static_cast<std::uint64_t>(context.position), entry.delta, &moved) ||
        (context.position >= 0 && moved > latest)) [[unlikely]] {
        // If the position is negative, the sum may wrap around as an unsigned number and still be valid.
        const auto room = latest - static_cast<std::uint64_t>(context.position);
        if (context.position >= 0 || entry.delta > room) {
            values_.report(item, Check::position_beyond, "at most " + std::to_string(latest),
                           std::to_string(entry.delta) + " after " + std::to_string(context.position));
            context.known = Context::Known::no;
            return false;
        }
    }
    context.position = static_cast<Tick>(moved);
    return true;
}

// --- samples, relations and labels ---

/// Selects the item's track for the time base of its positions. Creates the track if necessary.
void Scan::settle_track(Item& item, const Context& context) {
    item.track_epoch = item.epoch;
    if (item.track != none && schema_.tracks()[item.track].time == context.base) return;
    item.track = none;
    if (trace_->any_sample) declare(item);
    declare_items();
    if (item.track == none) declare(item);
}

void Scan::sample(const Entry& entry, Batch& batch) {
    Item& item = item_of(entry);
    Context& context = trace_->context_of(item);
    if (!move_on(item, context, entry)) [[unlikely]]
        return;
    if (item.is_mark) [[unlikely]]
        return mark(entry);
    ++samples_;
    if (!item.sampled || !context.opened || context.closed || trace_->restated || check_) [[unlikely]]
        check_sample(item, context, entry);
    if (!item.sampled_below) [[unlikely]]
        trace_->count_sampled(item);
    if (item.track_epoch != item.epoch) [[unlikely]]
        settle_track(item, context);
    trace_->any_sample = true;
    item.sampled = true;
    item.last = context.position;
    item.gaps = gaps_.count;
    context.last = std::max(context.last, context.position);
    Attribute value;
    if (values_.quick(item, entry, value)) [[likely]] {
        batch.change(item.track, context.position, value, entry.mark);
        return;
    }
    if (entry.nibble == static_cast<std::uint8_t>(Nibble::none) && entry.bytes.empty()) {
        if (item.definition.form == Definition::Form::part) {  // the other parts keep their values
            batch.change(item.track, context.position, values_.no_states(item), entry.mark);
            return;
        }
        batch.change(item.track, context.position, std::span<const Attribute>(), entry.mark).flags = record_no_value;
        return;
    }
    batch.change(item.track, context.position, values_.all(item, entry), entry.mark);
}

bool Scan::is_mark(const Entry& entry) const {
    const Item* const item = trace_ == nullptr ? nullptr : trace_->find(entry.item);
    return item != nullptr && item->is_mark;
}

/// Reads a metadata entry of another format. Such entries are samples in the scope `hwtrace`.
void Scan::mark(const Entry& entry) {
    Cursor cursor(entry.bytes);
    Member member;
    EntryFault fault;
    std::array<std::string_view, 2> texts;
    try {
        while (!cursor.at_end() && parse_member(cursor, entries_.layout(), member, fault))
            if (member.number < texts.size()) texts[static_cast<std::size_t>(member.number)] = as_text(member.bytes);
    } catch (const Error&) {
        return;  // the scope belongs to another writer
    }
    values_.count_object(1, texts[0].size() + texts[1].size());
    schema_.describe(std::string(texts[0]), std::string(texts[1]));
}

/// Checks the first sample of an item and, at the full check level, every sample.
void Scan::check_sample(const Item& item, const Context& known, const Entry& entry) {
    Context& context = trace_->context(known.item);
    Trace& of = *trace_;
    of.restated = false;
    if (of.late) {
        entries_.report(Check::sync_position, "OPEN or CURR", "a sample");
        of.late = false;
    }
    if (!context.opened && !context.reported_not_open) {
        values_.report(item, Check::not_open, "OPEN", "a sample");
        context.reported_not_open = true;
    }
    if (context.closed && !context.reported_behind_close) {
        values_.report(item, Check::behind_close, "OPEN", "a sample");
        context.reported_behind_close = true;
    }
    if (!item.sampled && item.definition.form == Definition::Form::undefined)
        values_.report(item, Check::item_undefined, "a definition", "a sample");
    if (!item.sampled && item.definition.form == Definition::Form::scope)
        values_.report(item, Check::not_a_signal, "a signal", "a scope");
    if (!check_) return;
    const bool tagged = (entry.flags & flag_tag) != 0;
    const bool odd = (tagged && ((entry.flags & flag_marked) == 0 || of.version == version_4)) ||
                     ((entry.flags & flag_delta) != 0 && entry.delta == 0);
    if (odd) values_.report(item, Check::flags_odd, "flags that writers set", std::to_string(entry.flags));
}

void Scan::attached(const Entry& entry, Batch& batch) {
    Item& item = item_of(entry);
    Context& context = trace_->context_of(item);
    const char* const what = entry.tag == Tag::relation ? "a relation" : "a label";
    // The sample to which the relation or label belongs may be lost.
    if (gaps_.damaged > (item.sampled ? item.gaps : 0) || context.settle(gaps_) == Context::Known::no) {
        values_.report(item, Check::position_lost, "a sample of the item after the damage", what);
        return;
    }
    if (!item.sampled) values_.report(item, Check::attached_to_nothing, "a sample of the item", what);
    const Tick time = item.sampled ? item.last : context.position;
    const std::uint64_t style =
        text_of(item, entry.tag == Tag::relation ? EnumDomain::relation_style : EnumDomain::label_style, entry.style);
    if (entry.tag == Tag::label) {
        const std::array<std::uint64_t, 4> cells{item.id, style, static_cast<std::uint64_t>(entry.position),
                                                 static_cast<std::uint64_t>(entry.y)};
        batch.event(labels_of(*trace_, context.base), time, cells);
        return;
    }
    const StringId domain =
        entry.domain == 0 ? schema_.intern("") : text_of(item, EnumDomain::relation_domain, entry.domain);
    const std::array<std::uint64_t, 6> cells{item.id,
                                             text_of(item, EnumDomain::relation_target, entry.target),
                                             style,
                                             entry.type,
                                             static_cast<std::uint64_t>(entry.position),
                                             domain};
    batch.event(relations_of(*trace_, context.base), time, cells);
}

StringId Scan::text_of(Item& item, EnumDomain domain, std::uint64_t number) {
    const auto labels = item.labels.find(static_cast<std::uint64_t>(domain));
    if (const std::string* label = labels == item.labels.end() ? nullptr : labels->second.use(number))
        return schema_.intern(*label);
    values_.report(item, Check::text_undefined, "a defined text", std::to_string(number));
    return schema_.intern(std::to_string(number));
}

/// Returns the track in `tracks` with the time base `base`, or hwtrace::none.
TrackId Scan::track_of(const std::vector<TrackId>& tracks, TimeBase base) const {
    const auto found = std::ranges::find(tracks, base, [&](TrackId id) { return schema_.tracks()[id].time; });
    return found == tracks.end() ? none : *found;
}

TrackId Scan::relations_of(Trace& of, TimeBase base) {
    if (const TrackId known = track_of(of.relations, base); known != none) return known;
    if (relation_types_ == none)
        relation_types_ =
            schema_.declare(Enum{std::string(relation_track),
                                 {{0, "distance"}, {1, "distance back"}, {2, "position"}, {3, "position back"}}});
    of.relations.push_back(
        schema_.declare(make_track(Track::Kind::event_type, of.scope, relation_track, base,
                                   {{.name = "item", .type = Type::u64},
                                    {.name = "target", .type = Type::text},
                                    {.name = "style", .type = Type::text},
                                    {.name = "type", .type = Type::enumeration, .enumeration = relation_types_},
                                    {.name = "distance", .type = Type::i64},
                                    {.name = "domain", .type = Type::text}})));
    return of.relations.back();
}

TrackId Scan::labels_of(Trace& of, TimeBase base) {
    if (const TrackId known = track_of(of.labels, base); known != none) return known;
    of.labels.push_back(schema_.declare(make_track(Track::Kind::event_type, of.scope, label_track, base,
                                                   {{.name = "item", .type = Type::u64},
                                                    {.name = "style", .type = Type::text},
                                                    {.name = "x", .type = Type::i64},
                                                    {.name = "y", .type = Type::i64}})));
    return of.labels.back();
}

TrackId Scan::openings_of(Trace& of, TimeBase base) {
    if (const TrackId known = track_of(of.openings, base); known != none) return known;
    of.openings.push_back(schema_.declare(make_track(Track::Kind::native, of.scope, opening_track, base)));
    return of.openings.back();
}

void Scan::control(const Entry& entry, Batch& batch) {
    append_native(nullptr, ordinals, static_cast<Tick>(controls_seen_++), entry.whole, batch);
}

/// Appends a native record. `of` is the trace of a `flux.opening` record; null means a request or result.
void Scan::append_native(Trace* of, TimeBase base, Tick time, std::span<const std::byte> bytes, Batch& batch) {
    if (is_early_) {
        early_.push_back({of, base, time, {bytes.begin(), bytes.end()}});
        early_bytes_ += bytes.size();
        return;
    }
    if (of == nullptr && controls_ == none)
        controls_ = schema_.declare(make_track(Track::Kind::native, none, control_track, ordinals));
    batch.native(of == nullptr ? controls_ : openings_of(*of, base), time, bytes);
}

// --- the end ---

void Scan::finish() {
    if (ended_) return;
    ended_ = true;
    end_early();
    for (auto& [id, of] : traces_) {
        trace_ = of.get();
        describe_unused_labels();
        bool reported = false;
        for (const Context* const context : of->closed)
            describe(std::string(close_key) + std::to_string(context->item), std::to_string(*context->end));
        for (const Context& context : of->contexts()) {
            if (!context.opened || context.closed || reported) continue;
            entries_.report(Check::not_closed, "CLOS of item " + std::to_string(context.item), "the end");
            reported = true;
        }
    }
}

/// Stores unused labels as metadata. No value, relation entry or label entry uses them.
void Scan::describe_unused_labels() {
    std::map<std::uint64_t, const Item*> by_id;
    for (const Item& item : trace_->items())
        if (!item.is_mark && !item.labels.empty()) by_id.emplace(item.id, &item);
    for (const auto& [id, item] : by_id)
        for (const auto& [use, labels] : item->labels)
            for (std::size_t place = 0; place < labels.values().size(); ++place)
                if (const EnumValue& label = labels.values()[place]; !labels.is_used(place))
                    describe(id, std::string(label_key) + std::to_string(use) + '.' + std::to_string(label.value),
                             label.name);
}

Facts Scan::facts() const {
    Facts facts;
    std::string versions;
    for (const auto& [id, of] : traces_)
        if (of->has_head) versions.append(versions.empty() ? "" : ",").append(std::to_string(of->version));
    facts.emplace_back("version", versions.empty() ? "unknown" : versions);
    if (std::ranges::any_of(traces_, [](const auto& of) { return of.second->layout == Layout::impulse_3; }))
        facts.emplace_back("layout", std::string(name_of(Layout::impulse_3)));
    facts.emplace_back("traces", traces_.size());
    std::size_t items = 0;
    for (const auto& [id, of] : traces_)
        items += of->items().size();
    facts.emplace_back("items", items);
    if (entries_.packing() != Packing::plain) facts.emplace_back("container", std::string(name_of(entries_.packing())));
    if (!ended_) return facts;  // counts are complete only at the end
    facts.emplace_back("samples", samples_);
    const Entries::Counts& counts = entries_.counts();
    if (counts.blocks != 0) {
        facts.emplace_back("blocks", counts.blocks);
        facts.emplace_back("packed_bytes", counts.packed_bytes);
        facts.emplace_back("unpacked_bytes", counts.raw_bytes);
    }
    if (counts.sections != 0) facts.emplace_back("sections", counts.sections);
    if (lost_samples_ != 0) facts.emplace_back("samples_without_position", lost_samples_);
    return facts;
}

}  // namespace hwtrace::flux
