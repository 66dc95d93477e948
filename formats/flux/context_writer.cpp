#include "context_writer.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "display.hpp"
#include "domain/value_text.hpp"
#include "entry.hpp"
#include "items.hpp"
#include "names.hpp"

namespace hwtrace::flux {

namespace {

bool is_open(const TracePlan& trace, std::uint64_t item) {
    const auto found = trace.context_by_item.find(item);
    return found != trace.context_by_item.end() && trace.contexts[found->second].opened;
}

/// Returns the context of an item. Creates a context without OPEN and CLOS if necessary.
std::size_t context_of(TracePlan& trace, std::uint64_t item) {
    const auto [place, is_new] = trace.context_by_item.try_emplace(item, trace.contexts.size());
    if (is_new) {
        ContextPlan& made = trace.contexts.emplace_back();
        made.item = item;
        made.opens = made.closes = false;
    }
    return place->second;
}

}  // namespace

void ContextWriter::opening(std::span<const std::byte> bytes, const TrackPlan& track) {
    TracePlan& trace = plan_.traces[track.trace];
    Entry entry;
    EntryFault fault;
    Cursor cursor(bytes);
    try {
        if (!parse_entry(cursor, trace.source_layout, entry, fault)) return no_entry(bytes);
    } catch (const Truncated&) {
        return no_entry(bytes);
    }
    const bool is_restyled = have_other_styles(trace.source_layout, trace.layout);
    Display display = display_of(entry);
    if (is_restyled) restyle(display, trace.layout, defines_logic(entry));
    set_display(display, entry);
    switch (entry.tag) {
        case Tag::head:
            return begin_anew(trace, entry);
        case Tag::open:
            return open_anew(trace, entry);
        case Tag::member:
            return entries_.append_member(trace, entry);
        case Tag::scope:
        case Tag::signal:
        case Tag::signals:
        case Tag::scattered:
        case Tag::reference:
        case Tag::scattered_reference:
            if (is_restyled) {
                if (!entries_.begin(trace, EntryWriter::room_of_definition(entry))) return;
                return entries_.append_definition(trace, entry);
            }
            [[fallthrough]];
        case Tag::close:
        case Tag::enumeration:
            if (!entries_.begin(trace, entry.whole.size())) return;
            entries_.out().bytes(entry.whole);
            return entries_.end();
        default:
            return no_entry(bytes);
    }
}

void ContextWriter::no_entry(std::span<const std::byte> bytes) {
    losses_.count(Loss::native_dropped, opening_track, [&] { return counted(bytes.size(), "byte"); });
}

/// Writes a HEAD that restarts the trace. Closes all contexts and forgets the strings of relations and labels.
void ContextWriter::begin_anew(TracePlan& trace, const Entry& entry) {
    if (entry.version != trace.source_version)
        losses_.count(Loss::type_changed, key_of(trace.id, version_key),
                      [&] { return "a later HEAD states version " + std::to_string(entry.version); });
    if (!entries_.append_head_again(trace, entry)) return;
    for (ContextPlan& context : trace.contexts) {
        context.opened = false;
        context.position = 0;
    }
    const auto index =
        static_cast<std::size_t>(std::ranges::find(plan_.traces, trace.id, &TracePlan::id) - plan_.traces.begin());
    labels_.forget_texts(index);
    ++trace.epoch;
}

void ContextWriter::open_anew(TracePlan& trace, const Entry& entry) {
    ContextPlan& context = trace.contexts[context_of(trace, entry.item)];
    context.opens = true;
    context.open = {.domain = std::string(entry.name), .start = entry.position, .rate = entry.rate};
    context.base = base_of(context.open.domain).value_or(ordinals);
    context.multiply = 1;
    entries_.open(trace, context);
    ++trace.epoch;
}

void ContextWriter::settle(TrackPlan& track, const Record& record) {
    TracePlan& trace = plan_.traces[track.trace];
    const TimeBase& base = schema_.tracks()[record.track].time;
    std::uint64_t item = track.item;
    for (std::size_t depth = 0; depth < trace.parents.size() && item != 0 && !is_open(trace, item); ++depth) {
        const auto parent = trace.parents.find(item);
        item = parent == trace.parents.end() ? 0 : parent->second;
    }
    if (!is_open(trace, item)) item = 0;
    track.context = context_of(trace, item);
    const ContextPlan& found = trace.contexts[track.context];
    if ((found.opened ? found.base : ordinals) != base) open_in(base, track, record);
    track.epoch = trace.epoch;
}

void ContextWriter::open_in(const TimeBase& base, TrackPlan& track, const Record& record) {
    TracePlan& trace = plan_.traces[track.trace];
    const bool is_new = !trace.context_by_item.contains(track.item);
    track.context = context_of(trace, track.item);
    ContextPlan& context = trace.contexts[track.context];
    if (is_new) plan_.closes.emplace_back(track.trace, track.context);
    const auto [domain, multiply] = StreamPlan::domain_of(base);
    context.opens = context.closes = true;
    context.base = base;
    context.multiply = multiply;
    context.end.reset();
    context.open = {.domain = std::string(domain), .start = position_of(record, context), .rate = 0};
    if (base_of(domain) == ordinals && base.kind != TimeBase::Kind::ordinal && base.den != 0)
        losses_.count(Loss::type_changed, schema_.tracks()[record.track].name,
                      [&] { return "no time domain has steps of this length, so positions are counted"; });
    entries_.open(trace, context);
    ++trace.epoch;
}

std::int64_t ContextWriter::far_position_of(const Record& record, const ContextPlan& context) {
    std::int64_t position = 0;
    const bool negative = record.time < 0;
    const auto multiply =
        static_cast<std::int64_t>(std::min<std::uint64_t>(context.multiply, std::numeric_limits<std::int64_t>::max()));
    if (!__builtin_mul_overflow(record.time, multiply, &position)) return position;
    losses_.count(Loss::time_rounded, schema_.tracks()[record.track].name,
                  [&] { return "tick " + std::to_string(record.time) + " exceeds 64 bits in " + context.open.domain; });
    return negative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

}  // namespace hwtrace::flux
