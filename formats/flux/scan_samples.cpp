// The scan of samples and of what is attached to them.
#include "scan.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "domain/value_text.hpp"
#include "io/error.hpp"
#include "names.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::uint64_t latest = std::numeric_limits<Tick>::max();

}  // namespace

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

}  // namespace hwtrace::flux
