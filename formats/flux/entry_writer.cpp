#include "entry_writer.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "domain/value_text.hpp"
#include "encode.hpp"
#include "options.hpp"

namespace hwtrace::flux {

namespace {

constexpr std::uint64_t longest_entry = 64u << 10;  ///< value of the field "longest entry" in every HEAD
constexpr Subject ring_subject = Subject::general(ring_option);

}  // namespace

EntryWriter::EntryWriter(Output& output, const Settings& settings, Losses& losses,
                         std::function<void()> section_entered)
    : losses_(losses),
      section_entered_(std::move(section_entered)),
      is_packed_(wanted_packing(settings).has_value()),
      blocks_(output, chosen_container(settings, options, container_option), wanted_packing(settings),
              static_cast<std::size_t>(settings.number(options, block_option))),
      out_(blocks_.entries()) {
    if (wanted_ring(settings)) blocks_.hold();
}

void EntryWriter::finish() {
    if (ring_) append_ring();
    blocks_.finish();
}

// --- rings ---

void EntryWriter::start_ring(const WantedRing& wanted) {
    ring_.emplace(out_.span(), wanted.size, wanted.sections);
    out_.clear();
}

bool EntryWriter::begin(const TracePlan& trace, std::size_t room) {
    if (ring_ && !make_room(room, "an entry")) return false;
    switch_to(trace);
    return true;
}

bool EntryWriter::make_room(std::size_t room, std::string_view what) {
    const std::uint64_t lap = ring_->lap();
    if (!ring_->reserve(room + (several_traces_ ? room_of_switch : 0))) {
        losses_.count(Loss::part_dropped, ring_subject, [&] {
            return std::string(what) + " of up to " + counted(room, "byte") + " does not fit in a section";
        });
        return false;
    }
    if (ring_->lap() == lap) return true;
    // Each section states its own trace.
    if (several_traces_) current_ = nullptr;
    section_entered_();
    return true;
}

void EntryWriter::append_ring() {
    if (ring_->lost() != 0)
        losses_.count(
            Loss::part_dropped, ring_subject, [] { return "overwritten by newer records"; }, ring_->lost());
    out_.bytes(ring_->memory());
    ring_.reset();
}

// --- traces and definitions ---

void EntryWriter::append_head(const TracePlan& trace) {
    append_tag(out_, Tag::head);
    out_.text(trace.magic);
    out_.le(trace.version);
    out_.leb128(trace.id);
    append_text(out_, trace.name);
    append_text(out_, trace.description);
    out_.le(std::uint8_t{trace.sync});
    out_.leb128(trace.greatest_item);
    out_.leb128(longest_entry);
    current_ = &trace;
    any_head_ = true;
    if (is_packed_) blocks_.flush_plain();
}

bool EntryWriter::append_head_again(const TracePlan& trace, const Entry& entry) {
    if (ring_ && !make_room(entry.whole.size(), "an entry")) return false;
    if (entry.version == trace.version && entry.item == trace.id) {
        out_.bytes(entry.whole);
    } else {
        append_tag(out_, Tag::head);
        out_.text(entry.magic);
        out_.le(trace.version);
        out_.leb128(trace.id);
        append_text(out_, entry.name);
        append_text(out_, entry.description);
        out_.le(entry.type);
        out_.leb128(entry.last);
        out_.leb128(entry.number);
    }
    end();
    current_ = &trace;
    any_head_ = true;
    return true;
}

void EntryWriter::change_to(const TracePlan& trace) {
    if (any_head_ || current_ != nullptr || trace.id != 0) {
        append_tag(out_, Tag::switch_trace);
        out_.leb128(trace.id);
    }
    current_ = &trace;
}

void EntryWriter::append_item(const TracePlan& trace, const ItemPlan& item) {
    if (!item.defined) return;
    Entry entry;
    entry.tag = item.is_scope ? Tag::scope : item.bits ? Tag::scattered : Tag::signal;
    entry.item = item.id;
    entry.parent = item.parent;
    entry.name = item.name;
    entry.type = item.type == SignalType::unknown ? item.unknown_type : static_cast<std::uint8_t>(item.type);
    set_display(item.display, entry);
    if (item.bits) std::tie(entry.from, entry.to) = *item.bits;
    append_definition(trace, entry);
}

void EntryWriter::append_reference(const TracePlan& trace, const ReferenceFacts& reference) {
    Entry entry;
    entry.tag = reference.bits ? Tag::scattered_reference : Tag::reference;
    entry.item = reference.item;
    entry.parent = reference.parent;
    entry.name = reference.name;
    entry.description = reference.description;
    entry.tags = reference.tags;
    if (reference.bits) std::tie(entry.from, entry.to) = *reference.bits;
    append_definition(trace, entry);
}

void EntryWriter::append_definition(const TracePlan& trace, const Entry& entry) {
    switch_to(trace);
    flux::append_definition(out_, trace.layout, entry);
    end();
}

void EntryWriter::append_member(const TracePlan& trace, std::uint64_t item, const MemberPlan& member) {
    Entry entry;
    entry.item = item;
    entry.number = member.number;
    entry.parent = member.parent;
    entry.name = member.label;
    entry.type = member.type;
    set_display(member.display, entry);
    append_member(trace, entry);
}

void EntryWriter::append_member(const TracePlan& trace, const Entry& entry) {
    if (!begin(trace, room_of_definition(entry))) return;
    append_member_definition(out_, trace.layout, entry);
    end();
}

bool EntryWriter::append_label(const TracePlan& trace, std::uint64_t item, std::uint64_t domain, std::string_view label,
                               std::uint64_t value) {
    if (!begin(trace, room_of_label(item, label))) return false;
    append_tag(out_, Tag::enumeration);
    out_.leb128(item);
    out_.leb128(domain);
    append_text(out_, label);
    out_.leb128(value);
    end();
    return true;
}

// --- positions and samples ---

void EntryWriter::open(const TracePlan& trace, ContextPlan& context) {
    context.position = context.open.start;
    context.opened = context.opens;
    context.in_ring = ring_.has_value();
    if (!context.opens || !begin(trace, room_of_current(context))) return;
    if (ring_) context.lap = ring_->lap();
    append_open(context.item, context.open, context.open.start);
    end();
}

void EntryWriter::append_open(std::uint64_t item, const OpenFacts& facts, std::int64_t start) {
    append_tag(out_, Tag::open);
    out_.leb128(item);
    append_text(out_, facts.domain);
    append_signed(out_, start);
    append_unsigned(out_, facts.rate);
}

void EntryWriter::close(const TracePlan& trace, const ContextPlan& context) {
    if (!context.closes || !begin(trace, 16)) return;
    append_tag(out_, Tag::close);
    out_.leb128(context.item);
    append_signed(out_, context.end.value_or(context.position));
    end();
}

void EntryWriter::append_current(const TracePlan& trace, ContextPlan& context, std::int64_t position) {
    switch_to(trace);
    append_tag(out_, Tag::current);
    out_.leb128(context.item);
    append_signed(out_, position);
    context.position = position;
    end();
}

void EntryWriter::append_position(const ContextPlan& context) {
    if (context.in_ring) return append_open(context.item, context.open, context.position);
    append_tag(out_, Tag::current);
    out_.leb128(context.item);
    append_signed(out_, context.position);
}

}  // namespace hwtrace::flux
